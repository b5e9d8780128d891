"""How a page follows what runs on the server: by its stream, without it, and when nothing moves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, let_in, opened

LinkOf = Callable[..., Awaitable[str]]

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE: Final = "/admin/componentes"
FOLLOW: Final = "document.querySelector('.barra').parentElement.dataset.eventos = '/eventos'; import('/static/andamento.js')"
FURTHER: Final = """
<div class="barra"><progress max="100" value="80"></progress><p class="quanto">76 de 96 projetos</p></div>
<ol class="fases"><li class="atual"><span class="fase-nome">Irregularidades</span></li></ol><p role="status">Agora: irregularidades</p>
"""


@pytest_asyncio.fixture(loop_scope="session")
async def page(shared_server: Any, container: Container, scope: Scope, link_of: LinkOf) -> AsyncIterator[Page]:
    link = await link_of("super_admin")
    async with opened(shared_server.address) as page:
        await page.clock.install()
        await let_in(page, link)
        await page.goto(PAGE)
        yield page


async def hang(_: Route) -> None:
    """A stream that was opened and says nothing."""


async def test_what_the_stream_tells_is_shown(page: Page) -> None:
    stream = f"event: andamento\ndata: {json.dumps(FURTHER)}\n\n"
    await page.route("**/eventos", lambda route: route.fulfill(content_type="text/event-stream", body=stream))
    await page.evaluate(FOLLOW)
    await expect(page.get_by_text("76 de 96 projetos")).to_be_visible()
    await expect(page.get_by_label("Andamento da triagem")).to_have_js_property("value", 80)
    await expect(page.get_by_role("status").filter(has_text="Agora: irregularidades")).to_be_visible()
    await page.goto("/")


async def test_the_page_asks_again_where_there_is_no_stream(page: Page) -> None:
    await page.route("**/eventos", lambda route: route.fulfill(status=204))
    await page.evaluate(FOLLOW)
    await page.route(f"**{PAGE}", lambda route: route.fulfill(content_type="text/html", body=f"<div data-eventos>{FURTHER}</div>"))
    asked = page.wait_for_event("request", lambda request: request.url.endswith(PAGE))
    await page.clock.run_for(6_000)
    await asked
    await expect(page.get_by_text("76 de 96 projetos")).to_be_visible()
    await page.goto("/")


async def test_the_person_is_told_when_nothing_moves(page: Page) -> None:
    await page.route("**/eventos", hang)
    await page.evaluate(FOLLOW)
    await page.clock.run_for(44_000)
    await expect(page.get_by_text("Faz um tempo que nada muda")).to_have_count(0)
    await page.clock.run_for(2_000)
    await expect(page.get_by_text("Faz um tempo que nada muda")).to_be_visible()
    await page.goto("/")
