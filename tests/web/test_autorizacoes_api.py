"""Deciding, reading and listing over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from crivo.kernel.audit.listing import list_latest
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

UNKNOWN = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"  # an id that nobody was given
NewKey = Callable[..., Awaitable[str]]

pytestmark = pytest.mark.usefixtures("published")


async def stored_rows(database: Database, scope: Scope) -> int:
    async with database.unit_of_work(scope) as uow:
        return int((await uow.connection.execute(text("select count(*) from autorizacoes"))).scalar_one())


async def test_a_pedido_is_answered_with_the_stored_bytes_and_where_they_are(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    decided = await api.post("/api/autorizacoes", json=pedido)
    assert decided.status_code == 200
    assert decided.json()["decisao_final"] == "APROVADO"
    kept = await api.get(decided.headers["location"])
    assert kept.status_code == 200
    assert kept.content == decided.content


async def test_the_schema_of_a_pedido_is_served_beside_what_it_describes(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    served = await api.get("/api/autorizacoes/esquema")
    assert (served.status_code, served.headers["content-type"]) == (200, "application/schema+json")
    assert set(pedido) <= set(served.json()["$defs"]["Pedido"]["properties"])


async def test_a_pedido_with_business_errors_is_decided_and_no_http_error(api: httpx.AsyncClient) -> None:
    decided = await api.post("/api/autorizacoes", json={})
    assert (decided.status_code, decided.json()["decisao_final"]) == (200, "PENDENTE_AJUSTES")


async def test_the_trail_names_six_stages_their_authors_and_their_times(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    location = (await api.post("/api/autorizacoes", json=pedido | {"documentos_anexos": []})).headers["location"]
    trilha = (await api.get(f"{location}/trilha")).json()
    assert list(trilha["etapas"]) == ["normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"]
    assert set(trilha["autoria"]) == set(trilha["etapas"]) == set(trilha["tempos_us"])


async def test_who_reads_a_decision_is_told_and_who_finds_none_is_not(
    api: httpx.AsyncClient, pedido: dict[str, Any], database: Database, scope: Scope
) -> None:
    """Source: design/sujeito.md, table, 7: readings of records."""
    location = (await api.post("/api/autorizacoes", json=pedido)).headers["location"]
    for address in (location, f"{location}/trilha", f"/api/autorizacoes/{UNKNOWN}"):
        await api.get(address)
    async with database.unit_of_work(scope) as uow:
        entries = await list_latest(uow, 10)
    read = [(one.alvo, one.dados) for one in entries if one.acao == "autorizacao.lida"]
    alvo = f"autorizacao:{location.rpartition('/')[2]}"
    assert read == [(alvo, '{"parte":"trilha"}'), (alvo, '{"parte":"decisao"}')]


async def test_the_same_key_and_pedido_bring_the_same_answer_again(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    first, second = [await api.post("/api/autorizacoes", json=pedido, headers={"idempotency-key": "k-1"}) for _ in range(2)]
    assert second.content == first.content
    assert second.headers["location"] == first.headers["location"]
    assert (first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")) == (None, "true")


async def test_the_same_key_with_another_pedido_is_refused(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    await api.post("/api/autorizacoes", json=pedido, headers={"idempotency-key": "k-1"})
    other = await api.post("/api/autorizacoes", json=pedido | {"plano_id": "OURO"}, headers={"idempotency-key": "k-1"})
    assert (other.status_code, other.json()["codigo"]) == (422, "chave_de_idempotencia_reutilizada")


@pytest.mark.parametrize("chave", ["", "k" * 201, "a\tb"])
async def test_an_idempotency_key_that_cannot_be_kept_is_refused(api: httpx.AsyncClient, pedido: dict[str, Any], chave: str) -> None:
    refused = await api.post("/api/autorizacoes", json=pedido, headers={"idempotency-key": chave})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "chave_de_idempotencia_invalida")


async def test_twenty_identical_posts_at_once_store_one_decision(
    api: httpx.AsyncClient, pedido: dict[str, Any], database: Database, scope: Scope
) -> None:
    sent = [api.post("/api/autorizacoes", json=pedido, headers={"idempotency-key": "k-1"}) for _ in range(20)]
    answers = await asyncio.gather(*sent)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert await stored_rows(database, scope) == 1


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "text/json", "application/x-www-form-urlencoded", None]
)
async def test_json_and_no_stated_type_are_read(api: httpx.AsyncClient, pedido: dict[str, Any], content_type: str | None) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    assert (await api.post("/api/autorizacoes", content=json.dumps(pedido), headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/html"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
async def test_any_other_type_is_refused(api: httpx.AsyncClient, pedido: dict[str, Any], headers: dict[str, str]) -> None:
    refused = await api.post("/api/autorizacoes", content=json.dumps(pedido), headers=headers)
    assert (refused.status_code, refused.json()["codigo"]) == (415, "tipo_nao_aceito")


async def test_the_list_goes_from_the_newest_back_page_by_page(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    for number in range(5):
        await api.post("/api/autorizacoes", json=pedido | {"pedido_id": f"T-{number}"})
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = (await api.get("/api/autorizacoes", params={"limite": 2} | ({"cursor": cursor} if cursor else {}))).json()
        seen += [item["pedido_id"] for item in page["itens"]]
        cursor = page["cursor"]
    assert seen == ["T-4", "T-3", "T-2", "T-1", "T-0"]


async def test_the_list_is_filtered_by_outcome_and_by_receipt(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    await api.post("/api/autorizacoes", json=pedido)
    await api.post("/api/autorizacoes", json=pedido | {"documentos_anexos": []})

    async def outcomes(**params: str) -> list[str]:
        return [item["decisao_final"] for item in (await api.get("/api/autorizacoes", params=params)).json()["itens"]]

    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    assert await outcomes(status="APROVADO") == ["APROVADO"]
    assert await outcomes(desde="2020-01-01") == ["PENDENTE_AJUSTES", "APROVADO"]
    assert await outcomes(desde="2020-01-01T00:00:00-03:00", status="PENDENTE_AJUSTES") == ["PENDENTE_AJUSTES"]
    assert await outcomes(desde=f"{tomorrow}T23:59:59") == []


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("status", "TALVEZ"), ("limite", "0"), ("limite", "201"), ("limite", "x"), ("cursor", "x"), ("desde", "ontem")],
)
async def test_a_parameter_that_cannot_be_read_is_named_and_not_repeated(api: httpx.AsyncClient, parameter: str, value: str) -> None:
    refused = await api.get("/api/autorizacoes", params={parameter: value})
    problem = refused.json()
    assert (refused.status_code, problem["codigo"]) == (422, "parametro_invalido")
    assert [fault["caminho"] for fault in problem["problemas"]] == [parameter]
    assert f"{value!r}" not in refused.text


@pytest.mark.parametrize("suffix", ["", "/trilha"])
@pytest.mark.parametrize("unknown", [UNKNOWN, "nao-e-id", "%00", "💥"])
async def test_an_id_that_is_not_there_is_absent_whatever_it_looks_like(api: httpx.AsyncClient, unknown: str, suffix: str) -> None:
    absent = await api.get(f"/api/autorizacoes/{unknown}{suffix}")
    assert (absent.status_code, absent.json()["codigo"]) == (404, "autorizacao_nao_encontrada")


async def test_decisions_of_another_tenant_are_absent(
    api: httpx.AsyncClient, anonymous: httpx.AsyncClient, pedido: dict[str, Any], new_tenant: Callable[[], Scope], new_key: NewKey
) -> None:
    location = (await api.post("/api/autorizacoes", json=pedido)).headers["location"]
    foreign = {"authorization": f"Bearer {await new_key(new_tenant())}"}
    assert (await anonymous.get(location, headers=foreign)).status_code == 404
    assert (await anonymous.get(f"{location}/trilha", headers=foreign)).status_code == 404
    assert (await anonymous.get("/api/autorizacoes", headers=foreign)).json()["itens"] == []


async def test_a_program_is_told_the_deadline_beside_the_document_which_stays_as_it_was(
    api: httpx.AsyncClient, pedido: dict[str, Any]
) -> None:
    approved = (await api.post("/api/autorizacoes", json=pedido)).headers["location"]
    sent = {**pedido, "pedido_id": "U-1", "documentos_anexos": [], "urgencia": True}
    answered = await api.post("/api/autorizacoes", json=sent)
    denied = answered.headers["location"]
    assert "prazo" not in answered.json()
    told = (await api.get(f"{denied}/prazo")).json()["prazo"]
    assert (told["dias_uteis"], told["faixa"], told["ate"][10:19]) == (0, "hoje", "T23:59:59")
    assert "RN 623/2024, art. 12" in told["fundamento"]
    assert (await api.get(f"{approved}/prazo")).json()["prazo"] is None
    assert (await api.get(f"/api/autorizacoes/{UNKNOWN}/prazo")).status_code == 404
    listed = {one["pedido_id"]: one["prazo"] for one in (await api.get("/api/autorizacoes")).json()["itens"]}
    assert (listed["U-1"], listed[pedido["pedido_id"]]) == (told, None)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("prazo=hoje", ["U-1"]),
        ("prazo=vencido", []),
        ("responsavel=livres", ["D-1", "U-1"]),
        ("responsavel=livres&limite=1", ["D-1"]),
        ("urgencia=sim", ["U-1"]),
        ("urgencia=nao&administradora=ADM-NENHUMA", []),
        ("plano=NAO-HA", []),
        ("responsavel=livres&status=NEGADO", []),
        ("responsavel=usuario:ninguem", []),
    ],
)
async def test_the_list_is_asked_by_deadline_and_by_owner(
    api: httpx.AsyncClient, pedido: dict[str, Any], query: str, found: list[str]
) -> None:
    for name, urgent in (("U-1", True), ("D-1", False)):
        await api.post("/api/autorizacoes", json={**pedido, "pedido_id": name, "documentos_anexos": [], "urgencia": urgent})
    page = (await api.get(f"/api/autorizacoes?{query}")).json()
    assert [one["pedido_id"] for one in page["itens"]] == found
    if "limite" in query:
        following = (await api.get(f"/api/autorizacoes?{query}&cursor={page['cursor']}")).json()
        assert ([one["pedido_id"] for one in following["itens"]], following["cursor"]) == (["U-1"], None)
    assert (await api.get("/api/autorizacoes?prazo=ontem")).status_code == 422
