"""A pedido followed over its form's address: what is told, what is refused, and that nothing is lost when whoever follows leaves."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from html import unescape
from typing import Any

import httpx
import pytest

from casos import decide
from crivo.bootstrap import Container, assemble
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from escrita_lenta import PEDIDO, POLITICA, REGRA, EscritaLenta, escrita_lenta, raw
from modelo_de_autorizacoes import ModeloLento, as_the_code
from triagem_web import events_of

LinkOf = Callable[..., Awaitable[str]]

EVENTS = {"accept": "text/event-stream"}
Csrf = Callable[[str], str]


class DatabaseQueCai:
    """The database of the test, until it is away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.caiu = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @asynccontextmanager
    async def unit_of_work(self, scope: Scope) -> AsyncIterator[UnitOfWork]:
        if self.caiu:
            raise BancoIndisponivel("O banco de dados não responde.")
        async with self._database.unit_of_work(scope) as uow:
            yield uow


@pytest.fixture
def modelo() -> ModeloLento:
    """Writes as the code does, once it is let go."""
    return ModeloLento(as_the_code(decide(PEDIDO, REGRA)))


@pytest.fixture
def caivel(database: Database) -> DatabaseQueCai:
    return DatabaseQueCai(database)


@pytest.fixture
def container(settings: Settings, caivel: Any, modelo: ModeloLento) -> Container:
    return assemble(settings.model_copy(update={"modelo": "openai:um", "planejador": "embutido"}), SystemClock(), caivel, modelo)


@pytest.fixture
async def published(container: Container, scope: Scope) -> None:
    await container.politicas.importar(scope, json.dumps(POLITICA).encode(), publicar=True)


async def send(browser: httpx.AsyncClient, csrf_of: Csrf, texto: str, token: str | None = None, **headers: str) -> httpx.Response:
    token = csrf_of((await browser.get("/autorizacoes")).text) if token is None else token
    return await browser.post("/autorizacoes", files={"csrf": (None, token), "texto": (None, texto)}, headers=EVENTS | headers)


def told(response: httpx.Response) -> list[tuple[str, Any]]:
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    return [(name, data) for name, data in events_of(response.text)]


async def decisions(browser: httpx.AsyncClient) -> str:
    return (await browser.get("/autorizacoes")).text


@pytest.mark.usefixtures("published")
async def test_the_panel_is_told_as_the_texts_are_written_and_then_where_the_decision_is(
    browser: httpx.AsyncClient, csrf_of: Csrf, modelo: ModeloLento
) -> None:
    sending = asyncio.create_task(send(browser, csrf_of, raw()))
    await modelo.until(2)
    modelo.solto.set()
    events = told(await sending)
    names = [name for name, _ in events]
    assert (names[0], names[-2:]) == ("andamento", ["andamento", "fim"])
    first, last, address = unescape(events[0][1]), unescape(events[-2][1]), events[-1][1]
    agents = ("Normalização", "Parâmetros", "Consulta às regras", "Avaliação", "Ajustes", "Síntese")
    for panel in (first, last):
        places = [panel.index(f">{agent}</h3>") for agent in agents]
        assert places == sorted(places)
        assert "Pendente de ajustes" in panel
        assert len(re.findall(r"0,\d\d s</p>", panel)) == 6
    assert (first.count("o modelo está escrevendo"), first.count("quem-escreveu")) == (6, 0)
    assert (last.count("o modelo está escrevendo"), last.count("quem-escreveu")) == (0, 6)
    assert "0 de 6 textos escritos" in first
    assert "Textos prontos. Guardando a decisão." in last
    assert "Um modelo escreveu textos" in (await browser.get(address)).text


@pytest.mark.usefixtures("published")
async def test_what_was_sent_is_shown_in_the_panel_and_not_run(browser: httpx.AsyncClient, csrf_of: Csrf, modelo: ModeloLento) -> None:
    modelo.solto.set()
    hostile = raw(pedido_id="<script>alert(1)</script> 529.982.247-25")
    events = told(await send(browser, csrf_of, hostile))
    for name, panel in events:
        assert name == "fim" or ("<script" not in panel and "529.982.247-25" not in panel)
    assert "&lt;script&gt;" in events[0][1]


