"""What was asked binds what is offered and chosen, turn after turn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from crivo.clinicas.avaliacao.ensaio import Dados
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Plan
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner, plan
from crivo.clinicas.orquestrador.entende.selecao import select
from crivo.clinicas.orquestrador.entendido import understood
from crivo.clinicas.orquestrador.escreve.conhecido import known
from crivo.clinicas.orquestrador.escreve.embutido import write

Said = tuple[Plan, Dialogue, str]
Say = Callable[..., Said]


def agenda(clinic: str, doctors: tuple[tuple[str, str], ...], days: int = 10) -> ClinicReply:
    """Four slots a day, for each doctor in turn."""
    rows = [
        {"doctor": doctor, "specialty": branch, "date": f"2025-07-{17 + day:02d}", "time": time, "available": True}
        for day in range(days)
        for (doctor, branch), time in zip(doctors * 4, ("08:00", "11:00", "14:00", "17:00"), strict=False)
    ]
    return ClinicReply(clinic, "list_available_slots", {"specialty": "", "available_slots": rows, "note": ""})


FULL = {
    "clinic_a": agenda("clinic_a", (("Dra. Lia Prado", "Cardiologia"), ("Dr. Ivo Reis", "Cardiologia"))),
    "clinic_c": agenda("clinic_c", (("Dr. Caio Nunes", "Cardiologia"),)),
    "clinic_b": agenda("clinic_b", (("Dra. Ana Mota", "Dermatologia"),)),
    "clinic_f": agenda("clinic_f", (("Dr. Rui Leal", "Dermatologia"),)),
    "clinic_d": agenda("clinic_d", (("Dra. Eva Pinto", "Joelho"), ("Dr. Gil Sá", "Ortopedia"))),
    "clinic_e": agenda("clinic_e", (("Dr. Otto Lima", "Coluna"),)),
}


@pytest.fixture
def say(dados: Dados, dialogue: Dialogue) -> Say:
    """Says things over agendas of forty free slots a clinic: the last plan, the dialogue after it, and its text, which has passed."""

    def talk(*utterances: str) -> Said:
        doctors = {row["doctor"]: (clinic,) for clinic, reply in FULL.items() for row in (reply.result or {})["available_slots"]}
        state = msgspec.structs.replace(dialogue, doctors=doctors)
        made, text = Plan(), ""
        for utterance in utterances:
            made, pending = plan(utterance, state)
            replies = tuple(FULL[step.clinic] for step in made.steps if step.action == "list_available_slots")
            text = write(utterance, made, replies, state)
            held = known(state, utterance, select(made, replies, state))
            found = verify_text(text, replies, state.paciente, state.papel, registro=state.registro, now=state.now, extra_safe=held)
            assert found.safe, f"{found.note}: {text}"
            state = dialogo.after(state, utterance, made, replies, pending)
        return made, state, text

    return talk


def test_forty_free_slots_a_clinic_are_ten_options_and_a_count(say: Say) -> None:
    _, state, text = say("tem cardiologista?")
    assert len(state.offers) == 10
    assert {offer.clinic for offer in state.offers} == {"clinic_a", "clinic_c"}
    assert "E mais 70" in text
    assert "(o mais cedo)" in text
    assert len(text) <= 1500


def test_more_goes_on_after_what_was_shown_and_numbers_it_anew(say: Say) -> None:
    _, first, _ = say("tem cardiologista?")
    _, second, text = say("tem cardiologista?", "mais")
    assert not set(first.offers) & set(second.offers)
    assert "\n1) " in text
    made, _, _ = say("tem cardiologista?", "mais", "a primeira")
    assert made.steps[0].parameters["date"] == second.offers[0].slot.date
    assert made.steps[0].parameters["time"] == second.offers[0].slot.time


def test_an_hour_that_was_asked_for_binds_what_the_first_means(say: Say) -> None:
    made, state, text = say("quero cardiologista, só à tarde", "pode ser a primeira")
    assert made.steps[0].parameters["time"] >= "12:00"
    assert understood(state) == ("só à tarde",)
    _, _, text = say("quero cardiologista, só à tarde")
    assert "08:00" not in text
    assert "fora disso" in text


def test_a_day_that_was_refused_is_neither_offered_nor_taken_as_the_earliest(say: Say) -> None:
    _, state, _ = say("quero dermatologista, menos quinta e sexta")
    assert not {offer.slot.date for offer in state.offers} & {"2025-07-17", "2025-07-18", "2025-07-24", "2025-07-25"}
    made, _, _ = say("quero dermatologista, menos quinta e sexta", "o mais cedo desses")
    assert {(offer.slot.date, offer.slot.time) for offer in made.ofertas} == {("2025-07-19", "08:00")}  # one at each clinic


def test_after_a_day_is_strictly_after_it(say: Say) -> None:
    for asked in ("quero cardiologista depois do dia 22", "chego de viagem dia 22, quero um cardiologista depois desse dia"):
        _, state, _ = say(asked)
        assert min(offer.slot.date for offer in state.offers) == "2025-07-23"


def test_a_branch_is_offered_by_its_own_doctors(say: Say) -> None:
    made, state, _ = say("quero ortopedista de joelho", "a primeira")
    assert made.steps[0].parameters["doctor"] == "Dra. Eva Pinto"
    assert understood(state) == ("joelho",)


def test_a_doctor_who_was_refused_is_not_taken_by_a_number(say: Say) -> None:
    made, _, _ = say("quero cardiologista, com a Dra. Lia não", "1")
    assert made.steps[0].parameters["doctor"] != "Dra. Lia Prado"


def test_a_choice_that_breaks_what_was_asked_is_asked_about_first(say: Say) -> None:
    made, _, _ = say("quero cardiologista, menos sexta", "dia 18 às 8h com a Dra. Lia")
    assert made.steps == ()
    assert "fora do que você tinha pedido" in (made.pergunta or "")
    made, _, _ = say("quero cardiologista, menos sexta", "dia 18 às 8h com a Dra. Lia", "sim")
    assert [step.action for step in made.steps] == ["book_appointment"]


@pytest.mark.parametrize(("said", "place"), [("1", 0), ("3️⃣", 2), ("②", 1), ("o 4", 3)])
def test_a_bare_number_is_of_the_list_shown_last(say: Say, said: str, place: int) -> None:
    _, state, _ = say("tem cardiologista?")
    made, _, _ = say("tem cardiologista?", said)
    slot = state.offers[place].slot
    assert (made.steps[0].parameters["date"], made.steps[0].parameters["time"]) == (slot.date, slot.time)


def test_what_was_asked_is_set_free_in_so_many_words_and_by_another_specialty(say: Say) -> None:
    _, state, _ = say("quero cardiologista, só à tarde", "qualquer horário")
    assert min(offer.slot.time for offer in state.offers) == "08:00"
    _, state, _ = say("quero cardiologista, só à tarde", "e dermatologista?")
    assert min(offer.slot.time for offer in state.offers) == "08:00"


def test_two_specialties_have_a_list_each_by_their_own_days_ten_in_all(say: Say) -> None:
    _, state, text = say("tem cardio na segunda 21 e dermato na terça 22?")
    days = {offer.clinic: offer.slot.date for offer in state.offers}
    assert days == {"clinic_a": "2025-07-21", "clinic_c": "2025-07-21", "clinic_b": "2025-07-22", "clinic_f": "2025-07-22"}
    assert len(state.offers) <= 10
    assert len(text) <= 1500


def test_a_yes_after_a_booking_books_nothing_more(say: Say) -> None:
    made, _, _ = say("quero cardiologista, só à tarde", "a primeira", "isso")
    assert made.steps == ()


@pytest.mark.parametrize("asked", ["quais médicos vocês têm?", "todos os médicos"])
def test_who_works_where_is_told_from_the_directory_and_no_slot_is_asked_for(say: Say, asked: str) -> None:
    made, state, text = say("tem cardiologista?", asked)
    assert made.steps == ()
    assert "Clínica A, Cardiologia: Dr. Ivo Reis e Dra. Lia Prado." in text
    assert "Clínica F, Dermatologia: Dr. Rui Leal." in text
    assert len(state.offers) == 10


async def test_a_message_that_takes_too_long_to_read_is_answered_plainly_and_nothing_is_done(dialogue: Dialogue) -> None:
    made, _ = await EmbeddedPlanner(cpu_seconds=-1.0).plan("marca cardiologista dia 18 às 10h", dialogue)
    assert made.steps == ()
    assert made.pergunta == "Essa mensagem ficou difícil de ler de uma vez. Pode dizer só o que precisa?"
