"""`crivo autorizacoes`: decide, list, re-run, field tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chaves_de_teste import cofre_de_teste
from crivo.autorizacoes.storage import TRILHA

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

Sample = Callable[[str], Path]


def test_decidir_prints_one_rf6_document_a_line(ruled: Terminal, sample: Sample) -> None:
    """Interfaces: `decidir ARQUIVO...` prints the RF6 document. PRD RF6 6.3.2."""
    result = ruled.run("autorizacoes", "decidir", sample("01"), sample("04"))
    assert result.exit_code == 0
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert list(first) == ["pedido_id", "decisao_final", "detalhe_decisao", "mensagens", "artefato_registro"]
    assert (first["decisao_final"], second["decisao_final"]) == ("APROVADO", "APROVADO_PARCIAL")


def test_esquema_prints_the_json_schema_of_a_pedido(terminal: Terminal) -> None:
    printed = json.loads(terminal.run("autorizacoes", "esquema").stdout)
    assert printed["$id"] == "urn:crivo:pedido"
    assert "procedimento" in printed["$defs"]["Pedido"]["properties"]


def test_decidir_with_trilha_prints_every_stage(ruled: Terminal, sample: Sample) -> None:
    """Design: the trail is `{"pedido_id", "etapas", "autoria", "tempos_us"}`."""
    trail = json.loads(ruled.run("autorizacoes", "decidir", sample("01"), "--trilha", "--json").stdout)
    assert list(trail) == ["pedido_id", "etapas", "autoria", "tempos_us"]
    assert list(trail["etapas"]) == ["normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"]


def test_decidir_reads_stdin_and_stores_what_it_decides(ruled: Terminal, sample: Sample) -> None:
    decided = json.loads(ruled.run("autorizacoes", "decidir", "-", given=sample("01").read_bytes()).stdout)
    listed = json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)
    assert [item["pedido_id"] for item in listed["itens"]] == [decided["pedido_id"]]


def test_a_refused_file_does_not_stop_the_others(ruled: Terminal, sample: Sample) -> None:
    bad = ruled.file("ruim.json", "{")
    result = ruled.run("autorizacoes", "decidir", bad, "sumiu.json", ruled.folder, sample("01"))
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1
    assert f"Erro: {bad}: Não deu para ler o pedido." in result.stderr
    assert "O arquivo sumiu.json não existe." in result.stderr
    assert "é uma pasta, e não um arquivo" in result.stderr


def test_a_refused_file_with_json_is_told_as_json(ruled: Terminal) -> None:
    result = ruled.run("autorizacoes", "decidir", ruled.file("ruim.json", '{"a": 1, "a": 2}'), "--json")
    told = json.loads(result.stderr)
    assert told["arquivo"].endswith("ruim.json")
    assert set(told["erro"]) == {"codigo", "titulo", "mensagem", "problemas"}
    assert told["erro"]["problemas"][0] == {
        "caminho": "a",
        "linha": None,
        "codigo": "chave_duplicada",
        "mensagem": "campo repetido no mesmo objeto",
    }


def test_a_pedido_over_the_limit_is_refused_unread(ruled: Terminal) -> None:
    result = ruled.run("autorizacoes", "decidir", ruled.file("grande.json", json.dumps({"pedido_id": "x" * 1_000_000})))
    assert result.exit_code == 1
    assert "passa de 1.000.000 bytes, o limite" in result.stderr


def test_a_database_that_is_away_stops_at_the_first_file(ruled: Terminal, sample: Sample) -> None:
    ruled.environment["CRIVO_DATABASE_URL"] = "postgresql://ninguem@127.0.0.1:1/nada"
    result = ruled.run("autorizacoes", "decidir", sample("01"), sample("02"))
    assert result.exit_code == 1
    assert result.stderr.count("Erro:") == 1


def test_listar_filters_by_outcome_and_date(ruled: Terminal, sample: Sample) -> None:
    ruled.run("autorizacoes", "decidir", sample("01"), sample("04"), sample("07"))

    def listed(*options: str) -> list[str]:
        page = json.loads(ruled.run("autorizacoes", "listar", "--json", *options).stdout)
        return [item["decisao_final"] for item in page["itens"]]

    assert listed() == ["PENDENTE_AJUSTES", "APROVADO_PARCIAL", "APROVADO"]
    assert listed("--status", "APROVADO") == ["APROVADO"]
    assert listed("--limite", "1") == ["PENDENTE_AJUSTES"]
    assert listed("--desde", "2099-01-01") == []
    assert len(listed("--desde", "2020-01-01T08:00")) == 3


def test_listar_says_the_outcome_in_words(ruled: Terminal, sample: Sample) -> None:
    ruled.run("autorizacoes", "decidir", sample("04"), sample("07"))
    result = ruled.run("autorizacoes", "listar", "--limite", "1")
    assert "! Pendente de ajustes" in result.stdout
    assert result.stderr == "Há mais: esta é a mais nova.\n"
    assert "Nenhuma decisão" in ruled.run("autorizacoes", "listar", "--tenant", "local").stdout


def test_conferir_by_id_or_by_the_number_of_the_pedido_holds(ruled: Terminal, sample: Sample) -> None:
    """Interfaces: `conferir ID` re-runs a stored decision and compares, field by field."""
    ruled.run("autorizacoes", "decidir", sample("07"))
    item = json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)["itens"][0]
    assert ruled.run("autorizacoes", "conferir", item["pedido_id"]).stdout.startswith("✓ Confere")
    told = json.loads(ruled.run("autorizacoes", "conferir", item["id"], "--json").stdout)
    assert told == {"id": item["id"], "pedido_id": item["pedido_id"], "confere": True, "integra": True, "diferencas": []}


def test_conferir_holds_after_the_politica_was_revoked(ruled: Terminal, sample: Sample) -> None:
    ruled.run("autorizacoes", "decidir", sample("07"))
    politica = json.loads(ruled.run("politicas", "listar", "--json").stdout)[0]["id"]
    assert ruled.run("politicas", "revogar", politica, "--motivo", "fim").exit_code == 0
    item = json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)["itens"][0]
    assert ruled.run("autorizacoes", "conferir", item["id"]).exit_code == 0


def test_conferir_shows_where_a_tampered_decision_differs(ruled: Terminal, sample: Sample) -> None:
    ruled.run("autorizacoes", "decidir", sample("07"))
    with ruled.as_owner() as connection:
        found = connection.execute(
            "select a.id, a.trilha, k.embrulhada from autorizacoes a join chaves_de_pessoas k using (tenant_id, id) where tenant_id = %s",
            (ruled.tenant_id,),
        ).fetchone()
        assert found is not None
        chave = cofre_de_teste().unwrap(ruled.tenant_id, found[0], found[2])
        assert chave is not None
        forged = chave.open(TRILHA, found[1]).replace(b'"conforme":false', b'"conforme":true')
        connection.execute("update autorizacoes set trilha = %s where id = %s", (forged, found[0]))
    item = json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)["itens"][0]
    result = ruled.run("autorizacoes", "conferir", item["id"])
    assert result.exit_code == 1
    assert "✗ Não confere" in result.stdout
    assert "avaliacao.conforme" in result.stdout
    told = json.loads(ruled.run("autorizacoes", "conferir", item["id"], "--json").stdout)
    assert told["diferencas"] == [{"campo": "avaliacao.conforme", "guardado": True, "refeito": False}]
    assert not told["integra"]


def test_conferir_what_is_not_there_exits_1(ruled: Terminal) -> None:
    result = ruled.run("autorizacoes", "conferir", "nunca-visto")
    assert result.exit_code == 1
    assert "Erro: Autorização não encontrada." in result.stderr


def test_campos_sets_the_table_that_later_decisions_read(ruled: Terminal, sample: Sample) -> None:
    """PRD RF1: heterogeneous payloads; a table that an administradora extends."""
    pedido = json.loads(sample("01").read_bytes())
    pedido["senha_interna"] = pedido.pop("pedido_id")
    arquivo = ruled.file("pedido.json", json.dumps(pedido))
    assert json.loads(ruled.run("autorizacoes", "decidir", arquivo).stdout)["pedido_id"] is None
    tabela = ruled.file("campos.json", '{"Senha Interna": "pedido_id"}')
    result = ruled.run("autorizacoes", "campos", "090417", "--arquivo", tabela, "--json")
    assert json.loads(result.stdout) == {"administradora_id": "090417", "campos": {"senha_interna": "pedido_id"}}
    assert json.loads(ruled.run("autorizacoes", "decidir", arquivo).stdout)["pedido_id"] == pedido["senha_interna"]
    assert "senha_interna" in ruled.run("autorizacoes", "campos", "090417").stdout
    assert "não tem tabela própria" in ruled.run("autorizacoes", "campos", "outra").stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [("[1]", "Escreva um objeto JSON só de textos"), ("{", "Escreva um objeto JSON"), ('{"a": "b"}', "b: este campo não existe")],
)
def test_a_table_that_cannot_be_is_refused(ruled: Terminal, text: str, told: str) -> None:
    result = ruled.run("autorizacoes", "campos", "090417", "--arquivo", ruled.file("campos.json", text))
    assert result.exit_code == 1
    assert told in result.stderr


def test_whoever_is_erased_at_the_command_line_is_told_as_erased_and_the_audit_holds(ruled: Terminal, sample: Sample) -> None:
    """Source: design/sujeito.md, table, 5: nothing erased a person, and deleting by hand broke the chain."""
    pedido = json.loads(sample("01").read_bytes())
    pedido["beneficiario"]["cpf"] = "529.982.247-25"
    assert ruled.run("autorizacoes", "decidir", ruled.file("com-cpf.json", json.dumps(pedido))).exit_code == 0
    line = json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)["itens"][0]
    erased = ruled.run("pessoas", "apagar", "529.982.247-25", "--motivo", "pedido do titular", "--sim")
    assert (erased.exit_code, "1 registro apagado" in erased.stdout) == (0, True), erased.stdout
    assert "o registro de escrita (WAL) e as cópias são de quem cuida desse PostgreSQL" in erased.stderr  # as tests reach it by its address
    assert "apagad" in ruled.run("autorizacoes", "conferir", line["id"]).output
    assert ruled.run("auditoria", "verificar").exit_code == 0
