"""Another day, an earlier or a later time than what was shown: never what was just shown again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
ANA = "529.982.247-25"

_DAY, _HOUR = re.compile(r"^\S+, (\d\d/\d\d)$"), re.compile(r"^\d+\) (\d\d:\d\d)")


def shown(texto: str) -> list[tuple[str, str]]:
    """The days and hours of a listing, in the order shown."""
    found, day = [], ""
    for line in texto.splitlines():
        if (of_day := _DAY.match(line)) is not None:
            day = of_day[1]
        if (of_hour := _HOUR.match(line)) is not None:
            found.append((day, of_hour[1]))
    return found


def two(case: CasoObtido) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The last listing but one, and the last."""
    assert not [one for held in case.estado.values() for one in held if one.cpf == ANA], "nothing is booked on it"
    before, after = (shown(turn.texto) for turn in case.turnos[-2:])
    assert before
    return before, after


@pytest.mark.parametrize("said", ["tem outro dia?", "outro dia", "e em outra data?", "queria outro dia", "another day", "hay otro día?"])
def test_another_day_leaves_out_the_day_that_was_shown(converse: Converse, said: str) -> None:
    before, after = two(converse("cardiologista dia 18", said))
    assert after
    assert not {day for day, _ in before} & {day for day, _ in after}


def test_another_day_keeps_the_hours_that_were_asked_for(converse: Converse) -> None:
    _, after = two(converse("cardiologista dia 18 de tarde", "tem outro dia?"))
    assert after
    assert all(hour >= "12:00" for _, hour in after)


@pytest.mark.parametrize(
    "said", ["mais cedo", "tem mais cedo?", "algo mais cedo?", "um pouco mais cedo", "anything earlier?", "más temprano"]
)
def test_an_earlier_time_is_before_what_was_shown_on_the_same_day_first(converse: Converse, said: str) -> None:
    before, after = two(converse("cardiologista dia 18 de tarde", said))
    assert after
    assert {day for day, _ in after} == {"18/07"}
    assert max(after) < min(before)


@pytest.mark.parametrize("said", ["pode ser a da outra sexta", "quero na outra sexta", "não pode ser a outra sexta?"])
def test_another_friday_than_the_one_proposed_is_never_that_one(converse: Converse, said: str) -> None:
    case = converse("tem horário de ortopedista sexta com a dra Paloma?", said)
    assert not [one for held in case.estado.values() for one in held if one.cpf == ANA]
    assert "18/07" not in case.turnos[-1].texto


def test_an_earlier_time_than_a_days_first_is_on_the_days_before(converse: Converse) -> None:
    before, after = two(converse("cardiologista dia 18", "mais cedo"))
    assert after
    assert max(after) < min(before)


@pytest.mark.parametrize("said", ["mais tarde", "tem mais tarde?", "algo mais tarde"])
def test_a_later_time_is_after_what_was_shown_on_the_same_day_first(converse: Converse, said: str) -> None:
    before, after = two(converse("cardiologista dia 18 de manhã", said))
    assert after
    assert {day for day, _ in after} == {"18/07"}
    assert min(after) > max(before)


def test_where_there_is_none_it_is_said_and_what_was_shown_stands(converse: Converse) -> None:
    case = converse("cardiologista o mais cedo possível", "cardiologista", "mais cedo")
    assert "antes dos que mostrei" in case.turnos[-1].texto


@pytest.mark.parametrize("said", ["o mais cedo", "pode ser o mais cedo"])
def test_the_earliest_is_still_a_choice(converse: Converse, said: str) -> None:
    case = converse("cardiologista dia 18 de tarde", said)
    assert "está marcada" in case.turnos[-1].texto
