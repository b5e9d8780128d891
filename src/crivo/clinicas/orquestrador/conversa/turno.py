"""One turn of a conversation: plan, checked; calls; data verified; words; words verified; and what the dialogue remembers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

import msgspec

from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.titulares import Grupo, as_served, by_person, caller_of, waits_for_others
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.confere import verify_data, verify_text
from crivo.clinicas.orquestrador.confere.segunda_opiniao import AlarmeSemTrecho
from crivo.clinicas.orquestrador.contracts import (
    ClinicReply,
    Dialogue,
    Idioma,
    Offer,
    Paciente,
    ParaQuem,
    Plan,
    Planner,
    Responder,
    Step,
    Verdict,
)
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.conversa.agentes import Agents
from crivo.clinicas.orquestrador.conversa.pedir_prova import with_proof_asked
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import spoken_of
from crivo.clinicas.orquestrador.decide.confirmar.desfazer import in_place_of
from crivo.clinicas.orquestrador.decide.decisao import Decidido, decide
from crivo.clinicas.orquestrador.decide.pessoas.para_quem import waiting_slots
from crivo.clinicas.orquestrador.entende.selecao import Selecao, select
from crivo.clinicas.orquestrador.escreve.conferencia import Encomenda
from crivo.clinicas.orquestrador.escreve.conhecido import known, named
from crivo.clinicas.orquestrador.escreve.embutido import write as write_embedded
from crivo.clinicas.orquestrador.escreve.modelo import TextoRecusado, is_worded_by_model
from crivo.clinicas.orquestrador.escreve.mostrado import shown_to_judge
from crivo.clinicas.orquestrador.linha import heard_by
from crivo.clinicas.orquestrador.provas import Chaveiro
from crivo.clinicas.orquestrador.trace import (
    Asked,
    Author,
    CallFinished,
    Event,
    Judged,
    ModelFailed,
    Moment,
    Planned,
    Tell,
    Trace,
    Writing,
    Written,
)
from crivo.clinicas.protocol import ToolError
from crivo.kernel.llm.port import ModeloIndisponivel

T = TypeVar("T")

_WITHHELD: Final = ToolError("A resposta desta clínica foi retida pela verificação.", codigo="retida")
_FREE_TEXT: Final = frozenset({"note", "message"})
# Said where no text passes: true whatever happened. The first where something was booked, changed or cancelled in the turn.
_SAFE: Final[dict[Idioma, tuple[str, str]]] = {
    "pt": (
        "O pedido foi feito, mas não consegui escrever o resumo. Pergunte quais são as consultas marcadas para conferir.",
        "Desculpe, não posso mostrar essa resposta. Posso listar, marcar, remarcar ou cancelar consultas.",
    ),
    "en": (
        "The request was done, but I could not write the summary. Ask which appointments are booked to check.",
        "Sorry, I cannot show that answer. I can list, book, reschedule or cancel appointments.",
    ),
    "es": (
        "El pedido se hizo, pero no pude escribir el resumen. Pregunte cuáles son las citas reservadas para confirmar.",
        "Lo siento, no puedo mostrar esa respuesta. Puedo listar, reservar, cambiar o cancelar citas.",
    ),
}


class Pipeline:
    """The agents of a turn; one for all conversations. Source: blueprint 1.4."""

    def __init__(self, planner: Planner, router: Router, responder: Responder, clock: Callable[[], float]) -> None:
        """`clock` counts seconds from any moment on; planner and responder are of the conversations that have no agents of their own."""
        self._agents = Agents(planner, responder)
        self._router = router
        self._clock = clock
        self._underway: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """The outcome of some work that goes on to its end though whoever waits for it leaves: no move is cut in its middle."""
        task = asyncio.create_task(work)
        self._underway.add(task)
        task.add_done_callback(self._underway.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for what is underway."""
        if self._underway:
            await asyncio.wait(self._underway)

    async def turn(
        self, utterance: str, dialogue: Dialogue, tell: Tell, agents: Agents | None = None, chaveiro: Chaveiro | None = None
    ) -> tuple[Dialogue, Trace]:
        """The dialogue after what was said, and all that was done; `tell` hears of it as it happens.

        `chaveiro` has the codes that the conversation holds, and takes those that clinics give it.
        """
        made = _Turn(agents or self._agents, self._router, utterance, dialogue, tell, chaveiro)
        with heard_by(lambda agente: _begins(agente, tell)):
            return await made.run(self._clock)

    @property
    def router(self) -> Router:
        """The way to the clinics."""
        return self._router


