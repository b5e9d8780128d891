"""Shares and their intervals."""

from __future__ import annotations

import pytest

from crivo.kernel.taxas import taxa


def test_a_share_has_the_wilson_interval() -> None:
    """Blueprint 5.6/5: 95 % intervals."""
    found = taxa(95, 100)
    assert found.valor == pytest.approx(0.95)
    assert found.de == pytest.approx(0.8882, abs=1e-4)
    assert found.ate == pytest.approx(0.9785, abs=1e-4)
    assert taxa(0, 0).valor is None
