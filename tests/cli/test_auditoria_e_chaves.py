"""`crivo auditoria`, `crivo chaves` and `crivo banco`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from crivo.kernel.access import ESCOPOS
from crivo.kernel.sigilo.assinatura import Assinante

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

Sample = Callable[[str], Path]


@pytest.fixture
def decided(ruled: Terminal, sample: Sample) -> Terminal:
    """A tenant with two decisions in its audit."""
    assert ruled.run("autorizacoes", "decidir", sample("01"), sample("07")).exit_code == 0
    return ruled


def test_an_untouched_audit_holds(decided: Terminal) -> None:
    result = decided.run("auditoria", "verificar")
    assert result.exit_code == 0
    assert "✓ Auditoria íntegra: 4 registros conferem, e 2 decisões com o registro dela." in result.stdout
    told = json.loads(decided.run("auditoria", "verificar", "--json").stdout)
    assert (told["integra"], told["registros"], told["decisoes"]) == (True, 4, {"total": 2, "quebras": []})
    assert len(told["cabeca"]["digest"]) == 64


def test_an_empty_audit_holds_too(terminal: Terminal) -> None:
    assert terminal.run("auditoria", "verificar").exit_code == 0
    assert "ainda não tem registros" in terminal.run("auditoria", "listar").stdout


@pytest.mark.parametrize(
    ("statement", "broken", "told"),
    [
        (
            "update auditoria set ator = 'outro' where tenant_id = %s and seq = 2",
            "alterada",
            "Registro 2: o conteúdo não é o que foi selado.",
        ),
        ("delete from auditoria where tenant_id = %s and seq = 1", "ausente", "Registro 1: não está mais na cadeia."),
        ("delete from auditoria where tenant_id = %s and seq >= 3", "ausente", "Registros 3 a 4: não está mais na cadeia."),
    ],
)
def test_a_tampered_entry_is_named(decided: Terminal, statement: str, broken: str, told: str) -> None:
    with decided.as_owner() as connection:
        connection.execute(statement.encode(), (decided.tenant_id,))
    result = decided.run("auditoria", "verificar")
    assert result.exit_code == 1
    assert told in result.stdout
    value = json.loads(decided.run("auditoria", "verificar", "--json").stdout)
    assert not value["integra"]
    assert broken in {quebra["motivo"] for quebra in value["quebras"]}


@pytest.mark.parametrize(
    ("statement", "motivo", "told"),
    [
        (
            "update autorizacoes set decisao = 'x' where tenant_id = %s and pedido_id = 'ALV-2026-000101'",
            "alterada",
            "não é o que foi decidido",
        ),
        (
            "update autorizacoes set digest = 'x' where tenant_id = %s and pedido_id = 'ALV-2026-000101'",
            "alterada",
            "não é o que foi decidido",
        ),
        ("delete from autorizacoes where tenant_id = %s and pedido_id = 'ALV-2026-000101'", "ausente", "não está mais guardada"),
        ("update auditoria set acao = 'x' where tenant_id = %s and seq = 3", "sem_registro", "sem registro na auditoria"),
        ("update auditoria set dados = 'x' where tenant_id = %s and seq = 3", "alterada", "não é o que foi decidido"),
    ],
)
def test_a_decision_that_the_audit_does_not_vouch_for_is_named(decided: Terminal, statement: str, motivo: str, told: str) -> None:
    with decided.as_owner() as connection:
        connection.execute(statement.encode(), (decided.tenant_id,))
    result = decided.run("auditoria", "verificar")
    assert result.exit_code == 1
    assert told in result.stdout
    quebras = json.loads(decided.run("auditoria", "verificar", "--json").stdout)["decisoes"]["quebras"]
    assert [quebra["motivo"] for quebra in quebras] == [motivo]


def test_a_changed_column_of_a_list_is_named(decided: Terminal) -> None:
    """Source: design/sujeito.md, table, 6."""
    with decided.as_owner() as connection:
        statement = "update autorizacoes set decisao_final = 'NEGADO' where tenant_id = %s and pedido_id = 'ALV-2026-000101'"
        connection.execute(statement, (decided.tenant_id,))
    result = decided.run("auditoria", "verificar")
    assert result.exit_code == 1
    assert "o que está guardado não é o que o registro 3 selou." in result.stdout
    assert json.loads(decided.run("auditoria", "verificar", "--json").stdout)["linhas"]["quebras"][0]["motivo"] == "registro_alterado"


def test_a_tail_that_was_cut_with_its_head_is_found_by_what_was_noted(decided: Terminal) -> None:
    """Source: design/sujeito.md, table, 6."""
    noted = decided.run("auditoria", "ancorar")
    assert "✓ Registro 4 anotado em" in noted.stdout
    file = decided.folder / "dados" / "ancoras.jsonl"
    assert decided.run("auditoria", "verificar", "--ancora", file).exit_code == 0
    with decided.as_owner() as connection:
        mine = (decided.tenant_id,)
        connection.execute("delete from autorizacoes where tenant_id = %s and pedido_id <> 'ALV-2026-000101'", mine)
        connection.execute("delete from auditoria where tenant_id = %s and seq = 4", mine)
        whole = (
            "update auditoria_cabecas c set (seq, digest) = (select a.seq, a.digest from auditoria a where a.tenant_id = c.tenant_id and "
        )
        connection.execute((whole + "a.seq = 3) where tenant_id = %s").encode(), mine)
    for options in ((), ("--ancora", file), ("--chave", file.with_name("ancoras.publica.pem"))):
        found = decided.run("auditoria", "verificar", *options)
        assert found.exit_code == 1
        assert "Linha 1 das âncoras: o registro 4, que ela anotou, não está mais na cadeia." in found.stdout
    copy = decided.file("chave-de-outro-lugar.pem", Assinante.of_seed(b"x" * 32).publica.pem().decode())
    other = decided.run("auditoria", "verificar", "--ancora", file, "--chave", copy, "--json")
    assert [one["motivo"] for one in json.loads(other.stdout)["ancoras"]["quebras"]] == ["assinatura_invalida", "ancora_ausente"]


def test_where_nothing_was_noted_yet_it_is_said_that_a_cut_end_would_not_be_noticed(decided: Terminal) -> None:
    said = "Sem âncora ainda: um fim cortado não seria notado; anote-o com 'crivo auditoria ancorar'."
    before = decided.run("auditoria", "verificar")
    assert (before.exit_code, said in before.stdout) == (0, True)
    decided.run("auditoria", "ancorar")
    after = decided.run("auditoria", "verificar")
    assert (after.exit_code, said in after.stdout, "1 âncora confere." in after.stdout) == (0, False, True)


def test_what_is_no_public_key_verifies_nothing(decided: Terminal) -> None:
    decided.run("auditoria", "ancorar")
    noted, broken = decided.folder / "dados" / "ancoras.jsonl", decided.file("outra.pem", "x" * 32)
    result = decided.run("auditoria", "verificar", "--ancora", noted, "--chave", broken)
    assert result.exit_code == 1
    assert "não tem uma chave pública das âncoras. Use a cópia de ancoras.publica.pem" in result.stderr


def test_a_file_without_anchors_of_the_tenant_is_no_proof(decided: Terminal) -> None:
    result = decided.run("auditoria", "verificar", "--ancora", decided.file("vazio.jsonl", ""))
    assert result.exit_code != 0
    assert "não tem âncora alguma desta organização" in result.stderr


def test_rows_are_sealed_once_and_the_door_is_closed(decided: Terminal) -> None:
    assert "0 linhas seladas" in decided.run("auditoria", "selar").stdout
    assert decided.run("auditoria", "verificar").exit_code == 0


def test_listar_shows_the_last_entries_first(decided: Terminal) -> None:
    entries = json.loads(decided.run("auditoria", "listar", "--limite", "3", "--json").stdout)
    assert [entry["seq"] for entry in entries] == [4, 3, 2]
    assert entries[0]["acao"] == "autorizacao.decidida"
    assert entries[0]["ator"].startswith("cli:")
    assert set(entries[0]["dados"]) >= {"decisao_final", "digest"}
    assert "autorizacao.decidida" in decided.run("auditoria", "listar").stdout


def test_a_key_is_shown_once_and_has_every_scope_for_a_year(terminal: Terminal) -> None:
    """Interfaces: `crivo chaves criar`, scoped, hashed, expiring."""
    made = json.loads(terminal.run("chaves", "criar", "sistema", "--json").stdout)
    assert set(made) == {"id", "chave", "escopos", "expira_em"}
    assert made["escopos"] == sorted(ESCOPOS)
    lasts = datetime.fromisoformat(made["expira_em"]) - datetime.now(UTC)
    assert timedelta(days=364) < lasts <= timedelta(days=365)
    listed = terminal.run("chaves", "listar")
    assert made["id"] in listed.stdout
    assert made["chave"] not in listed.stdout + terminal.run("auditoria", "listar").stdout


def test_a_key_may_have_few_scopes_and_days(terminal: Terminal) -> None:
    options = ("--escopo", "autorizacoes:ler", "--escopo", "politicas:ler", "--validade-dias", "1", "--json")
    made = json.loads(terminal.run("chaves", "criar", "leitor", *options).stdout)
    assert made["escopos"] == ["autorizacoes:ler", "politicas:ler"]
    assert datetime.fromisoformat(made["expira_em"]) - datetime.now(UTC) <= timedelta(days=1)


def test_the_key_alone_is_on_stdout(terminal: Terminal) -> None:
    result = terminal.run("chaves", "criar")
    assert result.stdout.startswith(f"crv_{terminal.tenant_id}_")
    assert len(result.stdout.split()) == 1
    assert "não será mostrada de novo" in result.stderr


def test_a_scope_that_does_not_exist_is_refused(terminal: Terminal) -> None:
    result = terminal.run("chaves", "criar", "x", "--escopo", "tudo")
    assert result.exit_code == 1
    assert "autorizacoes:escrever" in result.stderr


def test_a_key_is_revoked_once(terminal: Terminal) -> None:
    made = json.loads(terminal.run("chaves", "criar", "x", "--json").stdout)
    assert json.loads(terminal.run("chaves", "revogar", made["id"], "--json").stdout) == {"id": made["id"], "revogada": True}
    assert "✗ revogada" in terminal.run("chaves", "listar").stdout
    assert json.loads(terminal.run("chaves", "listar", "--json").stdout)[0]["revogada_em"] is not None
    again = terminal.run("chaves", "revogar", made["id"])
    assert again.exit_code == 1
    assert "crivo chaves listar" in again.stderr


def test_migrar_may_be_run_as_often_as_one_likes(terminal: Terminal) -> None:
    for _ in range(2):
        assert terminal.run("banco", "migrar").stdout.startswith("✓ O banco está pronto, na versão ")
    assert json.loads(terminal.run("banco", "migrar", "--json").stdout)["migracao"]
