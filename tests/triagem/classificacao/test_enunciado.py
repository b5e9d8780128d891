"""The product beside the independent statement of the seven rules. `python -m evals --so lugares` does the same over 20,000 calls."""

from __future__ import annotations

import random

import pytest

from oraculo_lugares.comparacao import Placar, differences
from oraculo_lugares.sorteadas import REMANEJAMENTOS, draw, smallest

SORTEADAS = 1_000


def test_drawn_calls_come_out_as_the_statement_says() -> None:
    sorte = random.Random(56)  # noqa: S311 - not for secrets
    placar = Placar().compare(draw(sorte) for _ in range(SORTEADAS))
    assert placar.exemplos[:1] == []
    assert {"selecionado", "suplente", "nao_classificado", "desclassificado", "inabilitado", "pendente"} == placar.contagens.keys()
    assert min(placar.contagens.values()) >= SORTEADAS // 20


def test_every_smallest_call_of_two_cotas_comes_out_as_the_statement_says() -> None:
    placar = Placar().compare(smallest(((1, 1, 1),)))
    assert placar.casos == 2 * (1 + 12 + 78 + 364 + 1365)
    assert placar.exemplos[:1] == []


@pytest.mark.parametrize("remanejamento", REMANEJAMENTOS)
def test_each_way_of_passing_places_on_is_drawn_and_agrees(remanejamento: tuple[str, ...]) -> None:
    sorte = random.Random(len(remanejamento))  # noqa: S311 - not for secrets
    for _ in range(60):
        chamada = draw(sorte)
        chamada["edital"]["classificacao"]["remanejamento"] = list(remanejamento)
        assert differences(chamada) == []
