"""Names of fields that a model proposes: a person confirms or refuses each, with a reason, and only then a table grows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import httpx
import pytest

from crivo.autorizacoes.guardadas import Mapeamento
from crivo.autorizacoes.modelo.storage import insert_mapeamentos
from crivo.autorizacoes.politicas.storage import campos_at, catalogo_versao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def proposto(container: Container, scope: Scope) -> UUID:
    one = Mapeamento(uuid4(), "ADM-1", "nr_guia<b>", "pedido_id", "openai:gpt-5", "proposto", None, container.clock.now(), None, None, None)
    async with container.database.unit_of_work(scope) as uow:
        await insert_mapeamentos(uow, [one])
    return one.id


async def _tabela(container: Container, scope: Scope) -> object:
    async with container.database.unit_of_work(scope) as uow:
        return (await campos_at(uow, await catalogo_versao(uow))).get("ADM-1")


async def test_with_nothing_proposed_the_page_says_when_something_will_be(gestora: httpx.AsyncClient) -> None:
    assert "Nenhum nome espera por você" in (await gestora.get("/politicas/campos")).text


async def test_a_confirmed_name_is_known_from_then_on(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, proposto: UUID, csrf_of: CsrfOf
) -> None:
    shown = (await gestora.get("/politicas/campos")).text
    assert "nr_guia&lt;b&gt;" in shown
    assert "o número do pedido" in shown
    assert "openai:gpt-5" in shown
    assert await _tabela(container, scope) is None
    sent = {"csrf": csrf_of(shown), "decisao": "confirmar", "motivo": "É como o sistema deles chama."}
    confirmed = await gestora.post(f"/politicas/campos/{proposto}", data=sent)
    assert confirmed.headers["location"] == "/politicas/campos?ok=gravado"
    assert await _tabela(container, scope) is not None
    after = (await gestora.get("/politicas/campos")).text
    assert "Confirmado" in after
    assert "Nenhum nome espera por você" in after


async def test_a_refused_name_changes_no_table(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, proposto: UUID, csrf_of: CsrfOf
) -> None:
    token = csrf_of((await gestora.get("/politicas/campos")).text)
    await gestora.post(f"/politicas/campos/{proposto}", data={"csrf": token, "decisao": "recusar", "motivo": "É outra coisa."})
    assert await _tabela(container, scope) is None
    late = await gestora.post(f"/politicas/campos/{proposto}", data={"csrf": token, "decisao": "confirmar", "motivo": "Mudei."})
    assert late.status_code == 409


async def test_a_decision_needs_its_reason_and_somebody_who_manages(
    gestora: httpx.AsyncClient, scope: Scope, new_person: NewPerson, signed_in: SignedIn, proposto: UUID, csrf_of: CsrfOf
) -> None:
    token = csrf_of((await gestora.get("/politicas/campos")).text)
    without = await gestora.post(f"/politicas/campos/{proposto}", data={"csrf": token, "decisao": "confirmar", "motivo": " "})
    assert without.status_code == 422
    assert "Falta o motivo" in without.text
    reviewer = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    page = await reviewer.get("/politicas/campos")
    assert page.status_code == 200
    assert "Confirmar" not in page.text
    sent = {"csrf": csrf_of(page.text), "decisao": "confirmar", "motivo": "sim"}
    assert (await reviewer.post(f"/politicas/campos/{proposto}", data=sent)).status_code == 403
