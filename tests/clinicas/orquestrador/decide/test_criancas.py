"""Whoever speaks for themselves is not offered doctors who see children alone, unless they ask or there is nobody else, and then it is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]


@pytest.mark.parametrize(
    "said", ["quero cardiologista", "quero cardiologista amanhã", "tem dermato na segunda?", "quero dermato para minha mãe"]
)
def test_an_adult_is_not_offered_a_doctor_who_sees_children_alone(converse: Converse, said: str) -> None:
    assert "Pediátrica" not in converse(said).turnos[0].texto


def test_how_many_see_children_is_said_and_more_shows_them(converse: Converse) -> None:
    case = converse("quero cardiologista", *["mais"] * 5)
    assert "11 de quem atende crianças" in case.turnos[0].texto
    assert "Cardiologia Pediátrica" in case.turnos[-1].texto


@pytest.mark.parametrize(
    ("said", "told"), [("quero cardiologista amanhã às 13:30", "Mirtes Falcão"), ("tem dermato segunda às 8h?", "Dorneles")]
)
def test_where_there_is_nobody_else_it_is_said(converse: Converse, said: str, told: str) -> None:
    texto = converse(said).turnos[0].texto
    assert told in texto
    assert "Assim só há com quem atende crianças" in texto


@pytest.mark.parametrize("said", ["quero cardiologista para minha filha", "quero um cardio pediátrico", "quero a Dra. Mirtes"])
def test_for_a_child_or_by_name_they_are_offered(converse: Converse, said: str) -> None:
    texto = converse(said).turnos[0].texto
    assert "Cardiologia Pediátrica" in texto
    assert "só há com quem atende crianças" not in texto


def test_what_is_asked_next_for_the_same_child_is_for_a_child_as_well(converse: Converse) -> None:
    assert "Dermatologia Pediátrica" in converse("quero cardio pro meu filho", "e dermato?").turnos[-1].texto


def test_a_child_named_in_the_message_itself_is_for_a_child(converse: Converse) -> None:
    assert "Dermatologia Pediátrica" in converse("my son needs a skin doctor").turnos[0].texto


def test_the_nearest_of_what_is_not_there_is_for_adults_too(converse: Converse) -> None:
    assert "Pediátrica" not in converse("tem vaga pra hoje?", "cardio").turnos[-1].texto
