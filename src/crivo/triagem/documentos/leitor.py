"""Files read in processes of their own, so that one that crashes, bursts or hangs is an answer like any other and harms nothing else.

A few processes are kept warm and reused; one that ended, was ended, or has read its share is followed by a fresh one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from crivo.kernel.logs import logger
from crivo.triagem.documentos.conteudo import unread
from crivo.triagem.documentos.lido import DocumentoLido, Leitura
from crivo.triagem.documentos.limites import PADRAO, Limites
from crivo.triagem.documentos.mensagens import LENGTH, Pedido

_FILES_EACH: Final = 300  # before a process is replaced: libraries leak
_LARGEST_ANSWER: Final = 100_000_000  # bytes
# What a library does that is out of memory, beside raising MemoryError.
_OUT_OF_MEMORY: Final = {-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL, -signal.SIGKILL}
_decode = msgspec.msgpack.Decoder(DocumentoLido).decode


class Leitor:
    """Reads documents, at most `processos` at a time, from `async with` until its end; for use within one event loop, with
    whose thread the processes end.
    """

    def __init__(self, limites: Limites = PADRAO, *, processos: int | None = None, files_each: int = _FILES_EACH) -> None:
        self._limites = limites
        self._files_each = files_each
        self._places = asyncio.Semaphore(processos or os.cpu_count() or 1)
        self._idle: list[_Child] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        children, self._idle = self._idle, []
        for child in children:
            await child.end()

    async def read(self, arquivo: str, content: bytes) -> DocumentoLido:
        """What `content` says; `arquivo` is a label that never meets a file system. Raises nothing for what a file holds or does."""
        if len(content) > self._limites.max_bytes:
            return unread(arquivo, content, "grande_demais")
        async with self._places:
            child = await self._take()
            answered = False
            try:
                lido = await child.read(content, self._limites)
                answered = isinstance(lido, DocumentoLido)
            finally:
                if answered and child.files < self._files_each:
                    self._idle.append(child)
                else:
                    await child.end()
        if isinstance(lido, DocumentoLido):
            return msgspec.structs.replace(lido, arquivo=arquivo)
        logger.warning("leitor_reiniciado", extra={"codigo": lido})
        return unread(arquivo, content, lido)

    async def _take(self) -> _Child:
        while self._idle:
            child = self._idle.pop()
            if child.alive:
                return child
        return await _Child.start()


class _Child:
    """One process that reads."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.files = 0

    @property
    def alive(self) -> bool:
        """Whether it still runs, as far as is known."""
        return self._process.returncode is None

    @classmethod
    async def start(cls) -> _Child:
        """A fresh process, apart from the terminal, with an environment that holds no secret."""
        tesseract = shutil.which("tesseract")
        folders = [str(Path(tesseract).parent)] if tesseract else []
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-B", "-m", "crivo.triagem.documentos"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={"PATH": os.pathsep.join((*folders, os.defpath)), "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        return cls(process)

    async def read(self, content: bytes, limites: Limites) -> DocumentoLido | Leitura:
        """The answer for a file, or how the process failed to give one; after that it is of no more use."""
        self.files += 1
        try:
            async with asyncio.timeout(limites.segundos):
                return await self._exchange(msgspec.msgpack.encode(Pedido(content, limites)))
        except TimeoutError:
            return "tempo_esgotado"
        except (asyncio.IncompleteReadError, ConnectionError):
            return _reason(await self._process.wait())

    async def end(self) -> None:
        """End the process with all that it started; returns once it is gone."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # its id is its group's, and what it started is in it
        await self._process.wait()

    async def _exchange(self, asked: bytes) -> DocumentoLido | Leitura:
        writer, reader = self._process.stdin, self._process.stdout
        if writer is None or reader is None:
            raise ConnectionError
        writer.writelines((LENGTH.pack(len(asked)), asked))
        await writer.drain()
        (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
        if length > _LARGEST_ANSWER:
            return "grande_demais"
        return _decode(await reader.readexactly(length))


def _reason(code: int) -> Leitura:
    if code == -signal.SIGXCPU:
        return "tempo_esgotado"
    return "grande_demais" if code in _OUT_OF_MEMORY else "corrompido"
