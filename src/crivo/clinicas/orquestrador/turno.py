"""One turn of a conversation: plan, checked; calls; data verified; words; words verified; and what the dialogue remembers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import msgspec

from crivo.clinicas.orquestrador import dialogo
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, Plan, Planner, Responder, Verdict
from crivo.clinicas.orquestrador.planner.plan_check import Report, asked_specialties, check_plan
from crivo.clinicas.orquestrador.responder.embutido import write as write_embedded
from crivo.clinicas.orquestrador.router import Router
from crivo.clinicas.orquestrador.trace import Author, CallFinished, Event, Judged, Planned, Tell, Trace, Written
from crivo.clinicas.orquestrador.transport import Caller
from crivo.clinicas.orquestrador.verifier import Known, verify_data, verify_text
from crivo.clinicas.protocol import ClinicReply, ToolError

T = TypeVar("T")

_WITHHELD: Final = ToolError("A resposta desta clínica foi retida pela verificação.", codigo="retida")
_FREE_TEXT: Final = frozenset({"note", "message"})
# Said where no text passes: true whatever happened. The first where something was booked, changed or cancelled in the turn.
_SAFE: Final[dict[Idioma, tuple[str, str]]] = {
    "pt": (
        "Seu pedido foi feito, mas não consegui escrever o resumo. Pergunte quais são as suas consultas para conferir.",
        "Desculpe, não posso mostrar essa resposta. Posso listar, marcar, remarcar ou cancelar consultas.",
    ),
    "en": (
        "Your request was done, but I could not write the summary. Ask for your appointments to check.",
        "Sorry, I cannot show that answer. I can list, book, reschedule or cancel appointments.",
    ),
    "es": (
        "Su pedido se hizo, pero no pude escribir el resumen. Pregunte cuáles son sus citas para confirmar.",
        "Lo siento, no puedo mostrar esa respuesta. Puedo listar, reservar, cambiar o cancelar citas.",
    ),
}


class Pipeline:
    """The agents of a turn; one for all conversations. Source: blueprint 1.4."""

    def __init__(self, planner: Planner, router: Router, responder: Responder, clock: Callable[[], float]) -> None:
        """`clock` counts seconds from any moment on."""
        self._planner = planner
        self._router = router
        self._responder = responder
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

    async def turn(self, utterance: str, dialogue: Dialogue, tell: Tell) -> tuple[Dialogue, Trace]:
        """The dialogue after what was said, and all that was done; `tell` hears of it as it happens."""
        return await _Turn(self._planner, self._router, self._responder, utterance, dialogue, tell).run(self._clock)


class _Turn:
    def __init__(self, planner: Planner, router: Router, responder: Responder, utterance: str, dialogue: Dialogue, tell: Tell) -> None:
        self._planner = planner
        self._router = router
        self._responder = responder
        self._utterance = utterance
        self._dialogue = dialogue
        self._tell_outside = tell
        self._calls: list[CallFinished] = []
        self._verdicts: list[Judged] = []

    async def run(self, clock: Callable[[], float]) -> tuple[Dialogue, Trace]:
        began = clock()
        plan, achados, pending = await self._plan()
        caller = Caller(self._dialogue.papel, self._dialogue.paciente)
        answered = await self._router.run(plan.steps, caller, self._tell) if plan.steps else ()
        replies = self._verified(answered)
        texto, autor = await self._text(plan, replies)
        self._tell(Written(texto, autor))
        trace = Trace(plan, achados, tuple(self._calls), tuple(self._verdicts), answered, texto, autor, round((clock() - began) * 1000, 3))
        return dialogo.after(self._dialogue, self._utterance, plan, replies, pending), trace

    async def _plan(self) -> tuple[Plan, tuple[Report, ...], dict[str, str]]:
        made, pending = await self._planner.plan(self._utterance, self._dialogue)
        specialties = asked_specialties(self._utterance, self._dialogue) if made.steps else ()
        plan, achados = check_plan(made, self._dialogue.registro, specialties)
        self._tell(Planned(plan, achados))
        return plan, achados, pending

    def _verified(self, replies: tuple[ClinicReply, ...]) -> tuple[ClinicReply, ...]:
        """The replies that may be worded. Of one that may not, first its free text is left out, then all of it."""
        if self._judge_data(replies).safe:
            return replies
        return tuple(self._mended(reply) for reply in replies)

    def _mended(self, reply: ClinicReply) -> ClinicReply:
        own = self._dialogue
        for candidate in (reply, _without_free_text(reply)):
            if verify_data((candidate,), own.paciente, own.papel).safe:
                return candidate
        return msgspec.structs.replace(reply, result=None, error=_WITHHELD)

    def _judge_data(self, replies: tuple[ClinicReply, ...]) -> Verdict:
        verdict = verify_data(replies, self._dialogue.paciente, self._dialogue.papel)
        self._tell(Judged("dados", verdict))
        return verdict

    async def _text(self, plan: Plan, replies: tuple[ClinicReply, ...]) -> tuple[str, Author]:
        """The responder's text, or the embedded one's where it does not pass, or a sentence that is true of any turn."""
        texto = await self._responder.write(self._utterance, plan, replies, self._dialogue)
        if self._judge_text(texto, replies, "responder").safe:
            return texto, "responder"
        embedded = write_embedded(self._utterance, plan, replies, self._dialogue)
        if embedded != texto and self._judge_text(embedded, replies, "embutido").safe:
            return embedded, "embutido"
        done, nothing = _SAFE[plan.idioma]
        return (done if any((reply.result or {}).get("status") for reply in replies) else nothing), "frase_segura"

    def _judge_text(self, texto: str, replies: tuple[ClinicReply, ...], autor: Author) -> Verdict:
        own = self._dialogue
        verdict = verify_text(
            texto, replies, own.paciente, own.papel, registro=own.registro, now=own.now, extra_safe=_known(own, self._utterance)
        )
        self._tell(Judged("texto", verdict, autor))
        return verdict

    def _tell(self, event: Event) -> None:
        match event:
            case CallFinished():
                self._calls.append(event)
            case Judged():
                self._verdicts.append(event)
            case _:
                pass
        self._tell_outside(event)


def _known(dialogue: Dialogue, utterance: str) -> Known:
    """What may be said though no clinic answered it in this turn: what the conversation holds already."""
    return Known(tuple(dialogue.doctors), dialogue.offers, dialogue.bookings, (*dialogue.utterances, utterance))


def _without_free_text(reply: ClinicReply) -> ClinicReply:
    error = reply.error and msgspec.structs.replace(reply.error, message="")
    result: dict[str, Any] | None = reply.result and {**reply.result, **dict.fromkeys(_FREE_TEXT & reply.result.keys(), "")}
    return msgspec.structs.replace(reply, result=result, error=error)
