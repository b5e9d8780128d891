"""The whole application, in process, over a real database and a tenant of its own for each test."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

from chaves_de_teste import CHAVE_MESTRA
from crivo.bootstrap import Container, assemble
from crivo.kernel.access import ESCOPOS, Escopo, Papel, Sessoes, Usuario, create_chave, create_usuario
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from molde import Forked, fork
from navegador import one_browser
from servidor_web import serve_as_told

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
LinkOf = Callable[..., Awaitable[str]]
ClientOf = Callable[[str], httpx.AsyncClient]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
RunServer = Callable[..., AbstractContextManager["Running"]]
SITE = "http://crivo.teste"  # where every client of these tests believes to be
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Running:
    """A server in a process of its own."""

    process: Forked
    port: int
    metrics_port: int
    log_file: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> list[dict[str, Any]]:
        """Ask it to stop, wait until it has, and return its log."""
        self.process.send_signal(number)
        return self.log_at_the_end()

    def log_at_the_end(self) -> list[dict[str, Any]]:
        """Wait until it has stopped, and return its log."""
        self.process.wait(timeout=40)
        return [json.loads(line) for line in self.log_file.read_text().splitlines()]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Journeys in a browser share one, so they share its event loop; what a test of theirs opens stays its own."""
    for item in items:
        if isinstance(item, pytest.Function) and _HERE in item.path.parents and item.path.stem.endswith("navegador"):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.fixturenames.insert(0, "chromium")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[None]:
    """The browser of this process."""
    async with one_browser():
        yield


@pytest.fixture(scope="session")
def settings_of_all() -> Settings:
    """What no test has as its own: reading the environment takes longer than most tests."""
    return Settings(_env_file=None, limite_por_minuto=0, endereco_publico=SITE)


@pytest.fixture
def settings(settings_of_all: Settings, scope: Scope, tmp_path: Path) -> Settings:
    return settings_of_all.model_copy(update={"data_dir": tmp_path, "tenant": scope.tenant_id})


@pytest.fixture
def container_over() -> Callable[[Settings, Database, Clock], Container]:
    return lambda settings, database, clock: assemble(settings, clock, database)


@pytest.fixture
def container(settings: Settings, database: Database, container_over: Callable[[Settings, Database, Clock], Container]) -> Container:
    return container_over(settings, database, SystemClock())


@pytest.fixture(scope="session")
def app_over() -> Callable[[Container], FastAPI]:
    """The application, made once as nothing in it belongs to a test; it opens over the container that it was asked for last."""
    containers: list[Container] = []
    app = create_app(Settings(_env_file=None, endereco_publico=SITE), lambda _: nullcontext(containers.pop()))

    def over(container: Container) -> FastAPI:
        containers[:] = [container]
        return app

    return over


@pytest.fixture
async def app(app_over: Callable[[Container], FastAPI], container: Container) -> AsyncIterator[FastAPI]:
    app = app_over(container)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def anonymous(app: FastAPI, scope: Scope) -> AsyncIterator[httpx.AsyncClient]:
    """A client that says nothing of itself, at an address that no other test tries to sign in from."""
    transport = httpx.ASGITransport(app, client=(f"endereco-de-{scope.tenant_id}", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://crivo.teste") as client:
        yield client


@pytest.fixture
def new_key(database: Database) -> NewKey:
    """Makes a key; without scopes named it has them all."""

    async def make(
        scope: Scope,
        *escopos: Escopo,
        lasts: timedelta = timedelta(hours=1),
        age: timedelta = timedelta(0),
        usuario: Usuario | None = None,
    ) -> str:
        made_at = SystemClock().now() - age
        async with database.unit_of_work(scope) as uow:
            return (await create_chave(uow, made_at, "teste", escopos or ESCOPOS, made_at + lasts, usuario=usuario)).segredo

    return make


@pytest.fixture
def new_person(database: Database) -> NewPerson:
    """Adds a person to a tenant, in a role."""
    new_id = Uuid7(SystemClock()).new

    async def make(scope: Scope, papel: Papel, email: str = "") -> Usuario:
        novo = new_id()
        async with database.unit_of_work(scope) as uow:
            return await create_usuario(uow, SystemClock().now(), novo, f"Pessoa {papel}", email or f"{novo}@teste.exemplo", papel)

    return make


@pytest.fixture
def link_of(container: Container, scope: Scope, new_person: NewPerson) -> LinkOf:
    """Makes a link to sign in by, for somebody new in a role, of this tenant or of another."""

    async def make(papel: Papel, where: Scope | None = None) -> str:
        tenant = where or scope
        return await Sessoes(container.database, container.clock).create_link(tenant, (await new_person(tenant, papel)).ator)

    return make


@pytest.fixture
def client_of(app: FastAPI) -> ClientOf:
    """A program with a key."""

    def make(key: str) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {key}"}
        return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers)

    return make


@pytest.fixture
async def signed_in(app: FastAPI, container: Container) -> AsyncIterator[SignedIn]:
    """Browsers of people who have signed in."""
    async with AsyncExitStack() as open_browsers:

        async def enter(scope: Scope, ator: str) -> httpx.AsyncClient:
            link = await Sessoes(container.database, container.clock).create_link(scope, ator)
            client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers={"accept": "text/html"})
            await open_browsers.enter_async_context(client)
            assert (await client.post("/entrar", data={"token": link})).status_code == 303
            return client

        yield enter


