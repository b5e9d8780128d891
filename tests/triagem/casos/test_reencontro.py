"""A case of a new screening is the stored one with its cause, or else with most of the causes of its signs."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.casos.reencontro import Marca, match_casos

A, B, C = UUID(int=1), UUID(int=2), UUID(int=3)


def marca(chave: str, *pistas: str, familia: str = "projetos") -> Marca:
    return Marca(familia, chave.encode(), frozenset(one.encode() for one in (chave, *pistas)))  # type: ignore[arg-type]


def test_the_same_cause_is_the_same_case_whatever_else_it_shares() -> None:
    assert match_casos([(A, marca("x", "y")), (B, marca("y"))], [marca("y", "x")]) == {0: B}


def test_a_group_that_a_project_came_to_is_the_case_that_it_was() -> None:
    assert match_casos([(A, marca("P1P2"))], [marca("P1P2P3", "P1P2")]) == {0: A}


def test_a_group_that_a_project_left_is_the_case_that_it_was() -> None:
    assert match_casos([(A, marca("P1P2P3", "P1P2"))], [marca("P1P2")]) == {0: A}


def test_of_those_that_share_causes_the_one_with_most_is_it_and_of_equals_the_first() -> None:
    assert match_casos([(A, marca("a", "x")), (B, marca("b", "x", "y")), (C, marca("c", "x", "y"))], [marca("n", "x", "y")]) == {0: B}


def test_a_case_of_another_family_is_never_it() -> None:
    assert match_casos([(A, marca("x", familia="texto"))], [marca("x")]) == {}


MARCAS = st.builds(lambda chave, pistas: marca(chave, *pistas), st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=3))


@given(st.lists(MARCAS, max_size=6), st.lists(MARCAS, max_size=6, unique_by=lambda one: one.chave))
def test_no_stored_case_is_two_of_those_found(known: list[Marca], found: list[Marca]) -> None:
    stored = [(UUID(int=at), one) for at, one in enumerate(known, 1)]
    same = match_casos(stored, found)
    assert len(set(same.values())) == len(same)
    for at, which in same.items():
        assert found[at].pistas & dict(stored)[which].pistas
