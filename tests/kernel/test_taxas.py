"""Shares and their intervals."""

from __future__ import annotations

import pytest

from crivo.kernel.taxas import proportion, taxa


def test_a_share_has_the_wilson_interval() -> None:
    """Blueprint 5.6/5: 95 % intervals."""
    found = taxa(95, 100)
    assert found.valor == pytest.approx(0.95)
    assert found.de == pytest.approx(0.8882, abs=1e-4)
    assert found.ate == pytest.approx(0.9785, abs=1e-4)
    assert taxa(0, 0).valor is None


def test_a_proportion_has_its_wilson_interval() -> None:
    assert proportion(0, 100)["intervalo"] == [0.0, 0.037]
    assert proportion(95, 100)["intervalo"] == [0.8882, 0.9785]


def test_a_proportion_carries_its_wilson_interval() -> None:
    assert proportion(95, 100) == {"acertos": 95, "total": 100, "valor": 0.95, "intervalo": [0.8882, 0.9785]}
    assert proportion(0, 0) == {"acertos": 0, "total": 0, "valor": None, "intervalo": None}
