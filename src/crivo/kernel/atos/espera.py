"""Acts that wait in a file until the chain can be reached: of whoever works without a database, or while it is away."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from crivo.kernel.atos import NewEntry
from crivo.kernel.atos.linhas import append_lines
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import InvalidTenant, Scope

ESPERA: Final = "auditoria.espera.jsonl"
_AT_ONCE: Final = 500


class AtoSemRegistro(CrivoError):
    """An act that nothing would take the note of."""

    codigo: ClassVar[str] = "ato_sem_registro"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Não foi possível anotar na auditoria"


class EmEspera(msgspec.Struct, frozen=True):
    """An act in the file: whose, and when it was done."""

    tenant: str
    ator: str
    em: datetime
    acao: str
    alvo: str
    dados: dict[str, Any]

    @property
    def entry(self) -> NewEntry:
        """The act as the chain is to tell it."""
        return NewEntry(self.acao, self.alvo, {**self.dados, "feito_em": self.em.isoformat()})


class Spool:
    """The file of an installation."""

    def __init__(self, data_dir: Path, clock: Clock) -> None:
        self.path: Final = data_dir.expanduser().absolute() / ESPERA
        self._clock = clock

    async def registrar(self, scope: Scope, entries: Sequence[NewEntry]) -> None:
        """Keep acts until they are gathered. Raises AtoSemRegistro."""
        await asyncio.to_thread(self.add, scope, entries)

    def add(self, scope: Scope, entries: Sequence[NewEntry]) -> None:
        """The same, for whoever waits for it here. Raises AtoSemRegistro."""
        em = self._clock.now().astimezone(UTC)
        waiting = [EmEspera(scope.tenant_id, scope.ator, em, one.acao, one.alvo, dict(one.dados)) for one in entries]
        try:
            append_lines(self.path, b"".join([msgspec.json.encode(one) + b"\n" for one in waiting]))
        except OSError as error:
            raise AtoSemRegistro(
                f"O ato não pôde ser anotado em {self.path}: {error.strerror}. Confira o espaço e as permissões."
            ) from None

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self.path.exists() or self.path.stat().st_size == 0


def by_actor(lines: Sequence[bytes]) -> list[list[bytes]]:
    """The lines in runs of one tenant and actor, each small enough for one unit of work; a line that is none stands alone."""
    runs = [list(found) for _, found in groupby(lines, key=_whose)]
    return [run[at : at + _AT_ONCE] for run in runs for at in range(0, len(run), _AT_ONCE)]


def _whose(line: bytes) -> tuple[str, str] | bytes:
    try:
        found = msgspec.json.decode(line, type=EmEspera)
        return Scope(found.tenant, found.ator).tenant_id, found.ator
    except (msgspec.DecodeError, InvalidTenant):
        return line
