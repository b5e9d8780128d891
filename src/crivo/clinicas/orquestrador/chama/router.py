"""The router: a plan's steps to their clinics, as many at once as may be, within five seconds. Source: design, Router.

A step runs once those it depends on have succeeded. Only repeatable tools are sent again. What a clinic claims to have booked is proved by
reading the slot back, and a cancellation that nobody answered is looked for in the same way.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import BY_NAME, CANCELAR, MARCAR, VER_HORARIOS, Action
from crivo.clinicas.orquestrador.chama.breaker import Breaker
from crivo.clinicas.orquestrador.chama.leitura_de_volta import (
    is_as_asked,
    outcome_after,
    taken_by,
    unconfirmed,
    unproved,
)
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, Transport, refused_here, unreachable
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step, Vaga, Value
from crivo.clinicas.orquestrador.passos import list_free
from crivo.clinicas.orquestrador.provas import Comecado
from crivo.clinicas.orquestrador.trace import CallStarted, Outcome, Purpose, Tell
from crivo.clinicas.protocol import ToolError
from crivo.clinicas.registro import Registro
from crivo.kernel.errors import CrivoError

Seconds = Callable[[], float]
_SECRET_BYTES: Final = 32


def _secret() -> str:
    return secrets.token_hex(_SECRET_BYTES)


class Limits(Value, frozen=True):
    """In seconds: one call; the steps of a turn; a whole turn with what must be settled after them; the pauses before a second try.

    A first turn may have waited a second for the directory already, so that five is the longest of all. Source: design, Router.
    """

    call: float = 2.0
    steps: float = 3.2
    turn: float = 4.0
    attempts: int = 2
    shortest_pause: float = 0.05
    longest_pause: float = 0.25


class Router:
    """Sends steps to clinics; one for all conversations, so that what one learns of a clinic that is down serves the others."""

    def __init__(
        self,
        transport: Transport,
        registro: Registro,
        *,
        limits: Limits | None = None,
        clock: Seconds = time.monotonic,
        jitter: Callable[[], float] = random.random,
        new_secret: Callable[[], str] = _secret,
    ) -> None:
        """`jitter` gives a number from 0 to 1; `new_secret` names a booking, so that a clinic knows it again when it is sent again."""
        self.registro = registro
        self.limits = limits or Limits()
        self.clock = clock
        self.jitter = jitter
        self.new_secret = new_secret
        self.transport = transport
        self.breakers = {clinica.id: Breaker(clock) for clinica in registro}

    async def run(self, steps: Sequence[Step], caller: Caller, tell: Tell, purpose: Purpose = "passo") -> tuple[ClinicReply, ...]:
        """The clinics' replies in the order of the steps; a step whose predecessor failed has none."""
        return await _Turn(self, caller, tell, purpose).run(steps)


