"""What is said in the negative, as a bound or as an alternative binds what is listed and what is chosen of it. Source: design, "Preferences are kept and bind"."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.contracts import Dialogue, Offer
from crivo.clinicas.orquestrador.decide.responder.sem_promessa import has_loose_denial
from crivo.clinicas.orquestrador.entende.criterios import Criterios, refuses
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.protocol import Slot

Converse = Callable[..., CasoObtido]
THURSDAY, FRIDAY, SATURDAY, MONDAY, TUESDAY, WEDNESDAY = (
    "2025-07-17",
    "2025-07-18",
    "2025-07-19",
    "2025-07-21",
    "2025-07-22",
    "2025-07-23",
)


def read(text: str, dialogue: Dialogue) -> Leitura:
    sentence = read_sentence(text)
    return read_stretch(sentence, find_mentions(sentence, context_of(dialogue)), 0, len(sentence.text))


def allows(reading: Leitura, day: str, time: str) -> bool:
    """Whether a slot at that moment is one that was asked and not refused."""
    told, offer = reading.criterios, Offer("clinic_a", Slot("Dr. Ninguém", "", day, time))
    fits = all(any(dia.holds(day) for dia in told.dias) for _ in told.dias[:1]) and (
        not told.horas or any(hora.holds(time) for hora in told.horas)
    )
    return fits and not refuses(reading.excluidos, offer, "")


@pytest.mark.parametrize(
    ("text", "taken", "left"),
    [
        ("quero cardiologista de manhã mas não pode ser antes das 10", [(THURSDAY, "10:00")], [(THURSDAY, "09:00"), (THURSDAY, "14:00")]),
        (
            "de preferência na parte da manhã ponto não posso ser antes das dez porque eu venho de ônibus",
            [(MONDAY, "10:00")],
            [(MONDAY, "09:30")],
        ),
        ("antes das 10 eu não consigo pq levo meu neto na escola", [(THURSDAY, "10:00")], [(THURSDAY, "09:00")]),
        ("ortopedista, antes das 9 nem pensar", [(THURSDAY, "09:00")], [(THURSDAY, "08:30")]),
        (
            "cardio, nem antes das 10 nem depois das 16",
            [(THURSDAY, "10:00"), (THURSDAY, "16:00")],
            [(THURSDAY, "09:30"), (THURSDAY, "16:30")],
        ),
        ("cardiologist, nothing before 10am please", [(FRIDAY, "10:00")], [(FRIDAY, "08:00")]),
        ("cardiologist, no earlier than 10am", [(FRIDAY, "10:00")], [(FRIDAY, "08:00")]),
        ("cardiologist, no later than 4pm", [(FRIDAY, "16:00")], [(FRIDAY, "16:30")]),
        (
            "cardiólogo, no antes de las 10 ni después de las 16",
            [(FRIDAY, "10:00"), (FRIDAY, "16:00")],
            [(FRIDAY, "09:00"), (FRIDAY, "17:00")],
        ),
        ("cardiólogo, no más tarde que las 16", [(FRIDAY, "16:00")], [(FRIDAY, "17:00")]),
        ("depois das 17h, saio às 16h30", [(FRIDAY, "17:00")], [(FRIDAY, "16:30")]),
    ],
)
def test_a_bound_that_is_denied_is_the_bound_turned_round(
    text: str, taken: list[tuple[str, str]], left: list[tuple[str, str]], dialogue: Dialogue
) -> None:
    reading = read(text, dialogue)
    assert [allows(reading, *one) for one in taken] == [True] * len(taken)
    assert [allows(reading, *one) for one in left] == [False] * len(left)


@pytest.mark.parametrize(
    ("text", "taken", "left"),
    [
        (
            "cardio, nada antes das 10 da manha nem depois das 16, e sábado nem pensar",
            [(FRIDAY, "15:00")],
            [(FRIDAY, "09:00"), (FRIDAY, "17:30"), (SATURDAY, "11:00")],
        ),
        ("dermato, qualquer dia menos sexta, e de manhã não dá", [(MONDAY, "15:00")], [(FRIDAY, "15:00"), (MONDAY, "09:00")]),
        ("sexta não, sexta eu não posso. de manhã também não", [(MONDAY, "15:00")], [(FRIDAY, "15:00"), (MONDAY, "09:00")]),
        ("cardiologist, any weekday but Friday", [(MONDAY, "09:00")], [(FRIDAY, "09:00"), (SATURDAY, "09:00")]),
        ("cardiologist, any weekday except tomorrow", [(FRIDAY, "09:00")], [(THURSDAY, "09:00"), (SATURDAY, "09:00")]),
        ("cardiólogo cualquier día menos el viernes, y no antes de las 10", [(MONDAY, "10:00")], [(FRIDAY, "15:00"), (MONDAY, "09:00")]),
        ("cardiólogo que no sea el lunes", [(TUESDAY, "10:00")], [(MONDAY, "10:00")]),
        ("no Fridays please, and no mornings", [(MONDAY, "15:00")], [(FRIDAY, "15:00"), (MONDAY, "09:00")]),
        ("tira a quarta e a quinta", [(TUESDAY, "10:00")], [(WEDNESDAY, "10:00"), (THURSDAY, "10:00")]),
        (
            "terça eu tenho fisio e quarta eu lavo roupa então tem que ser outro dia e de tarde que de manhã eu não acordo",
            [(FRIDAY, "15:00")],
            [(TUESDAY, "15:00"), (WEDNESDAY, "15:00"), (FRIDAY, "09:00")],
        ),
        ("segunda eu cuido do meu neto, e à tarde eu não saio de casa", [(TUESDAY, "09:00")], [(MONDAY, "09:00"), (TUESDAY, "15:00")]),
        ("às quartas tenho natação e depois das 17 não consigo", [(MONDAY, "17:00")], [(WEDNESDAY, "10:00"), (MONDAY, "17:30")]),
        (
            "los lunes no puedo y tampoco por la mañana, necesito un dermatólogo",
            [(TUESDAY, "15:00")],
            [(MONDAY, "15:00"), (TUESDAY, "09:00")],
        ),
        ("mornings don't work and I can't do Thursdays, please", [(FRIDAY, "15:00")], [(THURSDAY, "15:00"), (FRIDAY, "09:00")]),
        ("cardio, sexta de manhã não dá", [(FRIDAY, "15:00"), (MONDAY, "09:00")], [(FRIDAY, "09:00")]),
        (
            "não pode ser sexta de manhã nem quinta de tarde",
            [(FRIDAY, "15:00"), (THURSDAY, "09:00")],
            [(FRIDAY, "09:00"), (THURSDAY, "15:00")],
        ),
        ("quinta dia 17, quer dizer, sexta dia 18 não quinta, de manhã", [(FRIDAY, "09:00")], [(THURSDAY, "09:00"), (FRIDAY, "15:00")]),
    ],
)
def test_each_thing_refused_is_refused_by_itself(
    text: str, taken: list[tuple[str, str]], left: list[tuple[str, str]], dialogue: Dialogue
) -> None:
    reading = read(text, dialogue)
    assert [allows(reading, *one) for one in taken] == [True] * len(taken)
    assert [allows(reading, *one) for one in left] == [False] * len(left)


@pytest.mark.parametrize(
    "text",
    [
        "so posso sabado ou dps das 18 durante a semana",
        "depois das 18 durante a semana ou sábado",
        "Saturday or after 6pm on weekdays",
        "el sábado o después de las 18h entre semana",
    ],
)
def test_alternatives_of_other_days_and_hours_each_are_all_asked_for(text: str, dialogue: Dialogue) -> None:
    reading = read(text, dialogue)
    assert allows(reading, SATURDAY, "09:00")
    assert allows(reading, THURSDAY, "18:30")
    assert not allows(reading, THURSDAY, "17:30")


@pytest.mark.parametrize(
    ("text", "days"),
    [("quinta ou sexta de manhã", 2), ("trabalho durante a semana, só posso sábado", 1), ("quinta, durante a semana", 1)],
)
def test_days_of_the_same_hours_stay_days(text: str, days: int, dialogue: Dialogue) -> None:
    assert len(read(text, dialogue).criterios.dias) == days


@pytest.mark.parametrize("text", ["bueno, quiero un cardiólogo el martes", "está bueno, el martes"])
def test_a_word_of_spanish_is_no_doctor(text: str, converse: Converse) -> None:
    shown = converse(text if "cardi" in text else f"quiero un cardiólogo, {text}").turnos[-1].texto
    assert "22/07" in shown
    assert "Serpa" in shown


def test_a_question_for_anything_at_an_hour_refuses_nothing(dialogue: Dialogue) -> None:
    assert read("não tem nada antes das 10?", dialogue).excluidos == Criterios()


def proposed(case: CasoObtido) -> str:
    return case.turnos[-1].texto


@pytest.mark.parametrize(
    ("turns", "moment"),
    [
        (("quero cardiologista de manhã mas não pode ser antes das 10", "o mais cedo que tiver minha filha"), ("21/07", "10:00")),
        (("cardio, nada antes das 10 da manha nem depois das 16, e sábado nem pensar", "o mais cedo"), ("18/07", "14:00")),
        (("antes das 10 eu não consigo pq levo meu neto na escola. tem cardio na quinta 17?", "o mais cedo"), ("17/07", "17:30")),
        (("dermato, qualquer dia menos sexta, e de manhã não dá", "o mais cedo, mas não hoje nem amanhã"), ("21/07", "17:30")),
        (("cardiologist, any weekday but Friday, nothing before 10am please", "earliest"), ("July 17", "17:30")),
        (("cardiologist, any weekday but Friday", "earliest"), ("July 17", "09:00")),
        (("cardiólogo cualquier día menos el viernes, y no antes de las 10", "el más temprano"), ("17/07", "17:30")),
        (("so posso sabado ou dps das 18 durante a semana. ortopedista", "a q tiver mais cedo dps das 18"), ("17/07", "18:30")),
        (("cardiologist next week in the morning", "Thursday", "actually can you make it Friday instead?"), ("July 25", "08:00")),
        (("quero dermato sexta de manhã", "sexta não, sexta eu não posso. de manhã também não", "o mais cedo"), ("16/07", "15:30")),
    ],
)
def test_the_earliest_is_that_of_what_was_asked_and_not_refused(
    turns: tuple[str, ...], moment: tuple[str, str], converse: Converse
) -> None:
    assert all(part in proposed(converse(*turns)) for part in moment)


def test_the_week_asked_for_stays_when_the_day_of_what_is_held_changes(converse: Converse) -> None:
    case = converse(
        "cardiologist next week, mornings only, not Tuesday", "the Thursday one please", "the 2", "can you make it Friday instead?"
    )
    assert "July 25" in proposed(case)
    assert "July 18" not in proposed(case)


def test_what_was_refused_and_is_asked_for_again_is_refused_no_more(converse: Converse) -> None:
    case = converse("quero dermato sexta de manhã", "sexta eu não posso. de manhã também não", "sexta de manhã pode sim", "às 11")
    assert {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"} == {(FRIDAY, "11:00")}


def test_a_slip_told_by_quer_dizer_is_no_wish_of_its_own(converse: Converse) -> None:
    shown = proposed(converse("marca pra mim ortopedista coluna dia 17, quer dizer, dia 18 de manhã"))
    assert "18/07" in shown
    assert "17/07" not in shown


@pytest.mark.parametrize("text", ["ortopedista de manhã, mas não pode ser muito longe", "dermato à tarde, nada que me tome o dia inteiro"])
def test_a_list_of_a_message_with_a_denial_that_was_not_understood_claims_nothing(
    text: str, converse: Converse, dialogue: Dialogue
) -> None:
    assert has_loose_denial(text, dialogue)
    assert "como você pediu" not in proposed(converse(text))


@pytest.mark.parametrize(
    "text", ["dermato à tarde, sexta não", "cardio de manhã, não pode ser antes das 10", "cardiologist in the morning, but not Friday"]
)
def test_a_list_of_a_message_of_which_each_denial_was_read_is_as_was_asked(text: str, converse: Converse, dialogue: Dialogue) -> None:
    assert not has_loose_denial(text, dialogue)
    assert any(claim in proposed(converse(text)) for claim in ("como você pediu", "as you asked"))


def test_the_days_of_these_examples_are_the_weekdays_that_they_are_named() -> None:
    assert [date.fromisoformat(day).weekday() for day in (THURSDAY, FRIDAY, SATURDAY, MONDAY, TUESDAY, WEDNESDAY)] == [3, 4, 5, 0, 1, 2]


def test_days_left_out_after_any_day_will_do_are_left_out(converse: Converse) -> None:
    shown = proposed(converse("quero cardio, tanto faz o dia menos segunda e terça"))
    assert "Quarta-feira" in shown
    assert "Segunda-feira" not in shown
    assert "Terça-feira" not in shown


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("quero orto de ombro, não antes das 14, e não pode ser na quarta nem depois do dia 25", ("01/08", "Quarta-feira")),
        (
            "quero cardiologista antes do almoço, qualquer dia menos segunda e terça, e nem essa semana",
            ("17/07", "18/07", "Segunda", "Terça"),
        ),
    ],
)
def test_a_weekday_and_a_stretch_of_days_refused_are_two_things(converse: Converse, said: str, never: tuple[str, ...]) -> None:
    listed = converse(said).turnos[0].texto
    assert "1)" in listed
    assert not [word for word in never if word in listed]
