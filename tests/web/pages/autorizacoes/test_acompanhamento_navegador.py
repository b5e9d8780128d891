"""A pedido watched while it is decided, in a real browser: the decision at once, then each text as a model writes it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from escrita_lenta import AGENTES_QUE_ESCREVEM, POLITICA, EscritaLenta, escrita_lenta, raw
from navegador import IS_MISSING, Theme, approve, enter, let_in, opened
from provedor import always

LinkOf = Callable[..., Awaitable[str]]

TEXTO = "Ou cole o texto do pedido"
ALL_ARE_THERE = (
    "Promise.all([...document.querySelectorAll('.agentes > li')].flatMap((one) => one.getAnimations()).map(({ finished }) => finished))"
)
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture(scope="module")
def servico() -> Iterator[EscritaLenta]:
    with escrita_lenta() as running:
        yield running


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any], servico: EscritaLenta) -> Iterator[Any]:
    with run_server(**servico.ambiente) as running:
        yield running


@pytest.fixture
def escrita(servico: EscritaLenta) -> EscritaLenta:
    servico.comeca()
    return servico


@pytest.fixture
async def link(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who sends pedidos, where a regra says something of them."""
    await container.politicas.importar(scope, json.dumps(POLITICA).encode(), publicar=True)
    person: Usuario = await new_person(scope, "revisor")
    return await Sessoes(container.database, container.clock).create_link(scope, person.ator)


async def stored(container: Container, scope: Scope) -> int:
    return len((await container.autorizacoes.listar(scope)).itens)


async def write(page: Page, link: str, texto: str) -> None:
    await let_in(page, link)
    await page.goto("/autorizacoes")
    await page.get_by_label(TEXTO).fill(texto)


