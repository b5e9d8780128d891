"""A change to a day on which the doctor has nothing is no dead end: who else has a slot then, or what is nearest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
CLAUDIO, DULCE = "Dr. Cláudio Serpa", "Dra. Dulce Amorim"


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


@pytest.mark.parametrize("said", ["muda pra sexta", "troca pra sexta-feira", "queria mudar para sexta"])
def test_a_change_to_a_day_without_the_doctor_offers_who_has_it(converse: Converse, said: str) -> None:
    case = converse("quero cardiologista", "o 1", said)
    asked = case.turnos[-1].texto
    assert f"{CLAUDIO} não tem horário livre assim" in asked
    assert f"1) sexta-feira, 18/07, às 08:00, com a {DULCE}" in asked
    assert "a consulta de quinta-feira, 17/07, às 09:00" in asked
    assert held(case) == [(CLAUDIO, "2025-07-17", "09:00")]


@pytest.mark.parametrize("first", ["quero cardiologista", "quero cardiologista amanhã"])
def test_what_is_chosen_of_them_is_a_change_and_no_second_booking(converse: Converse, first: str) -> None:
    case = converse(first, "o 1", "muda pra sexta", "o 1", "sim")
    assert held(case) == [(DULCE, "2025-07-18", "08:00")]


def test_where_nobody_has_the_day_the_doctors_nearest_are_told(converse: Converse) -> None:
    asked = converse("quero cardiologista", "o 1", "muda pra domingo").turnos[-1].texto
    assert f"Os mais perto com {CLAUDIO} são:\n1) segunda-feira, 21/07, às 10:00" in asked
    assert "continua marcada" in asked


def test_a_knee_is_not_moved_to_a_doctor_of_spines(converse: Converse) -> None:
    asked = converse("quero ortopedista de joelho", "o 1", "muda pra sexta").turnos[-1].texto
    assert "Abel Fortuna" not in asked
    assert "sexta-feira, 25/07, às 14:30, com a Dra. Célia Mourato" in asked


def test_the_slots_to_change_to_are_numbered_as_they_are_chosen(converse: Converse) -> None:
    case = converse("quero cardiologista", "o 1", "pode ser sexta?", "o 3", "sim")
    assert held(case) == [(DULCE, "2025-07-18", "16:00")]


def test_a_yes_to_what_was_not_asked_for_changes_and_books_no_second(converse: Converse) -> None:
    """Where a choice breaks what was asked, the yes to it is still of the change."""
    case = converse("quero cardiologista de manhã", "o 1", "remarca para sexta às 16h", "sim", "sim")
    assert len(held(case)) == 1
