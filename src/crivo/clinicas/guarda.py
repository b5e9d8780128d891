"""Where open conversations are kept between two turns: the port, and the one that keeps them in the memory of a process.

A conversation is read whole and written whole. Whoever answers a message holds its turn, and a write stands only on what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Protocol
from uuid import UUID

import msgspec

from crivo.clinicas.orquestrador.contracts import Papel, Vaga, Value
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.provas import Comecado
from crivo.clinicas.recepcao import Espera
from crivo.clinicas.turnos import Turno
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.settings import Planejador

if TYPE_CHECKING:
    from crivo.kernel.storage.session import UnitOfWork

DAY_SECONDS: Final = 86_400.0
_DEMAIS_SUAS: Final = "Há conversas demais abertas em seu nome. Encerre as que terminaram e tente de novo."
_DEMAIS_DA_CASA: Final = "Há conversas demais abertas na sua organização. Espere que alguma termine e tente de novo."
_DEMAIS_HOJE: Final = "Você já abriu muitas conversas hoje. Continue uma que está aberta, ou tente de novo amanhã."


class ConversasDemais(CrivoError):
    """One tenant, or one person or program of it, holds as many conversations as it may; the others go on."""

    codigo: ClassVar[str] = "conversas_demais"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Conversas demais abertas"


class ConversasLotadas(CrivoError):
    """As many conversations are open as may be."""

    codigo: ClassVar[str] = "conversas_lotadas"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Todas as linhas estão ocupadas"


@dataclass(frozen=True, slots=True)
class Limites:
    """How much is held at once: in all, by one tenant, and by one person or program of it.

    `por_dia` is how many conversations as a patient one person may open within a day: each may try five codes. `ociosa_seconds` is how long
    a silent conversation is remembered.
    """

    conversas: int = 1_000
    por_inquilino: int = 750
    por_dono: int = 250
    por_dia: int = 200
    turnos: int = 100
    ociosa_seconds: float = 1_800.0

    def within(self, cota: int | None) -> Limites:
        """The same for a tenant that has a quota of its own."""
        return self if cota is None else replace(self, por_inquilino=min(cota, self.por_inquilino))


class Dono(Value, frozen=True):
    """Whose a conversation is: the tenant that they are of, and how they act."""

    tenant_id: str
    ator: str


class Estado(Value, frozen=True):
    """What was said in a conversation, what is remembered for the next turn, and which codes its last answer gave."""

    papel: Papel
    saudacao: str
    memoria: Memoria
    planejador: Planejador | None = None
    turnos: tuple[Turno, ...] = ()
    novos: tuple[Vaga, ...] = ()

    def __repr__(self) -> str:
        return f"Estado({self.papel!r}, turnos={len(self.turnos)})"


class Guardada(Value, frozen=True):
    """A conversation as it is kept, and as it was read at `versao`; moments are seconds of the clock of conversations.

    `vez` is who holds its turn, or did when they were lost; `ocupada`: they hold it still. `comecados` are the changes that it began and
    did not end. `selo` is the keeper's own.
    """

    id: UUID
    dono: Dono
    estado: Estado
    falada_em: float
    expira_em: float
    espera: Espera | None = None
    versao: int = 0
    vez: UUID | None = None
    ocupada: bool = False
    comecados: tuple[Comecado, ...] = ()
    selo: bytes = b""

    def ended(self) -> Guardada:
        """The same once its turn is at its end."""
        return msgspec.structs.replace(self, vez=None, ocupada=False, comecados=())

    def __repr__(self) -> str:
        return f"Guardada({self.id}, {self.versao})"


class Novas(Value, frozen=True):
    """What is open of what was asked about and of what waits at the reception, by version; the queue, and when it was last looked at."""

    versoes: Mapping[UUID, int]
    esperas: tuple[Espera, ...]
    vista_em: float | None


class Guarda(Protocol):
    """Keeps open conversations. One that is over its time, or cannot be read, is not there any more."""

    async def put(self, nova: Guardada, limites: Limites, *, conta: bool) -> Guardada:
        """A conversation that begins, as it is kept; `conta`: among those of its owner's day. Raises ConversasDemais, ConversasLotadas."""
        ...

    async def find(self, conversa_id: UUID) -> Guardada | None:
        """The conversation of that id."""
        ...

    async def last_of(self, dono: Dono, papel: Papel) -> Guardada | None:
        """The one that somebody spoke in last, in that role."""
        ...

    async def waiting(self) -> tuple[Guardada, ...]:
        """Those that wait at the reception."""
        ...

    async def take_turn(self, lida: Guardada, vez: UUID) -> bool:
        """Hold the turn of a conversation that is as it was read, unless somebody else holds it; whether it is held."""
        ...

    async def keep_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """Hold it for longer: a turn that is not kept is lost within seconds."""
        ...

    async def drop_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """Lose it at once, nothing having come of it."""
        ...

    async def begin(self, lida: Guardada, vez: UUID, comecados: tuple[Comecado, ...]) -> bool:
        """Note which changes its turn has begun, before a clinic is asked for the last of them; whether the turn is held still."""
        ...

    async def save(self, nova: Guardada, *, vez: UUID | None = None, uow: UnitOfWork | None = None) -> bool:
        """Write what was made from that version, and end the turn that is named; whether it stood. `uow` has other writes beside it."""
        ...

    async def forget(self, conversa_id: UUID) -> None:
        """Leave nothing of it."""
        ...

    async def look(self) -> None:
        """Somebody of the reception has the queue before them now."""
        ...

    async def news(self, ouvidas: Collection[UUID]) -> Novas:
        """How it stands with what is listened to here, and with the reception."""
        ...

    async def sweep(self) -> None:
        """Leave nothing of those that are over their time."""
        ...


