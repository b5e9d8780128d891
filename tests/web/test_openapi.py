"""The OpenAPI document tells the truth, and nothing that it describes can make the program fail."""

from __future__ import annotations

import json
from typing import Any

import httpx
import jsonschema
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from crivo.kernel.access import TABELA
from crivo.web.access import ACCESS

DESCRIBED = [
    row for row, admission in ACCESS.items() if (row[1].startswith("/api/") and admission != "publica") or row[1] in ("/healthz", "/readyz")
]
WITHOUT_INPUT = [
    ("GET", path)
    for path in (
        "/api/politicas",
        "/api/agentes",
        "/api/auditoria/verificacao",
        "/healthz",
        "/readyz",
        "/api/editais",
        "/api/avaliacoes",
        "/api/entregas/destinos",
    )
]
schemathesis.serializer.alias("application/x-ndjson", "application/json")  # a generated pedido has no line breaks: it is one line
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture
def document(app: FastAPI) -> dict[str, Any]:
    return app.openapi()


async def test_it_is_served_without_a_key(anonymous: httpx.AsyncClient, document: dict[str, Any]) -> None:
    assert (await anonymous.get("/api/openapi.json")).json() == json.loads(json.dumps(document))


def test_it_says_where_the_other_addresses_that_decide_are(document: dict[str, Any]) -> None:
    """FHIR describes itself by a CapabilityStatement, and is found from here."""
    beside = {path for _, path in ACCESS if path.startswith("/fhir/")}
    assert beside
    assert all(path.replace("{autorizacao_id}", "{id}") in document["info"]["description"] for path in beside)


def test_every_address_of_the_api_is_in_it_with_its_scope(document: dict[str, Any]) -> None:
    described = {(method.upper(), path) for path, operations in document["paths"].items() for method in operations}
    assert described == {row for row, admission in ACCESS.items() if row[1].startswith("/api/") and admission != "publica"} | {
        ("GET", "/healthz"),
        ("GET", "/readyz"),
    }
    for method, path in described:
        operation = document["paths"][path][method.lower()]
        admission = ACCESS[method, path]
        if admission != "publica":
            assert operation["security"] == [{"chave": []}]
            assert TABELA[admission].escopos
            assert all(f"`{escopo}`" in operation["description"] for escopo in TABELA[admission].escopos)


def test_every_failure_is_described_as_problem_details(document: dict[str, Any]) -> None:
    failures = [
        described
        for operations in document["paths"].values()
        for operation in operations.values()
        for status, described in operation["responses"].items()
        if status == "default" or int(status) >= 400
    ]
    assert len(failures) > 50
    assert all(described["content"]["application/problem+json"]["schema"]["$ref"].endswith("/ProblemDetails") for described in failures)


def test_every_reference_leads_to_a_schema(document: dict[str, Any]) -> None:
    def references(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [found for inner in value.values() for found in references(inner)]
        return [found for inner in value for found in references(inner)] if isinstance(value, list) else []

    names = {reference.removeprefix("#/components/schemas/") for reference in references(document)}
    assert {"Decisao", "Trilha", "Politica", "ProblemDetails"} <= names <= set(document["components"]["schemas"])


async def test_what_is_answered_fits_its_schema(
    api: httpx.AsyncClient, document: dict[str, Any], published: str, pedido: dict[str, Any]
) -> None:
    location = (await api.post("/api/autorizacoes", json=pedido | {"documentos_anexos": []})).headers["location"]
    for name, path in (
        ("Decisao", location),
        ("Trilha", f"{location}/trilha"),
        ("PaginaAutorizacoes", "/api/autorizacoes"),
        ("ListaPoliticas", "/api/politicas"),
        ("PoliticaCompleta", f"/api/politicas/{published}"),
        ("ListaAgentes", "/api/agentes"),
        ("VerificacaoAuditoria", "/api/auditoria/verificacao"),
        ("ProblemDetails", "/api/autorizacoes/nao-e-id"),
    ):
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        faults = [fault.message for fault in jsonschema.Draft202012Validator(schema).iter_errors((await api.get(path)).json())]
        assert faults == [], name


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [(*row, GenerationMode.POSITIVE) for row in DESCRIBED]
    + [(*row, GenerationMode.NEGATIVE) for row in DESCRIBED if row not in WITHOUT_INPUT],
)
def test_no_request_that_it_describes_or_forbids_makes_the_program_fail(
    shared_server: Any, key: str, method: str, path: str, mode: GenerationMode
) -> None:
    document = httpx.get(f"{shared_server.address}/api/openapi.json").json()
    headers = {"Authorization": f"Bearer {key}"}
    operation = schemathesis.openapi.from_dict(document)[path][method]
    tried = 0

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=40, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def probe(case: schemathesis.Case[Any]) -> None:
        nonlocal tried
        tried += 1
        case.call_and_validate(base_url=shared_server.address, headers=headers, checks=CHECKS)

    probe()
    assert tried > 0


def test_a_decision_is_asked_for_in_what_a_mapping_reads_too(document: dict[str, Any]) -> None:
    content = document["paths"]["/api/autorizacoes"]["post"]["requestBody"]["content"]
    assert {"application/json", "application/xml", "text/xml", "application/soap+xml", "text/csv"} == set(content)
    assert "example" in content["application/json"]
