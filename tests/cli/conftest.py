"""The command line against a real database, each test in a tenant of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psycopg
import pytest
import typer
from typer.testing import CliRunner, Result

from chaves_de_teste import CHAVE_MESTRA
from crivo.autorizacoes import amostra
from crivo.cli.main import app
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope


@dataclass(frozen=True)
class Terminal:
    """Runs commands in this process, or in one of their own where streams, signals or imports matter."""

    environment: dict[str, str]
    folder: Path
    admin_url: str
    tenant_id: str

    def run(self, *words: str | Path, given: str | bytes = "") -> Result:
        return CliRunner(env=self.environment).invoke(app, [str(word) for word in words], input=given, catch_exceptions=False)

    def spawn(
        self, *words: str | Path, stdout: int = subprocess.PIPE, given: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
        return subprocess.run(
            [sys.executable, "-m", "crivo", *map(str, words)],
            env=inherited | self.environment | environment,
            cwd=self.folder,
            input=given,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    @contextmanager
    def as_owner(self) -> Iterator[psycopg.Connection]:
        """The database as someone who may do anything: the guard of the audit is off for the transaction."""
        with psycopg.connect(libpq_url(self.admin_url)) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (self.tenant_id,))
            connection.execute("set local session_replication_role = replica")
            yield connection


NewTerminal = Callable[[Path, str, Scope, pytest.MonkeyPatch], Terminal]


@pytest.fixture(scope="session", autouse=True)
def _commands_made_once() -> Iterator[None]:
    """A process reads one command line, and makes its commands for it; here they would be made for each, which takes longer than most."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def terminal_in() -> NewTerminal:
    """Makes a terminal in a folder, with nothing of this machine's own settings for as long as the patch lasts."""

    def make(folder: Path, admin_url: str, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> Terminal:
        for name in list(os.environ):
            if name.startswith("CRIVO_") and not name.startswith("CRIVO_TEST_"):
                monkeypatch.delenv(name)
        monkeypatch.chdir(folder)
        environment = {
            "CRIVO_DATABASE_URL": admin_url,
            "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA,
            "CRIVO_DATA_DIR": str(folder / "dados"),
            "CRIVO_TENANT": scope.tenant_id,
        }
        return Terminal(environment, folder, admin_url, scope.tenant_id)

    return make


@pytest.fixture
def terminal(terminal_in: NewTerminal, urls: tuple[str, str], scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in an empty folder."""
    return terminal_in(tmp_path, urls[0], scope, monkeypatch)


@pytest.fixture
def sample(terminal: Terminal) -> Callable[[str], Path]:
    """Writes the sample pedido or política whose name begins so, and says where."""

    def write(beginning: str) -> Path:
        found = next(arquivo for arquivo in (*amostra.pedidos(), *amostra.politicas()) if arquivo.nome.startswith(beginning))
        return terminal.file(found.nome, found.conteudo.decode())

    return write


@pytest.fixture
def ruled(terminal: Terminal, sample: Callable[[str], Path]) -> Terminal:
    """A terminal whose tenant has a published política."""
    assert terminal.run("politicas", "importar", sample("alvorada-2026"), "--publicar").exit_code == 0
    return terminal
