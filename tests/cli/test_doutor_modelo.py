"""`crivo doutor` on the model: what is configured, whether its key is there, whether it answers, and whether its price is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from provedor import Provedor, provedor_no_ar

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def _exames(terminal: Terminal, **environment: str) -> dict[str, tuple[str, str]]:
    terminal.environment.update({"OPENAI_API_KEY": "", "AZURE_OPENAI_API_KEY": ""} | environment)
    told = json.loads(terminal.run("doutor", "--json").stdout)
    return {exame["nome"]: (exame["estado"], exame["detalhe"]) for exame in told["exames"]}


@pytest.mark.parametrize(("modelo", "chave"), [("openai:gpt-5", "OPENAI_API_KEY"), ("azure:triagem", "AZURE_OPENAI_API_KEY")])
def test_doutor_names_the_key_that_is_lacking(terminal: Terminal, modelo: str, chave: str) -> None:
    """Interfaces: `crivo doutor`: what is configured, what is reachable."""
    estado, detalhe = _exames(terminal, CRIVO_MODELO=modelo, AZURE_OPENAI_ENDPOINT="http://127.0.0.1:9")["Modelo de linguagem"]
    assert (estado, detalhe) == ("mal", f"{modelo}: falta a chave; preencha {chave}")


def test_doutor_tells_a_model_that_is_away_and_the_one_that_would_answer(terminal: Terminal) -> None:
    with provedor_no_ar() as provedor:
        exames = _exames(
            terminal,
            CRIVO_MODELO="openai:gpt-5",
            CRIVO_MODELO_RESERVA="openai-compatible",
            CRIVO_MODELO_URL=provedor.url,
            CRIVO_LIMITE_CUSTO="10",
            OPENAI_API_KEY="chave-de-teste",
            OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        )
    assert exames["Modelo de linguagem"][0] == "mal"
    assert "o serviço não respondeu" in exames["Modelo de linguagem"][1]
    assert exames["Modelo de reserva"][0] == "bem"
    assert "responde" in exames["Modelo de reserva"][1]
    assert "preço desconhecido: CRIVO_LIMITE_CUSTO não conta o que ele gasta" in exames["Modelo de reserva"][1]
    assert not any("chave-de-teste" in detalhe for _, detalhe in exames.values())


@pytest.mark.parametrize(("modelo", "familia", "told"), [("gpt-5", "", False), ("triagem", "", True), ("triagem", "o3", False)])
def test_doutor_says_where_an_effort_has_no_effect(terminal: Terminal, modelo: str, familia: str, *, told: bool) -> None:
    with provedor_no_ar(Provedor(modelos=(modelo,))) as provedor:
        estado, detalhe = _exames(
            terminal,
            CRIVO_MODELO=f"openai-compatible:{modelo}",
            CRIVO_MODELO_URL=provedor.url,
            CRIVO_MODELO_FAMILIA=familia,
            CRIVO_MODELO_ESFORCO="alto",
        )["Modelo de linguagem"]
    assert estado == "bem"
    assert ("CRIVO_MODELO_ESFORCO=alto não tem efeito nele" in detalhe) is told


def test_doutor_says_that_code_plays_the_model(terminal: Terminal) -> None:
    assert _exames(terminal, CRIVO_MODELO="simulado")["Modelo de linguagem"] == (
        "bem",
        "simulado: código no lugar do modelo, só para demonstrações",
    )
