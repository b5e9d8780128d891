"""`crivo banco estado`: what is told of a database on the terminal and to machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from crivo.kernel.storage.migrating import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def test_a_database_that_serves_is_told_in_a_few_lines(terminal: Terminal) -> None:
    result = terminal.run("banco", "estado")
    assert result.exit_code == 0
    assert f"✓ Esquema na versão {HEAD}, a deste programa." in result.stdout
    assert "conexões em uso" in result.stdout
    assert "tenants" in result.stdout
    told = json.loads(terminal.run("banco", "estado", "--json").stdout)
    assert (told["serve"], told["esquema"]["situacao"], told["servidor"]["suporte"]) == (True, "em_dia", "suportado")
    assert told["linhas"]["tenants"] >= 1


def test_one_of_a_newer_program_is_told_and_ends_in_1(
    terminal: Terminal, moved_schema: Callable[[str], AbstractContextManager[None]]
) -> None:
    with moved_schema("9999"):
        result = terminal.run("banco", "estado")
    assert result.exit_code == 1
    assert "✗ Esquema na versão 9999, de um crivo mais novo" in result.stdout


def test_an_older_one_is_told_with_the_command_that_brings_it_forward(
    terminal: Terminal, moved_schema: Callable[[str], AbstractContextManager[None]]
) -> None:
    with moved_schema("0001"):
        result = terminal.run("banco", "estado")
    assert result.exit_code == 0
    assert f"'crivo banco migrar' o leva à {HEAD}" in result.stdout
    assert "migrações, de 0002_triagem a" in result.stdout
