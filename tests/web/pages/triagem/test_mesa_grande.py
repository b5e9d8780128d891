"""The mesa of a call of ten thousand projects: whatever is asked of its queue, it answers at once."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from typing import Final

import httpx
import psycopg
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.fila import Recorte
from crivo.triagem.mesa import Pedida
from sujeitos import as_person
from triagem_pronta import put_screened

PROJETOS: Final = 10_000
MESA: Final = "/admin/editais/ED-1/mesa"
# Best of several, as others use this machine too. Measured when this was written: 75 to 95 ms filtered, 150 to 190 by names.
MOST_SECONDS: Final = 0.15
MOST_SECONDS_BY_NAME: Final = 0.25
HEAVIEST_BYTES: Final = 150_000


@pytest.mark.slow
async def test_ten_thousand_projects_are_filtered_ordered_and_opened_at_once(
    scope: Scope,
    database: Database,
    container: Container,
    urls: tuple[str, str],
    new_person: Callable[..., Awaitable[Usuario]],
    signed_in: Callable[[Scope, str], Awaitable[httpx.AsyncClient]],
) -> None:
    """Bad input: 10,000 projects on the mesa."""
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, PROJETOS, julgados=300, sinais=2_000)
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("analyze")  # as a server does by itself within a minute
    person = await new_person(scope, "gestor")
    gestora, acting = await signed_in(scope, person.ator), as_person(scope, person)
    await container.mesa.fila(acting, "ED-1", Pedida())  # the cases are made once
    combined = {"situacao": frozenset({"pendencia", "habilitado"}), "categoria": frozenset({"Música"}), "caso": frozenset({"sem"})}
    for recorte, most in (
        (Recorte(), MOST_SECONDS),
        (Recorte(combined), MOST_SECONDS),  # type: ignore[arg-type]
        (Recorte({"decisao": frozenset({"sem"}), "requisito": frozenset({"REQ-1"})}, "", "situacao", True), MOST_SECONDS),
        (Recorte({"caso": frozenset({"grave"})}, "", "caso", True), MOST_SECONDS),
        (Recorte(combined, "acao cortejo"), MOST_SECONDS_BY_NAME),  # type: ignore[arg-type]
        (Recorte({}, "", "projeto", False), MOST_SECONDS_BY_NAME),
        (Recorte({}, "", "nota", True), MOST_SECONDS_BY_NAME),
    ):
        took = []
        for _ in range(5):
            begun = time.process_time()
            found = await container.mesa.fila(acting, "ED-1", Pedida(recorte))
            took.append(time.process_time() - begun)
        assert found.linhas, recorte
        assert min(took) <= most, (recorte, took)
    for query, lines in (("", 50), ("?visao=todos&pagina=200", 50), ("?visao=todos&f=1&situacao=pendencia&q=jose&ordem=-projeto", 50)):
        answer = await gestora.get(MESA + query)
        assert len(re.findall(r"<small title=", answer.text)) == lines, query
        assert len(answer.content) <= HEAVIEST_BYTES, (query, len(answer.content))
    assert '"Página 200"' in (await gestora.get(f"{MESA}?visao=todos")).text
    opened = (await gestora.get(f"{MESA}/P05000?visao=todos")).text
    assert re.search(r"500\d de 10000", opened)
    assert 'aria-current="page" aria-label="Página 101"' in opened or 'aria-current="page" aria-label="Página 100"' in opened
