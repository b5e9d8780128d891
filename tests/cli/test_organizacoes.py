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
