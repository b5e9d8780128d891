"""A person decides over the code by the API too, and no program does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, list_chaves
from crivo.kernel.audit.listing import Recorte, list_latest
from crivo.kernel.tenancy import Scope

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
_REVISAO = {"decisao_final": "APROVADO", "motivo": "O laudo chegou por outro canal e foi conferido."}


@pytest.fixture
async def denied(api: httpx.AsyncClient, published: str, pedido: dict[str, Any]) -> str:
    """Where a decision is that the code did not approve."""
    answered = await api.post("/api/autorizacoes", json={**pedido, "documentos_anexos": []})
    assert answered.json()["decisao_final"] == "PENDENTE_AJUSTES"
    return answered.headers["location"]


@pytest.fixture
async def rita(scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf) -> httpx.AsyncClient:
    return client_of(await new_key(scope, usuario=await new_person(scope, "revisor")))


async def test_a_review_stands_beside_the_decision(rita: httpx.AsyncClient, denied: str) -> None:
    before = (await rita.get(denied)).content
    made = await rita.post(f"{denied}/revisao", json=_REVISAO)
    assert (made.status_code, made.json()["decisao_final"]) == (201, "APROVADO")
    assert _REVISAO["motivo"] in made.json()["mensagens"]["para_beneficiario"]
    assert (await rita.get(f"{denied}/revisao")).json() == {"revisoes": [made.json()]}
    assert (await rita.get(denied)).content == before


async def test_what_a_key_decided_for_a_person_is_told_so_on_the_page_and_in_the_audit(
    rita: httpx.AsyncClient, denied: str, browser: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    """Nobody takes a program's decision for one that the person made themselves."""
    await rita.post(f"{denied}/revisao", json=_REVISAO)
    assert "Pessoa revisor, por uma chave (teste)" in (await browser.get(denied.removeprefix("/api"))).text
    assert "Pessoa revisor, por uma chave (teste)" in (await browser.get("/admin/auditoria")).text
    async with container.database.unit_of_work(scope) as uow:
        (entry, *_) = await list_latest(uow, 1, recorte=Recorte(acoes=("autorizacao.revista",)))
        (chave,) = [one for one in await list_chaves(uow) if f'"chave":"{one.id}"' in entry.dados]
    assert (entry.ator.partition(":")[0], chave.nome) == ("usuario", "teste")


async def test_a_program_does_not_decide_over_the_code(api: httpx.AsyncClient, denied: str) -> None:
    refused = await api.post(f"{denied}/revisao", json=_REVISAO)
    assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")
    assert (await api.get(f"{denied}/revisao")).json() == {"revisoes": []}


async def test_a_person_of_another_role_does_not_either(
    scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf, denied: str
) -> None:
    caio = client_of(await new_key(scope, usuario=await new_person(scope, "avaliador")))
    assert (await caio.post(f"{denied}/revisao", json=_REVISAO)).status_code == 403


@pytest.mark.parametrize(
    ("sent", "status", "codigo"),
    [
        (b"{", 400, "json_invalido"),
        (b"[]", 422, "conteudo_invalido"),
        (b'{"decisao_final": "TALVEZ", "motivo": "porque sim, ora"}', 422, "conteudo_invalido"),
        (b'{"decisao_final": "APROVADO", "motivo": "sim"}', 422, "revisao_invalida"),
    ],
)
async def test_what_is_no_decision_is_refused_and_keeps_nothing_from_others(
    rita: httpx.AsyncClient, denied: str, sent: bytes, status: int, codigo: str, container: Container, scope: Scope
) -> None:
    refused = await rita.post(f"{denied}/revisao", content=sent)
    assert await container.revisoes.reserva(scope, UUID(denied.rpartition("/")[2])) is None
    assert (refused.status_code, refused.json()["codigo"]) == (status, codigo)