def refused(limites: Limites, *, todas: int, do_inquilino: int, do_dono: int, hoje: int) -> CrivoError | None:
    """Why no other conversation is opened, given how many there are; `hoje` are those of the owner's day."""
    if do_dono >= limites.por_dono:
        return ConversasDemais(_DEMAIS_SUAS)
    if do_inquilino >= limites.por_inquilino:
        return ConversasDemais(_DEMAIS_DA_CASA)
    if todas >= limites.conversas:
        return ConversasLotadas("Há muita gente conversando agora. Tente de novo daqui a pouco.")
    return ConversasDemais(_DEMAIS_HOJE) if hoje >= limites.por_dia else None


class GuardaEmMemoria:
    """Keeps them in this process, and they end with it. `ticks` are seconds of any clock that only goes forward."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._open: dict[UUID, Guardada] = {}
        self._opened: dict[Dono, list[float]] = {}
        self._vista_em: float | None = None

    async def put(self, nova: Guardada, limites: Limites, *, conta: bool) -> Guardada:
        """As the port says."""
        await self.sweep()
        today = self._opened.get(nova.dono, []) if conta else []
        donos = [one.dono for one in self._open.values()]
        of_tenant = sum(one.tenant_id == nova.dono.tenant_id for one in donos)
        error = refused(limites, todas=len(donos), do_inquilino=of_tenant, do_dono=donos.count(nova.dono), hoje=len(today))
        if error is not None:
            raise error
        if conta:
            self._opened[nova.dono] = [*today, self._ticks()]
        self._open[nova.id] = nova
        return nova

    async def find(self, conversa_id: UUID) -> Guardada | None:
        """As the port says."""
        found = self._open.get(conversa_id)
        return found if found is not None and self._stands(found) else None

    async def last_of(self, dono: Dono, papel: Papel) -> Guardada | None:
        """As the port says."""
        own = [one for one in self._open.values() if one.dono == dono and one.estado.papel == papel and self._stands(one)]
        return max(own, key=lambda one: one.falada_em, default=None)

    async def waiting(self) -> tuple[Guardada, ...]:
        """As the port says."""
        return tuple(one for one in self._open.values() if one.espera is not None and self._stands(one))

    async def take_turn(self, lida: Guardada, vez: UUID) -> bool:
        """As the port says."""
        found = self._open.get(lida.id)
        if found is None or found.versao != lida.versao or found.ocupada:
            return False
        self._open[lida.id] = msgspec.structs.replace(found, vez=vez, ocupada=True)
        return True

    async def keep_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """Nothing: the turn is lost with the process alone."""

    async def drop_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """As the port says."""
        found = self._open.get(conversa_id)
        if found is not None and found.vez == vez:
            self._open[conversa_id] = msgspec.structs.replace(found, ocupada=False)

    async def begin(self, lida: Guardada, vez: UUID, comecados: tuple[Comecado, ...]) -> bool:
        """As the port says."""
        found = self._open.get(lida.id)
        if found is None or found.vez != vez:
            return False
        self._open[lida.id] = msgspec.structs.replace(found, comecados=comecados)
        return True

    async def save(self, nova: Guardada, *, vez: UUID | None = None, uow: UnitOfWork | None = None) -> bool:
        """As the port says."""
        found = self._open.get(nova.id)
        if found is None or found.versao != nova.versao or (vez is not None and found.vez != vez):
            return False
        turn = nova.ended() if vez is not None else msgspec.structs.replace(nova, vez=found.vez, ocupada=found.ocupada)
        self._open[nova.id] = msgspec.structs.replace(turn, versao=found.versao + 1)
        return True

    async def forget(self, conversa_id: UUID) -> None:
        """As the port says."""
        self._open.pop(conversa_id, None)

    async def look(self) -> None:
        """As the port says."""
        self._vista_em = self._ticks()

    async def news(self, ouvidas: Collection[UUID]) -> Novas:
        """As the port says."""
        found = [one for one in self._open.values() if (one.espera is not None or one.id in ouvidas) and self._stands(one)]
        return Novas({one.id: one.versao for one in found}, tuple(one.espera for one in found if one.espera is not None), self._vista_em)

    async def sweep(self) -> None:
        """As the port says."""
        self._open = {one.id: one for one in self._open.values() if self._stands(one)}
        since = self._ticks() - DAY_SECONDS
        kept = {dono: [at for at in opened if at > since] for dono, opened in self._opened.items()}
        self._opened = {dono: opened for dono, opened in kept.items() if opened}

    def _stands(self, one: Guardada) -> bool:
        return one.ocupada or one.expira_em >= self._ticks()
