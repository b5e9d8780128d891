"""What only narrows a list, or is in doubt, books nothing: what is left is proposed, and a yes takes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
WOMEN = "quero cardiologista mulher depois das 17h"
SHOULDER = "quero ortopedista de ombro"
KNEE = "quero ortopedista do joelho com a dra Célia"


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """The day and the hour of everything held at the end."""
    return {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"}


@pytest.mark.parametrize(
    ("asked", "said", "left"),
    [
        (WOMEN, "semana que vem", ("2025-07-24", "17:30")),
        (WOMEN, "só na semana que vem", ("2025-07-24", "17:30")),
        (WOMEN, "depois do dia 28", ("2025-07-31", "17:30")),
        (WOMEN, "talvez a de quinta que vem", ("2025-07-24", "17:30")),
        (SHOULDER, "acho que segunda", ("2025-07-21", "08:30")),
        (SHOULDER, "acho que o 2", ("2025-07-21", "08:30")),
        (SHOULDER, "quem sabe às 8h30 do dia 28", ("2025-07-28", "08:30")),
        ("quero ortopedista de joelho até dia 19", "tem que ser na clínica E", ("2025-07-19", "09:30")),
    ],
)
def test_what_narrows_to_one_slot_is_proposed_and_a_yes_takes_it(converse: Converse, asked: str, said: str, left: tuple[str, str]) -> None:
    proposed = converse(asked, said)
    assert "Posso marcar?" in proposed.turnos[-1].texto
    assert held(proposed) == set()
    assert held(converse(asked, said, "sim")) == {left}
    assert held(converse(asked, said, "não")) == set()


@pytest.mark.parametrize(
    ("asked", "said", "taken"),
    [
        (WOMEN, "a da semana que vem", ("2025-07-24", "17:30")),
        (WOMEN, "fico com a da semana que vem", ("2025-07-24", "17:30")),
        (WOMEN, "marca na semana que vem", ("2025-07-24", "17:30")),
        (WOMEN, "dia 31", ("2025-07-31", "17:30")),
        (SHOULDER, "dia 25 às 11h", ("2025-07-25", "11:00")),
        (SHOULDER, "a de segunda", ("2025-07-21", "08:30")),
        (SHOULDER, "o 4", ("2025-07-25", "15:30")),
    ],
)
def test_what_picks_one_is_booked(converse: Converse, asked: str, said: str, taken: tuple[str, str]) -> None:
    assert held(converse(asked, said)) == {taken}


def test_a_place_told_after_a_proposal_is_of_what_was_proposed(converse: Converse) -> None:
    made = converse("tem cardiologista mulher perto da Paulista?", "só a partir das 17h", "semana que vem", "o primeiro")
    assert held(made) == {("2025-07-24", "17:30")}


def test_a_yes_that_says_the_hour_again_takes_what_was_proposed(converse: Converse) -> None:
    assert held(converse(SHOULDER, "acho que segunda", "isso, oito e meia")) == {("2025-07-21", "08:30")}


@pytest.mark.parametrize("said", ["não sei se sexta ou segunda", "sei lá, segunda ou sexta", "talvez segunda, talvez sexta"])
def test_of_two_days_in_doubt_both_are_shown(converse: Converse, said: str) -> None:
    shown = converse(SHOULDER, said).turnos[-1].texto
    assert "segunda-feira, 21/07" in shown
    assert "sexta-feira, 25/07" in shown
    assert "quinta-feira" not in shown


@pytest.mark.parametrize(
    "said", ["qualquer dia serve vai, o mais cedo", "tanto faz o dia, quero o mais cedo", "pode ser qualquer dia, o quanto antes"]
)
def test_a_day_set_free_lets_in_the_days_that_were_refused(converse: Converse, said: str) -> None:
    proposed = converse(KNEE, "só de manhã", "não posso sábado", said)
    assert "19/07" in proposed.turnos[-1].texto
    assert held(proposed) == set()
    assert held(converse(KNEE, "só de manhã", "não posso sábado", said, "sim")) == {("2025-07-19", "09:30")}


@pytest.mark.parametrize("said", ["a dra jussara então", "pode ser com a Jussara", "quero a da Jussara"])
def test_the_hour_asked_for_holds_after_a_refused_day_is_let_in(converse: Converse, said: str) -> None:
    before = ("quero dermatologista, mas não pode ser segunda", "e só depois das 17h", "tem que ser mulher")
    assert held(converse(*before, "hmm, pode ser segunda sim", said)) == {("2025-07-21", "17:30")}
    assert "08:00" not in converse(*before, said).turnos[-1].texto