class _Turn:
    """The calls of one turn, and the time that is left for them."""

    def __init__(self, router: Router, caller: Caller, tell: Tell, purpose: Purpose) -> None:
        self._router = router
        self._caller = caller
        self._tell = tell
        self._purpose: Purpose = purpose
        began = router.clock()
        self._steps_end = began + router.limits.steps
        self._end = began + router.limits.turn

    async def run(self, steps: Sequence[Step]) -> tuple[ClinicReply, ...]:
        waited: dict[int, asyncio.Task[Answer | None]] = {}
        tasks: list[asyncio.Task[Answer | None]] = []
        async with asyncio.TaskGroup() as group:
            for step in steps:
                # Only earlier steps are waited for, so that no two wait for each other.
                before = [waited[one] for one in step.depends_on if one in waited]
                task = group.create_task(self._after(before, step))
                waited[step.step_id] = task
                tasks.append(task)
        answers = [task.result() for task in tasks]
        await self._undo_half_moves(steps, answers)
        return tuple(answer.reply for answer in answers if answer is not None)

    async def _after(self, before: Sequence[asyncio.Task[Answer | None]], step: Step) -> Answer | None:
        for task in before:
            answer = await asyncio.shield(task)
            if answer is None or answer.reply.error is not None:
                return None
        return None if step.action == "raw_response" else await self._do(step, step.action, self._purpose)

    async def _do(self, step: Step, action: Action, purpose: Purpose) -> Answer:
        if not await self._begun(step):
            return self._absent(step, action)
        answer = await self._settled(step, action, purpose)
        if self._caller.chaveiro is not None:
            self._caller.chaveiro.hear(answer.reply, answer.codigo)
        return answer

    async def _begun(self, step: Step) -> bool:
        """Whether a change may be asked for: what nobody could find again, were the answer lost, is not begun."""
        chaveiro, paciente = self._caller.chaveiro, self._caller.paciente
        if not step.changes or chaveiro is None or chaveiro.begin is None or paciente is None:
            return True
        try:
            await chaveiro.begin(Comecado(step, paciente))
        except CrivoError:
            return False
        return True

    async def _settled(self, step: Step, action: Action, purpose: Purpose) -> Answer:
        answer = await self._ask(step, action, purpose, self._steps_end if purpose == "passo" else self._end)
        if answer.reply.result is not None and (taken := taken_by(answer.reply)):
            stands = is_as_asked(taken, step) and not await self._is_free(step, taken)
            return answer if stands else unproved(answer.reply)
        if answer.may_have_run and (released := step.frees):
            answer = outcome_after(answer, step, self._caller, is_free=await self._is_free(step, released))
        return unconfirmed(answer) if answer.may_have_run and BY_NAME[action].names_patient else answer

    async def _is_free(self, step: Step, vaga: Vaga) -> bool | None:
        """Whether a clinic offers a slot now; None where it cannot be asked."""
        answer = await self._ask(list_free(step.clinic, step.step_id, vaga[1]), VER_HORARIOS.name, "prova", self._end)
        if answer.reply.result is None:
            return None
        return any((slot["date"], slot["time"]) == vaga[2:] for slot in answer.reply.result["available_slots"])

    async def _undo_half_moves(self, steps: Sequence[Step], answers: list[Answer | None]) -> None:
        """A booking whose old one could not be cancelled is taken back, unless the old one may be gone already."""
        places = {step.step_id: index for index, step in enumerate(steps)}
        for step, answer in zip(steps, list(answers), strict=True):
            if step.ferramenta is not CANCELAR or answer is None or answer.reply.error is None or answer.may_have_run:
                continue
            for index in (places[one] for one in step.depends_on if one in places):
                booked, given = steps[index], answers[index]
                if booked.ferramenta is not MARCAR or given is None or given.reply.result is None:
                    continue
                gone = Step(booked.step_id, booked.clinic, CANCELAR.name, booked.parameters)
                undone = await self._do(gone, CANCELAR.name, "desfazer")
                if undone.reply.result is not None:
                    told = ToolError(
                        "A consulta anterior não pôde ser cancelada, e por isso a nova não foi marcada.", codigo="troca_desfeita"
                    )
                    answers[index] = Answer(ClinicReply(booked.clinic, MARCAR.name, None, told))

    async def _ask(self, step: Step, action: Action, purpose: Purpose, end: float) -> Answer:
        """One call, sent again where the tool allows it and the clinic did not answer."""
        limits, may_have_run = self._router.limits, False
        caller = self._caller
        if BY_NAME[action].effect == "adds":
            caller = msgspec.structs.replace(caller, pedido=self._named(step))
        answer = self._absent(step, action)
        for attempt in range(1, limits.attempts + 1):
            left = end - self._router.clock()
            if left <= 0:
                break
            answer = await self._once(step, action, purpose, attempt, caller, min(left, limits.call))
            may_have_run = may_have_run or answer.may_have_run
            if answer.reached or not BY_NAME[action].is_repeatable or attempt == limits.attempts:
                break
            pause = limits.shortest_pause + self._router.jitter() * (limits.longest_pause - limits.shortest_pause)
            await asyncio.sleep(min(pause, max(0.0, end - self._router.clock())))
        return answer if answer.reached else Answer(answer.reply, may_have_run)

    async def _once(self, step: Step, action: Action, purpose: Purpose, attempt: int, caller: Caller, seconds: float) -> Answer:
        started = CallStarted(step.step_id, step.clinic, action, purpose, attempt)
        refused = refused_here(step, action, caller)
        if refused is not None:  # asked of the table before anything is said to a clinic
            self._tell(started)
            self._tell(started.finished("recusou", codigo=_codigo(refused)))
            return refused
        breaker = self._router.breakers.get(step.clinic)
        if breaker is not None and not breaker.admits():
            self._tell(started.finished("fora_do_ar"))
            return self._absent(step, action)
        self._tell(started)
        began, reached = self._router.clock(), False
        try:
            answer = await self._router.transport.call(step, action, caller, seconds)
            reached = answer.reached
        finally:
            if breaker is not None and reached:
                breaker.succeeded()
            elif breaker is not None:
                breaker.failed()
        ms = round((self._router.clock() - began) * 1000, 3)
        self._tell(started.finished(_outcome(answer), ms, _codigo(answer)))
        return answer

    def _named(self, step: Step) -> str:
        """The id of a booking: that of its conversation, where it is made in one."""
        caller = self._caller
        if caller.chaveiro is None or not caller.chaveiro.origem or caller.paciente is None or (vaga := step.books) is None:
            return self._router.new_secret()
        return caller.chaveiro.pedido(vaga, caller.paciente.cpf)

    def _absent(self, step: Step, action: Action) -> Answer:
        clinica = self._router.registro.find(step.clinic)
        error = unreachable(clinica) if clinica is not None else ToolError("Esta clínica não está no cadastro.", code=-32601)
        return Answer(ClinicReply(step.clinic, action, None, error))


def _codigo(answer: Answer) -> str | None:
    return answer.reply.error.codigo if answer.reply.error is not None else None


def _outcome(answer: Answer) -> Outcome:
    error = answer.reply.error
    if error is None:
        return "respondeu"
    if error.codigo is not None:
        return "recusou"
    return "erro" if answer.reached else "fora_do_ar"
