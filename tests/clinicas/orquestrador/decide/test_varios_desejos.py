"""Several wishes in one message: each gets its own slot, and none is left out silently. Whole conversations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
Held = set[tuple[str, str, str]]

ANA, CARLOS, RITA = "529.982.247-25", "111.444.777-35", "390.533.447-05"
AGENDA_OF_OTHERS = {"377.559.926-67", "574.946.470-90"}
TEEN = "oie kkk preciso d 1 cardio e 1 dermato no msm dia, d manhã, pq faltei na escola e so posso faltar 1 dia"
MONDAY = "cardiologista e dermato segunda 21"
THREE = "cardio amanhã 9h, dermato amanhã 11h e ortopedista amanhã 15h30, marca os tres por favor"
TWO_HOURS = "marca dermato sabado 19 às 10 e ortopedista segunda 21 8h30"
HUSBAND = "marca pro meu marido Carlos Souza cpf 111.444.777-35 cardiologista quinta 24 às 9h e pra mim dermato quinta 24 às 11h"
MOTHER = "dermato pra mim quinta 24 às 11h e cardio pra minha mãe Rita Souza cpf 390.533.447-05 quinta 24 às 9h"
BOYS = "ortopedista pros meus dois meninos, Davi Souza 390.533.447-05 e Caio Souza 111.444.777-35, sexta 18 um às 9 e outro às 10"


def held(case: CasoObtido) -> Held:
    """Each new booking: day, time and CPF."""
    return {(one.date, one.time, one.cpf) for kept in case.estado.values() for one in kept if one.cpf not in AGENDA_OF_OTHERS}


def last(case: CasoObtido) -> str:
    return case.turnos[-1].texto


@pytest.mark.parametrize("said", ["quinta agora, os dois", "os dois na quinta 17", "marca os dois quinta dia 17"])
def test_of_two_specialties_both_is_one_of_each_and_the_one_with_several_is_asked_about(converse: Converse, said: str) -> None:
    asked = converse(TEEN, said)
    assert held(asked) == set()
    assert "De Dermatologia, há 2 horários:" in last(asked)
    one = converse(TEEN, said, "o segundo", "sim")
    assert held(one) == {("2025-07-17", "11:00", ANA)}
    assert "Falta a de Cardiologia: quinta-feira, 17/07, às 09:00" in last(one)
    assert held(converse(TEEN, said, "o segundo", "sim", "sim")) == {("2025-07-17", "11:00", ANA), ("2025-07-17", "09:00", ANA)}


@pytest.mark.parametrize(
    ("wish", "choice", "booked"),
    [
        (
            "quero um dermato e um ortopedista, os dois na segunda 21, o mais cedo de cada",
            "isso, marca os dois",
            {("2025-07-21", "09:00"), ("2025-07-21", "08:30")},
        ),
        (MONDAY, "marca os dois mais cedo", {("2025-07-21", "10:00"), ("2025-07-21", "09:00")}),
        (MONDAY, "o mais cedo de cada um", {("2025-07-21", "10:00"), ("2025-07-21", "09:00")}),
        (
            "preciso de um cardiologista e um ortopedista no mesmo dia, sexta dia 18",
            "pode ser o primeiro de cada",
            {("2025-07-18", "08:00"), ("2025-07-18", "09:00")},
        ),
        (
            "I need a cardiologist and a dermatologist on Monday July 21",
            "the earliest of each",
            {("2025-07-21", "10:00"), ("2025-07-21", "09:00")},
        ),
        ("cardiólogo y dermatólogo el lunes 21", "los dos más temprano", {("2025-07-21", "10:00"), ("2025-07-21", "09:00")}),
    ],
)
def test_one_of_each_books_one_of_each(converse: Converse, wish: str, choice: str, booked: set[tuple[str, str]]) -> None:
    assert held(converse(wish, choice)) == {(day, time, ANA) for day, time in booked}


@pytest.mark.parametrize("said", ["os três", "sim", "pode marcar os três", "todos eles, por favor"])
def test_three_told_by_day_and_hour_are_booked_together(converse: Converse, said: str) -> None:
    case = converse(THREE, said) if held(converse(THREE, said)) else converse(THREE, said, "sim")
    assert held(case) == {("2025-07-17", time, ANA) for time in ("09:00", "11:00", "15:30")}


@pytest.mark.parametrize("said", ["sim", "isso", "pode marcar", "os dois"])
def test_a_yes_to_two_with_one_slot_each_books_both(converse: Converse, said: str) -> None:
    asked = converse(TWO_HOURS)
    assert "Posso marcar todos" in last(asked)
    assert held(converse(TWO_HOURS, said)) == {("2025-07-19", "10:00", ANA), ("2025-07-21", "08:30", ANA)}


def test_a_yes_to_alternatives_books_none_of_them(converse: Converse) -> None:
    either = "dermato sábado 19 às 10 ou ortopedista segunda 21 8h30"
    assert "Posso marcar todos" not in last(converse(either))
    assert held(converse(either, "sim")) == set()
    chosen = converse(either, "o primeiro")
    assert held(chosen) == {("2025-07-19", "10:00", ANA)}
    assert "Falta" not in last(chosen)


@pytest.mark.parametrize("said", ["o das 10h", "o 1", "marca o primeiro"])
def test_what_is_settled_of_one_wish_is_followed_by_the_question_about_the_other(converse: Converse, said: str) -> None:
    case = converse(MONDAY, said)
    assert held(case) == {("2025-07-21", "10:00", ANA)}
    assert "Falta a de Dermatologia. Há 3 horários" in last(case)
    assert held(converse(MONDAY, said, "o segundo")) == {("2025-07-21", "10:00", ANA), ("2025-07-21", "17:30", ANA)}
    assert held(converse(MONDAY, said, "não")) == {("2025-07-21", "10:00", ANA)}


def test_one_that_is_declined_is_followed_by_the_next(converse: Converse) -> None:
    case = converse(THREE, "o primeiro", "não")
    assert "Falta a de Ortopedia: quinta-feira, 17/07, às 15:30" in last(case)
    assert held(converse(THREE, "o primeiro", "não", "sim")) == {("2025-07-17", "09:00", ANA), ("2025-07-17", "15:30", ANA)}


def test_a_day_told_of_all_of_them_is_of_each(converse: Converse) -> None:
    case = converse("quero marcar dermato e ortopedista", "segunda 21", "o mais cedo de cada")
    assert held(case) == {("2025-07-21", "09:00", ANA), ("2025-07-21", "08:30", ANA)}


def test_only_one_of_them_leaves_the_other_out(converse: Converse) -> None:
    case = converse(TWO_HOURS, "só a dermato", "sim")
    assert held(case) == {("2025-07-19", "10:00", ANA)}
    assert "Falta" not in last(case)


@pytest.mark.parametrize("said", ["os dois", "marca os dois"])
def test_two_of_three_that_are_shown_is_asked_about(converse: Converse, said: str) -> None:
    assert held(converse("dermato segunda 21", said)) == set()


def test_what_was_booked_of_both_is_cancelled_and_moved_in_one_message(converse: Converse) -> None:
    case = converse(TWO_HOURS, "sim", "cancela a dermato e passa a ortopedia pra sexta 25 às 11h", "sim")
    assert held(case) == {("2025-07-25", "11:00", ANA)}


def test_a_yes_to_is_it_one_of_these_names_the_only_one(converse: Converse) -> None:
    case = converse("marca com o Dr. Samir segunda 21 às 8h30", "cancela a dermato", "sim")
    assert "mais de uma consulta" not in last(case)
    assert held(case) == {("2025-07-21", "08:30", ANA)}


@pytest.mark.parametrize(
    ("wish", "first", "second"),
    [
        (HUSBAND, ("2025-07-24", "09:00", CARLOS), ("2025-07-24", "11:00", ANA)),
        (MOTHER, ("2025-07-24", "11:00", ANA), ("2025-07-24", "09:00", RITA)),
        (
            "dermato quinta 24 às 11h pra mim e cardio quinta 24 às 9h pra minha mãe Rita Souza cpf 390.533.447-05",
            ("2025-07-24", "11:00", ANA),
            ("2025-07-24", "09:00", RITA),
        ),
        (
            "pra mim dermato quinta 24 às 11h, e pro meu marido Carlos Souza cpf 111.444.777-35 cardio quinta 24 às 9h",
            ("2025-07-24", "11:00", ANA),
            ("2025-07-24", "09:00", CARLOS),
        ),
    ],
)
def test_each_of_two_people_gets_what_was_asked_for_them(
    converse: Converse, wish: str, first: tuple[str, str, str], second: tuple[str, str, str]
) -> None:
    case = converse(wish, "sim")
    assert held(case) == {first}
    assert "Sigo com ela?" in last(case)
    assert held(converse(wish, "sim", "não")) == {first}
    assert held(converse(wish, "sim", "sim", "sim")) == {first, second}


@pytest.mark.parametrize("said", ["os dois", "sim, os dois"])
def test_both_for_two_people_books_nobody_what_is_the_others(converse: Converse, said: str) -> None:
    assert held(converse(MOTHER, said, "sim")) <= {("2025-07-24", "11:00", ANA), ("2025-07-24", "09:00", RITA)}


def test_one_specialty_for_two_people_is_taken_up_one_at_a_time(converse: Converse) -> None:
    case = converse("cardio pra mim e pra minha mãe sexta 18", "o das 8", "sim", "o das 16h", f"Rita Souza {RITA}")
    assert held(case) == {("2025-07-18", "08:00", ANA), ("2025-07-18", "16:00", RITA)}


@pytest.mark.parametrize(
    "said",
    [
        BOYS,
        "dermato pra Davi Souza 390.533.447-05 sexta 10h e pra Caio Souza 111.444.777-35 sexta 11h",
        "quero cardio pra minha mãe Rita Souza cpf 390.533.447-05 e pro meu marido Carlos Souza cpf 111.444.777-35, quinta 24",
    ],
)
def test_people_who_cannot_be_told_apart_are_begun_with_one(converse: Converse, said: str) -> None:
    case = converse(said, "sim")
    assert held(case) == set()
    assert "uma pessoa de cada vez" in case.turnos[0].texto
    again = converse(said, "ortopedista pro Davi Souza 390.533.447-05 sexta 18 às 9", "sim")
    assert held(again) == {("2025-07-18", "09:00", RITA)}


@pytest.mark.parametrize(
    "said",
    ["marca pra mim dermato pro meu filho sexta 18", "não é pra mim, é pro meu pai, cardio sexta 18", "cardio, pra mim sexta é melhor"],
)
def test_one_person_is_no_two(converse: Converse, said: str) -> None:
    assert "pessoas diferentes" not in last(converse(said))


@pytest.mark.parametrize("said", ["quais consultas têm o 390.533.447-05 e o 111.444.777-35 na cardiologia?"])
def test_what_is_held_of_two_people_stays_refused(converse: Converse, said: str) -> None:
    case = converse(said)
    assert case.turnos[0].recusa == "R2"


@pytest.mark.parametrize("said", ["1 e 5", "o 1 e o 5", "o das 10 e o das 9"])
def test_a_number_of_each_books_both(converse: Converse, said: str) -> None:
    booked = {("2025-07-21", "10:00", ANA), ("2025-07-21", "09:00", ANA)}
    case = converse(MONDAY, said)
    assert held(case if held(case) else converse(MONDAY, said, "sim")) == booked


def test_what_is_told_of_both_beside_how_many_is_of_each(converse: Converse) -> None:
    women = last(converse(MONDAY, "quero os dois com mulher"))
    assert "Dr. " not in women
    morning = converse(MONDAY, "quero os dois de manhã", "o 1", "sim")
    assert held(morning) == {("2025-07-21", "10:00", ANA), ("2025-07-21", "09:00", ANA)}


def test_two_doctors_are_two_wishes(converse: Converse) -> None:
    case = converse("quero marcar com a Dra. Norma e com o Dr. Samir", "o primeiro de cada")
    assert held(case) == {("2025-07-17", "11:00", ANA), ("2025-07-17", "15:30", ANA)}


@pytest.mark.parametrize("wish", ["quero dermato e cardio, qualquer um dos dois", "dermato ou cardio, o que tiver primeiro"])
def test_of_either_of_two_one_is_enough(converse: Converse, wish: str) -> None:
    case = converse(wish, "o mais cedo")
    assert held(case) == {("2025-07-16", "15:30", ANA)}
    assert "Falta" not in last(case)