async def send(page: Page, link: str, texto: str) -> None:
    await write(page, link, texto)
    await page.get_by_role("button", name="Decidir pedido").click()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_person_watches_the_agents_decide_and_the_texts_being_written(
    served: Any, escrita: EscritaLenta, link: str, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as page:
        await send(page, link, raw())
        panel = page.locator("#acompanhamento")
        await expect(panel.locator(".selo")).to_have_text("Pendente de ajustes")
        await expect(panel.locator(".agentes h3")).to_have_text(
            ["Normalização", "Parâmetros", "Consulta às regras", "Avaliação", "Ajustes", "Síntese"]
        )
        await expect(panel.get_by_role("heading", level=2)).to_be_focused()
        await expect(page.get_by_role("button", name="Decidir pedido")).to_be_hidden()
        await page.evaluate(ALL_ARE_THERE)
        being_written = panel.get_by_text("o modelo está escrevendo")
        before = await being_written.count()
        await escrita.ouviu()
        escrita.escreve(1)
        await expect(panel.locator(".quem-escreveu").first).to_contain_text("Modelo")
        assert 0 < await being_written.count() < before
        await approve(page, f"acompanhar-{theme}-{width}")
        escrita.escreve()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")
        await expect(page.locator(".decisao .selo")).to_have_text("Pendente de ajustes")
        await expect(page.get_by_text("Um modelo escreveu textos")).to_be_visible()
        await page.goto("/autorizacoes")
        await expect(page.get_by_label(TEXTO)).to_have_value("")


async def test_where_the_model_is_away_the_code_writes_and_says_so(served: Any, escrita: EscritaLenta, link: str) -> None:
    escrita.provedor.sempre = always("erro_401")
    async with opened(served.address) as page:
        await send(page, link, raw())
        await escrita.ouviu()
        escrita.escreve(1)
        first = page.locator("#acompanhamento .quem-escreveu").first
        await expect(first).to_contain_text("Código")
        await expect(first).to_contain_text("o serviço do modelo não aceitou a chave ou o nome do modelo")
        escrita.escreve()
        await expect(page.get_by_text("Um modelo foi consultado, mas nenhum texto dele ficou")).to_be_visible()


async def test_a_double_click_sends_once(served: Any, escrita: EscritaLenta, link: str, container: Container, scope: Scope) -> None:
    async with opened(served.address) as page:
        await write(page, link, raw())
        await page.get_by_role("button", name="Decidir pedido").dblclick()
        await escrita.ouviu()
        escrita.escreve()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")
    assert escrita.pedidas == AGENTES_QUE_ESCREVEM
    assert await stored(container, scope) == 1


async def test_a_refusal_is_told_in_place_with_the_text_kept(served: Any, escrita: EscritaLenta, link: str) -> None:
    async with opened(served.address, width=390, refused=400) as page:
        await send(page, link, "{ nada")
        await expect(page.get_by_role("alert")).to_contain_text("escrita quebrada na linha 1")
        await expect(page.get_by_label(TEXTO)).to_have_value("{ nada")
        await expect(page.get_by_role("button", name="Decidir pedido")).to_be_focused()
        await approve(page, "acompanhar-recusado")
        await page.reload()
        await expect(page.get_by_label(TEXTO)).to_have_value("{ nada")
        await page.get_by_label(TEXTO).fill(raw())
        escrita.escreve()
        await page.get_by_role("button", name="Decidir pedido").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")


async def test_a_session_that_ended_asks_to_enter_and_keeps_the_text(
    served: Any, escrita: EscritaLenta, link: str, container: Container, scope: Scope, link_of: LinkOf
) -> None:
    async with opened(served.address, refused=401) as page:
        await write(page, link, raw())
        await page.context.clear_cookies()
        await page.get_by_role("button", name="Decidir pedido").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Entrar")
        await enter(page, await link_of("super_admin"))
        await page.goto("/autorizacoes")
        await expect(page.get_by_label(TEXTO)).to_have_value(raw())
    assert await stored(container, scope) == 0


async def test_whoever_leaves_finds_the_decision_in_the_list(
    served: Any, escrita: EscritaLenta, link: str, container: Container, scope: Scope
) -> None:
    async with opened(served.address) as page:
        await send(page, link, raw())
        await escrita.ouviu()
        await page.goto("/politicas")
        assert await stored(container, scope) == 0
        escrita.escreve()
        async with asyncio.timeout(20):
            while not await page.get_by_role("link", name="P-1").count():
                await page.goto("/autorizacoes")
        await page.get_by_role("link", name="P-1").click()
        await expect(page.get_by_text("Um modelo escreveu textos")).to_be_visible()


async def test_a_stream_that_breaks_says_where_the_decision_will_be(served: Any, escrita: EscritaLenta, link: str) -> None:
    async def without_its_end(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=(await answer.text()).split("event: fim")[0])

    async with opened(served.address) as page:
        await write(page, link, raw())
        await page.route("**/autorizacoes", without_its_end, times=1)
        escrita.escreve()
        await page.get_by_role("button", name="Decidir pedido").click()
        lost = page.get_by_role("alert")
        await expect(lost).to_contain_text("A ligação caiu, mas o pedido já está com o servidor")
        await page.evaluate(ALL_ARE_THERE)
        await approve(page, "acompanhar-caiu")
        await lost.get_by_role("link", name="Ver a lista").click()
        await expect(page.get_by_role("link", name="P-1")).to_be_visible()


async def test_a_pedido_that_was_not_received_stays_in_the_form(served: Any, link: str, container: Container, scope: Scope) -> None:
    async with opened(served.address) as page:
        await write(page, link, raw())
        await page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no connection')); }")
        await page.get_by_role("button", name="Decidir pedido").click()
        await expect(page.get_by_role("alert")).to_contain_text("A ligação caiu antes da resposta")
        await expect(page.get_by_label(TEXTO)).to_have_value(raw())
        await page.get_by_role("alert").get_by_role("link", name="Ver a lista").click()
        await expect(page.get_by_label(TEXTO)).to_have_value(raw())
    assert await stored(container, scope) == 0


async def test_a_stream_that_stands_still_says_what_to_do_and_goes_on(served: Any, escrita: EscritaLenta, link: str) -> None:
    async with opened(served.address) as page:
        await page.clock.install()
        await send(page, link, raw())
        await escrita.ouviu()
        await page.clock.run_for(29_000)
        await expect(page.get_by_text("Faz um tempo que nada muda")).to_have_count(0)
        await page.clock.run_for(2_000)
        await expect(page.get_by_text("a decisão vai estar na lista assim que for guardada")).to_be_visible()
        await approve(page, "acompanhar-parado")
        escrita.escreve(1)
        await expect(page.get_by_text("Faz um tempo que nada muda")).to_have_count(0)
        escrita.escreve()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")


async def test_nothing_moves_for_whoever_asks_for_stillness(served: Any, escrita: EscritaLenta, link: str) -> None:
    async with opened(served.address) as page:
        await page.emulate_media(reduced_motion="reduce")
        await send(page, link, raw())
        await expect(page.locator(".agentes > li")).to_have_count(6)
        for what in (".agentes > li:last-child", ".a-caminho"):
            assert await page.locator(what).first.evaluate("(one) => one.getAnimations({ subtree: true }).length") == 0
        await escrita.ouviu()
        escrita.escreve()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")


async def test_without_scripts_the_form_goes_to_the_decision(served: Any, escrita: EscritaLenta, link: str) -> None:
    async with opened(served.address, scripts=False) as page:
        escrita.escreve()
        await send(page, link, raw())
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido P-1")
        await expect(page.get_by_text("Um modelo escreveu textos")).to_be_visible()
