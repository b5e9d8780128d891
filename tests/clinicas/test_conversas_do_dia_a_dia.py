"""Everyday conversations of many hands, end to end over six clinic processes. Source: design, "Nobody is harmed, and what was said holds"."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from evals.conversas import converse, is_measurable, sets

SETS = dict(sets())
CERTOS = 0.75
"""Also of the hand that was never mended upon: 49 of 64, and 44 at its first look."""


@pytest.mark.skipif(not is_measurable(), reason="os dados das conversas não estão ao lado do projeto")
@pytest.mark.parametrize("nome", SETS)
def test_nobody_is_harmed_and_most_conversations_go_right(nome: str) -> None:
    relatorio = converse(SETS[nome])
    assert relatorio.casos >= 40
    assert relatorio.inseguros == ()
    assert relatorio.certos >= CERTOS * relatorio.casos, relatorio.errados
