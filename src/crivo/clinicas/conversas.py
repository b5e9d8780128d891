"""The conversations that are open in this process: whose each is, one turn at a time, forgotten when nobody speaks any more.

Who is speaking is in memory alone, so a conversation ends with the process. Source: design, The orchestrator, Session.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol
from uuid import UUID

from crivo.clinicas.orquestrador.contracts import Booking, Paciente, Papel
from crivo.clinicas.orquestrador.sessao import LONGEST_UTTERANCE, Session
from crivo.clinicas.orquestrador.trace import Event, Tell, nobody
from crivo.clinicas.service import Clinicas
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.clinicas.turnos import Turno, turno_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.settings import Planejador
from crivo.kernel.tenancy import Scope

_SWEEP_SECONDS: Final = 60.0


class ConversaNotFound(CrivoError):
    """There is no such conversation, or it is somebody else's, or it was forgotten; which of them is not told."""

    codigo: ClassVar[str] = "conversa_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Conversa não encontrada"

    def __init__(self) -> None:
        super().__init__("Esta conversa não existe ou já terminou. Comece outra; o que foi marcado continua marcado.")


class ConversaOcupada(CrivoError):
    """A message came while the one before it was being answered."""

    codigo: ClassVar[str] = "conversa_ocupada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Ainda respondendo"


class ConversaLonga(CrivoError):
    """A conversation that has had all the turns it may have."""

    codigo: ClassVar[str] = "conversa_longa"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Conversa longa demais"


class ConversasDemais(CrivoError):
    """One person or program holds as many conversations as it may."""

    codigo: ClassVar[str] = "conversas_demais"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Conversas demais abertas"


class ConversasLotadas(CrivoError):
    """This process holds as many conversations as it may."""

    codigo: ClassVar[str] = "conversas_lotadas"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Todas as linhas estão ocupadas"


class MensagemInvalida(CrivoError):
    """A message with nothing in it, or with too much."""

    codigo: ClassVar[str] = "mensagem_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não deu para ler a mensagem"


@dataclass(frozen=True, slots=True)
class Limites:
    """How much is held at once. `ociosa_seconds` is how long a silent conversation is remembered."""

    conversas: int = 1_000
    por_dono: int = 500
    turnos: int = 100
    ociosa_seconds: float = 1_800.0


class Opens(Protocol):
    """What opens sessions over the clinics."""

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        """A new session, planned by whom it says, and else as the installation has it. Raises PlanejadorSemModelo."""
        ...

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        ...


class Conversa:
    """One open conversation: what was said in it, and the next turn."""

    def __init__(self, session: Session, dono: Scope, papel: Papel, limites: Limites, ticks: Callable[[], float]) -> None:
        self.id = UUID(session.id)
        self.dono = dono
        self.papel = papel
        self.greeting = session.greeting
        self.registro = session.dialogue.registro
        self.turnos: tuple[Turno, ...] = ()
        self._session = session
        self._limites = limites
        self._ticks = ticks
        self._underway: asyncio.Task[Turno] | None = None
        self._spoken_at = ticks()

    @property
    def ocupada(self) -> bool:
        """Whether a message is being answered now."""
        return self._underway is not None

    @property
    def consultas(self) -> tuple[Booking, ...]:
        """The appointments that this conversation knows of."""
        return self._session.dialogue.bookings

    @property
    def paciente(self) -> Paciente | None:
        """Who is served now; None while that is not known."""
        return self._session.dialogue.paciente

    @property
    def is_idle(self) -> bool:
        """Whether nobody has spoken for so long that it may be forgotten."""
        return not self.ocupada and self._ticks() - self._spoken_at > self._limites.ociosa_seconds

    def ask(self, texto: str, tell: Tell = nobody) -> asyncio.Task[Turno]:
        """Begin the turn of a message; it is done to its end and remembered, though whoever waits for it leaves.

        Raises MensagemInvalida, ConversaLonga, or ConversaOcupada while the message before it is being answered: what was written
        before that answer was read is better written again than guessed at.
        """
        said = texto.strip()
        if not said or len(said) > LONGEST_UTTERANCE:
            raise MensagemInvalida(f"Escreva o que você precisa, em até {LONGEST_UTTERANCE} caracteres.")
        if self.ocupada:
            raise ConversaOcupada("Ainda estou respondendo à mensagem anterior. Espere a resposta e envie de novo.")
        if len(self.turnos) >= self._limites.turnos:
            raise ConversaLonga("Esta conversa chegou ao fim do que consigo lembrar. Comece outra; o que foi marcado continua marcado.")
        self._spoken_at = self._ticks()
        self._underway = asyncio.create_task(self._turn(said, tell))
        return self._underway

    def follow(self, texto: str) -> tuple[asyncio.Task[Turno], AsyncIterator[Event]]:
        """`ask`, with the events of the turn as they happen; they end when the turn does."""
        happened: asyncio.Queue[Event | None] = asyncio.Queue()
        turn = self.ask(texto, happened.put_nowait)
        turn.add_done_callback(lambda _: happened.put_nowait(None))
        return turn, _until_the_end(happened)

    async def finish(self) -> None:
        """Wait for the turn that is underway."""
        if self._underway is not None:
            await asyncio.wait((self._underway,))

    async def _turn(self, said: str, tell: Tell) -> Turno:
        try:
            reply = await self._session.say(said, tell)
            turno = turno_of(said, reply, self._session.dialogue)
            self.turnos = (*self.turnos, turno)
            return turno
        finally:
            self._underway = None
            self._spoken_at = self._ticks()


