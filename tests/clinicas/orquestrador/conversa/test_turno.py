"""A turn whose agents are made up: what each hands to the next, and what reaches the person when one fails."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cenario import MORNING
from crivo.clinicas.ferramentas import Action, AvailableSlots, Booked
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Plan, Step
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.trace import Event, Trace
from crivo.clinicas.protocol import Appointment, Slot
from crivo.clinicas.registro import REGISTRO_PADRAO
from federacao import ANA, BIA

FERNANDO = Slot("Dr. Fernando Mendes", "Cardiologia", "2025-07-18", "10:00")
LISTING = AvailableSlots("Cardiology", (FERNANDO,), "")
BOOKING = {"doctor": FERNANDO.doctor, "date": FERNANDO.date, "time": FERNANDO.time}
NOTHING_FREE = AvailableSlots("Cardiology", (), "")
LIST_C = Step(1, "clinic_c", "list_available_slots")
GOOD = "Na Clínica C há um horário: sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes."


class Planned:
    def __init__(self, *steps: Step) -> None:
        self.plan_made = Plan(steps)

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        return self.plan_made, {"lembra": "disto"}


class Says:
    def __init__(self, texto: str) -> None:
        self.texto = texto
        self.saw: tuple[ClinicReply, ...] = ()

    async def write(self, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
        self.saw = replies
        return self.texto


class Answers:
    def __init__(self, value: msgspec.Struct | dict[str, Any]) -> None:
        self.value: dict[str, Any] = msgspec.to_builtins(value)

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        is_proof = action == "list_available_slots" and "available_slots" not in self.value
        return Answer(ClinicReply(step.clinic, action, msgspec.to_builtins(NOTHING_FREE) if is_proof else self.value))


async def turn(
    responder: Says,
    value: msgspec.Struct | dict[str, Any] = LISTING,
    step: Step = LIST_C,
    said: str = "tem horário?",
) -> tuple[Dialogue, Trace, list[Event]]:
    events: list[Event] = []
    pipeline = Pipeline(Planned(step), Router(Answers(value), REGISTRO_PADRAO), responder, lambda: 0.0)
    dialogue, trace = await pipeline.turn(said, Dialogue(MORNING, REGISTRO_PADRAO, paciente=ANA), events.append)
    return dialogue, trace, events


async def test_a_text_that_passes_reaches_the_person_as_it_is() -> None:
    """Blueprint 1.4, Blueprint 2.3.2/6: plan, calls, verification, words; what is safe goes on."""
    dialogue, trace, events = await turn(Says(GOOD))
    assert (trace.texto, trace.autor, trace.verdict.safe) == (GOOD, "responder", True)
    assert [offer.slot for offer in dialogue.offers] == [FERNANDO]
    assert dialogue.pending == {"lembra": "disto"}
    assert dialogue.utterances == ("tem horário?",)
    tags = [msgspec.to_builtins(event)["tipo"] for event in events]
    assert tags == ["plano", "chamada", "resposta", "veredito", "veredito", "texto"]


@pytest.mark.parametrize(
    ("texto", "regra"),
    [
        (f"{GOOD} Até lá, tome dipirona 500 mg.", "R1"),
        (f"{GOOD} Quem tem CPF 111.444.777-35 desistiu.", "R2"),
        (f"{GOOD} Isso deve ser um infarto.", "R3"),
        ("Na Clínica C há um horário: sábado, 19/07, às 11:00, com o Dr. Fernando Mendes.", "R4"),
    ],
)
async def test_a_text_that_fails_is_replaced_by_the_embedded_responders(texto: str, regra: str) -> None:
    """Blueprint 2.3.2/6: what is not safe is held back."""
    _, trace, _ = await turn(Says(texto))
    assert trace.autor == "embutido"
    assert "18/07\n1) 10:00" in trace.texto
    assert regra in trace.verdict.regras
    assert not trace.verdict.safe


async def test_where_no_text_passes_a_sentence_is_said_that_is_true_of_any_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.clinicas.orquestrador.conversa.turno.write_embedded", lambda *_: "Tome dipirona 500 mg.")
    _, trace, _ = await turn(Says("Isso deve ser um infarto."))
    assert trace.autor == "frase_segura"
    assert "não posso mostrar" in trace.texto
    booked = Booked(Appointment(FERNANDO.doctor, FERNANDO.date, FERNANDO.time, ANA.nome, ANA.cpf, "Cardiology"), "")
    _, trace, _ = await turn(Says("Isso deve ser um infarto."), booked, Step(1, "clinic_c", "book_appointment", BOOKING))
    assert "foi feito" in trace.texto


async def test_what_was_asked_or_shown_in_words_that_were_withheld_waits_for_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.clinicas.orquestrador.conversa.turno.write_embedded", lambda *_: "Tome dipirona 500 mg.")
    dialogue, _, _ = await turn(Says("Isso deve ser um infarto."))
    assert (dialogue.pending, dialogue.offers, dialogue.vitrine.todas) == ({}, (), ())
    booked = Booked(Appointment(FERNANDO.doctor, FERNANDO.date, FERNANDO.time, ANA.nome, ANA.cpf, "Cardiology"), "")
    dialogue, _, _ = await turn(Says("Isso deve ser um infarto."), booked, Step(1, "clinic_c", "book_appointment", BOOKING))
    assert [one.doctor for one in dialogue.bookings] == [FERNANDO.doctor]


async def test_free_text_of_a_clinic_that_breaks_a_rule_is_left_out_and_its_slots_stay() -> None:
    responder = Says(GOOD)
    _, trace, _ = await turn(responder, msgspec.structs.replace(LISTING, note="Tome dipirona 500 mg antes da consulta."))
    assert responder.saw[0].result is not None
    assert responder.saw[0].result["note"] == ""
    assert responder.saw[0].result["available_slots"]
    assert trace.autor == "responder"
    assert "R1" in trace.verdict.regras


async def test_data_of_another_person_is_withheld_from_the_words() -> None:
    """Blueprint 2.3.2/2, Blueprint 4.1/5: personal data of others are held back."""
    responder = Says("Não posso mostrar isso.")
    taken = {**msgspec.to_builtins(FERNANDO), "patient_name": BIA.nome, "cpf": BIA.cpf}
    _, trace, _ = await turn(responder, {"specialty": "Cardiology", "available_slots": [taken], "note": ""})
    assert responder.saw[0].result is None
    assert responder.saw[0].error is not None
    assert responder.saw[0].error.codigo == "retida"
    assert BIA.nome not in trace.texto
    assert "R2" in trace.verdict.regras


async def test_rule_10_is_checked_on_whatever_the_planner_made() -> None:
    """Blueprint 2.3.1/10: checked whoever made the plan."""
    _, trace, _ = await turn(Says(GOOD), said="quero um cardiologista")
    assert [step.clinic for step in trace.plan.steps] == ["clinic_c", "clinic_a"]
    assert [report.achado for report in trace.achados] == ["clinica_acrescentada"]