@pytest.mark.parametrize(
    ("texto", "status", "said"),
    [
        ("{ nada", 400, "escrita quebrada na linha 1"),
        ("[]", 422, "deve ser um objeto JSON"),
        ("  ", 422, "Escolha um arquivo .json ou cole"),
        ('{"a": "' + "x" * 1_100_000 + '"}', 413, "passa do limite de 1 MB"),
    ],
    ids=["no json", "no object", "nothing", "too large"],
)
async def test_a_pedido_that_cannot_be_decided_is_refused_as_ever_in_place_of_the_events(
    browser: httpx.AsyncClient, csrf_of: Csrf, texto: str, status: int, said: str
) -> None:
    refused = await send(browser, csrf_of, texto)
    assert (refused.status_code, refused.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert said in refused.text
    assert refused.text.lstrip().startswith('<div class="aviso erro" role="alert" data-recusa tabindex="-1" autofocus>')
    assert "Ainda não há decisões" in await decisions(browser)


async def test_a_body_far_over_the_limit_is_stopped(browser: httpx.AsyncClient, csrf_of: Csrf) -> None:
    assert (await send(browser, csrf_of, "x" * 3_200_000)).status_code == 413


@pytest.mark.parametrize(
    ("token", "headers"),
    [("", {}), ("0" * 64, {}), (None, {"sec-fetch-site": "cross-site"}), (None, {"origin": "https://outro.teste"})],
)
async def test_events_are_for_our_own_page_and_this_session_alone(
    browser: httpx.AsyncClient, csrf_of: Csrf, token: str | None, headers: dict[str, str]
) -> None:
    refused = await send(browser, csrf_of, raw(), token, **headers)
    assert (refused.status_code, refused.json()["codigo"]) == (403, "formulario_de_fora")
    assert "Ainda não há decisões" in await decisions(browser)


async def test_nobody_is_told_anything_without_a_session(anonymous: httpx.AsyncClient, csrf_of: Csrf) -> None:
    refused = await send(anonymous, csrf_of, raw(), "0" * 64)
    assert (refused.status_code, refused.json()["codigo"]) == (401, "sessao_encerrada")


@pytest.mark.usefixtures("published")
async def test_another_tenant_finds_nothing_of_it(
    browser: httpx.AsyncClient,
    csrf_of: Csrf,
    modelo: ModeloLento,
    container: Container,
    anonymous: httpx.AsyncClient,
    new_tenant: Callable[[], Scope],
    link_of: LinkOf,
) -> None:
    modelo.solto.set()
    address = told(await send(browser, csrf_of, raw()))[-1][1]
    html = {"accept": "text/html"}
    await anonymous.post("/entrar", data={"token": await link_of("super_admin", new_tenant())})
    assert (await anonymous.get(address, headers=html)).status_code == 404
    assert "Ainda não há decisões" in (await anonymous.get("/autorizacoes", headers=html)).text


@pytest.mark.usefixtures("published")
async def test_a_decision_that_could_not_be_stored_is_told_so_and_logged(
    browser: httpx.AsyncClient, csrf_of: Csrf, modelo: ModeloLento, caivel: DatabaseQueCai, caplog: pytest.LogCaptureFixture
) -> None:
    sending = asyncio.create_task(send(browser, csrf_of, raw()))
    await modelo.until(2)
    caivel.caiu = True
    with caplog.at_level(logging.WARNING, "crivo"):
        modelo.solto.set()
        events = told(await sending)
    caivel.caiu = False
    name, said = events[-1]
    assert name == "recusa"
    assert "O banco de dados não responde." in said
    assert "decisao_nao_guardada" in [record.message for record in caplog.records]
    assert "Ainda não há decisões" in await decisions(browser)


async def test_the_form_is_followed_only_where_a_model_writes(
    browser: httpx.AsyncClient, settings: Settings, database: Database, scope: Scope
) -> None:
    page = await decisions(browser)
    assert " data-acompanhar>" in page
    assert "/static/acompanhar.js" in page
    assert not assemble(settings, SystemClock(), database).autorizacoes.um_modelo_escreve


# --- over a real connection, which can break


@pytest.fixture(scope="module")
def servico() -> Iterator[EscritaLenta]:
    with escrita_lenta() as running:
        yield running


@pytest.fixture
def escrita(servico: EscritaLenta) -> EscritaLenta:
    servico.comeca()
    return servico


async def until_deaf(address: str) -> None:
    """Wait until a server that was told to stop takes no more requests."""
    async with asyncio.timeout(20), httpx.AsyncClient(base_url=address) as client:
        with suppress(httpx.TransportError):
            while True:
                await client.get("/healthz")


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("accept", ["text/event-stream", "text/html"])
async def test_a_decision_is_stored_though_its_sender_leaves_and_the_server_is_told_to_stop(
    run_server: Callable[..., Any], escrita: EscritaLenta, container: Container, scope: Scope, csrf_of: Csrf, accept: str, link_of: LinkOf
) -> None:
    link = await link_of("super_admin")
    with run_server(**escrita.ambiente) as served:
        async with httpx.AsyncClient(base_url=served.address, timeout=60, headers={"accept": "text/html"}) as client:
            await client.post("/entrar", data={"token": link})
            token = csrf_of((await client.get("/autorizacoes")).text)
            fields = {"csrf": (None, token), "texto": (None, raw())}
            sending = asyncio.create_task(client.post("/autorizacoes", files=fields, headers={"accept": accept}))
            await escrita.ouviu()
            sending.cancel()  # and its connection is closed
            await asyncio.gather(sending, return_exceptions=True)
        assert (await container.autorizacoes.listar(scope)).itens == ()
        served.process.send_signal(signal.SIGTERM)
        await until_deaf(served.address)
        escrita.escreve()
        log = await asyncio.to_thread(served.log_at_the_end)
    (only,) = (await container.autorizacoes.listar(scope)).itens
    trilha = json.loads((await container.autorizacoes.obter(scope, only.id)).trilha)
    assert [one["falha"] for one in trilha["escritas"]] == [None, None]
    assert "falha_inesperada" not in [line["event"] for line in log]
    assert "P-1" not in str(log)
