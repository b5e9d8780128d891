"""PDFs made in a process of their own: so much time and memory each, one after the other, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from crivo.triagem.erros import DocumentoExtenso, DocumentoNaoFeito
from crivo.triagem.publicacao.documentos.folha import Folha, Tabela

LINHAS_MAXIMO: Final = 15_000
"""Rows of a PDF: the whole document is held in memory while it is made, about 190 kB a row."""
_SEGUNDOS: Final = 180.0  # of a machine that has other things to do; the process itself has 120 s of a processor
_SOURCES: Final = str(Path(__file__).resolve().parents[4])  # the same code as this process runs, wherever it lies
_NOT_MADE: Final = "O PDF não pôde ser feito agora. Tente de novo daqui a pouco, ou baixe o HTML, que se imprime igual."


class Impressora:
    """Makes PDFs, as many at once as it is given places."""

    def __init__(self, lugares: int = 1, segundos: float = _SEGUNDOS) -> None:
        self._places = asyncio.Semaphore(lugares)
        self._seconds = segundos

    async def imprimir(self, folha: Folha) -> bytes:
        """The document as PDF/A. Raises DocumentoExtenso of more rows than a PDF takes, DocumentoNaoFeito where it took too long."""
        rows = sum(len(bloco.linhas) for secao in folha.secoes for bloco in secao.blocos if isinstance(bloco, Tabela))
        if rows > LINHAS_MAXIMO:
            raise DocumentoExtenso(f"Em PDF cabem até {LINHAS_MAXIMO} linhas, e esta lista tem {rows}. Baixe o HTML, a planilha ou o CSV.")
        async with self._places:
            return await self._make(msgspec.msgpack.encode(folha))

    async def _make(self, asked: bytes) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-B", "-m", "crivo.triagem.publicacao.documentos"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={"PATH": os.defpath, "PYTHONPATH": _SOURCES},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self._seconds):
                made, _ = await process.communicate(asked)
        except TimeoutError:
            raise DocumentoNaoFeito(_NOT_MADE) from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode != 0 or not made.startswith(b"%PDF-"):
            raise DocumentoNaoFeito(_NOT_MADE)
        return made
