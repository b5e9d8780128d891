"""The port through which letters leave, and how it may fail; and the folder that stands in where no server is set."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol
from uuid import UUID

from crivo.kernel.cartas.guardada import Falha, Via
from crivo.kernel.storage.locks import make_private

FOLDER: Final = "cartas"


class NaoEntregue(Exception):
    """A letter did not go. `passa`: the same letter may go later; `resposta` is the server's reply code, where it gave one."""

    def __init__(self, falha: Falha, *, passa: bool, resposta: int | None = None) -> None:
        super().__init__(falha)
        self.falha: Final = falha
        self.passa: Final = passa
        self.resposta: Final = resposta


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter on its way: whose, from which address to which, and its bytes."""

    tenant_id: str
    id: UUID
    de: str
    para: str = field(repr=False)
    mensagem: bytes = field(repr=False)


class Saida(Protocol):
    """Sends one letter. Raises NaoEntregue."""

    @property
    def via(self) -> Via:
        """What is told of a letter that it took."""
        ...

    async def send(self, envelope: Envelope) -> None:
        """Hand a letter over; it is theirs once this returns."""
        ...


class Pasta:
    """Writes each letter to a file of its own that a mail program opens, as `cartas/<organização>/<id>.eml` in the data folder."""

    via: Final[Via] = "arquivo"

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir.expanduser() / FOLDER

    async def send(self, envelope: Envelope) -> None:
        """Write the file whole, or not at all; the same letter again takes its place."""
        with _told():
            await asyncio.to_thread(self._write, envelope)

    def path_of(self, tenant_id: str, carta_id: UUID) -> Path:
        """Where a letter is written."""
        return self._root / tenant_id / f"{carta_id}.eml"

    def forget(self, tenant_id: str, ids: Sequence[UUID]) -> None:
        """Remove the files of letters, where they are."""
        for one in ids:
            self.path_of(tenant_id, one).unlink(missing_ok=True)

    def _write(self, envelope: Envelope) -> None:
        path = self.path_of(envelope.tenant_id, envelope.id)
        make_private(self._root)
        make_private(path.parent)
        part = path.with_suffix(".parte")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(envelope.mensagem)
            file.flush()
            os.fsync(descriptor)
        part.replace(path)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NaoEntregue("pasta_fechada", passa=True) from error
