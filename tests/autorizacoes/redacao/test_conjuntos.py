"""The labelled texts: how many are held back, and how many wrongly."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from evals.redacao_pesos import CONJUNTOS, DE_FORA

from crivo.autorizacoes.redacao import Falha
from crivo.autorizacoes.redacao.conjunto import Caso, avaliar, read_casos

ROTULADOS = Path(__file__).parent
# The lots whose sentences the weights were learned from too; of the other one nothing was learned.
# Texts of each set that have two faults at once; either may be named first.
OUTRA_TAMBEM = {"desenvolvimento": 1, "reportado": 1, "segundo": 1, "terceiro": 3, "quarto": 1, "quinto": 1}


def casos(nome: str) -> tuple[Caso, ...]:
    return read_casos((ROTULADOS / f"{nome}.json").read_bytes())


@cache
def avaliado(nome: str) -> dict[str, Any]:
    return avaliar(casos(nome))


@pytest.mark.parametrize("nome", CONJUNTOS)
def test_nearly_all_faulty_texts_are_held_back_and_nearly_no_other(nome: str) -> None:
    """Recall ≥ 95 % at ≤ 3 % false alarms."""
    metricas = avaliado(nome)["metricas"]
    assert metricas["recall"]["valor"] >= 0.95
    assert metricas["alarmes_falsos"]["valor"] <= 0.03


@pytest.mark.parametrize("nome", CONJUNTOS)
def test_the_kind_of_fault_that_is_labelled_is_among_those_found(nome: str) -> None:
    lines = avaliado(nome)["casos"]
    missed = [line["id"] for line in lines if line["esperado"]["falha"] and line["esperado"]["falha"] not in line["obtido"]["falhas"]]
    another_first = [line["id"] for line in lines if line["obtido"]["falha"] != line["esperado"]["falha"]]
    assert missed == []
    assert len(another_first) <= OUTRA_TAMBEM[nome]


def test_the_lot_that_nothing_was_learned_from_fares_no_worse_than_when_it_was_first_left_out() -> None:
    """By the weights of 0021, learned without it: 133 of 145 held back, 6 of 115 wrongly."""
    metricas = avaliado(DE_FORA)["metricas"]
    assert metricas["recall"]["acertos"] >= 133
    assert metricas["alarmes_falsos"]["acertos"] <= 6


def test_what_is_held_back_of_the_lot_left_out_has_the_fault_that_is_labelled() -> None:
    held = [line for line in avaliado(DE_FORA)["casos"] if not line["esperado"]["ok"] and not line["obtido"]["ok"]]
    assert [line["id"] for line in held if line["esperado"]["falha"] not in line["obtido"]["falhas"]] == []


def test_the_sets_reach_every_kind_every_field_and_every_outcome() -> None:
    both = [caso for nome in (*CONJUNTOS, DE_FORA) for caso in casos(nome)]
    kinds = Counter(caso.esperado.falha for caso in both)
    assert len(both) >= 150
    assert len({caso.id for caso in both}) == len(both)
    assert kinds[None] >= 80
    assert all(kinds[falha] >= 10 for falha in get_args(Falha))
    assert {caso.campo for caso in both} == {"para_beneficiario", "para_solicitante", "justificativa", "resumo_efeito"}
    assert {caso.decisao.decisao_final for caso in both} == {"APROVADO", "APROVADO_PARCIAL", "PENDENTE_AJUSTES", "NEGADO"}
