"""FHIR over HTTP: a Claim in, a ClaimResponse out, and every refusal an OperationOutcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from claims import bundle, claim, item
from crivo.kernel.tenancy import Scope

pytestmark = pytest.mark.usefixtures("published")
FHIR = {"content-type": "application/fhir+json"}
SUBMIT = "/fhir/Claim/$submit"


def issues(answer: httpx.Response) -> list[tuple[str, str]]:
    outcome = answer.json()
    assert outcome["resourceType"] == "OperationOutcome"
    assert answer.headers["content-type"] == "application/fhir+json"
    assert all(issue["severity"] == "error" and issue["details"]["text"] for issue in outcome["issue"])
    return [(issue["code"], issue["details"]["coding"][0]["code"]) for issue in outcome["issue"]]


async def test_a_claim_is_answered_and_again_the_same(api: httpx.AsyncClient) -> None:
    first = await api.post(SUBMIT, content=bundle(), headers=FHIR)
    assert (first.status_code, first.headers["content-type"]) == (200, "application/fhir+json")
    assert (first.json()["resourceType"], first.json()["outcome"]) == (
        "ClaimResponse",
        "queued",
    )  # no regra was published for this operadora
    again = await api.post(SUBMIT, content=bundle(), headers=FHIR)
    assert again.content == first.content
    assert again.headers["idempotency-replayed"] == "true"
    assert (await api.get(first.headers["location"])).content == first.content
    assert [one["pedido_id"] for one in (await api.get("/api/autorizacoes")).json()["itens"]] == ["C-77"]


@pytest.mark.parametrize(
    ("content", "headers", "status", "issue"),
    [
        (b"{", FHIR, 400, ("structure", "fhir_ilegivel")),
        (b"[]", FHIR, 422, ("structure", "fhir_recusado")),
        (bundle(claim(item=[])), FHIR, 422, ("required", "fhir_recusado")),
        (bundle(claim(item(quantity={"value": 1, "unit": "mg"}))), FHIR, 422, ("value", "fhir_recusado")),
        (b'{"a": "' + b"x" * 1_000_001 + b'"}', FHIR, 413, ("too-long", "corpo_grande_demais")),
        (bundle(), {"content-type": "application/fhir+xml"}, 415, ("invalid", "tipo_nao_aceito")),
    ],
)
async def test_what_is_refused_is_an_operation_outcome(
    api: httpx.AsyncClient, content: bytes, headers: dict[str, str], status: int, issue: tuple[str, str]
) -> None:
    refused = await api.post(SUBMIT, content=content, headers=headers)
    assert (refused.status_code, issues(refused)) == (status, [issue])


async def test_whoever_has_no_key_is_told_so_in_fhir_even_in_a_browser(anonymous: httpx.AsyncClient) -> None:
    refused = await anonymous.post(SUBMIT, content=bundle(), headers=FHIR | {"accept": "text/html"})
    assert (refused.status_code, issues(refused)) == (401, [("login", "chave_ausente")])
    assert refused.headers["www-authenticate"].startswith("Bearer")
    missing = await anonymous.get("/fhir/Nada", headers={"accept": "text/html"})
    assert (missing.status_code, issues(missing)) == (404, [("not-found", "rota_inexistente")])


async def test_a_key_that_decides_reads_no_answer_of_before(
    scope: Scope, new_key: Callable[..., Awaitable[str]], client_of: Callable[[str], httpx.AsyncClient]
) -> None:
    async with client_of(await new_key(scope, "autorizacoes:escrever")) as client:
        sent = await client.post(SUBMIT, content=bundle(), headers=FHIR)
        assert sent.status_code == 200
        read = await client.get(sent.headers["location"])
        assert (read.status_code, issues(read)) == (403, [("forbidden", "sem_permissao")])


async def test_what_came_in_json_has_no_claim_response(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    location = (await api.post("/api/autorizacoes", json=pedido)).headers["location"].replace("/api/autorizacoes", "/fhir/ClaimResponse")
    refused = await api.get(location)
    assert (refused.status_code, issues(refused)) == (422, [("invalid", "sem_claim")])
    unknown = await api.get("/fhir/ClaimResponse/nenhuma")
    assert (unknown.status_code, issues(unknown)) == (404, [("not-found", "autorizacao_nao_encontrada")])


async def test_what_the_server_does_is_told_to_anybody(anonymous: httpx.AsyncClient) -> None:
    told = (await anonymous.get("/fhir/metadata")).json()
    assert (told["resourceType"], told["fhirVersion"], told["implementation"]["url"]) == (
        "CapabilityStatement",
        "4.0.1",
        "http://crivo.teste/fhir",
    )


async def test_an_operadora_that_nobody_published_for_is_told_and_a_stray_parameter_refused(api: httpx.AsyncClient) -> None:
    answer = await api.post(SUBMIT, content=bundle(), headers=FHIR)
    assert answer.headers["crivo-aviso"] == "administradora_desconhecida"
    refused = await api.post(f"{SUBMIT}?plano=OURO", content=bundle(), headers=FHIR)
    assert (refused.status_code, refused.json()["resourceType"]) == (422, "OperationOutcome")
