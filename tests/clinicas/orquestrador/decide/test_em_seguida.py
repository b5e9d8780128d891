"""What a message wishes for besides a cancelling is taken up again once that is done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
ANA = "529.982.247-25"
BOOK = "marca com o Dr. Cláudio Serpa dia 17 às 9h"


def mine(case: CasoObtido) -> list[str]:
    """The doctors of what Ana holds at the end."""
    return [one.doctor for held in case.estado.values() for one in held if one.cpf == ANA]


@pytest.mark.parametrize(
    "said", ["cancela a minha e marca com um dermatologista", "desmarca a minha consulta e quero marcar com uma dermatologista"]
)
def test_the_other_specialty_is_listed_again_after_the_yes_and_chosen_from(converse: Converse, said: str) -> None:
    case = converse(BOOK, said, "sim", "o primeiro")
    after = case.turnos[2].texto
    assert "Cancelei" in after
    assert "Dermatologia" in after
    (doctor,) = mine(case)
    assert doctor != "Dr. Cláudio Serpa"


@pytest.mark.parametrize("said", ["cancela a minha e marca com outro cardiologista", "cancela a minha e marca com outro médico"])
def test_another_doctor_is_of_the_same_specialty_and_not_the_one_who_is_cancelled(converse: Converse, said: str) -> None:
    case = converse(BOOK, said, "sim")
    before, after = (turn.texto for turn in case.turnos[1:])
    for listing in (before.partition("\nÉ a consulta")[0], after.partition("\n")[2]):
        assert "Cardiologia" in listing
        assert "Cláudio Serpa" not in listing
    assert mine(case) == []


def test_a_question_that_the_rest_needs_is_asked_again_after_the_yes(converse: Converse) -> None:
    case = converse(BOOK, "cancela a minha e marca outra", "sim")
    assert "especialidade" in case.turnos[-1].texto
    case = converse(BOOK, "cancela a minha e marca outra", "sim", "dermatologista")
    assert "Dermatologia" in case.turnos[-1].texto


def test_who_only_wants_to_see_has_seen_and_is_not_shown_again(converse: Converse) -> None:
    case = converse(BOOK, "cancela e me mostra dermatologistas", "sim")
    assert "Dermatologia" in case.turnos[1].texto
    assert "Encontrei" not in case.turnos[-1].texto


def test_a_cancelling_alone_lists_nothing_and_a_no_cancels_nothing(converse: Converse) -> None:
    assert "Encontrei" not in converse(BOOK, "cancela a minha", "sim").turnos[-1].texto
    assert mine(converse(BOOK, "cancela a minha e marca com um dermatologista", "não")) == ["Dr. Cláudio Serpa"]
