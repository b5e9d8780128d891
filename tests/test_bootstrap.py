"""The composition root refuses what it cannot put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from crivo.bootstrap import ModoIndisponivel, open_container
from crivo.kernel.settings import Settings


@pytest.mark.parametrize("modo", ["assistido", "sombra"])
async def test_a_mode_that_needs_a_model_is_refused_before_anything_is_opened(modo: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, modelo="openai:gpt-5", modo_autorizacoes=modo)
    with pytest.raises(ModoIndisponivel, match=f"CRIVO_MODO_AUTORIZACOES={modo}"):
        async with open_container(settings):
            pytest.fail("the container was opened")
