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
from typing import Final, Protocol, Self, TypeVar

import msgspec

from crivo.kernel.logs import logger
from crivo.triagem.documentos.conteudo import unread
from crivo.triagem.documentos.folha import Desenho, Disposicao
from crivo.triagem.documentos.lido import DocumentoLido, Leitura
from crivo.triagem.documentos.limites import PADRAO, Limites
from crivo.triagem.documentos.mensagens import LENGTH, Mensagem, Pedido, PedidoDeDesenho, PedidoDeDisposicao

_FILES_EACH: Final = 300  # before a process is replaced: libraries leak
_LARGEST_ANSWER: Final = 100_000_000  # bytes
# What a library does that is out of memory, beside raising MemoryError.
_OUT_OF_MEMORY: Final = {-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL, -signal.SIGKILL}
T = TypeVar("T")
_LIDO: Final = msgspec.msgpack.Decoder(DocumentoLido)
_DESENHO: Final = msgspec.msgpack.Decoder(Desenho)
_DISPOSICAO: Final = msgspec.msgpack.Decoder(Disposicao)


class Desenhista(Protocol):
    """Draws pages of documents, and says where their letters stand."""

    async def draw(self, content: bytes, pagina: int, largura: int) -> Desenho:
        """Page `pagina`, from 1, as a PNG `largura` pixels wide or fewer. Raises nothing for what a file holds or does."""

    async def lay_out(self, content: bytes, pagina: int, *, ocultos: bool) -> Disposicao:
        """Where the letters of a page stand, and what it hides where `ocultos`. Raises nothing for what a file holds or does."""

    async def close(self) -> None:
        """End what was started for it; it starts again when it is asked."""


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
        await self.close()

    async def close(self) -> None:
        """End the processes that wait; they start again when something is asked."""
        children, self._idle = self._idle, []
        for child in children:
            await child.end()

    async def read(self, arquivo: str, content: bytes) -> DocumentoLido:
        """What `content` says; `arquivo` is a label that never meets a file system. Raises nothing for what a file holds or does."""
        if len(content) > self._limites.max_bytes:
            return unread(arquivo, content, "grande_demais")
        lido = await self._ask(Pedido(content, self._limites), _LIDO)
        if isinstance(lido, DocumentoLido):
            return msgspec.structs.replace(lido, arquivo=arquivo)
        return unread(arquivo, content, lido)

    async def draw(self, content: bytes, pagina: int, largura: int) -> Desenho:
        """Page `pagina`, from 1, as a PNG `largura` pixels wide or fewer. Raises nothing for what a file holds or does."""
        drawn = await self._ask(PedidoDeDesenho(content, self._limites, pagina, largura), _DESENHO)
        return drawn if isinstance(drawn, Desenho) else Desenho(drawn)

    async def lay_out(self, content: bytes, pagina: int, *, ocultos: bool) -> Disposicao:
        """Where the letters of a page stand, and what it hides where `ocultos`. Raises nothing for what a file holds or does."""
        placed = await self._ask(PedidoDeDisposicao(content, self._limites, pagina, ocultos), _DISPOSICAO)
        return placed if isinstance(placed, Disposicao) else Disposicao(placed)

    async def _ask(self, pedido: Mensagem, decoder: msgspec.msgpack.Decoder[T]) -> T | Leitura:
        """The answer of a process, or how it failed to give one."""
        async with self._places:
            child = await self._take()
            answered = False
            try:
                answer = await child.ask(pedido, decoder)
                answered = not isinstance(answer, str)
            finally:
                if answered and child.files < self._files_each:
                    self._idle.append(child)
                else:
                    await child.end()
        if isinstance(answer, str):
            logger.warning("leitor_reiniciado", extra={"codigo": answer})
        return answer

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

    async def ask(self, pedido: Mensagem, decoder: msgspec.msgpack.Decoder[T]) -> T | Leitura:
        """The answer to a message, or how the process failed to give one; after that it is of no more use."""
        self.files += 1
        try:
            async with asyncio.timeout(pedido.limites.segundos):
                return await self._exchange(msgspec.msgpack.encode(pedido), decoder)
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

    async def _exchange(self, asked: bytes, decoder: msgspec.msgpack.Decoder[T]) -> T | Leitura:
        writer, reader = self._process.stdin, self._process.stdout
        if writer is None or reader is None:
            raise ConnectionError
        writer.writelines((LENGTH.pack(len(asked)), asked))
        await writer.drain()
        (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
        if length > _LARGEST_ANSWER:
            return "grande_demais"
        return decoder.decode(await reader.readexactly(length))


def _reason(code: int) -> Leitura:
    if code == -signal.SIGXCPU:
        return "tempo_esgotado"
    return "grande_demais" if code in _OUT_OF_MEMORY else "corrompido"
