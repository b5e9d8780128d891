"""`crivo organizacoes`, and an organisation that is not there, told before anything else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def test_an_organisation_is_made_listed_renamed_and_worked_in(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    made = terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste")
    assert (made.exit_code, f"--papel super_admin --tenant {new}" in made.stderr) == (0, True)
    again = terminal.run("organizacoes", "criar", new, "--nome", "Outra")
    assert (again.exit_code, "já existe" in again.stderr) == (1, True)
    assert terminal.run("organizacoes", "renomear", new, "--nome", "Prefeitura Nova").exit_code == 0
    listed = {one["id"]: one["nome"] for one in json.loads(terminal.run("organizacoes", "listar", "--json").stdout)}
    assert (listed[new], terminal.tenant_id in listed) == ("Prefeitura Nova", True)
    ana = ("usuarios", "criar", "ana@prefeitura.exemplo", "--nome", "Ana", "--papel", "super_admin")
    assert terminal.run(*ana, "--tenant", new).exit_code == 0
    assert json.loads(terminal.run("usuarios", "listar", "--json").stdout) == [], "who is there is nobody here"
    entries = json.loads(terminal.run("auditoria", "listar", "--tenant", new, "--json").stdout)
    assert {"organizacao_criada", "organizacao_renomeada"} <= {one["acao"] for one in entries}


@pytest.mark.parametrize(("id_", "nome", "code"), [("Com Espaço", "X", 2), ("boa", " ", 1), ("boa", "a\nb", 1)])
def test_an_id_or_a_name_that_cannot_be_is_refused(terminal: Terminal, id_: str, nome: str, code: int) -> None:
    assert terminal.run("organizacoes", "criar", id_, "--nome", nome).exit_code == code


@pytest.mark.parametrize(
    "command",
    [
        ("usuarios", "criar", "a@b.exemplo", "--nome", "A", "--papel", "gestor"),
        ("usuarios", "listar"),
        ("politicas", "listar"),
        ("pessoas", "apagar", "529.982.247-25", "--motivo", "pedido"),
        ("trabalhador",),
    ],
)
def test_an_unknown_organisation_is_told_before_anything_is_asked_or_done(terminal: Terminal, command: tuple[str, ...]) -> None:
    told = terminal.run(*command, "--tenant", "prefeitur", given="")
    assert told.exit_code == 2
    assert "A organização 'prefeitur' não existe aqui. As que há: " in told.stderr
    assert "crivo organizacoes criar prefeitur --nome NOME" in told.stderr
    assert "Apagar o que está" not in told.output


def test_an_organisation_to_be_renamed_that_is_not_there_is_told_too(terminal: Terminal) -> None:
    told = terminal.run("organizacoes", "renomear", "prefeitur", "--nome", "X")
    assert (told.exit_code, "não existe aqui" in told.stderr) == (2, True)


def test_a_first_organisation_of_another_name_than_the_settings_is_made(terminal: Terminal) -> None:
    """With CRIVO_TENANT at one that is not there yet, the database is prepared and the organisation made by it."""
    new = f"o-{uuid4().hex[:8]}"
    terminal.environment["CRIVO_TENANT"] = new
    assert terminal.run("banco", "migrar").exit_code == 0
    assert terminal.run("usuarios", "listar").exit_code == 2
    assert terminal.run("organizacoes", "criar", new, "--nome", "Primeira").exit_code == 0
    assert terminal.run("usuarios", "listar").exit_code == 0


def test_an_organisation_is_suspended_and_reactivated_with_a_reason(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    assert terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste").exit_code == 0
    assert terminal.run("organizacoes", "suspender", new).exit_code == 2, "a reason is asked for"
    told = terminal.run("organizacoes", "suspender", new, "--motivo", "Contrato encerrado")
    assert (told.exit_code, "está suspensa" in told.stdout, f"reativar {new}" in told.stderr) == (0, True, True)
    listed = {one["id"]: one for one in json.loads(terminal.run("organizacoes", "listar", "--json").stdout)}
    assert (listed[new]["suspensa_em"] is not None, listed[terminal.tenant_id]["suspensa_em"]) == (True, None)
    shown = terminal.run("organizacoes", "listar")
    assert (shown.exit_code, new in shown.stdout, "suspensa" in shown.stdout) == (0, True, True)
    assert terminal.run("usuarios", "listar", "--tenant", new).exit_code == 0, "whoever has the machine goes on"
    assert json.loads(terminal.run("organizacoes", "reativar", new, "--motivo", "Contrato novo", "--json").stdout) == {
        "id": new,
        "trabalhos": 0,
        "mudou": True,
    }
    entries = json.loads(terminal.run("auditoria", "listar", "--tenant", new, "--json").stdout)
    assert {"organizacao_suspensa", "organizacao_reativada"} <= {one["acao"] for one in entries}
    here = json.loads(terminal.run("auditoria", "listar", "--json").stdout)
    assert {"instalacao.organizacao_suspensa", "instalacao.organizacao_reativada"} <= {one["acao"] for one in here}


def test_one_s_own_organisation_and_one_that_is_not_there_are_not_suspended(terminal: Terminal) -> None:
    own = terminal.run("organizacoes", "suspender", terminal.tenant_id, "--motivo", "Por engano")
    assert (own.exit_code, "não pode ser suspensa" in own.stderr) == (1, True)
    unknown = terminal.run("organizacoes", "suspender", "prefeitur", "--motivo", "Por engano")
    assert (unknown.exit_code, "não existe aqui" in unknown.stderr) == (2, True)


def test_quotas_are_shown_set_one_by_one_and_taken_away(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    assert terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste").exit_code == 0
    assert terminal.run("organizacoes", "cotas", new, "--projetos", "1.000", "--custo-mes", "12,50").exit_code == 0
    assert terminal.run("organizacoes", "cotas", new, "--pessoas", "0").exit_code == 0
    kept = json.loads(terminal.run("organizacoes", "cotas", new, "--json").stdout)["cotas"]
    assert (kept["projetos"]["limite"], kept["custo_mes"]["limite"], kept["pessoas"]["limite"]) == (1000, "12.50", 0)
    ana = ("usuarios", "criar", "ana@prefeitura.exemplo", "--nome", "Ana", "--papel", "super_admin", "--tenant", new)
    full = terminal.run(*ana)
    assert (full.exit_code, "nada mais cabe" in full.stderr) == (1, True)
    assert terminal.run("organizacoes", "cotas", new, "--pessoas", "nenhuma").exit_code == 0
    assert terminal.run(*ana).exit_code == 0
    below = terminal.run("organizacoes", "cotas", new, "--pessoas", "0")
    assert (below.exit_code, "já se usa mais do que a cota" in below.stderr) == (0, True)


@pytest.mark.parametrize("wrong", ["-1", "muitos", "1,5"])
def test_a_quota_that_is_none_changes_nothing(terminal: Terminal, wrong: str) -> None:
    new = f"o-{uuid4().hex[:8]}"
    assert terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste").exit_code == 0
    told = terminal.run("organizacoes", "cotas", new, f"--projetos={wrong}", "--editais", "5")
    assert (told.exit_code, "a partir de 0" in told.stderr) == (1, True)
    kept = json.loads(terminal.run("organizacoes", "cotas", new, "--json").stdout)["cotas"]
    assert (kept["projetos"]["limite"], kept["editais"]["limite"]) == (None, None)


def test_an_act_that_does_nothing_says_so_and_what_became_of_its_reason(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste")
    in_use = terminal.run("organizacoes", "reativar", new, "--motivo", "Por nada")
    assert (in_use.exit_code, "já estava em uso: nada mudou, e este motivo não foi guardado" in in_use.stdout) == (0, True)
    terminal.run("organizacoes", "suspender", new, "--motivo", "Contrato encerrado")
    again = terminal.run("organizacoes", "suspender", new, "--motivo", "Outro motivo")
    assert (again.exit_code, "já estava suspensa desde" in again.stdout, "motivo não foi guardado" in again.stdout) == (0, True, True)
    assert json.loads(terminal.run("organizacoes", "suspender", new, "--motivo", "Outro", "--json").stdout)["mudou"] is False
    named = terminal.run("organizacoes", "renomear", new, "--nome", " Prefeitura de Teste ")
    assert "já se chamava Prefeitura de Teste: nada mudou" in named.stdout
    terminal.run("organizacoes", "cotas", new, "--projetos", "5")
    same = terminal.run("organizacoes", "cotas", new, "--projetos", "5", "--motivo", "Plano")
    assert "As cotas já eram estas: nada mudou, e este motivo não foi guardado" in same.stderr
    assert "nada mudou" in terminal.run("organizacoes", "cotas", new, "--motivo", "Plano").stderr
    assert "nada mudou" not in terminal.run("organizacoes", "cotas", new).stderr


@pytest.mark.parametrize("none", ["nenhuma", "Nenhuma", " NENHUMA "])
def test_a_quota_is_taken_away_by_its_word_and_never_by_an_empty_one(terminal: Terminal, none: str) -> None:
    new = f"o-{uuid4().hex[:8]}"
    terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste")
    given = terminal.run("organizacoes", "cotas", new, "--custo-mes", "20", "--bytes-documentos", "10 MB")
    assert (given.exit_code, "10 MB" in given.stdout) == (0, True)
    for empty in ("", "  "):
        told = terminal.run("organizacoes", "cotas", new, "--custo-mes", empty)
        assert (told.exit_code, "--custo-mes: use um valor em dólares" in told.stderr, "'nenhuma'" in told.stderr) == (1, True, True)
        assert "deixe vazio" not in told.stderr
    assert terminal.run("organizacoes", "cotas", new, "--custo-mes", none).exit_code == 0
    kept = json.loads(terminal.run("organizacoes", "cotas", new, "--json").stdout)["cotas"]
    assert (kept["custo_mes"]["propria"], kept["bytes_documentos"]["limite"]) == (False, 10_000_000)


def test_all_quotas_that_are_none_are_told_at_once_by_their_options(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste")
    told = terminal.run("organizacoes", "cotas", new, "--projetos", "muitos", "--pedidos-por-minuto", "1,5", "--bytes-documentos", "10 XB")
    assert all(f"{one}: use" in told.stderr for one in ("--projetos", "--pedidos-por-minuto", "--bytes-documentos"))


def test_a_command_in_a_suspended_organisation_says_so_in_a_sentence_and_goes_on(terminal: Terminal) -> None:
    new = f"o-{uuid4().hex[:8]}"
    terminal.run("organizacoes", "criar", new, "--nome", "Prefeitura de Teste")
    assert "suspensa" not in terminal.run("usuarios", "listar", "--tenant", new).stderr
    terminal.run("organizacoes", "suspender", new, "--motivo", "Contrato encerrado")
    told = terminal.run("usuarios", "listar", "--tenant", new)
    assert (told.exit_code, f"a organização '{new}' está suspensa" in told.stderr) == (0, True)
    assert "organizacao_suspensa" not in told.output


def test_somebody_who_is_not_in_an_organisation_is_told_where_it_was_looked(terminal: Terminal) -> None:
    told = terminal.run("usuarios", "entrar", "ana@prefeitura.exemplo")
    assert (told.exit_code, f"na organização '{terminal.tenant_id}'" in told.stderr, "--tenant" in told.stderr) == (1, True, True)


@pytest.mark.parametrize(
    "command", [("organizacoes", "criar", "Com Espaço", "--nome", "X"), ("usuarios", "listar", "--tenant", "Com Espaço")]
)
def test_what_is_wrong_with_a_code_is_said_of_the_code(terminal: Terminal, command: tuple[str, ...]) -> None:
    told = terminal.run(*command)
    assert (told.exit_code, "código" in told.stderr, "nome" in told.stderr.casefold()) == (2, True, False)
