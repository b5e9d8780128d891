"""One open conversation: what was said in it, the next turn, and the person of the reception who has it, where one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal
from uuid import UUID

import msgspec

from crivo.clinicas.codigos_ditos import concealed
from crivo.clinicas.medidas import emergencias
from crivo.clinicas.orquestrador.contracts import Booking, Idioma, Paciente, Papel, Vaga
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import LONGEST_UTTERANCE, Session
from crivo.clinicas.orquestrador.pessoa import after_not_understood, called, with_account_from_elsewhere, with_offer_of_a_person
from crivo.clinicas.orquestrador.quem_pede import QuemPede, who_asks
from crivo.clinicas.orquestrador.trace import Event, Tell, nobody
from crivo.clinicas.recepcao import Atendente, Espera, Motivo, Recepcao
from crivo.clinicas.sino import Sino
from crivo.clinicas.turnos import Turno, turno_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope

Prova = Callable[[], Awaitable[bool]]
"""Whether who speaks is still proven: asked before each turn, as an account may be closed, or bound no more, at any time."""


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


class MensagemInvalida(CrivoError):
    """A message with nothing in it, or with too much."""

    codigo: ClassVar[str] = "mensagem_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não deu para ler a mensagem"


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


class Conversa:
    """One open conversation: what was said in it, and the next turn."""

    def __init__(
        self,
        session: Session,
        dono: Scope,
        papel: Papel,
        limites: Limites,
        ticks: Callable[[], float],
        recepcao: Recepcao,
        prova: Prova | None = None,
    ) -> None:
        """`prova` tells whether who speaks is still proven; None where nobody was.

        The reception is that of the clinics' own tenant, whosever the conversation is.
        """
        self.id = UUID(session.id)
        self.sino = Sino()
        self.dono = dono
        self.papel = papel
        self.greeting = session.greeting
        self.registro = session.dialogue.registro
        self.turnos: tuple[Turno, ...] = ()
        self._session = session
        self._casa = session.dialogue.quem.casa
        self._prova = prova
        self._new: frozenset[Vaga] = frozenset()
        self._limites = limites
        self._ticks = ticks
        self._recepcao = recepcao
        self._underway: asyncio.Task[Turno] | None = None
        self.spoken_at = ticks()

    @property
    def ocupada(self) -> bool:
        """Whether a message is being answered now."""
        return self._underway is not None

    @property
    def consultas(self) -> tuple[Booking, ...]:
        """The appointments that this conversation knows of."""
        return self._session.dialogue.bookings

    @property
    def codigos(self) -> Mapping[Vaga, str]:
        """The codes of those that it booked, or was told the code of; in memory alone."""
        return self._session.codigos

    @property
    def novos(self) -> Mapping[Vaga, str]:
        """The codes that the last answer gave, to be shown with it this once."""
        return {vaga: code for vaga, code in self.codigos.items() if vaga in self._new}

    @property
    def is_proven(self) -> bool:
        """Whether who speaks was proven."""
        return self._session.dialogue.provado

    @property
    def quem(self) -> QuemPede:
        """Who asks in it, as far as they were proven."""
        return self._session.dialogue.quem

    @property
    def paciente(self) -> Paciente | None:
        """Who is served now; None while that is not known."""
        return self._session.dialogue.paciente

    @property
    def now(self) -> datetime:
        """What time it is in it."""
        return self._session.now

    @property
    def ahead(self) -> int:
        """How many are served before it at the reception; 0 where it waits for nobody."""
        return self._recepcao.ahead(self.id) if self.espera is not None else 0

    @property
    def is_attended(self) -> bool:
        """Whether somebody is at the reception."""
        return self._recepcao.is_attended(self._casa)

    @property
    def espera(self) -> Espera | None:
        """What it waits for at the reception, or who of the reception has it; None where it has to do with nobody."""
        return self._recepcao.find(self.id)

    @property
    def is_idle(self) -> bool:
        """Whether nobody has spoken for so long that it may be forgotten."""
        return not self.ocupada and self._ticks() - self.spoken_at > self._limites.ociosa_seconds

    @property
    def _signed_in_elsewhere(self) -> bool:
        """Whether a person of another tenant than the clinics' own speaks: their account proves nothing here."""
        return isinstance(self.dono.sujeito, Pessoa) and self.dono.tenant_id != self._casa

    def asks_as(self, dono: Scope) -> None:
        """Its owner asks again, as who they are at this request."""
        self.dono = dono
        if not self._session.dialogue.quem.is_proven:
            self._session.asks_as(who_asks(self._casa, self.papel, dono.sujeito))

    async def present(self, code: str) -> bool:
        """Prove an appointment by its code; whether it is one of the patient's."""
        return await self._session.present(code)

    def ask(self, texto: str, tell: Tell = nobody) -> asyncio.Task[Turno]:
        """Begin the turn of a message; it is done to its end and remembered, though whoever waits for it leaves.

        Raises MensagemInvalida, ConversaLonga, or ConversaOcupada while the message before it is being answered: what was written
        before that answer was read is better written again than guessed at.
        """
        said = _checked(texto)
        if self.ocupada:
            raise ConversaOcupada("Ainda estou respondendo à mensagem anterior. Espere a resposta e envie de novo.")
        if sum(bool(turno.mensagem) for turno in self.turnos) >= self._limites.turnos:
            raise ConversaLonga("Esta conversa chegou ao fim do que consigo lembrar. Comece outra; o que foi marcado continua marcado.")
        self.spoken_at = self._ticks()
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

    def assume(self, atendente: Atendente) -> None:
        """Somebody of the reception takes it: from now on its messages are theirs. Raises JaAssumida, KeyError."""
        before = self.espera
        self._recepcao.assume(self.id, atendente)
        if before is not None and before.atendente is None:
            self._add(Turno("", f"{atendente.nome}, da recepção, entrou na conversa.", pessoa=atendente.nome, marco="entrou"))

    def write(self, ator: str, texto: str) -> Turno:
        """What the person of the reception who has it answers. Raises MensagemInvalida, NaoAssumida and ConversaLonga."""
        said = _checked(texto)
        nome = self._recepcao.held_by(self.id, ator).nome
        if sum(bool(turno.pessoa) for turno in self.turnos) >= self._limites.turnos:
            raise ConversaLonga("Esta conversa já tem respostas demais. Devolva-a ao assistente, ou combine com a pessoa por telefone.")
        return self._add(Turno("", concealed(said), pessoa=nome))

    def give_back(self, ator: str) -> None:
        """The assistant answers again, by what it knew. Raises NaoAssumida."""
        nome = self._recepcao.held_by(self.id, ator).nome
        self._session.resume()
        self._recepcao.leave(self.id)
        self._add(Turno("", f"{nome} saiu da conversa. O assistente continua com você.", pessoa=nome, marco="devolveu"))

    async def _turn(self, said: str, tell: Tell) -> Turno:
        try:
            before = self.codigos
            if self._prova is not None and not await self._prova():
                self._prova = None
                self._session.doubt()
            turno, codes = await self._answered(said, tell)
            self._new = frozenset(vaga for vaga, code in self.codigos.items() if codes and before.get(vaga) != code)
            self._add(turno)
            return msgspec.structs.replace(turno, texto=f"{turno.texto}\n{codes}") if codes else turno
        finally:
            self._underway = None
            self.spoken_at = self._ticks()

    async def _answered(self, said: str, tell: Tell) -> tuple[Turno, str]:
        """The turn of a message, and the codes that are told with it and kept in no turn.

        By the assistant, or, where a person has the conversation, by nothing but the check for emergencies.
        """
        has_person = self.espera is not None and self.espera.atendente is not None
        reply = await (self._session.watch(said, tell) if has_person else self._session.say(said, tell))
        kept = concealed(said)
        if reply is None:
            return Turno(kept, ""), ""
        if self._signed_in_elsewhere and reply.trace is not None and reply.trace.plan.prova:
            reply = msgspec.structs.replace(reply, texto=with_account_from_elsewhere(reply.texto, reply.trace.plan.idioma))
        turno = turno_of(kept, reply, self._session.dialogue)
        return (turno if self.papel == "operador" else self._told_the_reception(turno, reply)), reply.codigos

    def _told_the_reception(self, turno: Turno, reply: Reply) -> Turno:
        """The turn once the reception knows what it should of it."""
        match reply.recado:
            case None:
                return turno
            case "desmentida":
                self._recepcao.deny(self.id)
                return turno
            case "emergencia":
                self._recepcao.call(self.id, self._casa, "emergencia", turno.emergencia)
                emergencias.labels(turno.emergencia or "outra").inc()
                return msgspec.structs.replace(turno, recepcao=self._whether_told())
            case "sem_resposta":
                idioma: Idioma = reply.trace.plan.idioma if reply.trace else "pt"
                return msgspec.structs.replace(turno, texto=with_offer_of_a_person(turno.texto, idioma))
            case "pessoa" | "nao_entendido":
                return self._called(turno, reply, reply.recado)

    def _called(self, turno: Turno, reply: Reply, motivo: Motivo) -> Turno:
        again, attended = self.espera is not None, self._recepcao.is_attended(self._casa)
        self._recepcao.call(self.id, self._casa, motivo)
        idioma: Idioma = reply.trace.plan.idioma if reply.trace else "pt"
        ahead = self._recepcao.ahead(self.id)
        texto = called(idioma, self.registro, ahead=ahead, attended=attended, again=again)
        if motivo == "nao_entendido":
            texto = after_not_understood(reply.trace.texto if reply.trace else reply.texto, idioma, texto)
        passos = turno.passos
        if passos is not None and motivo == "pessoa":
            passos = msgspec.structs.replace(passos, pergunta=False, recusa=None)
        return msgspec.structs.replace(turno, texto=texto, passos=passos, recepcao=self._whether_told())

    def _whether_told(self) -> Literal["avisada", "anotada"]:
        return "avisada" if self._recepcao.is_attended(self._casa) else "anotada"

    def _add(self, turno: Turno) -> Turno:
        self.turnos = (*self.turnos, turno)
        self.spoken_at = self._ticks()
        self.sino.ring()
        if self.espera is not None:
            self._recepcao.sino.ring()
        return turno


def _checked(texto: str) -> str:
    """What was written, without the space around it. Raises MensagemInvalida."""
    said = texto.strip()
    if not said or len(said) > LONGEST_UTTERANCE:
        raise MensagemInvalida(f"Escreva o que você precisa, em até {LONGEST_UTTERANCE} caracteres.")
    return said


async def _until_the_end(happened: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
    while (event := await happened.get()) is not None:
        yield event
