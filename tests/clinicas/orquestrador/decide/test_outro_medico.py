"""Another doctor is somebody else than the one shown or held, and no slot is booked by such words. Source: decision 0023."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
HELIO = "quero o Dr. Hélio Brandão dia 19"
AT_EIGHT = ("Dr. Hélio Brandão", "2025-07-19", "08:00")
WOMEN = ("Dra. Kátia", "Dra. Dulce", "Dra. Tereza")


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


@pytest.mark.parametrize(
    "said",
    [
        "com a outra medica entao",
        "com outra médica",
        "quero com a outra médica então",
        "tem outra doutora?",
        "com outra dra",
        "queria ver com outra cardiologista",
        "não quero ele, quero outra médica",
        "marca com outra médica",
        "prefiro uma outra doutora",
        "con otra doctora",
    ],
)
@pytest.mark.parametrize("before", [(HELIO,), (HELIO, "a das 8"), ("quero cardiologista dia 19 de manhã", "a das 8")])
def test_another_woman_is_a_woman_and_not_the_one_shown_or_held(converse: Converse, before: tuple[str, ...], said: str) -> None:
    case = converse(*before, said)
    told = case.turnos[-1].texto.split("O que você escolher")[0].split("Enquanto isso")[0]
    assert held(case) == ([AT_EIGHT] if len(before) > 1 else [])
    assert "Dr. " not in told
    assert any(name in told for name in WOMEN)
    assert case.turnos[-1].verdict.safe


def test_a_change_to_another_woman_lists_women_alone_and_says_what_they_would_take_the_place_of(converse: Converse) -> None:
    case = converse(HELIO, "a das 8", "muda pra outra médica")
    assert held(case) == [AT_EIGHT]
    assert case.turnos[-1].texto.count("Dr. ") == 1
    assert "fica no lugar da consulta de sábado, 19/07, às 08:00, com o Dr. Hélio" in case.turnos[-1].texto


@pytest.mark.parametrize("said", ["com outro médico", "não tem outro doutor?", "prefiro outro cardiologista", "quero outro profissional"])
def test_another_doctor_is_not_the_one_shown(converse: Converse, said: str) -> None:
    case = converse(HELIO, said)
    assert held(case) == []
    assert "Hélio" not in case.turnos[-1].texto


@pytest.mark.parametrize("said", ["quero outra medica", "quero com outro médico", "pode ser com outra médica", "quero a outra clínica"])
def test_who_wants_another_does_not_agree_to_what_was_proposed(converse: Converse, said: str) -> None:
    case = converse("quero cardiologista dia 19 de manhã", "a das 8", "às 9", said)
    assert held(case) == [AT_EIGHT]


@pytest.mark.parametrize("said", ["quero", "quero sim", "pode ser"])
def test_a_bare_yes_still_takes_what_was_proposed(converse: Converse, said: str) -> None:
    assert len(held(converse("quero cardiologista dia 19 de manhã", "a das 8", "às 9", said))) == 2


def test_another_doctor_with_an_hour_that_was_shown_is_told_enough(converse: Converse) -> None:
    case = converse("quero cardiologista dia 22", "com a outra médica, a das 9:30")
    assert held(case) == [("Dra. Kátia Bueno", "2025-07-22", "09:30")]


def test_the_other_hour_of_the_same_doctor_is_still_the_other_one(converse: Converse) -> None:
    case = converse(HELIO, "o primeiro", "a outra")
    assert "09:00, com o Dr. Hélio" in case.turnos[-1].texto


@pytest.mark.parametrize(
    "said", ["com a outra medica entao", "quero o das 9", "marca o das 9 também", "e o das 9", "às 9 mesmo", "a outra"]
)
def test_an_answer_never_says_that_it_did_not_book_what_it_books(converse: Converse, said: str) -> None:
    for turn in converse("quero cardiologista dia 19 de manhã", "a das 8", "às 9", said).turnos:
        assert not ("Pronto" in turn.texto and "não marquei" in turn.texto)