class Conversas:
    """Every open conversation of this process, bounded in number. `ticks` are seconds of a clock that only goes forward."""

    def __init__(self, opens: Opens, limites: Limites | None = None, ticks: Callable[[], float] = time.monotonic) -> None:
        self._opens = opens
        self._limites = limites or Limites()
        self._ticks = ticks
        self._open: dict[UUID, Conversa] = {}

    def open(
        self, dono: Scope, papel: Papel = "paciente", paciente: Paciente | None = None, planejador: Planejador | None = None
    ) -> Conversa:
        """A new conversation of someone's. Raises ConversasDemais, ConversasLotadas or PlanejadorSemModelo."""
        self.forget_idle()
        if sum(conversa.dono == dono for conversa in self._open.values()) >= self._limites.por_dono:
            raise ConversasDemais("Há conversas demais abertas em seu nome. Encerre as que terminaram e tente de novo.")
        if len(self._open) >= self._limites.conversas:
            raise ConversasLotadas("Há muita gente conversando agora. Tente de novo daqui a pouco.")
        conversa = Conversa(self._opens.open(papel, paciente, planejador=planejador, dono=dono), dono, papel, self._limites, self._ticks)
        self._open[conversa.id] = conversa
        return conversa

    def get(self, dono: Scope, conversa_id: UUID) -> Conversa:
        """Someone's own conversation. Raises ConversaNotFound."""
        conversa = self._open.get(conversa_id)
        if conversa is None or conversa.dono != dono or conversa.is_idle:
            raise ConversaNotFound
        return conversa

    def forget(self, dono: Scope, conversa_id: UUID) -> None:
        """End someone's conversation, and with it all that is known of who was speaking. Raises ConversaNotFound."""
        del self._open[self.get(dono, conversa_id).id]

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        return await self._opens.situacao()

    def forget_idle(self) -> None:
        """End the conversations in which nobody speaks any more."""
        for conversa in [conversa for conversa in self._open.values() if conversa.is_idle]:
            del self._open[conversa.id]

    async def close(self) -> None:
        """Wait for the turns that are underway, and forget everything."""
        await asyncio.gather(*(conversa.finish() for conversa in self._open.values()))
        self._open.clear()


@asynccontextmanager
async def open_conversas(clinicas: Clinicas, limites: Limites | None = None) -> AsyncIterator[Conversas]:
    """Conversations with the clinics, for as long as the block lasts."""
    async with clinicas.conversations() as opens:
        conversas = Conversas(opens, limites)
        sweeping = asyncio.create_task(_sweep(conversas))
        try:
            yield conversas
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            await conversas.close()


async def _until_the_end(happened: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
    while (event := await happened.get()) is not None:
        yield event


async def _sweep(conversas: Conversas) -> None:
    """Forget by itself, so that nobody's identity stays in memory for want of another visitor."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        conversas.forget_idle()