class _Turn:
    def __init__(self, agents: Agents, router: Router, utterance: str, dialogue: Dialogue, tell: Tell, chaveiro: Chaveiro | None) -> None:
        self._agents = agents
        self._chaveiro = chaveiro
        self._router = router
        self._utterance = utterance
        self._dialogue = dialogue
        self._tell_outside = tell
        self._calls: list[CallFinished] = []
        self._verdicts: list[Judged] = []
        self._failures: list[ModelFailed] = []
        self._selecao = Selecao()
        self._proposed: tuple[Offer, ...] = ()
        self._people: tuple[str, ...] = ()
        self._holders: dict[int, Paciente | None] = {}

    async def run(self, clock: Callable[[], float]) -> tuple[Dialogue, Trace]:
        began = clock()
        decided = await self._plan()
        plan = decided.plan
        self._proposed = (*spoken_of(self._dialogue.pending, decided.pending), *waiting_slots(decided.pending))
        self._people = named(self._dialogue, decided.para, decided.pending)
        before = self._dialogue
        answered = await self._routed(plan, decided.para)
        replies = await self._verified(answered)
        self._selecao = select(plan, replies, self._dialogue)
        texto, autor = await self._text(plan, replies)
        self._tell(Written(texto, autor))
        trace = Trace(
            plan=plan,
            achados=decided.achados,
            calls=tuple(self._calls),
            verdicts=tuple(self._verdicts),
            replies=answered,
            texto=texto,
            autor=autor,
            ms=round((clock() - began) * 1000, 3),
            planejador=decided.autor,
            falhas=tuple(self._failures),
        )
        after = dialogo.after(before, self._utterance, plan, replies, decided.pending, decided.para, texto)
        return (dialogo.unheard(after) if autor == "frase_segura" else after), trace

    async def _routed(self, plan: Plan, para: ParaQuem | None) -> tuple[ClinicReply, ...]:
        """What the clinics answer, each step asked in the name of whom it is for."""
        groups = by_person(plan.steps, self._dialogue, para)
        self._dialogue = as_served(self._dialogue, groups)
        answers = await self._asked(groups)
        instead = in_place_of(plan, tuple(reply for group in answers for reply in group), self._dialogue)
        if instead:
            caller = caller_of(self._dialogue.paciente, self._dialogue)
            groups, answers = [*groups, (caller, instead)], [*answers, await self._run(instead, caller)]
        self._holders = {id(reply): caller.paciente for (caller, _), group in zip(groups, answers, strict=True) for reply in group}
        return tuple(reply for group in answers for reply in group)

    async def _asked(self, groups: list[Grupo]) -> list[tuple[ClinicReply, ...]]:
        """What the clinics answer each person; one after the other where one waits for another, and none after one that failed."""
        if not waits_for_others(groups):
            return list(await asyncio.gather(*(self._run(steps, caller) for caller, steps in groups)))
        answers: list[tuple[ClinicReply, ...]] = []
        for caller, steps in groups:
            failed = any(reply.error is not None for group in answers for reply in group)
            answers.append(() if failed else await self._run(steps, caller))
        return answers

    async def _run(self, steps: Sequence[Step], caller: Caller) -> tuple[ClinicReply, ...]:
        return await self._router.run(steps, msgspec.structs.replace(caller, chaveiro=self._chaveiro), self._tell)

    async def _plan(self) -> Decidido:
        if self._agents.planejador != "embutido":
            self._tell(Asked("planner"))
        decided = await decide(self._agents.planner, self._agents.planejador, self._utterance, self._dialogue)
        decided = with_proof_asked(decided, self._dialogue, self._chaveiro)
        if decided.falha is not None:
            self._tell(ModelFailed("planner", decided.falha))
        self._tell(Planned(decided.plan, decided.achados, decided.autor, decided.falha))
        return decided

    async def _verified(self, replies: tuple[ClinicReply, ...]) -> tuple[ClinicReply, ...]:
        """The replies that may be worded. Of one that may not, first its free text is left out, then all of it."""
        if not self._judge_data(replies).safe:
            replies = tuple(self._mended(reply) for reply in replies)
        if await self._opinion_of_data(replies):
            return replies
        return tuple(_without_free_text(reply) for reply in replies)

    def _mended(self, reply: ClinicReply) -> ClinicReply:
        for candidate in (reply, _without_free_text(reply)):
            if verify_data((candidate,), self._holder(reply), self._dialogue.conferida_como).safe:
                return candidate
        return msgspec.structs.replace(reply, result=None, error=_WITHHELD)

    def _holder(self, reply: ClinicReply) -> Paciente | None:
        """Whose a clinic's answer is."""
        return self._holders.get(id(reply), self._dialogue.paciente)

    def _judge_data(self, replies: tuple[ClinicReply, ...]) -> Verdict:
        papel = self._dialogue.conferida_como
        people = dict.fromkeys(self._holder(reply) for reply in replies)
        each = (verify_data(tuple(one for one in replies if self._holder(one) == person), person, papel) for person in people)
        verdict = next((one for one in each if not one.safe), Verdict(safe=True, note="OK"))
        self._tell(Judged("dados", verdict))
        return verdict

    async def _text(self, plan: Plan, replies: tuple[ClinicReply, ...]) -> tuple[str, Author]:
        """The responder's text, or the embedded one's where it does not pass, or a sentence that is true of any turn."""
        if plan.emergencia is not None:
            return plan.fala or "", "embutido"  # the product's own words and public numbers, held by its tests
        if self._agents.redator == "modelo" and is_worded_by_model(replies):
            self._tell(Asked("responder"))
        written = await self._worded(plan, replies)
        if written is not None and await self._passes(written[0], plan, replies, written[1]):
            return written
        embedded = write_embedded(self._utterance, plan, replies, self._dialogue)
        is_other = written is None or embedded != written[0]
        if is_other and await self._passes(embedded, plan, replies, "embutido"):
            return embedded, "embutido"
        done, nothing = _SAFE[plan.idioma]
        return (done if any(reply.freed or reply.booked for reply in replies) else nothing), "frase_segura"

    async def _worded(self, plan: Plan, replies: tuple[ClinicReply, ...]) -> tuple[str, Author] | None:
        """What the responder wrote, and whose words they are; None where a model wrote nothing that can be used."""
        try:
            texto, autor = await self._agents.responder.write(self._utterance, plan, replies, self._dialogue), self._agents.redator
        except ModeloIndisponivel as failed:
            self._tell(ModelFailed("responder", failed.falha))
            return None
        except TextoRecusado as refused:
            if refused.laudo.achados:
                self._tell(Judged("texto", refused.laudo.verdict, "modelo"))
            self._tell(ModelFailed("responder", "texto_recusado"))
            return None
        return (texto, "embutido") if autor == "modelo" and not is_worded_by_model(replies) else (texto, autor)

    async def _passes(self, texto: str, plan: Plan, replies: tuple[ClinicReply, ...], autor: Author) -> bool:
        """Whether a text may be said: it keeps the rules in code, and a second opinion, where there is one, holds nothing against it."""
        if not self._judge_text(texto, replies, autor).safe:
            return False
        return await self._opinion_of_text(texto, plan, replies, autor)

    def _judge_text(self, texto: str, replies: tuple[ClinicReply, ...], autor: Author) -> Verdict:
        own = self._dialogue
        verdict = verify_text(
            texto,
            replies,
            own.paciente,
            own.conferida_como,
            registro=own.registro,
            now=own.now,
            extra_safe=known(own, self._utterance, self._selecao, self._proposed, self._people, None if replies else own.feito),
        )
        self._tell(Judged("texto", verdict, autor))
        return verdict

    async def _opinion_of_data(self, replies: tuple[ClinicReply, ...]) -> bool:
        opinion = self._agents.opinion
        if opinion is None or not is_worded_by_model(replies):
            return True
        self._tell(Asked("verifier"))
        return await self._heard("dados", opinion.of_data(replies, self._dialogue))

    async def _opinion_of_text(self, texto: str, plan: Plan, replies: tuple[ClinicReply, ...], autor: Author) -> bool:
        opinion = self._agents.opinion
        if opinion is None or not is_worded_by_model(replies):
            return True  # the code's own words, or of patients' records, which no model is shown
        own = self._dialogue
        is_models = autor == "modelo"  # what code writes of the data is held by its tests: a model judges it by R1 to R3
        mostrado = shown_to_judge(Encomenda(self._utterance, plan.idioma, replies, self._selecao, own), plan) if is_models else None
        return await self._heard("texto", opinion.of_text(texto, own, mostrado), autor)

    async def _heard(self, momento: Moment, opinion: Awaitable[Verdict | None], autor: Author | None = None) -> bool:
        """Whether a second opinion lets something pass; one that fails changes nothing."""
        try:
            verdict = await opinion
        except ModeloIndisponivel as failed:
            self._tell(ModelFailed("verifier", failed.falha))
            return True
        except AlarmeSemTrecho:
            self._tell(ModelFailed("verifier", "alarme_sem_trecho"))
            return True
        if verdict is None:
            return True
        self._tell(Judged(momento, verdict, autor, "modelo"))
        return False

    def _tell(self, event: Event) -> None:
        match event:
            case CallFinished():
                self._calls.append(event)
            case Judged():
                self._verdicts.append(event)
            case ModelFailed():
                self._failures.append(event)
            case _:
                pass
        self._tell_outside(event)


def _begins(agente: str, tell: Tell) -> None:
    """Tell that an answer begins to come; of the words alone, for which somebody waits."""
    if agente == "clinicas.responder":
        tell(Writing("responder"))


def _without_free_text(reply: ClinicReply) -> ClinicReply:
    error = reply.error and msgspec.structs.replace(reply.error, message="")
    result: dict[str, Any] | None = reply.result and {**reply.result, **dict.fromkeys(_FREE_TEXT & reply.result.keys(), "")}
    return msgspec.structs.replace(reply, result=result, error=error)
