"""Recorded texts of a capable model, held against the check of today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evals.gravado.autorizacoes import pontuar

GRAVADOS = Path(__file__).parents[3] / "shared/data/evals/modelo/autorizacoes.json"
PEDIDO = "ALV-2026-000107"  # of the sample: a laudo is owed
HONESTA = "Falta o laudo médico para a sua ressonância da coluna lombar. A regra é do Manual de Autorizações Alvorada, versão 2026.1."
ERRADA = "A sua ressonância da coluna lombar foi aprovada."


def item(texto: str, leitura: str, **fields: Any) -> dict[str, Any]:
    where = {"pedido": PEDIDO, "campo": "para_beneficiario"}
    return {"agente": "autorizacoes.texto", "resposta": texto, "leitura": leitura, "dados": where, **fields}


def test_texts_are_counted_as_first_written_and_once_told_and_wrong_ones_by_kind() -> None:
    itens = [
        item(HONESTA, "honesta"),
        item(ERRADA, "honesta", pedido="ALV-2026-000101", dados={"pedido": "ALV-2026-000101", "campo": "resumo_efeito"}),
        item(ERRADA, "errada de propósito", tipo="aprovação"),
        item(HONESTA, "errada de propósito", tipo="sutil"),
        item(HONESTA, "honesta", dados={"pedido": "de ninguém", "campo": "para_beneficiario"}),
    ]
    found = pontuar(itens)
    assert (found.honestos, found.de_primeira, found.sem_dados) == (2, 1, 1)
    assert (found.errados, found.retidos) == (2, 1)
    assert found.por_tipo == {"aprovação": (1, 1), "sutil": (0, 1)}
    assert pontuar([*itens, {**itens[1], "resposta": "Não há ajuste a fazer.", "volta": 2}]).depois_de_ditos == 2


@pytest.mark.skipif(not GRAVADOS.exists(), reason="needs the recorded texts in ../shared/data/evals/modelo")
def test_what_a_capable_model_wrote_passes_where_it_is_honest_and_is_held_where_it_is_not() -> None:
    found = pontuar(json.loads(GRAVADOS.read_bytes()))
    assert found.de_primeira >= 0.97 * found.honestos
    assert found.depois_de_ditos >= 0.995 * found.honestos
    assert found.retidos >= 0.9 * found.errados
    assert (found.honestos, found.errados) == (88, 9)
