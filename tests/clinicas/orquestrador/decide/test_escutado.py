"""An order needs two readers. Source: design, "What is said is learned, what is meant is computed"."""

from __future__ import annotations

import msgspec
import pytest

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import Dialogue, Offer, Plan, Step
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Proposto
from crivo.clinicas.orquestrador.decide.decisao import decide_by_code
from crivo.clinicas.orquestrador.decide.escutado import answering, heard, orders_nothing, wants_person
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.linguagem.botoes import slot_message
from crivo.clinicas.protocol import Slot

NORMA = Offer("clinic_f", Slot("Dra. Norma Tavares", "Dermatologia", "2025-07-18", "15:00"))
OUTRA = Offer("clinic_b", Slot("Dra. Gisele Pontes", "Dermatologia", "2025-07-18", "10:00"))


def waiting(*actions: Action) -> dict[str, str]:
    steps = tuple(Step(at, "clinic_f", action, {}) for at, action in enumerate(actions, 1))
    return {KEY: msgspec.json.encode(Proposto(steps)).decode()}


@pytest.mark.parametrize(
    ("pending", "contexto"),
    [
        ({}, "inicio"),
        (waiting("book_appointment"), "proposta"),
        (waiting("cancel_appointment"), "cancelar"),
        (waiting("reschedule_appointment"), "mudar"),
        (waiting("book_appointment", "cancel_appointment"), "mudar"),
        (write_pending(Pendente("confirmar", proposta=NORMA)), "proposta"),
        (write_pending(Pendente("cancelar")), "qual"),
        (write_pending(Pendente("listado")), "lista"),
    ],
)
def test_what_a_message_answers_is_told_from_what_waits(dialogue: Dialogue, pending: dict[str, str], contexto: str) -> None:
    state = msgspec.structs.replace(dialogue, pending=pending, offers=(NORMA, OUTRA) if "estado" in pending else ())
    assert answering(state) == contexto


def test_a_list_of_one_is_a_proposal(dialogue: Dialogue) -> None:
    state = msgspec.structs.replace(dialogue, pending=write_pending(Pendente("listado")), offers=(NORMA,))
    assert answering(state) == "proposta"


def proposing(dialogue: Dialogue) -> Dialogue:
    """A conversation in which one slot of a Friday was proposed."""
    pending = write_pending(Pendente("confirmar", proposta=NORMA))
    return msgspec.structs.replace(dialogue, pending=pending, offers=(NORMA,), utterances=("quero dermatologista",))


@pytest.mark.parametrize(
    "said", ["e na sexta", "e na sexta?", "ainda não, deixa eu ver com meu marido antes", "sim, desde que o convênio cubra tudo"]
)
def test_what_asks_or_puts_off_orders_nothing(dialogue: Dialogue, said: str) -> None:
    assert orders_nothing(said, proposing(dialogue))
    assert not _books(decide_by_code(said, proposing(dialogue)).plan)


@pytest.mark.parametrize("said", ["sim", "pode marcar", "isso, na sexta", "quero", "pode ser sim", "fechado", "ok"])
def test_a_plain_yes_is_heard_as_the_order_that_it_is(dialogue: Dialogue, said: str) -> None:
    assert not orders_nothing(said, proposing(dialogue))


def test_a_button_orders_whatever_its_words_weigh(dialogue: Dialogue) -> None:
    state = proposing(dialogue)
    assert not orders_nothing(slot_message(NORMA, dialogue.registro), state)


@pytest.mark.parametrize("said", ["yes, that one please", "sí, resérvelo por favor"])
def test_nothing_is_heard_in_a_language_that_nobody_taught(dialogue: Dialogue, said: str) -> None:
    assert heard(said, msgspec.structs.replace(dialogue, utterances=("I would like an appointment with a doctor, please",))) == {}
    assert not orders_nothing(said, msgspec.structs.replace(dialogue, utterances=("I would like to see a doctor, please",)))


def test_who_asks_for_somebody_of_the_reception_is_heard_and_who_asks_for_a_doctor_is_not(dialogue: Dialogue) -> None:
    assert wants_person("chama o responsável aí", dialogue)
    assert not wants_person("quero marcar com um cardiologista", dialogue)


def _books(plan: Plan) -> bool:
    return any(step.action == "book_appointment" for step in plan.steps)
