"""The reception of each tenant: which conversations wait for a person, since when, who has which, and whether anybody is there.

In the memory of the process that holds the conversations: several servers would each have a queue of their own. Source: design,
"Nobody is harmed".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import ClassVar, Final, Literal
from uuid import UUID

import msgspec

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia, Value
from crivo.clinicas.sino import Sino
from crivo.kernel.errors import CrivoError, Kind

Motivo = Literal["pessoa", "nao_entendido", "emergencia"]
ATTENDED_SECONDS: Final = 300.0  # how long after the last look at the queue somebody is still taken to be there


class JaAssumida(CrivoError):
    """Somebody else of the reception has the conversation."""

    codigo: ClassVar[str] = "atendimento_ja_assumido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra pessoa já está atendendo"

    def __init__(self, nome: str) -> None:
        super().__init__(f"{nome} já está com esta conversa. Você pode acompanhar por aqui, ou pegar outra da fila.")


class ForaDaFila(CrivoError):
    """Nobody waits at the reception in that conversation; whether there is such a one is not told."""

    codigo: ClassVar[str] = "fora_da_fila"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Esta conversa saiu da fila"

    def __init__(self) -> None:
        super().__init__("A pessoa encerrou a conversa, ou ela foi devolvida ao assistente. As que esperam estão na fila.")


class NaoAssumida(CrivoError):
    """Who writes, or gives back, does not have the conversation."""

    codigo: ClassVar[str] = "atendimento_nao_assumido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A conversa não está com você"

    def __init__(self) -> None:
        super().__init__("Assuma a conversa antes de responder. Se ela já foi devolvida, quem responde agora é o assistente.")


class Atendente(Value, frozen=True):
    """Who of the reception answers: how they act, and the name that the person reads."""

    ator: str
    nome: str


class Espera(Value, frozen=True):
    """A conversation that waits for a person, or has one.

    `desde` are seconds of the reception's clock; `tipo` is the kind of an emergency, never its words; `desmentida`: whoever wrote said
    that it was none.
    """

    conversa_id: UUID
    tenant_id: str
    motivo: Motivo
    desde: float
    tipo: TipoDeEmergencia | None = None
    desmentida: bool = False
    atendente: Atendente | None = None

    @property
    def urgente(self) -> bool:
        """Whether it is an emergency, as far as is known."""
        return self.motivo == "emergencia" and not self.desmentida


def in_turn(esperas: Iterable[Espera]) -> tuple[Espera, ...]:
    """Emergencies first, then those that nobody has, each the longest wait first."""
    return tuple(sorted(esperas, key=lambda one: (not one.urgente, one.atendente is not None, one.desde)))


class Recepcao:
    """The queue of each tenant. `ticks` are seconds of a clock that only goes forward."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic, attended_seconds: float = ATTENDED_SECONDS) -> None:
        self.sino = Sino()
        self._ticks = ticks
        self._attended_seconds = attended_seconds
        self._esperas: dict[UUID, Espera] = {}
        self._looked_at: dict[str, float] = {}

    def look(self, tenant_id: str) -> None:
        """Somebody of that tenant's reception has the queue before them now."""
        self._looked_at[tenant_id] = self._ticks()

    def is_attended(self, tenant_id: str) -> bool:
        """Whether somebody had the queue before them within the last minutes."""
        looked_at = self._looked_at.get(tenant_id)
        return looked_at is not None and self._ticks() - looked_at <= self._attended_seconds

    def fila(self, tenant_id: str) -> tuple[Espera, ...]:
        """What waits at that tenant's reception, in turn."""
        return in_turn(one for one in self._esperas.values() if one.tenant_id == tenant_id)

    def find(self, conversa_id: UUID) -> Espera | None:
        """What a conversation waits for; None where it waits for nobody."""
        return self._esperas.get(conversa_id)

    def waited(self, espera: Espera) -> float:
        """Seconds since it began to wait."""
        return max(0.0, self._ticks() - espera.desde)

    def ahead(self, conversa_id: UUID) -> int:
        """How many that nobody has yet are served before this one."""
        own = self._esperas[conversa_id]
        waiting = [one.conversa_id for one in self.fila(own.tenant_id) if one.atendente is None]
        return waiting.index(conversa_id) if conversa_id in waiting else 0

    def call(self, conversa_id: UUID, tenant_id: str, motivo: Motivo, tipo: TipoDeEmergencia | None = None) -> Espera:
        """Put a conversation into the queue; one that is there keeps its place, and becomes graver by an emergency, never less grave."""
        before = self._esperas.get(conversa_id)
        if before is None:
            called = Espera(conversa_id, tenant_id, motivo, self._ticks(), tipo)
        elif motivo == "emergencia":
            since = before.desde if before.urgente else self._ticks()
            called = msgspec.structs.replace(before, motivo=motivo, tipo=tipo, desmentida=False, desde=since)
        else:
            called = before
        return self._put(called)

    def deny(self, conversa_id: UUID) -> None:
        """Whoever wrote said that it was no emergency: it stays in the queue, in its turn."""
        if (found := self._esperas.get(conversa_id)) is not None and found.urgente:
            self._put(msgspec.structs.replace(found, desmentida=True))

    def assume(self, conversa_id: UUID, atendente: Atendente) -> Espera:
        """Give a conversation of the queue to somebody; the first one has it. Raises JaAssumida, and KeyError where it waits for nobody."""
        found = self._esperas[conversa_id]
        if found.atendente is not None and found.atendente.ator != atendente.ator:
            raise JaAssumida(found.atendente.nome)
        return self._put(msgspec.structs.replace(found, atendente=atendente))

    def held_by(self, conversa_id: UUID, ator: str) -> Atendente:
        """Whoever has the conversation, where that is `ator`. Raises NaoAssumida."""
        found = self._esperas.get(conversa_id)
        if found is None or found.atendente is None or found.atendente.ator != ator:
            raise NaoAssumida
        return found.atendente

    def leave(self, conversa_id: UUID) -> None:
        """The conversation waits for nobody any more."""
        if self._esperas.pop(conversa_id, None) is not None:
            self.sino.ring()

    def _put(self, espera: Espera) -> Espera:
        self._esperas[espera.conversa_id] = espera
        self.sino.ring()
        return espera
