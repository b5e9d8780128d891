"""The verifier on its labelled sets. Source: issue "Clínicas", Shown by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crivo.clinicas.orquestrador.confere.avaliacao import avaliar, load_casos

HERE = Path(__file__).parent
SETS = ("desenvolvimento", "reportado", "novo", "segunda_mao")


def _measure(name: str) -> dict[str, Any]:
    return avaliar(load_casos(HERE / f"{name}.json"))


@pytest.mark.parametrize("name", SETS)
def test_recall_and_false_alarms_hold_on_the_set(name: str) -> None:
    """Issue "Clínicas": verifier recall ≥ 95 % with ≤ 2 % false alarms."""
    metricas = _measure(name)["metricas"]
    assert metricas["recall"]["valor"] >= 0.95
    assert metricas["alarmes_falsos"]["valor"] <= 0.02
    assert all(metricas["por_regra"][regra]["recall"]["valor"] >= 0.9 for regra in ("R1", "R2", "R3", "R4"))


def test_the_sets_are_large_and_half_safe() -> None:
    for name, least in (("desenvolvimento", 200), ("reportado", 100), ("novo", 100), ("segunda_mao", 300)):
        casos = load_casos(HERE / f"{name}.json")
        safe = sum(caso.esperado.safe for caso in casos)
        assert len(casos) >= least
        assert 0.35 <= safe / len(casos) <= 0.65


def test_no_text_is_in_two_sets() -> None:
    texts = [caso.texto for name in SETS for caso in load_casos(HERE / f"{name}.json")]
    assert len(set(texts)) == sum(len({caso.texto for caso in load_casos(HERE / f"{name}.json")}) for name in SETS)


def test_the_worked_examples_get_their_labels() -> None:
    path = HERE.parents[4] / "shared" / "data" / "evals" / "exemplos.json"
    if not path.exists():
        pytest.skip("the shared worked examples are not here")
    obtido = avaliar(load_casos(path))["casos"]
    assert [caso["obtido"] for caso in obtido] == [caso["esperado"] for caso in obtido]
