"""The reception of the clinics' tenant: which conversations wait for a person, since when, who has which, and whether anybody is there.

What a conversation waits for is kept with it; here stands how that changes, and the queue as this server last saw it. Source: design,
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

    `desde` are seconds of the clock of conversations; `tipo` is the kind of an emergency, never its words; `desmentida`: whoever wrote
    said that it was none. `certa`: two readings agree on an emergency, of which one names its signs.
    """

    conversa_id: UUID
    tenant_id: str
    motivo: Motivo
    desde: float
    tipo: TipoDeEmergencia | None = None
    desmentida: bool = False
    atendente: Atendente | None = None
    certa: bool = False

    @property
    def urgente(self) -> bool:
        """Whether it is an emergency, as far as is known."""
        return self.motivo == "emergencia" and not self.desmentida

    def graver(self, motivo: Motivo, now: float, tipo: TipoDeEmergencia | None = None, *, certa: bool = False) -> Espera:
        """The same called once more: it keeps its place, and becomes graver by an emergency, never less grave nor less sure."""
        if motivo != "emergencia":
            return self
        desde, sure = (self.desde, self.certa) if self.urgente else (now, False)
        return msgspec.structs.replace(self, motivo=motivo, tipo=tipo, desmentida=False, desde=desde, certa=sure or certa)

    def denied(self) -> Espera:
        """The same once whoever wrote said that it was no emergency: it stays in the queue, in its turn."""
        return msgspec.structs.replace(self, desmentida=True) if self.urgente else self

    def assumed(self, atendente: Atendente) -> Espera:
        """The same in somebody's hands; the first one has it. Raises JaAssumida."""
        if self.atendente is not None and self.atendente.ator != atendente.ator:
            raise JaAssumida(self.atendente.nome)
        return msgspec.structs.replace(self, atendente=atendente)


def held_by(espera: Espera | None, ator: str) -> Atendente:
    """Whoever has a conversation, where that is `ator`. Raises NaoAssumida."""
    if espera is None or espera.atendente is None or espera.atendente.ator != ator:
        raise NaoAssumida
    return espera.atendente


def in_turn(esperas: Iterable[Espera]) -> tuple[Espera, ...]:
    """Emergencies first, then those that nobody has, those that are sure, and the longest wait; one that was denied waits in its turn."""
    return tuple(sorted(esperas, key=lambda one: (not one.urgente, one.atendente is not None, not (one.urgente and one.certa), one.desde)))


class Recepcao:
    """The queue as it was last seen, and when somebody last had it before them. `ticks` are seconds, the same for all servers."""

    def __init__(self, ticks: Callable[[], float] = time.time, attended_seconds: float = ATTENDED_SECONDS) -> None:
        self.sino = Sino()
        self._ticks = ticks
        self._attended_seconds = attended_seconds
        self._esperas: dict[UUID, Espera] = {}
        self._looked_at: dict[str, float] = {}

    def seen(self, tenant_id: str, at: float) -> None:
        """Somebody of that tenant's reception had the queue before them then."""
        self._looked_at[tenant_id] = max(at, self._looked_at.get(tenant_id, at))

    def is_attended(self, tenant_id: str) -> bool:
        """Whether somebody had the queue before them within the last minutes."""
        looked_at = self._looked_at.get(tenant_id)
        return looked_at is not None and self._ticks() - looked_at <= self._attended_seconds

    def fila(self, tenant_id: str) -> tuple[Espera, ...]:
        """What waits at that tenant's reception, in turn."""
        return in_turn(one for one in self._esperas.values() if one.tenant_id == tenant_id)

    def waited(self, espera: Espera) -> float:
        """Seconds since it began to wait."""
        return max(0.0, self._ticks() - espera.desde)

    def ahead(self, espera: Espera) -> int:
        """How many that nobody has yet are served before this one."""
        if espera.atendente is not None:
            return 0
        others = [one for one in self.fila(espera.tenant_id) if one.atendente is None and one.conversa_id != espera.conversa_id]
        return [one.conversa_id for one in in_turn([*others, espera])].index(espera.conversa_id)

    def put(self, conversa_id: UUID, espera: Espera | None) -> None:
        """A conversation waits so from now on, or for nobody."""
        if self._esperas.get(conversa_id) == espera:
            return
        if espera is None:
            del self._esperas[conversa_id]
        else:
            self._esperas[conversa_id] = espera
        self.sino.ring()

    def replace(self, esperas: Iterable[Espera]) -> None:
        """The whole queue as it stands."""
        found = {one.conversa_id: one for one in esperas}
        if found != self._esperas:
            self._esperas = found
            self.sino.ring()
