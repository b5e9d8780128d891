"""The pages of a call of ten thousand projects: what a look at them reads, whatever tab, search and order is asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import httpx
import psycopg
import pytest
from sqlalchemy import Engine, event

from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from triagem_pronta import put_screened

PROJETOS: Final = 10_000
BASE: Final = "/admin/editais/ED-1"
PAGE: Final = f"{BASE}/triagem-ia"
# A page of 25 lines, its people, decisions, documents and figures: 214 rows at the most when this was written. All of the call are 60,000.
MOST_ROWS: Final = 500
# What is searched or ordered by names opens the names of the call, and of cases what their signs say: they stand sealed in the database.
MOST_ROWS_BY_NAME: Final = PROJETOS + MOST_ROWS
# Each sign and the keys of its two projects; and then those of the page's own cases, whole.
MOST_ROWS_OF_CASES: Final = MOST_ROWS_BY_NAME + 3 * 2_000 + MOST_ROWS
MOST_STATEMENTS: Final = 50
MOST_SECONDS: Final = 1.0
HEAVIEST_BYTES: Final = 150_000


_counted: ContextVar[bool] = ContextVar("counted", default=False)


@contextmanager
def counting() -> Iterator[list[int]]:
    """How many rows each statement of the block gave back; what the server looks after meanwhile is none of it."""
    rows: list[int] = []

    def note(_connection: Any, cursor: Any, *_: Any) -> None:
        if _counted.get():
            rows.append(max(0, cursor.rowcount))

    event.listen(Engine, "after_cursor_execute", note)
    token = _counted.set(True)
    try:
        yield rows
    finally:
        _counted.reset(token)
        event.remove(Engine, "after_cursor_execute", note)
    assert rows  # what is counted is really seen


@pytest.fixture
async def gestora(
    scope: Scope,
    database: Database,
    urls: tuple[str, str],
    new_person: Callable[..., Awaitable[Usuario]],
    signed_in: Callable[[Scope, str], Awaitable[httpx.AsyncClient]],
) -> httpx.AsyncClient:
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, PROJETOS, julgados=300, sinais=2_000)
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("analyze")  # as a server does by itself within a minute
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.mark.slow
async def test_a_look_at_ten_thousand_projects_or_at_their_ranking_reads_a_page_of_them(gestora: httpx.AsyncClient) -> None:
    """Triagem 5.1/3: bad input, 10,000 rows."""
    assert (await gestora.get(PAGE)).status_code == 200  # the estimate is of the whole call, and is kept
    for query, lines in (
        ("", 25),
        ("?pagina=300", 25),
        ("?filtro=pendencia&ordem=situacao&pagina=7", 25),
        ("?filtro=sem-decisao&ordem=confianca", 25),
        ("?q=acao+cortejo&ordem=projeto", 25),
        ("?aba=avaliacao", 25),
        ("?aba=avaliacao&q=jose&ordem=projeto&pagina=3", 25),
        ("?aba=irregularidades", 10),
        ("?aba=irregularidades&q=cortejo&ordem=medida", 10),
        ("?aba=irregularidades&filtro=similaridade&ordem=projeto&pagina=9", 10),
    ):
        with counting() as rows:
            answer = await gestora.get(PAGE + query)
        assert answer.status_code == 200, query
        assert len(re.findall(r'<details class="linha"|<article class="caso', answer.text)) == lines, query
        named = "q=" in query or ("ordem=projeto" in query and "irregularidades" not in query)
        most = (MOST_ROWS_OF_CASES if "irregularidades" in query else MOST_ROWS_BY_NAME) if named else MOST_ROWS
        assert sum(rows) <= most, (query, sum(rows))
        assert len(rows) <= MOST_STATEMENTS, (query, len(rows))
        assert len(answer.content) <= HEAVIEST_BYTES, (query, len(answer.content))
        assert re.search(r"Habilitação <span class=\"conta\">9\d{3}</span>", answer.text), query
    await look_at_the_ranking(gestora)
    await look_at_the_mesa(gestora)


async def look_at_the_ranking(gestora: httpx.AsyncClient) -> None:
    first = (await gestora.get(f"{BASE}/ranking")).text  # the agreement is of every nota that was sent, and is kept
    for query in ("", "?por=sugestao&pagina=200", "?por=pessoas&pagina=3"):
        with counting() as rows:
            answer = await gestora.get(f"{BASE}/ranking{query}")
        assert answer.text.count('data-label="Ordem"') == 50, query
        assert sum(rows) <= MOST_ROWS, (query, sum(rows))
        assert first.split('id="titulo-acordo"')[1] == answer.text.split('id="titulo-acordo"')[1], query


async def look_at_the_mesa(gestora: httpx.AsyncClient) -> None:
    """Bad input: 10,000 projects on the mesa."""
    mesa = f"{BASE}/mesa"
    assert (await gestora.get(mesa)).status_code == 200  # the cases are made once
    for query, lines in (
        ("", 50),
        ("?visao=todos&pagina=200", 50),
        ("?visao=todos&f=1&situacao=pendencia&situacao=habilitado&categoria=M%C3%BAsica&caso=sem&ordem=-caso", 50),
        ("?visao=todos&f=1&situacao=pendencia&q=jose&ordem=-projeto", 50),
        ("?visao=todos&f=1&avaliacao=falta&ordem=-nota", 50),
    ):
        begun = time.process_time()
        answer = await gestora.get(mesa + query)
        assert time.process_time() - begun < MOST_SECONDS, query  # of this processor alone: others use the machine too
        assert len(re.findall(r"<small title=", answer.text)) == lines, query
        assert len(answer.content) <= HEAVIEST_BYTES, (query, len(answer.content))
    assert 'aria-label="Página 200"' in (await gestora.get(f"{mesa}?visao=todos")).text
    assert re.search(r"500\d de 10.?000", (await gestora.get(f"{mesa}/P05000?visao=todos")).text)
