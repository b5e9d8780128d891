"""One open conversation as it was read: what was said in it, the next turn, and the person of the reception who has it, where one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial, reduce
from typing import TYPE_CHECKING, ClassVar, Final, Literal, Protocol
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

import msgspec

from crivo.clinicas.codigos_ditos import concealed
from crivo.clinicas.guarda import Dono, Estado, Guarda, Guardada, Limites
from crivo.clinicas.medidas import emergencias
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.contracts import Booking, Idioma, Paciente, Papel, Vaga
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import LONGEST_UTTERANCE, Session
from crivo.clinicas.orquestrador.pessoa import after_not_understood, called, with_account_from_elsewhere, with_offer_of_a_person
from crivo.clinicas.orquestrador.provas import Comecado
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.orquestrador.trace import Event, Tell, nobody
from crivo.clinicas.recepcao import Atendente, Espera, Recepcao, held_by
from crivo.clinicas.sino import Sino
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.clinicas.turnos import Turno, turno_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.storage.session import UnitOfWork

Prova = Callable[[Scope, str], Awaitable[bool]]
"""Whether whoever acts is still proven to have that CPF, of eleven digits: asked before each turn, as an account may be closed, or
bound no more, at any time."""
TURN_SECONDS: Final = 6.0  # after the last sign of a server, its turn is anybody's
_KEPT_EVERY: Final = 2.0
_LOST: Final = "A resposta demorou demais, e outra mensagem já está sendo respondida. Veja a conversa antes de repetir."


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


class MensagemInvalida(CrivoError):
    """A message with nothing in it, or with too much."""

    codigo: ClassVar[str] = "mensagem_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não deu para ler a mensagem"


class Opens(Protocol):
    """What opens sessions over the clinics, and goes on with them."""

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        """A new session, planned by whom it says, and else as the installation has it. Raises PlanejadorSemModelo."""
        ...

    def resume(self, id_: str, papel: Papel, dono: Scope, memoria: Memoria, planejador: Planejador | None = None) -> Session:
        """The session of that id, as it was remembered, for who its owner is by now. Raises PlanejadorSemModelo."""
        ...

    @property
    def casa(self) -> str:
        """The tenant whose the clinics are, whose reception alone attends their patients."""
        ...

    @property
    def minhas(self) -> Minhas:
        """What a proven patient does with their own appointments."""
        ...

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        ...


@dataclass(frozen=True, slots=True)
class Meios:
    """What the conversations of one process go on by. `sinos` are those that somebody holds; `turnos` are underway here.

    `sync` hears of what other servers did; `noted` tells what was done here, so that it is not heard of again.
    """

    opens: Opens
    guarda: Guarda
    limites: Limites
    ticks: Callable[[], float]
    prova: Prova | None
    recepcao: Recepcao
    sync: Callable[[], Awaitable[None]]
    noted: Callable[[Guardada], None]
    sinos: WeakValueDictionary[UUID, Sino] = field(default_factory=WeakValueDictionary)
    turnos: set[asyncio.Task[Turno]] = field(default_factory=set)

    def sino(self, conversa_id: UUID) -> Sino:
        """The bell of a conversation, the same for all who hear it here."""
        return self.sinos.setdefault(conversa_id, Sino())


class Conversa:
    """One open conversation as it was read, and as what is done by it leaves it."""

    def __init__(self, meios: Meios, guardada: Guardada, dono: Scope) -> None:
        """`dono` is its owner, as who they are at this request."""
        self.id = guardada.id
        self.sino = meios.sino(guardada.id)
        self.dono = dono
        self._meios = meios
        self._beginning = asyncio.Lock()
        self._take(guardada)
        self.registro = self._session.dialogue.registro
        self._casa = meios.opens.casa

    def _take(self, guardada: Guardada) -> None:
        """Be as it was read."""
        estado, own = guardada.estado, self._meios
        self._guardada = guardada
        self._session = own.opens.resume(guardada.id.hex, estado.papel, self.dono, estado.memoria, estado.planejador)

    @property
    def papel(self) -> Papel:
        """As whom its owner speaks."""
        return self._guardada.estado.papel

    @property
    def greeting(self) -> str:
        """What is said first."""
        return self._guardada.estado.saudacao

    @property
    def turnos(self) -> tuple[Turno, ...]:
        """What was said so far."""
        return self._guardada.estado.turnos

    @property
    def ocupada(self) -> bool:
        """Whether a message was being answered when it was read."""
        return self._guardada.ocupada

    @property
    def consultas(self) -> tuple[Booking, ...]:
        """The appointments that this conversation knows of."""
        return self._session.dialogue.bookings

    @property
    def codigos(self) -> Mapping[Vaga, str]:
        """The codes of those that it booked, or was told the code of."""
        return self._session.codigos

    @property
    def novos(self) -> Mapping[Vaga, str]:
        """The codes that the last answer gave, to be shown with it this once."""
        return {vaga: code for vaga, code in self.codigos.items() if vaga in self._guardada.estado.novos}

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
        return self._meios.recepcao.ahead(self.espera) if self.espera is not None else 0

    @property
    def is_attended(self) -> bool:
        """Whether somebody is at the reception."""
        return self._meios.recepcao.is_attended(self._casa)

    @property
    def espera(self) -> Espera | None:
        """What it waits for at the reception, or who of the reception has it; None where it has to do with nobody."""
        return self._guardada.espera

    @property
    def _signed_in_elsewhere(self) -> bool:
        """Whether a person of another tenant than the clinics' own speaks: their account proves nothing here."""
        return isinstance(self.dono.sujeito, Pessoa) and self.dono.tenant_id != self._casa

    async def present(self, code: str) -> bool:
        """Prove an appointment by its code; whether it is one of the patient's. Raises ConversaNotFound."""
        proven = await self._session.present(code)
        await self._write(lambda now: self._remembering(now), None)
        return proven

    async def ask(self, texto: str, tell: Tell = nobody) -> Turno:
        """The turn of a message; it is done to its end and remembered, though whoever waits for it leaves. Raises what `begin` does."""
        return await asyncio.shield(await self.begin(texto, tell))

    async def begin(self, texto: str, tell: Tell = nobody) -> asyncio.Task[Turno]:
        """Begin the turn of a message.

        Raises MensagemInvalida, ConversaLonga, ConversaNotFound, or ConversaOcupada while the message before it is being answered, here or
        by another server: what was written before that answer was read is better written again than guessed at.
        """
        said = _checked(texto)
        vez = await self._turn_taken()
        lost = self._guardada.comecados if self._guardada.vez is not None else ()
        if self._guardada.vez is not None:
            self._goes_on_after(lost)
        unanswered = tuple(Turno(dito, "") for dito in dict.fromkeys(one.dito for one in lost) if dito)
        turn = asyncio.create_task(self._turn(said, vez, tell, unanswered))
        self._meios.turnos.add(turn)
        turn.add_done_callback(self._meios.turnos.discard)
        return turn

    async def follow(self, texto: str) -> tuple[asyncio.Task[Turno], AsyncIterator[Event]]:
        """`begin`, with the events of the turn as they happen; they end when the turn does."""
        happened: asyncio.Queue[Event | None] = asyncio.Queue()
        turn = await self.begin(texto, happened.put_nowait)
        turn.add_done_callback(lambda _: happened.put_nowait(None))
        return turn, _until_the_end(happened)

    async def assume(self, atendente: Atendente, uow: UnitOfWork | None = None) -> None:
        """Somebody of the reception takes it: from now on its messages are theirs. Raises JaAssumida, ConversaNotFound, NaoAssumida."""

        def assumed(now: Guardada) -> Guardada:
            if now.espera is None:
                raise ConversaNotFound
            after = msgspec.structs.replace(now, espera=now.espera.assumed(atendente))
            if now.espera.atendente is not None:
                return after
            return _with(after, Turno("", f"{atendente.nome}, da recepção, entrou na conversa.", pessoa=atendente.nome, marco="entrou"))

        await self._write(assumed, uow)

    async def write(self, ator: str, texto: str, uow: UnitOfWork | None = None) -> Turno:
        """What the person of the reception who has it answers. Raises MensagemInvalida, NaoAssumida, ConversaLonga, ConversaNotFound."""
        said = _checked(texto)

        def written(now: Guardada) -> Guardada:
            nome = held_by(now.espera, ator).nome
            if sum(bool(turno.pessoa) for turno in now.estado.turnos) >= self._meios.limites.turnos:
                told = "Esta conversa já tem respostas demais. Devolva-a ao assistente, ou combine com a pessoa por telefone."
                raise ConversaLonga(told)
            return _with(now, Turno("", concealed(said), pessoa=nome))

        await self._write(written, uow)
        return self.turnos[-1]

    async def give_back(self, ator: str, uow: UnitOfWork | None = None) -> None:
        """The assistant answers again, by what it knew. Raises NaoAssumida, ConversaNotFound."""

        def given_back(now: Guardada) -> Guardada:
            nome = held_by(now.espera, ator).nome
            self._session.resume()
            left = Turno("", f"{nome} saiu da conversa. O assistente continua com você.", pessoa=nome, marco="devolveu")
            return _with(msgspec.structs.replace(self._remembering(now), espera=None), left)

        await self._write(given_back, uow)

    async def _turn_taken(self) -> UUID:
        """The turn, held: it goes on from how the conversation stands then."""
        vez, guarda = uuid4(), self._meios.guarda
        while True:
            if self.ocupada:
                raise ConversaOcupada("Ainda estou respondendo à mensagem anterior. Espere a resposta e envie de novo.")
            if sum(bool(turno.mensagem) for turno in self.turnos) >= self._meios.limites.turnos:
                told = "Esta conversa chegou ao fim do que consigo lembrar. Comece outra; o que foi marcado continua marcado."
                raise ConversaLonga(told)
            if await guarda.take_turn(self._guardada, vez):
                return vez
            self._take(await self._as_it_is(None))

    def _goes_on_after(self, lost: tuple[Comecado, ...]) -> None:
        """The turn before this one was lost with its server: what it had begun is settled first."""
        now = self._guardada
        memoria = now.estado.memoria
        lost = (*(memoria.interrompida or ()), *lost)
        estado = msgspec.structs.replace(now.estado, memoria=msgspec.structs.replace(memoria, interrompida=lost))
        self._take(msgspec.structs.replace(now, estado=estado))

    async def _begins(self, vez: UUID, said: str, one: Comecado) -> None:
        """A clinic is about to be asked for a change, by a message. Raises ConversaOcupada where the turn was lost to another server."""
        async with self._beginning:
            begun = (*self._guardada.comecados, msgspec.structs.replace(one, dito=concealed(said)))
            if not await self._meios.guarda.begin(self._guardada, vez, begun):
                raise ConversaOcupada(_LOST)
            self._guardada = msgspec.structs.replace(self._guardada, comecados=begun)

    async def _turn(self, said: str, vez: UUID, tell: Tell, unanswered: tuple[Turno, ...] = ()) -> Turno:
        """The turn of a message; `unanswered` are those before it whose answers were lost, which are kept with it."""
        try:
            async with self._kept(vez):
                self._session.begin_by(partial(self._begins, vez, said))
                before = self.codigos
                await self._doubted()
                reply, kept = await self._answered(said, tell)
                await self._heard_of(reply)
            new = tuple(vaga for vaga, code in self.codigos.items() if reply and reply.codigos and before.get(vaga) != code)
            turnos: list[Turno] = []

            def answered(now: Guardada) -> Guardada:
                turno, espera = self._told_the_reception(now.espera, kept, reply)
                turnos.append(turno)
                estado = msgspec.structs.replace(now.estado, novos=new)
                after = self._remembering(msgspec.structs.replace(now, estado=estado, espera=espera))
                return reduce(_with, (*unanswered, turno), after)

            with suppress(ConversaNotFound):  # who ended it meanwhile still hears what was done
                await self._write(answered, None, vez)
            if reply is not None and reply.recado == "emergencia" and self.papel != "operador":
                emergencias.labels(kept.emergencia or "outra").inc()
        except BaseException:
            await asyncio.shield(self._meios.guarda.drop_turn(self.id, vez))
            raise
        return msgspec.structs.replace(turnos[-1], texto=f"{turnos[-1].texto}\n{reply.codigos}") if reply and reply.codigos else turnos[-1]

    @asynccontextmanager
    async def _kept(self, vez: UUID) -> AsyncIterator[None]:
        """The turn is held for as long as the block lasts."""

        async def keep() -> None:
            while True:
                await asyncio.sleep(_KEPT_EVERY)
                with suppress(CrivoError):  # what was begun is done to its end, whatever becomes of the place where it is kept
                    await self._meios.guarda.keep_turn(self.id, vez)

        keeping = asyncio.create_task(keep())
        try:
            yield
        finally:
            keeping.cancel()

    async def _doubted(self) -> None:
        """Nothing is known any more by what proved who speaks, where it proves that no more."""
        cpf, prova = self.quem.em_nome_de, self._meios.prova
        if cpf is not None and prova is not None and not await prova(self.dono, cpf):
            self._session.doubt()

    async def _answered(self, said: str, tell: Tell) -> tuple[Reply | None, Turno]:
        """What is said back to a message, and the turn of it; the codes that are told with it are kept in no turn.

        By the assistant, or, where a person has the conversation, by nothing but the check for emergencies.
        """
        has_person = self.espera is not None and self.espera.atendente is not None
        reply = await (self._session.watch(said, tell) if has_person else self._session.say(said, tell))
        kept = concealed(said)
        if reply is None:
            return None, Turno(kept, "")
        if self._signed_in_elsewhere and reply.trace is not None and reply.trace.plan.prova:
            reply = msgspec.structs.replace(reply, texto=with_account_from_elsewhere(reply.texto, reply.trace.plan.idioma))
        return reply, turno_of(kept, reply, self._session.dialogue)

    async def _heard_of(self, reply: Reply | None) -> None:
        """The queue as it stands by now, where its length is to be told."""
        if reply is not None and reply.recado is not None and self.papel != "operador":
            await self._meios.sync()

    def _told_the_reception(self, espera: Espera | None, turno: Turno, reply: Reply | None) -> tuple[Turno, Espera | None]:
        """The turn, and what the conversation waits for, once the reception knows what it should of it."""
        if reply is None or self.papel == "operador":
            return turno, espera
        match reply.recado:
            case None:
                return turno, espera
            case "desmentida":
                return turno, espera.denied() if espera is not None else None
            case "sem_resposta":
                idioma: Idioma = reply.trace.plan.idioma if reply.trace else "pt"
                return msgspec.structs.replace(turno, texto=with_offer_of_a_person(turno.texto, idioma)), espera
            case "emergencia":
                now = self._meios.ticks()
                first = Espera(self.id, self._casa, "emergencia", now, turno.emergencia, certa=reply.certo)
                waits = espera.graver("emergencia", now, turno.emergencia, certa=reply.certo) if espera is not None else first
                return msgspec.structs.replace(turno, recepcao=self._whether_told()), waits
            case "pessoa" | "nao_entendido":
                waits = espera or Espera(self.id, self._casa, reply.recado, self._meios.ticks())
                return self._called(turno, reply, waits, again=espera is not None), waits

    def _called(self, turno: Turno, reply: Reply, waits: Espera, *, again: bool) -> Turno:
        idioma: Idioma = reply.trace.plan.idioma if reply.trace else "pt"
        texto = called(idioma, self.registro, ahead=self._meios.recepcao.ahead(waits), attended=self.is_attended, again=again)
        if reply.recado == "nao_entendido":
            texto = after_not_understood(reply.trace.texto if reply.trace else reply.texto, idioma, texto)
        passos = turno.passos
        if passos is not None and reply.recado == "pessoa":
            passos = msgspec.structs.replace(passos, pergunta=False, recusa=None)
        return msgspec.structs.replace(turno, texto=texto, passos=passos, recepcao=self._whether_told())

    def _whether_told(self) -> Literal["avisada", "anotada"]:
        return "avisada" if self.is_attended else "anotada"

    def _remembering(self, now: Guardada) -> Guardada:
        """The same with what the session remembers by now."""
        return msgspec.structs.replace(now, estado=msgspec.structs.replace(now.estado, memoria=self._session.memoria))

    async def _write(self, change: Callable[[Guardada], Guardada], uow: UnitOfWork | None, vez: UUID | None = None) -> None:
        """Write a change of it; where somebody else wrote meanwhile, of what they left. Raises what `change` does, and ConversaNotFound."""
        own, now = self._meios, self._guardada
        while True:
            spoken = own.ticks()
            made = msgspec.structs.replace(change(now), falada_em=spoken, expira_em=spoken + own.limites.ociosa_seconds)
            if await own.guarda.save(made, vez=vez, uow=uow):
                break
            now = await self._as_it_is(vez)
        done = made if vez is None else made.ended()
        self._guardada = msgspec.structs.replace(done, versao=made.versao + 1)
        if uow is None:  # else it is not there yet for whoever would look now
            own.noted(self._guardada)
        self.sino.ring()
        own.recepcao.put(self.id, made.espera)
        if made.espera is not None:
            own.recepcao.sino.ring()

    async def _as_it_is(self, vez: UUID | None) -> Guardada:
        """How it stands by now. Raises ConversaNotFound; ConversaOcupada where the turn was lost to another server."""
        found = await self._meios.guarda.find(self.id)
        if found is None:
            raise ConversaNotFound
        if vez is not None and found.vez != vez:
            raise ConversaOcupada(_LOST)
        return found


def _with(guardada: Guardada, turno: Turno) -> Guardada:
    """The same with one more turn."""
    estado = guardada.estado
    return msgspec.structs.replace(guardada, estado=msgspec.structs.replace(estado, turnos=(*estado.turnos, turno)))


def kept_first(session: Session, papel: Papel, dono: Scope, planejador: Planejador | None, spoken: float, ends: float) -> Guardada:
    """A session that has just begun, as it is kept."""
    estado = Estado(papel, session.greeting, session.memoria, planejador)
    return Guardada(UUID(session.id), Dono(dono.tenant_id, dono.ator), estado, spoken, ends)


def _checked(texto: str) -> str:
    """What was written, without the space around it. Raises MensagemInvalida."""
    said = texto.strip()
    if not said or len(said) > LONGEST_UTTERANCE:
        raise MensagemInvalida(f"Escreva o que você precisa, em até {LONGEST_UTTERANCE} caracteres.")
    return said


async def _until_the_end(happened: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
    while (event := await happened.get()) is not None:
        yield event
