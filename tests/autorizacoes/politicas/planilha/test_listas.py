"""Cells that hold several things. Source: design, RF3."""

from __future__ import annotations

import pytest

from crivo.autorizacoes.politicas.planilha.celulas import NaoDita
from crivo.autorizacoes.politicas.planilha.listas import documentos, limite


def test_days_to_wait_are_no_document_to_attach() -> None:
    assert documentos("Termo de consentimento; 60 dias de reflexão", "Docs") == NaoDita(
        "60 dias de reflexão", (["TERMO_CONSENTIMENTO"], [])
    )


@pytest.mark.parametrize("escrito", ["ilimitado", "s/ limite", "S/LIMITE", "sem limite"])
def test_no_limit_is_no_limit_in_all_its_words(escrito: str) -> None:
    assert limite(escrito) is None
