"""An installation of every earlier schema, as its own program left it, is brought forward with nothing lost. Source: design, Upgrade."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Final
from uuid import UUID

import httpx
import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from chaves_de_teste import CHAVE_MESTRA
from crivo.autorizacoes import amostra
from crivo.bootstrap import Container, open_container
from crivo.cli import demo_pessoas
from crivo.kernel.access import Sessoes, find_usuario
from crivo.kernel.settings import Settings
from crivo.kernel.storage import migrating
from crivo.kernel.storage.estado import look
from crivo.kernel.storage.migrating import HEAD, migrate, revisions
from crivo.kernel.storage.supported import NEWEST, OLDEST
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from instalacao_guardada import AQUI, Guardada, esquemas, read, restore
from postgres_aqui import programs, served

SCOPE: Final = Scope("local", "teste", CONSOLE)
_SITE: Final = "http://crivo.teste"
# Revisions that no version of the program ended on: one came with the next, on the same day.
_NEVER_A_HEAD: Final = frozenset(
    {"0003", "0005", "0009", "0010", "0017", "0018", "0025", "0028", "0029", "0030", "0032", "0033", "0034", "0035", "0036", "0041", "0042"}
)
# What the program itself adds to as it brings an installation forward: an entry for what it sealed, a key for what it sealed under.
_GROW: Final = frozenset({"auditoria", "chaves_de_pessoas", "segredos"})
# Before schema 0006 the words of a message were others, and políticas did not declare their planos. No decision came out otherwise.
_SAID_OTHERWISE: Final = frozenset({"normalizacao.alertas", "parametros.motivos_nao_pronto", "sintese.mensagens.para_solicitante"})
_PAGES: Final = (
    *("/", "/autorizacoes", "/autorizacoes/fila", "/politicas", "/admin/pessoas", "/admin/chaves", "/admin/auditoria", "/admin/cartas"),
    *("/admin/editais", "/admin/execucoes", "/conta"),
)
_OF_A_CALL: Final = ("triagem-ia", "mesa", "ranking", "resultado", "avaliadores")


@asynccontextmanager
async def _brought_forward(admin_url: str, folder: Path) -> AsyncIterator[Container]:
    """The program over a restored installation, after what `crivo banco migrar` does."""
    settings = Settings(
        _env_file=None, database_url=admin_url, data_dir=folder, chave_mestra=CHAVE_MESTRA, endereco_publico=_SITE, limite_por_minuto=0
    )
    async with open_container(settings) as container:
        assert [one async for one in _every_tenant(container)] == ["local"]
        yield container


async def _every_tenant(container: Container) -> AsyncIterator[str]:
    for tenant_id in await container.pessoas.organizacoes(SCOPE):
        await container.pessoas.selar(Scope(tenant_id, "teste", CONSOLE))
        yield tenant_id


def _rows(admin_url: str) -> dict[str, int]:
    """How many rows each table has, row-level security aside: its owner lifts it for the look."""
    with psycopg.connect(libpq_url(admin_url)) as connection:
        names = [row[0] for row in connection.execute("select tablename from pg_tables where schemaname = 'public' order by 1")]
        for name in names:
            connection.execute(f"alter table public.{name} no force row level security".encode())
        counts = {name: connection.execute(f"select count(*) from public.{name}".encode()).fetchone() for name in names}
        connection.rollback()
    return {name: row[0] for name, row in counts.items() if row is not None}


@pytest.mark.parametrize("esquema", esquemas())
async def test_an_installation_of_an_earlier_schema_is_brought_forward_with_nothing_lost(
    empty_embedded: str, esquema: str, tmp_path: Path
) -> None:
    told = restore(empty_embedded, esquema)
    before = _rows(empty_embedded)
    assert before["autorizacoes"] == len(told.decisoes)
    assert migrate(empty_embedded) is (esquema != HEAD)
    async with _brought_forward(empty_embedded, tmp_path) as container:
        after = _rows(empty_embedded)
        assert {name: (many, after.get(name)) for name, many in before.items() if not _kept(name, many, after)} == {}
        await _decisions_stand(container, told)
        assert (await container.auditoria.conferir(SCOPE)).integra
        await _pages_are_read(container, told)
        await _a_decision_is_made(container)
        assert (await container.auditoria.conferir(SCOPE)).integra


def _kept(name: str, many: int, after: Mapping[str, int]) -> bool:
    return after.get(name, 0) >= many if name in _GROW else after.get(name) == many


async def _decisions_stand(container: Container, told: Guardada) -> None:
    """Each is opened, is the same bytes as then, and is what the rules of then give again."""
    for one, digest in told.decisoes.items():
        stored = await container.autorizacoes.obter(SCOPE, UUID(one))
        assert hashlib.sha256(stored.decisao).hexdigest() == digest
        conferida = await container.autorizacoes.conferir(SCOPE, one)
        assert stored.integra
        if told.esquema < "0006":
            assert {one.campo for one in conferida.diferencas} <= _SAID_OTHERWISE
        else:
            assert conferida.confere


async def _a_decision_is_made(container: Container) -> None:
    pedido = next((Path(amostra.__file__).parent / "pedidos").glob("01-*.json")).read_bytes()
    decidida = await container.autorizacoes.decidir(SCOPE, pedido.replace(b"ALV-2026-000101", b"ALV-2026-DEPOIS"))
    assert (await container.autorizacoes.conferir(SCOPE, str(decidida.autorizacao.id))).confere


async def _pages_are_read(container: Container, told: Guardada) -> None:
    """By somebody new who may see all, and by who was there then: names and texts that were sealed are opened on them."""
    app = create_app(container.settings, lambda _: nullcontext(container))
    everything = demo_pessoas.Pessoa("Alguém Depois", "depois@exemplo.org", "super_admin", "", "/")
    await demo_pessoas.acting(container, SCOPE, everything)
    async with app.router.lifespan_context(app):
        pages = await _read(app, container, "depois@exemplo.org", [*_PAGES, *(f"/autorizacoes/{one}" for one in told.decisoes)])
        if "gestor" in told.feito:
            assert "Gestora Guardada" in pages["/admin/pessoas"]
        if "edital triado" in told.feito:
            call = "/admin/editais/ED-GUARDADO"
            gestor = await _read(app, container, "gestor@exemplo.org", [f"{call}/{page}" for page in _OF_A_CALL])
            assert "Teatro guardado 1" in "".join(gestor.values())
        if "notas" in told.feito:
            page = (await _read(app, container, "avaliador@exemplo.org", ["/avaliacao/P1"]))["/avaliacao/P1"]
            assert re.search(r'value="7(,0+)?"', page), re.findall(r'name="nota[^>]*>', page)


async def _read(app: object, container: Container, email: str, addresses: list[str]) -> dict[str, str]:
    async with container.database.unit_of_work(SCOPE) as uow:
        person = await find_usuario(uow, email)
    assert person is not None
    link = await Sessoes(container.database, container.clock).create_link(SCOPE, person.ator)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url=_SITE, headers={"accept": "text/html"}, follow_redirects=True) as browser:
        assert (await browser.post("/entrar", data={"token": link})).status_code == 200
        answers = {address: await browser.get(address) for address in addresses}
    assert {address: answer.status_code for address, answer in answers.items() if answer.status_code != 200} == {}
    return {address: answer.text for address, answer in answers.items()}


def test_an_installation_is_stored_of_every_schema_that_a_version_ended_on() -> None:
    """A new migration comes with the installation of the schema before it: `python -m guardar_instalacao`, told in docs/atualizar.md."""
    before_head = [one for one in revisions() if one != HEAD]
    assert [one for one in before_head if one not in _NEVER_A_HEAD and one not in esquemas()] == []


def test_what_is_stored_says_what_made_it_and_is_small() -> None:
    for esquema in esquemas():
        told, _ = read(esquema)
        assert told.esquema == esquema
        assert re.fullmatch(r"[0-9a-f]{12}", told.commit)
        assert (AQUI / f"{esquema}.sql.gz").stat().st_size < 150_000


def test_the_versions_by_their_files_are_those_that_alembic_runs() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    assert tuple(reversed([one.revision for one in ScriptDirectory.from_config(config).walk_revisions()])) == revisions()


@pytest.mark.parametrize("version", range(OLDEST, NEWEST + 1))
async def test_every_supported_postgresql_that_is_here_brings_the_oldest_forward(version: int, tmp_path: Path) -> None:
    if version not in programs():
        pytest.skip(f"no PostgreSQL {version} here: name its programs in CRIVO_TEST_POSTGRES_BIN")
    with served(programs()[version]) as url:
        told = restore(url, esquemas()[0])
        async with _brought_forward(url, tmp_path) as container:
            await _decisions_stand(container, told)
            await _a_decision_is_made(container)
            assert (await container.auditoria.conferir(SCOPE)).integra
        state = look(url, tmp_path)
    assert state.serve
    assert state.servidor is not None
    assert state.servidor.versao.startswith(str(version))
    assert state.servidor.suporte == "suportado"


def test_the_command_line_brings_one_forward_verifies_it_and_makes_a_decision_of_then_again(
    empty_embedded: str, tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    told = restore(empty_embedded, esquemas()[-1])
    said = [
        command(*words, url=empty_embedded, folder=tmp_path)
        for words in (
            ("banco", "migrar", "--json"),
            ("auditoria", "verificar", "--json"),
            ("autorizacoes", "conferir", "--json", next(iter(told.decisoes))),
        )
    ]
    assert [one.returncode for one in said] == [0, 0, 0], [one.stderr for one in said]
    assert json.loads(said[0].stdout)["migracao"] == HEAD


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command of the program over a database."""

    def run(*words: str, url: str, folder: Path) -> subprocess.CompletedProcess[str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
        given = {"CRIVO_DATABASE_URL": url, "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA, "CRIVO_DATA_DIR": str(folder)}
        return subprocess.run([sys.executable, "-m", "crivo", *words], env=inherited | given, capture_output=True, text=True, timeout=120)

    return run
