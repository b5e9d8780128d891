"""`crivo autorizacoes mapeamento`: from a stranger's file to a decided pedido, each step told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from crivo.autorizacoes.mapeamento.aplicacao import Sobra
from crivo.autorizacoes.mapeamento.prova import Prova
from crivo.cli.mapeamento import _show_prova

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

_MAPA = """mapeamento: acme
administradora: ADM-1
reconhecer: {"$.de": ACME}
itens: "$.servicos[*]"
campos:
  pedido_id: "$.n"
  plano_id: "$.plano"
  beneficiario.id: "$.quem"
  procedimento.codigo: "$item.cod"
  procedimento.quantidade: "$item.q"
"""
_PEDIDO = {
    "de": "ACME",
    "n": "G-1",
    "plano": "OURO",
    "quem": "B-1",
    "servicos": [{"cod": "4.11", "q": 2}, {"cod": "7", "q": 1, "lado": "E"}],
}


def test_testar_prints_what_was_read_from_where_and_what_was_left_over(terminal: Terminal) -> None:
    """Source: design, "Their own format in". Where there is an installation, what it would decide comes too."""
    mapa, pedido = terminal.file("mapa.yaml", _MAPA), terminal.file("pedido.json", json.dumps(_PEDIDO))
    result = terminal.run("autorizacoes", "mapeamento", "testar", mapa, "--pedido", pedido, "--json")
    assert result.exit_code == 0
    prova = json.loads(result.stdout)
    assert set(prova) == {"pedidos", "nao_usados", "problemas"}
    assert [set(one) for one in prova["pedidos"]] == [{"normalizado", "origem", "decisao"}] * 2
    assert prova["pedidos"][1]["origem"]["procedimento.codigo"] == "$.servicos[1].cod"
    assert prova["nao_usados"] == [{"caminho": "$.servicos[1].lado", "valor": "E"}]
    assert prova["problemas"] == []
    stranger = terminal.file("outro.json", json.dumps({**_PEDIDO, "de": "OUTRA", "plano": ["OURO"]}))
    refused = terminal.run("autorizacoes", "mapeamento", "testar", mapa, "--pedido", stranger, "--json")
    assert refused.exit_code == 1
    told = [(one["codigo"], one["caminho"]) for one in json.loads(refused.stdout)["problemas"]]
    assert told[:2] == [("nao_reconhecido", "$.de"), ("lista_em_vez_de_valor", "$.plano")]


def test_validar_tells_every_fault_with_its_line(terminal: Terminal) -> None:
    bad = terminal.file("ruim.yaml", _MAPA.replace('"$item.q"', '"$item.q["').replace("plano_id", "plano"))
    result = terminal.run("autorizacoes", "mapeamento", "validar", bad)
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [f"{bad}:7", f"{bad}:10"]


def test_a_mapping_is_published_once_it_is_confirmed_and_then_reads_what_comes(terminal: Terminal) -> None:
    mapa, pedido = terminal.file("mapa.yaml", _MAPA), terminal.file("pedido.json", json.dumps(_PEDIDO))
    asked = terminal.run("autorizacoes", "mapeamento", "importar", mapa, "--publicar")
    assert (asked.exit_code, "Publique com --sim" in asked.stderr) == (1, True)
    assert terminal.run("autorizacoes", "mapeamento", "publicar", "acme", "--sim").exit_code == 0
    tried = terminal.run("autorizacoes", "mapeamento", "testar", mapa, "--pedido", pedido)
    assert "Motivo: Nenhuma regra publicada trata deste procedimento" in tried.stdout
    assert "Não há política publicada desta administradora" in tried.stdout
    prova = json.loads(terminal.run("autorizacoes", "mapeamento", "testar", mapa, "--pedido", pedido, "--json").stdout)
    assert [one["decisao"]["decisao_final"] for one in prova["pedidos"]] == ["PENDENTE_AJUSTES"] * 2
    decided = terminal.run("autorizacoes", "decidir", pedido)
    assert [json.loads(line)["pedido_id"] for line in decided.stdout.splitlines()] == ["G-1-1", "G-1-2"]
    assert "Nenhuma política publicada é da administradora ADM-1" in decided.stderr
    assert terminal.run("autorizacoes", "conferir", "G-1-2").exit_code == 0
    entrada = terminal.file("dia.ndjson", json.dumps(_PEDIDO) + "\n{}\n")
    lote = terminal.run("autorizacoes", "lote", entrada, "--saida", "-")
    assert [len(json.loads(line).get("decisoes", ())) for line in lote.stdout.splitlines()] == [2, 0]
    in_vain = terminal.run("autorizacoes", "lote", terminal.file("nada.ndjson", "x\n[\n"), "--saida", "-")
    assert (in_vain.exit_code, len(in_vain.stdout.splitlines())) == (1, 2)
    xml = terminal.run("autorizacoes", "lote", terminal.file("dia.xml", "<g>\n<n>1</n>\n</g>\n"), "--saida", "-")
    assert (xml.exit_code, xml.stdout, "XML" in xml.stderr) == (1, "", True)
    assert terminal.run("autorizacoes", "mapeamento", "encerrar", "acme", "--motivo", "Mudaram.").exit_code == 0
    assert json.loads(terminal.run("--json", "autorizacoes", "mapeamento", "listar").stdout)[0]["status"] == "encerrado"


def test_a_table_of_names_takes_the_place_of_another_only_once_it_is_confirmed(terminal: Terminal) -> None:
    first = terminal.file("um.json", '{"item.cod": "procedimento.codigo"}')
    other = terminal.file("outro.json", '{"item.q": "procedimento.quantidade"}')
    assert terminal.run("autorizacoes", "campos", "ADM-1", "--arquivo", first).exit_code == 0
    asked = terminal.run("autorizacoes", "campos", "ADM-1", "--arquivo", other)
    assert (asked.exit_code, "item.cod → procedimento.codigo" in asked.stderr) == (1, True)
    assert terminal.run("autorizacoes", "campos", "ADM-1", "--arquivo", other, "--sim").exit_code == 0
    wrong = terminal.file("ruim.json", '{"": "plano_id", "cdAdm": "administradora_id"}')
    refused = terminal.run("autorizacoes", "campos", "ADM-1", "--arquivo", wrong, "--sim")
    assert refused.exit_code == 1
    assert "um nome não pode ficar em branco" in refused.stderr
    assert "escreva um mapeamento" in refused.stderr


def test_what_is_left_over_is_counted_by_its_shape(capsys: pytest.CaptureFixture[str]) -> None:
    sobras = (*[Sobra(f"$.i[{at}].lado", "E") for at in range(3)], Sobra("$.i[0].cor", "azul"))
    _show_prova(Prova((), sobras, ()))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["$.i[*].lado", "3", "E"] in lines
    assert ["$.i[0].cor", "azul"] in lines
