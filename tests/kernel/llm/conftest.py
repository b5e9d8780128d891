"""A provider at a port of this machine, and settings that point to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from crivo.kernel.settings import Settings, load_settings
from perguntas import campos
from provedor import Provedor, provedor_no_ar

Configure = Callable[..., Settings]


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    """Answers well until it is told otherwise."""
    with provedor_no_ar(Provedor(campos=lambda pedido: campos())) as running:
        yield running


@pytest.fixture
def configure(provedor: Provedor, monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Settings of an installation whose providers are all that one."""

    def make(modelo: str, **chosen: Any) -> Settings:
        monkeypatch.setenv("OPENAI_BASE_URL", provedor.url)
        monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", provedor.endereco)
        for key in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
            monkeypatch.setenv(key, "chave-de-teste")
        return load_settings(None, **{"modelo": modelo, "modelo_url": provedor.url, "modelo_segundos": 5, **chosen})

    return make
