"""What all tenants share: one that holds its share is refused, and another works."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from crivo.clinicas.conversas import Conversas
from crivo.clinicas.guarda import Limites
from crivo.kernel.tenancy import Scope
from crivo.web.limiter import Places
from crivo.web.problems import CotaCheia, SemVaga
from crivo.web.state import WebState
from importacoes import certa

NewKey = Callable[..., Awaitable[str]]
ClientOf = Callable[[str], httpx.AsyncClient]
NDJSON = {"content-type": "application/x-ndjson"}


def full(places: Places, tenant_id: str) -> ExitStack:
    """All that one tenant may hold, held."""
    held = ExitStack()
    try:
        while True:
            held.enter_context(places.taken(tenant_id))
    except CotaCheia:
        return held


def test_a_share_is_kept_for_the_others_and_the_whole_has_an_end() -> None:
    places = Places(4, share=3)
    with full(places, "um"):
        with places.taken("outro"), pytest.raises(SemVaga), places.taken("terceiro"):
            pass
        with pytest.raises(CotaCheia), places.taken("um"):
            pass
    with full(places, "um"):
        pass  # what was let go of is free


@pytest.fixture
def web(app: FastAPI) -> WebState:
    state: WebState = app.state.web
    return state


@pytest.mark.parametrize(
    ("shared", "ask"),
    [
        ("pedidos", lambda client: client.get("/api/agentes")),
        ("lotes", lambda client: client.post("/api/autorizacoes/lote", content=b"", headers=NDJSON)),
        ("importacoes", lambda client: client.post("/api/editais", json=certa() | {"projetos": [], "avaliadores": []})),
        ("politicas", lambda client: client.post("/api/politicas", json={"administradora_id": "A", "documento": "D", "versao": "1"})),
    ],
)
async def test_a_tenant_over_its_quota_is_told_when_to_try_again_while_another_works(
    web: WebState, new_tenant: Callable[[], Scope], new_key: NewKey, client_of: ClientOf, shared: str, ask: Any
) -> None:
    """Source: design/sujeito.md, table, 8."""
    greedy, other = new_tenant(), new_tenant()
    with full(getattr(web, shared), greedy.tenant_id):
        async with client_of(await new_key(greedy)) as client:
            refused = await ask(client)
        assert (refused.status_code, refused.json()["codigo"]) == (429, "cota_cheia")
        assert int(refused.headers["retry-after"]) > 0
        async with client_of(await new_key(other)) as client:
            assert (await ask(client)).status_code not in (429, 503)
            assert (await client.get("/healthz")).status_code == 200
    async with client_of(await new_key(greedy)) as client:
        assert (await ask(client)).status_code not in (429, 503)


async def test_conversations_of_one_tenant_leave_room_for_another(
    app: FastAPI, web: WebState, new_tenant: Callable[[], Scope], new_key: NewKey, client_of: ClientOf
) -> None:
    """Source: design/sujeito.md, table, 8: a thousand conversations, by however many keys."""
    few = Conversas(web.conversas._meios.opens, Limites(conversas=4, por_inquilino=3, por_dono=2))
    app.state.web = replace(web, conversas=few)
    greedy, other = new_tenant(), new_tenant()
    answers = []
    for key in (await new_key(greedy), await new_key(greedy)):
        async with client_of(key) as client:
            answers += [await client.post("/api/clinicas/conversas", json={"papel": "paciente"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 201, 429, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    async with client_of(await new_key(other)) as client:
        assert (await client.post("/api/clinicas/conversas", json={"papel": "paciente"})).status_code == 201
        whole = await client.post("/api/clinicas/conversas", json={"papel": "paciente"})
    assert (whole.status_code, "retry-after" in whole.headers) == (503, True)
    app.state.web = web


async def test_an_organisation_with_a_quota_of_conversations_has_no_more_of_them_open(
    app: FastAPI, web: WebState, scope: Scope, new_tenant: Callable[[], Scope], new_key: NewKey, client_of: ClientOf
) -> None:
    few = new_tenant()
    await web.container.organizacoes.definir_cotas(scope, few.tenant_id, {"conversas": Decimal(1)})
    async with client_of(await new_key(few)) as client:
        told = [await client.post("/api/clinicas/conversas", json={"papel": "paciente"}) for _ in range(2)]
    assert [one.status_code for one in told] == [201, 429]
    assert told[1].json()["codigo"] == "conversas_demais"
    async with client_of(await new_key(new_tenant())) as client:
        assert (await client.post("/api/clinicas/conversas", json={"papel": "paciente"})).status_code == 201
