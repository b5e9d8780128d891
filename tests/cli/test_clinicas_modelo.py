"""Which planner a command's conversations have, and that code alone needs no model and no database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crivo.cli.clinicas_modelo import ModeloAusente, chosen, with_modelo
from crivo.clinicas.service import Clinicas
from crivo.kernel.settings import Settings


def settings(modelo: str = "") -> Settings:
    return Settings(_env_file=None, modelo=modelo)


def test_the_planner_is_the_one_asked_for_else_the_installations() -> None:
    """Issue: switched at run time."""
    with_one = settings("openai:gpt-5")
    assert chosen(with_one, None) == "modelo"
    assert chosen(with_one, "embutido") == "embutido"
    assert chosen(with_one, "modelo_raciocinio") == "modelo_raciocinio"
    assert chosen(settings(), None) == "embutido"
    assert chosen(settings("simulado"), None) == "embutido"


def test_a_model_that_is_not_configured_is_told_with_what_to_do() -> None:
    with pytest.raises(ModeloAusente, match="CRIVO_MODELO"):
        chosen(settings(), "modelo")


def test_code_alone_opens_no_database(tmp_path: Path) -> None:
    async def opened() -> Clinicas:
        async with with_modelo(Clinicas(tmp_path), Settings(_env_file=None, data_dir=tmp_path), "embutido") as clinicas:
            return clinicas

    clinicas = asyncio.run(opened())
    assert (clinicas.modelo, clinicas.planejador) == (None, "embutido")
    assert list(tmp_path.iterdir()) == []
