"""`crivo agentes`: the six contracts as data."""

from __future__ import annotations

import hashlib
import importlib
import json
from typing import TYPE_CHECKING

import pytest

from crivo.autorizacoes.agentes import AGENTES

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

jsonschema = importlib.import_module("jsonschema")  # it has no types


def test_the_six_contracts_are_printed_as_data(terminal: Terminal) -> None:
    """PRD section 4: six agents."""
    contracts = json.loads(terminal.run("agentes", "--json").stdout)
    assert [contract["etapa"] for contract in contracts] == ["normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"]
    for contract in contracts:
        jsonschema.Draft202012Validator.check_schema(contract["entrada"])
        jsonschema.Draft202012Validator.check_schema(contract["saida"])
        assert contract["entrada"]["required"] == contract["ve"]
        assert contract["modelo"] == {"nome": "GPT-5", "temperatura": 0.6}
        assert "prompt_texto" not in contract


def test_what_an_agent_answers_meets_its_printed_schema(terminal: Terminal) -> None:
    contract = json.loads(terminal.run("agentes", "parametros", "--json").stdout)
    wrong = jsonschema.Draft202012Validator(contract["saida"]).iter_errors({"consulta_pronta": "sim"})
    assert {error.validator for error in wrong} == {"required", "type"}


@pytest.mark.parametrize("stage", [agente.stage for agente in AGENTES])
def test_one_agent_is_shown_whole_with_its_prompt(terminal: Terminal, stage: str) -> None:
    shown = terminal.run("agentes", stage).stdout
    contract = json.loads(terminal.run("agentes", f"autorizacoes.{stage}", "--json").stdout)
    assert hashlib.sha256(contract["prompt_texto"].encode()).hexdigest() == contract["prompt"]["digest"]
    assert contract["prompt_texto"] in shown
    assert contract["prompt"]["digest"] in shown
    assert contract["tarefa"] in shown
    assert f"{contract['limites']['entrada_caracteres']} caracteres" in shown


def test_an_agent_that_does_not_exist_is_told_with_those_that_do(terminal: Terminal) -> None:
    result = terminal.run("agentes", "sintesse")
    assert result.exit_code == 1
    assert "normalizacao, parametros, consulta, avaliacao, ajustes, sintese" in result.stderr
