"""A conversation with one person: who it is, what was said so far, and the next turn. Source: blueprint 1.6."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Final

import msgspec

from crivo.clinicas.codigos_ditos import Dito, told_code
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.transport import UNIDENTIFIED
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Paciente, Papel, Plan, Vaga
from crivo.clinicas.orquestrador.conversa.agentes import Agents
from crivo.clinicas.orquestrador.conversa.apresentacao import Apresentacao, Apresentada, Ouvida, identity_of, with_question
from crivo.clinicas.orquestrador.conversa.atos import Atos
from crivo.clinicas.orquestrador.conversa.comprovacao import Comprovacao
from crivo.clinicas.orquestrador.conversa.consultas import asked_for_held, asks_for_theirs, code_lines, missing
from crivo.clinicas.orquestrador.conversa.interrompida import is_said_again, mended
from crivo.clinicas.orquestrador.conversa.memoria import Dialogado, Memoria
from crivo.clinicas.orquestrador.conversa.recepcao import forgotten, lead_of, meant, of_several
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.escutado import wants_person
from crivo.clinicas.orquestrador.decide.pessoas.de_quem import patient_named
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.emergencia import Sobreaviso, Socorro, alarmed_by, hear
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.pessoas.identidade import (
    PEDE_NOME,
    Identificacao,
    asks_for_another,
    find_person,
    found_by_cpf,
    goes_back_to,
    is_of_another,
    whose,
)
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.pessoa import asks_for_person, out_of_reach, whom_to_call
from crivo.clinicas.orquestrador.provas import Begin
from crivo.clinicas.orquestrador.quem_pede import QuemPede, anybody
from crivo.clinicas.orquestrador.trace import Tell, Trace, nobody, spoken
from crivo.clinicas.registro import Registro
from crivo.kernel.clock import Clock
from crivo.kernel.linguagem.fala import calm

LONGEST_UTTERANCE: Final = 2_000  # characters
_BEM_VINDO: Final = "Olá! Posso listar horários, marcar, remarcar ou cancelar consultas. O que você precisa?"
_LONGO_DEMAIS: Final = f"Essa mensagem é longa demais para mim. Pode dizer o que precisa em até {LONGEST_UTTERANCE} caracteres?"
_PROXIMO: Final = "Certo. Qual é o nome completo do próximo paciente?"
_DE_QUEM_E_O_CPF: Final = "Esse CPF não é o de {nome}, e ainda não marquei nada com ele. De quem é? Qual é o nome completo da pessoa?"
_AGORA: Final = "Certo, agora cuidamos das consultas de {nome}. O que precisa?"
_QUEM_ANTES: Final = {
    "nome": "Recebi o código. Antes dele, qual é o nome completo de quem a consulta é?",
    "cpf": "Recebi o código. Antes dele, qual é o CPF de quem a consulta é?",
    "nada": "Recebi o código.",
}
_VAZIO: Final = "Pode escrever o que você precisa?"

_SENDS_TO_A_DOCTOR: Final = frozenset({"R1", "R3"})
_TIMES_NOT_UNDERSTOOD: Final = 2  # in a row, before a person is asked to help


class Session:
    """One person's conversation, a turn at a time. All that it remembers is in `memoria`, by which it goes on anywhere.

    An operator serves one patient after another: by name and CPF in a message, by `próximo paciente`, or by going back to one.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        directory: Directory,
        registro: Registro,
        clock: Clock,
        *,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        quem: QuemPede | None = None,
        log: PipelineLog | None = None,
        id_: str = "",
        agents: Agents | None = None,
        atos: Atos | None = None,
        memoria: Memoria | None = None,
    ) -> None:
        """`quem` asks, anybody where nobody is told; `agents` are of this conversation alone, in the place of the pipeline's own.

        `atos` notes what is done in it; `memoria` is what was remembered of it, and `paciente` nothing then.
        """
        self.id = id_
        self._agents = agents
        self._pipeline = pipeline
        self._directory = directory
        self._clock = clock
        self._log = log
        self._atos = atos
        self._turns = memoria.turnos if memoria else 0
        self._alarmed: Sobreaviso | None = memoria.aviso if memoria else None
        self._settled: Socorro | None = memoria.socorro if memoria else None
        self._lost = memoria.perdidos if memoria else 0
        self._served: dict[str, Paciente] = {one.cpf: one for one in memoria.atendidos} if memoria else {}
        self._held: dict[str, tuple[Booking, ...]] = dict(memoria.guardadas) if memoria else {}
        self._told: Dito | None = memoria.dito if memoria else None
        self._proofs = Comprovacao(pipeline.router, memoria.comprovada if memoria else None)
        self._lock = asyncio.Lock()
        asked = Identificacao() if paciente is None and papel == "paciente" else None
        self._apresentacao = Apresentacao(memoria.apresentada if memoria else Apresentada(asked))
        fresh = Dialogue(clock.now(), registro, papel, paciente=paciente, quem=quem or anybody())
        self.dialogue = memoria.dialogo.over(fresh) if memoria else fresh
        self._interrompida = memoria.interrompida if memoria else None
        self._misses_doctors = memoria is not None and memoria.sabe_medicos

    @property
    def memoria(self) -> Memoria:
        """All that it remembers, between two turns."""
        dialogue = self.dialogue
        return Memoria(
            Dialogado.of(dialogue),
            self._apresentacao.ate_aqui,
            self._proofs.ate_aqui,
            provado=dialogue.quem.em_nome_de or "",
            sabe_medicos=bool(dialogue.doctors) or self._misses_doctors,
            turnos=self._turns,
            perdidos=self._lost,
            aviso=self._alarmed,
            socorro=self._settled,
            atendidos=tuple(self._served.values()),
            guardadas=tuple(self._held.items()),
            dito=self._told,
            interrompida=self._interrompida,
        )

    def begin_by(self, begin: Begin) -> None:
        """Note by that what a clinic is about to be asked to change."""
        self._proofs.chaveiro.begin = begin

    @property
    def greeting(self) -> str:
        """What is said first."""
        return _BEM_VINDO if self._apresentacao.falta is None else PEDE_NOME

    @property
    def now(self) -> datetime:
        """What time it is for the conversation."""
        return self._clock.now()

    async def say(self, text: str, tell: Tell = nobody) -> Reply:
        """What is said back to a message; `tell` hears of the turn as it happens. Messages are taken one after the other.

        A turn that began is done to its end and remembered, though whoever waits for it leaves.
        """
        return await self._pipeline.finish(self._with_codes(text, tell))

    async def watch(self, text: str, tell: Tell = nobody) -> Reply | None:
        """What is said back to a message that goes to somebody else, where it sounds like an emergency; None where it does not."""
        async with self._lock:
            return self._emergency(text.strip(), tell, follows=False)

    @property
    def codigos(self) -> Mapping[Vaga, str]:
        """The codes of the appointments that were booked here, or proven by one."""
        return self._proofs.chaveiro.held

    def doubt(self) -> None:
        """Who speaks is proven no more: what was known by that alone is forgotten, and what was booked here by its code stays."""
        held = self.codigos
        kept = tuple(one for one in self.dialogue.bookings if one.vaga in held)
        self._proofs.forget()
        self.dialogue = msgspec.structs.replace(forgotten(self.dialogue), quem=self.dialogue.quem.for_another(), bookings=kept, feito=None)

    def asks_as(self, quem: QuemPede) -> None:
        """Whoever asks from now on, as far as they are proven at this request."""
        self.dialogue = msgspec.structs.replace(self.dialogue, quem=quem)

    async def present(self, code: str) -> bool:
        """Prove an appointment by its code, as if it had been told; whether it is one of the CPF that was told."""
        async with self._lock:
            await self._directory.ready()
            conferida = await self._proofs.check(Dito(code, ""), self._as_it_is(), nobody)
            self.dialogue = conferida.dialogue
            return not conferida.fala

    async def _with_codes(self, text: str, tell: Tell) -> Reply:
        async with self._lock:
            if self._misses_doctors:
                await self._directory.ready()
                self.dialogue, self._misses_doctors = msgspec.structs.replace(self.dialogue, doctors=dict(self._directory.doctors)), False
            reply = await self._answer(text, tell)
            self.dialogue = msgspec.structs.replace(self.dialogue, ultima_fala=reply.texto)  # the codes that stand beside it are none of it
            new, renewed = self._proofs.chaveiro.take_new(), self._proofs.chaveiro.take_renewed()
            if not new:
                return reply
            idioma = reply.trace.plan.idioma if reply.trace is not None else "pt"
            return msgspec.structs.replace(reply, codigos=code_lines(new, Mensagens.of(idioma, self.dialogue), renewed=renewed))

    def resume(self) -> None:
        """Go on after somebody else spoke: nothing that was asked before is answered by what is said from now on."""
        self._lost = 0
        self.dialogue = msgspec.structs.replace(self.dialogue, pending={}, ultima_fala="")

    async def _answer(self, text: str, tell: Tell) -> Reply:
        told = told_code(text.strip()) if len(text) <= LONGEST_UTTERANCE else None
        said = calm(told.resto if told is not None else text.strip())
        if len(said) > LONGEST_UTTERANCE:
            return Reply(_LONGO_DEMAIS)
        if told is not None and self.dialogue.papel == "paciente":
            self._told = Dito(told.codigo, said)
        elif not said:
            return Reply(_VAZIO)
        urgent = self._emergency(said, tell) if said else None
        if urgent is not None:
            return urgent
        if self.dialogue.papel == "paciente" and (asks_for_person(said) or wants_person(said, self.dialogue)):
            return self._person(said, tell)
        lead, again = await self._mended(said, tell)
        if again:
            return self._told_alone(lead, said, tell)
        return (await self._planned(said, told, tell)).after(lead)

    def _told_alone(self, words: str, said: str, tell: Tell) -> Reply:
        """The reply to a message that only asks again for what is told as done."""
        before = self.dialogue
        trace = spoken(Plan(fala=words, idioma=language_of(said, before.utterances)), tell)
        self.dialogue = msgspec.structs.replace(before, utterances=(*before.utterances, said))
        self._logged(said, before, trace)
        return Reply(trace.texto, trace)

    async def _mended(self, said: str, tell: Tell) -> tuple[str, bool]:
        """What came of a turn that was lost, in words, and whether this message only says that one again; nothing where none was."""
        lost, self._interrompida = self._interrompida, None
        if lost is None:
            return "", False
        await self._directory.ready()
        self._proofs.forget()
        texts = Mensagens.of(language_of(said, self.dialogue.utterances), self.dialogue)
        before = self._as_it_is()
        conferida = await mended(lost, before, self._proofs.chaveiro, self._pipeline.router, texts, tell)
        self.dialogue = conferida.dialogue
        return conferida.fala, conferida.feita and is_said_again(said, lost, before)

    async def _planned(self, said: str, told: Dito | None, tell: Tell) -> Reply:
        """The answer to a message that is none to an alarm, and asks for no person."""
        missing_ = self._apresentacao.falta
        if told is not None and missing_ is not None and not self._apresentacao.is_told_by(said):
            return Reply(_QUEM_ANTES[missing_.falta])
        heard = self._apresentacao.hear(said, self.dialogue)
        if heard is not None:
            reply = await self._identified(heard, tell)
            return reply.after(self._settled.fala if self._settled is not None else "")
        if self.dialogue.papel == "operador":
            return await self._for_somebody(said, tell)
        return await self._checked(said, tell)

    async def _checked(self, said: str, tell: Tell) -> Reply:
        """The answer to a message, once the code that was told with it is looked up."""
        told, self._told = self._told, None
        if told is None:
            return await self._turn(said, tell)
        await self._directory.ready()
        conferida = await self._proofs.check(told, self._as_it_is(), tell)
        self.dialogue = conferida.dialogue
        return Reply(conferida.fala) if conferida.fala else await self._turn(conferida.texto, tell)

    def _emergency(self, said: str, tell: Tell, *, follows: bool = True) -> Reply | None:
        """Where help is, when a message sounds like an emergency or comes after one, or that all goes on when it was none.

        Before who is speaking is asked. Nothing is written, and nothing that was asked before can be answered by a yes that is meant for
        the ambulance. What also asks for an appointment once it is none is answered by the turn, which says this first. `follows` is
        False where whoever writes is talking to somebody else.
        """
        idioma = language_of(said, self.dialogue.utterances)
        socorro = hear(said, self._alarmed, idioma, follows=follows and not self._says_who(said))
        self._settled = None
        if socorro is None:
            return None
        self._alarmed = socorro.aviso
        if socorro.quebra:
            self.dialogue = _broken_off(self.dialogue)
        if socorro.segue and follows:
            self._settled = socorro
            return None
        trace = spoken(Plan(fala=socorro.fala, idioma=idioma, emergencia=socorro.tipo), tell)
        self._logged(said, self.dialogue, trace)
        return Reply(trace.texto, trace, socorro.recado, certo=socorro.certo)

    def _says_who(self, said: str) -> bool:
        """Whether a message says whom the talk is about: it is no answer to an alarm."""
        if self.dialogue.papel == "operador" and (asks_for_another(said) is not None or goes_back_to(said, self._served.values())):
            return True
        return self._apresentacao.says_who(said)

    def _person(self, said: str, tell: Tell) -> Reply:
        """That a person is asked for; who can be called, where nobody of a reception hears of it."""
        self._lost = 0
        idioma = language_of(said, self.dialogue.utterances)
        pergunta = out_of_reach(idioma, self.dialogue.registro)
        trace = spoken(Plan(pergunta=pergunta, recusa="escopo", idioma=idioma), tell)
        self._logged(said, self.dialogue, trace)
        return Reply(trace.texto, trace, "pessoa")

    def _reply(self, trace: Trace) -> Reply:
        """The reply of a turn of the planner, with what the reception should know of it."""
        plan = trace.plan
        if plan.emergencia is not None:
            return Reply(trace.texto, trace, "emergencia")
        self._lost = self._lost + 1 if self._is_lost(trace) else 0
        if self._lost < _TIMES_NOT_UNDERSTOOD:
            return Reply(trace.texto, trace, "sem_resposta" if self._is_unknown(plan) else None)
        phones = whom_to_call(plan.idioma, self.dialogue.registro)
        return Reply(f"{trace.texto} {phones}".rstrip(), trace, "nao_entendido")

    def _is_unknown(self, plan: Plan) -> bool:
        """Whether a question about clinics was asked that the registry has no answer to."""
        out_of_scope = Mensagens.of(plan.idioma, self.dialogue).say("escopo")
        return plan.recusa == "escopo" and plan.fala not in {None, out_of_scope}

    def _is_lost(self, trace: Trace) -> bool:
        """Whether a turn understood nothing."""
        return trace.plan.pergunta == Mensagens.of(trace.plan.idioma, self.dialogue).say("nao_entendi")

    async def _for_somebody(self, said: str, tell: Tell) -> Reply:
        """An operator's message, which may turn to another patient first."""
        person = find_person(said) or found_by_cpf(said, self._served.values(), self.dialogue.utterances)
        if person is None and is_of_another(said, self.dialogue.paciente):
            self._apresentacao.ask(Identificacao(de_outra=True))
            return Reply(_DE_QUEM_E_O_CPF.format(nome=(self.dialogue.paciente or Paciente("", "")).nome.split()[0]))
        back = goes_back_to(said, self._served.values()) if person is None else None
        rest = asks_for_another(said) if person is None and back is None else None
        if person is not None:
            self._serve(person.paciente)
            two = of_several(person.resto, person.paciente)
            asked = asked_for_held("pt") if asks_for_theirs(person.resto) else person.resto
            return Reply(two) if two else await self._go_on(asked, tell)
        if back is not None:
            self._serve(back[0])
            return await self._go_on(back[1], tell)
        if rest is None:
            return await self._of_whoever_is_named(said, tell)
        self._serve(None)
        if rest:
            return await self._turn(rest, tell)
        self._apresentacao.ask(Identificacao(de_outra=True))
        return Reply(_PROXIMO)

    async def _of_whoever_is_named(self, said: str, tell: Tell) -> Reply:
        """A message of the patient served; of one served before, where it names that one alone; nothing where it names anybody else."""
        named = meant(said, self.dialogue, self._served.values())
        if named is None and self.dialogue.paciente is None and intention("dele").search(read_sentence(said).text):
            falta, asked = whose(patient_named((said, *reversed(self.dialogue.utterances)), self.dialogue))
            self._apresentacao.ask(falta, said)
            return Reply(asked)
        if named is None:
            return await self._turn(said, tell)
        if named.paciente is None:  # nothing that was asked or shown of the one served is taken by the next message
            self.dialogue = forgotten(self.dialogue)
            return Reply(named.recusa)
        lead = lead_of(named, self.dialogue)
        self._serve(named.paciente)
        told = await self._go_on(named.texto, tell)
        return msgspec.structs.replace(told, texto=f"{lead}{told.texto}")

    async def _go_on(self, rest: str, tell: Tell) -> Reply:
        paciente = self.dialogue.paciente
        if rest or paciente is None:
            return await self._turn(rest, tell)
        return Reply(_AGORA.format(nome=paciente.nome.split()[0]))

    def _serve(self, paciente: Paciente | None) -> None:
        """Turn to a patient: what was booked for each is remembered apart, and what was shown and asked for another is forgotten."""
        before = self.dialogue
        if paciente == before.paciente:
            return
        if before.paciente is not None:
            self._served[before.paciente.cpf] = before.paciente
            self._held[before.paciente.cpf] = before.bookings
        held = self._held.get(paciente.cpf, ()) if paciente is not None else ()
        if before.paciente is None:  # whoever was spoken of is known now
            self.dialogue = msgspec.structs.replace(before, paciente=paciente, bookings=held)
            return
        self._alarmed = None
        self.dialogue = msgspec.structs.replace(forgotten(before), paciente=paciente, bookings=held, utterances=())

    async def _identified(self, heard: Ouvida, tell: Tell) -> Reply:
        """What comes of an answer about who is speaking: once that is known, what was asked before it."""
        if heard.paciente is None:
            return Reply(heard.fala)
        if heard.corrigido:
            self.dialogue = identity_of(heard, self.dialogue)
            self._proofs.forget_all()
        else:
            self._serve(heard.paciente)
        if self._told is not None:
            told = await self._checked(self._told.resto or heard.pedido, tell)
            return told.after(heard.fala) if heard.corrigido else told
        return (await self._turn(heard.pedido, tell)).after(heard.fala) if heard.pedido else Reply(with_question(heard))

    async def _turn(self, said: str, tell: Tell) -> Reply:
        await self._directory.ready()
        before, found = await self._proofs.known(self._as_it_is(), tell)
        if self._atos is not None:
            await self._atos.note_look(found, before.quem)
        after, trace = await self._pipeline.turn(said, before, tell, self._agents, self._proofs.chaveiro)
        if self._atos is not None:
            await self._atos.note(trace)
        self._proofs.note(said, trace)
        self._logged(said, before, trace)
        alarmed, new = self._alarmed, trace.plan.emergencia
        self._alarmed = alarmed_by(new, said) if new is not None else alarmed.calmed() if alarmed is not None else None
        if any(reply.error is not None and reply.error.codigo == UNIDENTIFIED for reply in trace.replies):
            falta, asked = whose(patient_named((said, *reversed(before.utterances)), before))
            self._apresentacao.ask(falta, said)
            return Reply(asked, trace)
        self.dialogue = _broken_off(after) if trace.plan.emergencia is not None else after
        told = self._reply(trace)
        absent = missing(found, before, trace.plan.idioma) if trace.plan.fala or trace.plan.pergunta else ""
        if absent and new is None:
            told = msgspec.structs.replace(told, texto=f"{told.texto}\n{absent}")
        return told if new is not None else self._beside(alarmed, told, trace)

    def _as_it_is(self) -> Dialogue:
        """The dialogue now, with all doctors that are known."""
        own, all_ = self.dialogue, self._directory
        known = {"doctors": {**own.doctors, **all_.doctors}, "ramos": {**own.ramos, **all_.ramos}}
        return msgspec.structs.replace(own, now=self._clock.now(), **known)

    def _beside(self, alarmed: Sobreaviso | None, told: Reply, trace: Trace) -> Reply:
        """A turn's reply after what an alarm before it asks to be said; where help is alone, if the turn has nothing else to say."""
        settled, idioma = self._settled, trace.plan.idioma
        self._settled = None
        empty = self._is_lost(trace) or trace.plan.recusa in _SENDS_TO_A_DOCTOR
        if settled is not None:
            texto = settled.fala if empty else f"{settled.fala}\n{told.texto}"
            return msgspec.structs.replace(told, texto=texto, recado=settled.recado)
        instead = alarmed.instead(idioma) if alarmed is not None and empty else ""
        if alarmed is None or not (instead or alarmed.reminder(idioma)):
            return told
        if not instead:
            return msgspec.structs.replace(told, texto=f"{alarmed.reminder(idioma)}\n{told.texto}")
        self._lost = 0
        if alarmed.cuidado:
            return Reply(instead, trace)
        self._alarmed = self._alarmed if alarmed.stands else alarmed  # what was not understood was no calm request
        again = spoken(Plan(fala=instead, idioma=idioma, emergencia=alarmed.tipo), nobody)
        return Reply(again.texto, again, "emergencia")

    def _logged(self, said: str, before: Dialogue, trace: Trace) -> None:
        self._turns += 1
        if self._log is not None:
            self._log.write(self.id, self._turns, self._clock.now(), said, before, trace)


def _broken_off(dialogue: Dialogue) -> Dialogue:
    """A dialogue in which nothing that was asked or shown is taken by a yes; of what was shown it is asked first whether to go on."""
    return msgspec.structs.replace(dialogue, pending=write_pending(Pendente("alarme")) if dialogue.offers else {})
