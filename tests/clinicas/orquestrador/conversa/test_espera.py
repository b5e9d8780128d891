"""How long a turn waits for clinics that hang, on an event loop whose clock jumps to what is waited for next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from cenario import MORNING
from crivo.clinicas.ferramentas import Action, Booked
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, unreachable
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.orquestrador.trace import nobody
from crivo.clinicas.protocol import Appointment
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import FixedClock
from crivo.kernel.sujeitos import CONSOLE
from espera import takes
from federacao import ANA
from tempo_que_salta import waited

LONGEST = 5.0  # seconds. Source: design, Router
HERE = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
THERE = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
MOVED = {"doctor": HERE["doctor"], "original_date": "2025-07-18", "original_time": "10:00", "new_date": "2025-07-19", "new_time": "14:00"}
LISTINGS = tuple(Step(index, clinica.id, "list_available_slots") for index, clinica in enumerate(REGISTRO_PADRAO, 1))
BOOKING = Step(1, "clinic_a", "book_appointment", THERE)
CANCELLING = Step(2, "clinic_c", "cancel_appointment", HERE, (1,))


class Hanging:
    """Every clinic hangs, save where a tool is said to answer."""

    def __init__(self, *answering: Action) -> None:
        self.answering = answering
        self.calls = 0

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        self.calls += 1
        clinica = REGISTRO_PADRAO.find(step.clinic)
        assert clinica is not None
        if action in self.answering:
            held = Appointment(step.parameters["doctor"], step.parameters["date"], step.parameters["time"], ANA.nome, ANA.cpf, "")
            return Answer(ClinicReply(step.clinic, action, msgspec.to_builtins(Booked(held, ""))))
        await takes(seconds)
        return Answer(ClinicReply(step.clinic, action, None, unreachable(clinica)), may_have_run=True)


@pytest.mark.parametrize("jitter", [0.0, 1.0])
@pytest.mark.parametrize(
    ("answering", "steps"),
    [
        ((), LISTINGS),
        ((), (BOOKING,)),
        ((), (BOOKING, CANCELLING)),
        (("book_appointment",), (BOOKING,)),
        (("book_appointment",), (BOOKING, CANCELLING)),
        ((), (Step(1, "clinic_c", "cancel_appointment", HERE),)),
        ((), (Step(1, "clinic_c", "reschedule_appointment", MOVED),)),
        ((), (*LISTINGS, *(Step(10 + index, "clinic_a", "list_available_slots", {}, (index,)) for index in range(1, 7)))),
    ],
)
def test_clinics_that_hang_cost_a_plan_five_seconds_at_most(answering: Sequence[Action], steps: Sequence[Step], jitter: float) -> None:
    """Design, Router: five seconds is the longest a turn may wait for clinics; its retries and proofs included."""
    transport = Hanging(*answering)

    async def work(clock: Callable[[], float]) -> None:
        router = Router(transport, REGISTRO_PADRAO, clock=clock, jitter=lambda: jitter)
        await router.run(steps, Caller(who_asks("local", "paciente", CONSOLE, "52998224725"), ANA), nobody)

    assert 1.0 < waited(work) <= LONGEST
    assert transport.calls >= len(steps) // 2


def test_the_first_turn_of_all_costs_no_more_though_nobody_knows_yet_who_works_where(tmp_path: Path) -> None:
    """Design, Router: five seconds is the longest a turn may wait for clinics."""

    async def work(clock: Callable[[], float]) -> None:
        router = Router(Hanging(), REGISTRO_PADRAO, clock=clock, jitter=lambda: 1.0)
        directory = Directory(router, REGISTRO_PADRAO, clock)
        pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), clock)
        log = PipelineLog(tmp_path, b"k" * 32)
        session = Session(pipeline, directory, REGISTRO_PADRAO, FixedClock(MORNING), paciente=ANA, log=log)
        began = clock()
        reply = await session.say("Quais horários vocês têm de cardiologia?")
        assert 1.0 < clock() - began <= LONGEST
        assert reply.trace is not None
        assert {called.clinic for called in reply.trace.calls} == {"clinic_a", "clinic_c"}
        assert "Não consegui falar" in reply.texto
        await directory.close()

    waited(work)