@pytest.fixture
async def key(scope: Scope, new_key: NewKey) -> str:
    """A key for everything."""
    return await new_key(scope)


@pytest.fixture
async def api(app: FastAPI, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """A program with a key for everything."""
    headers = {"authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers) as client:
        yield client


@pytest.fixture
async def browser(app: FastAPI, link_of: LinkOf) -> AsyncIterator[httpx.AsyncClient]:
    """A person who has signed in, and may do whatever a person may."""
    link = await link_of("super_admin")
    headers = {"accept": "text/html"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers) as client:
        assert (await client.post("/entrar", data={"token": link})).status_code == 303
        yield client


@pytest.fixture
def csrf_of() -> Callable[[str], str]:
    """The form token that a page carries."""

    def find(page: str) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
        assert found is not None
        return found[1]

    return find


@pytest.fixture
def politica() -> dict[str, Any]:
    """A made-up política: one procedure covered with a document, one not covered."""
    return {
        "administradora_id": "ADM-TESTE",
        "documento": "Manual de teste",
        "versao": "1.0",
        "vigencia_inicio": "2026-01-01",
        "vigencia_fim": None,
        "regras": [
            {
                "regra_id": "R-1",
                "codigo": "41101014",
                "cobertura": "CONDICIONAL",
                "documentos_obrigatorios": ["LAUDO_MEDICO"],
                "limite_quantidade": 2,
                "coparticipacao_percentual": 20,
                "prazo_validade_autorizacao_dias": 30,
            },
            {"regra_id": "R-2", "codigo": "30101573", "cobertura": "NAO_COBERTA"},
        ],
    }


@pytest.fixture
def pedido() -> dict[str, Any]:
    """A made-up pedido that the first regra of the política approves."""
    return {
        "pedido_id": "T-1",
        "administradora_id": "ADM-TESTE",
        "plano_id": "PRATA",
        "data_pedido": "2026-10-05",
        "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
        "procedimento": {"codigo": "41101014", "tabela": "TUSS", "quantidade": 1},
        "prestador": {"tipo": "CREDENCIADO"},
        "solicitante": {"tipo": "MEDICO"},
        "documentos_anexos": [{"tipo": "LAUDO_MEDICO"}],
    }


@pytest.fixture
async def published(api: httpx.AsyncClient, politica: dict[str, Any]) -> str:
    """The id of the política, in force."""
    response = await api.post("/api/politicas?publicar=true", json=politica)
    assert response.status_code == 201
    return str(response.json()["politica"]["id"])


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    def find() -> int:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            return int(listener.getsockname()[1])

    return find


@pytest.fixture(scope="session")
def run_server(embedded_urls: tuple[str, str], tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> RunServer:
    """Starts a server on free ports, over the embedded database, without a limit of requests; `files` is how many it may hold open."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}

    @contextmanager
    def run(files: int | None = None, **environment: str) -> Iterator[Running]:
        port, metrics_port = free_port(), int(environment.get("CRIVO_PORTA_METRICAS", free_port()))
        own = {
            "CRIVO_DATABASE_URL": embedded_urls[1],
            "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA,
            "CRIVO_DATA_DIR": str(tmp_path_factory.mktemp("dados")),
            "CRIVO_PORTA": str(port),
            "CRIVO_PORTA_METRICAS": str(metrics_port),
            "CRIVO_LIMITE_POR_MINUTO": "0",
        }
        log_file = Path(own["CRIVO_DATA_DIR"]) / "log"  # a pipe that nobody reads would fill, and stop the server
        process = fork(serve_as_told, environment=inherited | own | environment, files=files, stderr=log_file, says=True)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "no ar\n", log_file.read_text()
            yield Running(process, port, metrics_port, log_file)
        finally:
            process.kill()
            process.communicate()

    return run


@pytest.fixture
def server(run_server: RunServer) -> Iterator[Running]:
    """A server for this test alone."""
    with run_server() as served:
        yield served


@pytest.fixture(scope="session")
def shared_server(run_server: RunServer) -> Iterator[Running]:
    """A server for every test that changes nothing but its own tenant; its worker would take the jobs of other tests."""
    with run_server(CRIVO_TRABALHADORES="0") as served:
        yield served
