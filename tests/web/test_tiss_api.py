"""Guias of TISS over HTTP: XML in and XML out, problems as problem details, under the key of whoever sends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from crivo.autorizacoes.tiss.xml import parse
from crivo.kernel.tenancy import Scope
from guias_tiss import NS, mensagem, procedimento, sadt

pytestmark = pytest.mark.usefixtures("published")
XML = {"content-type": "application/xml"}
GUIA = mensagem(
    sadt(
        procedimento("41101014"),
        cabecalhoSolicitacao={"registroANS": "123456", "numeroGuiaPrestador": "G9"},
        observacao="Anexos: laudo médico",
    )
)


def texts(answer: httpx.Response, name: str) -> list[str]:
    return [node.text for node in parse(answer.content).iter(f"{{{NS}}}{name}")]


async def test_a_guia_is_answered_in_tiss_and_again_the_same(api: httpx.AsyncClient) -> None:
    first = await api.post("/api/autorizacoes/tiss?plano=PRATA&idade=50&carencia_cumprida_dias=400", content=GUIA, headers=XML)
    assert (first.status_code, first.headers["content-type"]) == (200, "application/xml")
    assert first.headers["crivo-tiss-esquema"] == "nao_conferida"
    assert texts(first, "statusSolicitacao") == ["2"]  # nobody published a regra for this operadora
    again = await api.post("/api/autorizacoes/tiss?plano=PRATA&idade=50&carencia_cumprida_dias=400", content=GUIA, headers=XML)
    assert again.content == first.content
    assert (first.headers.get("idempotency-replayed"), again.headers["idempotency-replayed"]) == (None, "true")
    listed = (await api.get("/api/autorizacoes")).json()["itens"]
    assert [item["pedido_id"] for item in listed] == ["G9"]
    kept = await api.get(f"/api/autorizacoes/{listed[0]['id']}/tiss")
    assert kept.content == first.content


async def test_what_came_in_json_has_no_answer_in_tiss(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    location = (await api.post("/api/autorizacoes", json=pedido)).headers["location"]
    refused = await api.get(f"{location}/tiss")
    assert (refused.status_code, refused.json()["codigo"]) == (422, "sem_guia_tiss")


@pytest.mark.parametrize(
    ("content", "headers", "status", "codigo"),
    [
        (b"<!DOCTYPE a><a/>", XML, 400, "tiss_ilegivel"),
        (b"{}", XML, 400, "tiss_ilegivel"),
        (mensagem(sadt(), versao="3.05.00"), XML, 422, "tiss_recusado"),
        (mensagem(sadt(), digest="0"), XML, 422, "tiss_recusado"),
        (b"<a>" + b" " * 1_000_001, XML, 413, "corpo_grande_demais"),
        (GUIA, {"content-type": "application/json"}, 415, "tipo_nao_aceito"),
        (GUIA, {"content-type": "application/soap+xml"}, 415, "tipo_nao_aceito"),
    ],
)
async def test_what_is_no_guia_is_a_problem_that_says_so(
    api: httpx.AsyncClient, content: bytes, headers: dict[str, str], status: int, codigo: str
) -> None:
    refused = await api.post("/api/autorizacoes/tiss", content=content, headers=headers)
    assert (refused.status_code, refused.json()["codigo"]) == (status, codigo)
    assert refused.headers["content-type"] == "application/problem+json"
    assert (await api.get("/api/autorizacoes")).json()["itens"] == []


async def test_a_key_that_decides_sends_guias_and_reads_none(
    scope: Scope, new_key: Callable[..., Awaitable[str]], client_of: Callable[[str], httpx.AsyncClient]
) -> None:
    async with client_of(await new_key(scope, "autorizacoes:escrever")) as client:
        sent = await client.post("/api/autorizacoes/tiss", content=GUIA, headers={"content-type": "text/xml; charset=ISO-8859-1"})
        assert sent.status_code == 200
        assert (await client.post("/api/autorizacoes/tiss", content=GUIA, headers=XML)).content == sent.content
        assert (await client.get("/api/autorizacoes/0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00/tiss")).status_code == 403


@pytest.mark.parametrize("stray", ["carencia=400", "Plano=OURO", "x=1"])
async def test_a_parameter_that_there_is_not_is_refused_before_anything_is_decided(api: httpx.AsyncClient, stray: str) -> None:
    refused = await api.post(f"/api/autorizacoes/tiss?plano=PRATA&{stray}", content=GUIA, headers=XML)
    problem = refused.json()["problemas"][0]
    assert (refused.status_code, problem["codigo"]) == (422, "parametro_desconhecido")
    assert "carencia_cumprida_dias" in problem["mensagem"]
    assert (await api.get("/api/autorizacoes")).json()["itens"] == []


@pytest.mark.parametrize(
    ("query", "status"), [("sexo=F&valor=350.5", 200), ("sexo=X", 422), ("valor=1&valor=2", 422), ("valor=-1", 422), ("valor=nan", 422)]
)
async def test_sex_and_value_may_come_beside_the_guia(api: httpx.AsyncClient, query: str, status: int) -> None:
    answer = await api.post(f"/api/autorizacoes/tiss?plano=PRATA&{query}", content=GUIA, headers=XML)
    assert answer.status_code == status
    listed = (await api.get("/api/autorizacoes")).json()["itens"]
    assert len(listed) == (status == 200)


async def test_an_operadora_that_nobody_published_for_is_told(api: httpx.AsyncClient) -> None:
    answer = await api.post("/api/autorizacoes/tiss", content=GUIA, headers=XML)
    assert answer.headers["crivo-aviso"] == "administradora_desconhecida"
