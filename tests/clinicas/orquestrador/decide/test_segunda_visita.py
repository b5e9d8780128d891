"""What a second visitor met: days taken out, weeks ruled out, wishes of soon, questions within a change, and going back on one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
BETWEEN = "cardiologista entre dia 22 e 25 de julho, de manhã"
WEEKEND = "tem cardiologista no fim de semana?"
AT_F = "queria a Clínica F, dermatologista, depois do almoço"
CIRO = "quero ortopedista com o Ciro Machado terça 22 às 11"
PALOMA = ("quero ortopedista de mão quarta 23 às 10:30", "sim", "muda pra 16h do mesmo dia")
CIRO_AS_IT_IS, CIRO_MOVED = ("Dr. Ciro Machado", "2025-07-22", "11:00"), ("Dr. Ciro Machado", "2025-07-24", "16:00")


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


def last(case: CasoObtido) -> str:
    return case.turnos[-1].texto


@pytest.mark.parametrize("said", ["tira a sexta", "tire a sexta-feira, por favor", "sem a sexta", "fora a sexta", "drop the Friday"])
def test_a_day_taken_out_of_a_list_is_left_out_and_never_booked(converse: Converse, said: str) -> None:
    case = converse(BETWEEN, said)
    assert held(case) == []
    assert "Dulce" not in last(case)
    assert "Serpa" in last(case)


def test_a_day_taken_out_that_is_held_is_asked_about(converse: Converse) -> None:
    case = converse("quero marcar com a Dra. Dulce Amorim dia 18/07 às 08:00", "tira a sexta")
    assert held(case) == [("Dra. Dulce Amorim", "2025-07-18", "08:00")]
    assert "18/07" in last(case)


@pytest.mark.parametrize("said", ["só sábado então, mas dessa semana não dá", "nessa semana não posso, só sábado"])
def test_a_week_ruled_out_is_shown_no_more(converse: Converse, said: str) -> None:
    case = converse(WEEKEND, said)
    assert "19/07" not in last(case)
    assert "26/07" in last(case)


@pytest.mark.parametrize("said", ["o mais tarde que tiver nesse dia", "o mais tarde possível"])
def test_the_latest_there_is_of_a_narrowed_list_is_proposed(converse: Converse, said: str) -> None:
    case = converse(WEEKEND, "só sábado então, mas dessa semana não dá", said)
    assert held(case) == []
    assert "26/07, às 11:00" in last(case)
    assert "19/07" not in last(case)


@pytest.mark.parametrize("said", ["tanto faz a clínica", "qualquer clínica serve"])
def test_a_clinic_set_free_lets_in_the_others(converse: Converse, said: str) -> None:
    assert "Clínica B" in last(converse(AT_F, said))


@pytest.mark.parametrize("said", ["o quanto antes", "quero o mais cedo possível", "as soon as possible"])
def test_soon_is_a_wish_and_what_is_earliest_is_proposed(converse: Converse, said: str) -> None:
    before = (AT_F, "tanto faz a clínica")
    case = converse(*before, said)
    assert "16/07, às 15:30" in last(case)
    assert "Posso marcar?" in last(case)
    assert held(case) == []
    assert held(converse(*before, said, "sim")) == [("Dra. Aurora Lemos", "2025-07-16", "15:30")]


@pytest.mark.parametrize(
    ("change", "asked"),
    [("dá pra passar pra outro dia? nesse dia eu trabalho", "na quinta tem?"), ("quero mudar minha consulta", "o que tem na quinta?")],
)
def test_what_is_asked_while_a_change_waits_is_of_the_change(converse: Converse, change: str, asked: str) -> None:
    case = converse(CIRO, change, asked)
    assert "no lugar da consulta de terça-feira, 22/07" in last(case)
    assert held(case) == [CIRO_AS_IT_IS]
    assert held(converse(CIRO, change, asked, "pode ser esse")) == [CIRO_MOVED]


def test_a_place_of_what_was_listed_for_a_change_is_asked_about_and_books_no_second(converse: Converse) -> None:
    said = (CIRO, "quero mudar", "tem outro médico na quinta?", "o 1")
    assert "Mudo?" in last(converse(*said))
    assert held(converse(*said)) == [CIRO_AS_IT_IS]
    assert held(converse(*said, "sim")) == [("Dra. Marta Queiroz", "2025-07-17", "08:00")]


def test_a_place_of_another_doctors_list_is_taken_for_the_change(converse: Converse) -> None:
    case = converse(CIRO, "quero mudar", "tem com a Paloma na quinta?", "o 1", "sim", "pode mudar")
    assert held(case) == [("Dra. Paloma Reis", "2025-07-18", "13:30")]


def test_another_specialty_asked_about_within_a_change_is_a_wish_of_its_own(converse: Converse) -> None:
    case = converse(CIRO, "quero mudar", "tem dermatologista na quinta?", "o 1")
    assert CIRO_AS_IT_IS in held(case)
    assert "no lugar" not in case.turnos[2].texto


@pytest.mark.parametrize(
    "said", ["desfaz essa mudança, prefiro o horário de antes", "não, quero o de antes", "prefiro o horário antigo", "melhor como estava"]
)
def test_going_back_on_a_change_that_waits_drops_it(converse: Converse, said: str) -> None:
    case = converse(*PALOMA, said)
    assert last(case).startswith("Tudo bem, não mudei nada.")
    assert "23/07, às 10:30" in last(case)
    assert held(converse(*PALOMA, said, "sim")) == [("Dra. Paloma Reis", "2025-07-23", "10:30")]
