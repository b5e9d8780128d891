"""Every text that the embedded responder can write passes the verifier, in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from crivo.clinicas.avaliacao.conjunto import Caso, read_case_file
from crivo.clinicas.avaliacao.ensaio import Dados, read_data
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Dialogue, Idioma, Paciente, Plan, Step, Verdict
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.embutido import plan_in
from crivo.clinicas.orquestrador.decide.plan_check import check_plan
from crivo.clinicas.orquestrador.entende.selecao import select
from crivo.clinicas.orquestrador.escreve.conhecido import known
from crivo.clinicas.orquestrador.escreve.embutido import write
from crivo.clinicas.protocol import CODIGOS, UNREACHABLE, Codigo, ToolError
from federacao import DADOS as FIXTURE
from federacao import NO_DATA

IDIOMAS: tuple[Idioma, ...] = ("pt", "en", "es")
LUANA = Paciente("Luana Teixeira", "318.402.655-82")
HELD = {"doctor": "Dr. Heitor Guimarães", "date": "2028-09-15", "time": "16:00"}
MOVED = {
    "doctor": HELD["doctor"],
    "original_date": HELD["date"],
    "original_time": HELD["time"],
    "new_date": "2028-09-21",
    "new_time": "14:00",
}
STEPS = (
    Step(1, "clinic_c", "list_available_slots"),
    Step(1, "clinic_c", "list_available_slots", {"doctor": HELD["doctor"]}),
    Step(1, "clinic_c", "book_appointment", HELD),
    Step(1, "clinic_c", "cancel_appointment", HELD),
    Step(1, "clinic_c", "reschedule_appointment", MOVED),
    Step(1, "clinic_c", "list_patients"),
    Step(1, "clinic_c", "query", {"query": "hipertensão"}),
    Step(1, "clinic_c", "get_patient", {"patient_id": "CARD-C001"}),
)
FAILURES = (
    ToolError("x", code=UNREACHABLE),
    ToolError("x", code=-32602),
    *(ToolError("x", codigo=code) for code in (*CODIGOS, cast("Codigo", "outro"))),
)


def verdict(utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> tuple[str, Verdict]:
    text = write(utterance, plan, replies, dialogue)
    held = known(dialogue, utterance, select(plan, replies, dialogue), feito=None if replies else dialogue.feito)
    own = dialogue
    return text, verify_text(text, replies, own.paciente, own.papel, registro=own.registro, now=own.now, extra_safe=held)


def spoken(case: Caso, dados: Dados, first: Dialogue, idioma: Idioma) -> Iterator[str]:
    """Each text of a case that does not pass, with why."""
    clinics, dialogue = dados.open(first.now), first
    for turn in case.turnos:
        made, pending = plan_in(idioma, turn.texto, dialogue)
        plan, _ = check_plan(made, dados.registro)
        replies = tuple(clinics.call(step, case.paciente) for step in plan.steps)
        text, found = verdict(turn.texto, plan, replies, dialogue)
        if not found.safe:
            yield f"{case.id} {idioma} {found.note}: {text}"
        dialogue = dialogo.after(dialogue, turn.texto, plan, replies, pending)


def blocked(cases: tuple[Caso, ...], dados: Dados, idioma: Idioma, first: Dialogue) -> list[str]:
    found = []
    for case in cases:
        opened = Dialogue(first.now, dados.registro, case.papel, dados.open(first.now).directory(), paciente=case.paciente)
        found += list(spoken(case, dados, opened, idioma))
    return found


@pytest.fixture(scope="module")
def dados() -> Dados:
    return read_data(DADOS)


@pytest.fixture(scope="module")
def opened(dados: Dados) -> Dialogue:
    now = stated_clock(DADOS)
    assert now is not None
    return Dialogue(now, dados.registro, doctors=dados.open(now).directory(), paciente=LUANA)


@pytest.mark.parametrize("idioma", IDIOMAS)
def test_every_text_of_the_default_conversations_passes(dados: Dados, opened: Dialogue, idioma: Idioma) -> None:
    """Blueprint 2.3.3/2, Blueprint 2.3.2: what the clinics returned is told, and nothing made up."""
    assert blocked(read_case_file(CONJUNTO), dados, idioma, opened) == []


@pytest.mark.skipif(not FIXTURE.exists(), reason=NO_DATA)
@pytest.mark.parametrize("idioma", IDIOMAS)
def test_every_text_of_the_development_set_passes(idioma: Idioma) -> None:
    fixture, now = read_data(FIXTURE), stated_clock(FIXTURE)
    assert now is not None
    development = read_case_file(CONJUNTO.parents[5] / "tests/clinicas/test_queries.json")
    assert blocked(development, fixture, idioma, Dialogue(now, fixture.registro)) == []


@pytest.mark.parametrize("idioma", IDIOMAS)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.action}-{len(step.parameters)}")
def test_every_way_a_call_can_fail_is_told_in_a_text_that_passes(dados: Dados, opened: Dialogue, step: Step, idioma: Idioma) -> None:
    beside = Step(2, "clinic_a", "list_available_slots")
    bookings = (Booking("clinic_c", HELD["doctor"], HELD["date"], HELD["time"], "Cardiologia"),)
    dialogue = opened if step.action not in {"cancel_appointment", "reschedule_appointment"} else _holding(opened, bookings)
    assert step.action != "raw_response"
    texts = []
    for error in FAILURES:
        failed = ClinicReply(step.clinic, step.action, None, error)
        listed = dados.open(opened.now).call(beside, LUANA)
        for steps, replies in (((step,), (failed,)), ((step, beside), (failed, listed))):
            text, found = verdict("quero isso", Plan(steps, idioma=idioma), replies, dialogue)
            assert found.safe, f"{error}: {found.note}: {text}"
            texts.append(text)
    assert all(texts)


def _holding(dialogue: Dialogue, bookings: tuple[Booking, ...]) -> Dialogue:
    return Dialogue(dialogue.now, dialogue.registro, doctors=dialogue.doctors, bookings=bookings, paciente=dialogue.paciente)
