"""The router over a made-up transport: order, retries, limits, proof, and moves that are undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from crivo.clinicas.ferramentas import BY_NAME, Action, AvailableSlots, Booked, Cancelled, Rescheduled
from crivo.clinicas.orquestrador.chama.router import Limits, Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, unreachable
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.orquestrador.trace import CallFinished, CallStarted, Event, nobody
from crivo.clinicas.protocol import Appointment, Codigo, Slot, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.sujeitos import CONSOLE
from espera import takes
from federacao import ANA
from tempo_que_salta import waited

QUICK = Limits(call=0.2, steps=0.4, turn=0.6, shortest_pause=0.0, longest_pause=0.0)
FERNANDO = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
RICARDO = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
Handler = Callable[[Step], Answer]


def refused(step: Step, codigo: Codigo = "horario_ocupado") -> Answer:
    return Answer(ClinicReply(step.clinic, action_of(step), None, ToolError("não", codigo=codigo)))


def silent(step: Step, *, may_have_run: bool = False) -> Answer:
    return Answer(ClinicReply(step.clinic, action_of(step), None, unreachable(REGISTRO_PADRAO.clinics[0])), may_have_run)


def action_of(step: Step) -> Action:
    assert step.action != "raw_response"
    return step.action


def answer(step: Step, value: msgspec.Struct) -> Answer:
    return Answer(ClinicReply(step.clinic, action_of(step), msgspec.to_builtins(value)))


def held(step: Step, day: str = "date", hour: str = "time") -> Appointment:
    given = step.parameters
    return Appointment(given["doctor"], given[day], given[hour], ANA.nome, ANA.cpf, "Cardiology")


class Clinics:
    """A transport over slots in memory; `faults` answers in its place, a call at a time, by clinic and action."""

    def __init__(self) -> None:
        self.taken: set[tuple[str, str, str]] = set()
        self.offered = [("clinic_c", FERNANDO), ("clinic_a", RICARDO)]
        self.faults: dict[tuple[str, str], list[Handler]] = {}
        self.calls: list[tuple[str, str]] = []
        self.delay = 0.0
        self.at_once = self.most_at_once = 0

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        step = msgspec.structs.replace(step, action=action)
        self.calls.append((step.clinic, action))
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        await takes(self.delay)
        self.at_once -= 1
        faults = self.faults.get((step.clinic, action), [])
        return faults.pop(0)(step) if faults else self.do(step)

    def do(self, step: Step) -> Answer:
        given = step.parameters
        match step.action:
            case "book_appointment":
                self.taken.add((step.clinic, given["date"], given["time"]))
                return answer(step, Booked(held(step), ""))
            case "cancel_appointment":
                self.taken.discard((step.clinic, given["date"], given["time"]))
                return answer(step, Cancelled(held(step), ""))
            case "reschedule_appointment":
                self.taken.discard((step.clinic, given["original_date"], given["original_time"]))
                self.taken.add((step.clinic, given["new_date"], given["new_time"]))
                return answer(step, Rescheduled(held(step, "original_date", "original_time"), held(step, "new_date", "new_time"), ""))
            case _:
                slots = [
                    Slot(slot["doctor"], "Cardiologia", slot["date"], slot["time"])
                    for clinic, slot in self.offered
                    if clinic == step.clinic and (clinic, slot["date"], slot["time"]) not in self.taken
                ]
                return answer(step, AvailableSlots("Cardiology", tuple(slots), ""))


@pytest.fixture
def clinics() -> Clinics:
    return Clinics()


async def run(clinics: Clinics, *steps: Step, tell: Callable[[Event], None] = nobody, limits: Limits = QUICK) -> Sequence[ClinicReply]:
    router = Router(clinics, REGISTRO_PADRAO, limits=limits, jitter=lambda: 0.0)
    return await router.run(steps, Caller(QuemPede(CONSOLE), ANA), tell)


def listing(step_id: int, clinic: str) -> Step:
    return Step(step_id, clinic, "list_available_slots")


def booking(step_id: int = 1, clinic: str = "clinic_c", where: dict[str, str] = FERNANDO) -> Step:
    return Step(step_id, clinic, "book_appointment", where)


def move() -> tuple[Step, Step]:
    """From Dr. Fernando at C to Dr. Ricardo at A."""
    return booking(1, "clinic_a", RICARDO), Step(2, "clinic_c", "cancel_appointment", FERNANDO, (1,))


async def test_independent_steps_go_out_at_once_and_are_answered_in_order(clinics: Clinics) -> None:
    """Blueprint 1.5, Blueprint 4.1/2: each clinic is sent its own request."""
    clinics.delay = 0.02
    replies = await run(clinics, *(listing(index, f"clinic_{letter}") for index, letter in enumerate("abcdef", 1)))
    assert clinics.most_at_once == 6
    assert [reply.clinic for reply in replies] == [f"clinic_{letter}" for letter in "abcdef"]


async def test_a_dependent_step_waits_for_its_predecessor(clinics: Clinics) -> None:
    clinics.taken.add(("clinic_c", "2025-07-18", "10:00"))
    await run(clinics, *move())
    assert clinics.calls == [("clinic_a", "book_appointment"), ("clinic_a", "list_available_slots"), ("clinic_c", "cancel_appointment")]


async def test_a_step_whose_predecessor_was_refused_is_not_done(clinics: Clinics) -> None:
    clinics.faults["clinic_a", "book_appointment"] = [refused]
    replies = await run(clinics, *move())
    assert [(reply.clinic, reply.error and reply.error.codigo) for reply in replies] == [("clinic_a", "horario_ocupado")]
    assert ("clinic_c", "cancel_appointment") not in clinics.calls


async def test_steps_that_wait_for_each_other_are_done_all_the_same(clinics: Clinics) -> None:
    one = msgspec.structs.replace(listing(1, "clinic_a"), depends_on=(2,))
    two = msgspec.structs.replace(listing(2, "clinic_c"), depends_on=(1,))
    assert len(await run(clinics, one, two)) == 2


@pytest.mark.parametrize("action", ["list_available_slots", "list_patients", "query", "book_appointment"])
async def test_what_may_be_repeated_is_sent_again(clinics: Clinics, action: Action) -> None:
    assert BY_NAME[action].is_repeatable
    clinics.faults["clinic_c", action] = [silent]
    replies = await run(clinics, Step(1, "clinic_c", action, FERNANDO))
    assert clinics.calls[:2] == [("clinic_c", action)] * 2
    assert replies[0].result is not None


@pytest.mark.parametrize("action", ["cancel_appointment", "reschedule_appointment"])
async def test_what_may_not_be_repeated_is_sent_once(clinics: Clinics, action: Action) -> None:
    clinics.faults["clinic_c", action] = [silent]
    replies = await run(clinics, Step(1, "clinic_c", action, FERNANDO))
    assert clinics.calls == [("clinic_c", action)]
    assert replies[0].error is not None


async def test_a_refusal_is_an_answer_and_is_not_asked_again(clinics: Clinics) -> None:
    clinics.faults["clinic_c", "book_appointment"] = [refused]
    await run(clinics, booking())
    assert clinics.calls == [("clinic_c", "book_appointment")]


def test_a_clinic_that_keeps_failing_is_left_alone_and_the_others_are_not(clinics: Clinics) -> None:
    router = Router(clinics, REGISTRO_PADRAO, limits=QUICK, jitter=lambda: 0.0)
    clinics.faults["clinic_a", "list_available_slots"] = [silent] * 9
    steps = (listing(1, "clinic_a"), listing(2, "clinic_c"))

    async def three_turns(_: Callable[[], float]) -> None:
        for _turn in range(3):
            replies = await router.run(steps, Caller(), nobody)
            assert replies[1].result is not None

    waited(three_turns)
    assert clinics.calls.count(("clinic_a", "list_available_slots")) == 3
    assert router.breakers["clinic_a"].state == "aberto"


def test_a_turn_ends_within_its_limit_though_a_clinic_is_slow(clinics: Clinics) -> None:
    class Slow(Clinics):
        async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
            await takes(seconds)
            return silent(msgspec.structs.replace(step, action=action), may_have_run=True)

    async def one_turn(_: Callable[[], float]) -> None:
        replies = await run(Slow(), *move(), listing(3, "clinic_b"))
        assert [reply.clinic for reply in replies] == ["clinic_a", "clinic_b"]

    assert 0 < waited(one_turn) <= QUICK.turn + 0.001


async def test_a_booking_that_was_claimed_while_its_slot_is_still_offered_is_not_believed(clinics: Clinics) -> None:
    """Design, Router: a claimed booking is proved by reading the slot back."""
    clinics.faults["clinic_c", "book_appointment"] = [lambda step: answer(step, Booked(held(step), ""))]
    (reply,) = await run(clinics, booking())
    assert reply.result is None
    assert reply.error is not None
    assert reply.error.codigo == "nao_confirmada"


async def test_a_booking_of_another_time_than_was_asked_for_is_not_believed(clinics: Clinics) -> None:
    other = Appointment("Dr. Fernando Mendes", "2025-07-19", "14:00", ANA.nome, ANA.cpf, "Cardiology")
    clinics.faults["clinic_c", "book_appointment"] = [lambda step: answer(step, Booked(other, ""))]
    (reply,) = await run(clinics, booking())
    assert reply.error is not None
    assert reply.error.codigo == "nao_confirmada"


async def test_a_booking_stands_where_it_cannot_be_read_back(clinics: Clinics) -> None:
    clinics.faults["clinic_c", "list_available_slots"] = [silent] * 2
    (reply,) = await run(clinics, booking())
    assert reply.result is not None


@pytest.mark.parametrize(("is_done", "expected"), [(True, None), (False, -32000)])
async def test_a_cancellation_that_nobody_answered_is_looked_for(clinics: Clinics, is_done: bool, expected: int | None) -> None:
    clinics.taken.add(("clinic_c", "2025-07-18", "10:00"))

    def lost(step: Step) -> Answer:
        if is_done:
            clinics.do(step)
        return silent(step, may_have_run=True)

    clinics.faults["clinic_c", "cancel_appointment"] = [lost]
    (reply,) = await run(clinics, Step(1, "clinic_c", "cancel_appointment", FERNANDO))
    assert (reply.error and reply.error.code) == expected
    assert (reply.result is not None) is is_done


async def test_what_can_neither_be_confirmed_nor_looked_for_is_told_so(clinics: Clinics) -> None:
    clinics.faults["clinic_c", "cancel_appointment"] = [lambda step: silent(step, may_have_run=True)]
    clinics.faults["clinic_c", "list_available_slots"] = [silent] * 2
    (reply,) = await run(clinics, Step(1, "clinic_c", "cancel_appointment", FERNANDO))
    assert reply.error is not None
    assert reply.error.codigo == "sem_confirmacao"


@pytest.mark.parametrize("fault", [refused, silent])
async def test_a_move_whose_second_half_fails_is_undone(clinics: Clinics, fault: Handler) -> None:
    """Design, Router: books first, cancels after, and undoes the first if the second fails."""
    clinics.taken.add(("clinic_c", "2025-07-18", "10:00"))
    clinics.faults["clinic_c", "cancel_appointment"] = [fault]
    new, old = await run(clinics, *move())
    assert clinics.taken == {("clinic_c", "2025-07-18", "10:00")}
    assert new.error is not None
    assert new.error.codigo == "troca_desfeita"
    assert old.error is not None


async def test_a_move_is_not_undone_where_the_old_booking_may_be_gone(clinics: Clinics) -> None:
    clinics.taken.add(("clinic_c", "2025-07-18", "10:00"))
    clinics.faults["clinic_c", "cancel_appointment"] = [lambda step: silent(step, may_have_run=True)]
    clinics.faults["clinic_c", "list_available_slots"] = [silent] * 2
    new, old = await run(clinics, *move())
    assert ("clinic_a", "2025-07-21", "09:00") in clinics.taken
    assert new.result is not None
    assert old.error is not None
    assert old.error.codigo == "sem_confirmacao"


async def test_a_raw_response_calls_no_clinic(clinics: Clinics) -> None:
    """Blueprint 2.3.1/12: the pipeline does not break on it."""
    assert await run(clinics, Step(1, "", "raw_response")) == ()
    assert clinics.calls == []


async def test_every_call_is_told_when_it_goes_out_and_when_it_comes_back(clinics: Clinics) -> None:
    events: list[Any] = []
    await run(clinics, booking(), tell=events.append)
    assert [type(event) for event in events] == [CallStarted, CallFinished] * 2
    assert [event.finalidade for event in events] == ["passo", "passo", "prova", "prova"]
    assert events[1].situacao == "respondeu"
    assert events[1].ms >= 0


async def test_without_a_patient_nothing_is_sent_that_needs_one(clinics: Clinics) -> None:
    (reply,) = await Router(clinics, REGISTRO_PADRAO).run((Step(1, "clinic_c", "book_appointment", FERNANDO),), Caller(), nobody)
    assert reply.error is not None
    assert reply.error.codigo == "sem_identificacao"
    assert clinics.calls == []
