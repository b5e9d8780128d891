"""A day that was asked for is never left in silence: where it has none as is asked now, that is said before other days are shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
ROMULO = "quero o Dr. Rômulo Teixeira dia 22"


@pytest.mark.parametrize("said", ["de manhã", "de manha", "só posso de manhã", "antes do meio dia", "prefiro pela manhã", "manhã"])
@pytest.mark.parametrize("before", [(ROMULO,), (ROMULO, "à tarde")])
def test_a_part_of_the_day_that_the_day_has_not_is_said_to_be_on_other_days(converse: Converse, before: tuple[str, ...], said: str) -> None:
    told = converse(*before, said).turnos[-1].texto
    assert "só em outros dias, fora de terça-feira, 22/07" in told
    assert "08:30, com o Dr. Rômulo" in told


def test_an_hour_that_the_day_has_not_is_said_not_to_be_found(converse: Converse) -> None:
    assert "exatamente assim não encontrei" in converse(ROMULO, "às 8:30").turnos[-1].texto


def test_a_part_of_the_day_that_the_day_has_is_of_that_day(converse: Converse) -> None:
    told = converse(ROMULO, "à tarde").turnos[-1].texto
    assert told.count("22/07") == 2
    assert "outros dias" not in told


@pytest.mark.parametrize(
    "said", ["tem o que?", "o que vocês têm?", "vcs tem o que", "o que tem aí?", "tem o que aí", "o que vocês oferecem?"]
)
def test_who_asks_what_there_is_is_told_the_clinics(converse: Converse, said: str) -> None:
    assert "Clínica A (Cardiologia)" in converse(said).turnos[-1].texto


def test_what_there_is_after_a_list_is_that_list(converse: Converse) -> None:
    told = converse("quero dermatologista dia 22", "tem o que?").turnos[-1].texto
    assert "4) 16:00, com o Dr. Rômulo" in told
