"""The composition root: what the settings turn on, and what they leave to the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from casos import pedido
from chaves_de_teste import CHAVE_MESTRA
from crivo.bootstrap import assemble, open_container
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from modelo_falso import ModeloFalso


@pytest.mark.parametrize(("nome", "asked"), [("", False), ("simulado", False), ("openai:gpt-5", True)])
async def test_a_real_model_writes_for_a_pedido_and_a_simulated_one_is_not_asked(
    database: Database, scope: Scope, tmp_path: Path, nome: str, asked: bool
) -> None:
    modelo = ModeloFalso(lambda _: "fora_do_ar", simulado=nome == "simulado")
    settings = Settings(_env_file=None, data_dir=tmp_path, modelo=nome)
    container = assemble(settings, SystemClock(), database, modelo if nome else None)
    decided = await container.autorizacoes.decidir(scope, json.dumps(pedido()).encode())
    assert decided.autorizacao.decisao_final == "PENDENTE_AJUSTES"
    assert bool(modelo.perguntas) == asked


async def test_without_a_model_a_container_opens_and_has_none(tmp_path: Path, urls: tuple[str, str]) -> None:
    async with open_container(
        Settings(_env_file=None, data_dir=tmp_path, database_url=urls[0], chave_mestra=SecretStr(CHAVE_MESTRA))
    ) as container:
        assert container.modelo is None


async def test_the_simulated_model_says_of_itself_that_it_is(tmp_path: Path, urls: tuple[str, str]) -> None:
    async with open_container(
        Settings(_env_file=None, data_dir=tmp_path, database_url=urls[0], chave_mestra=SecretStr(CHAVE_MESTRA), modelo="simulado")
    ) as container:
        assert container.modelo is not None
        assert (container.modelo.nome, container.modelo.simulado) == ("simulado", True)
