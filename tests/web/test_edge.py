"""What every answer carries, what the log and the metrics keep of a request, and what happens when this program itself fails."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import generate_latest
from starlette.types import Receive, Scope, Send

from crivo.bootstrap import Container
from crivo.kernel.logs import JsonLines, logger
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope as Tenancy
from crivo.web.app import create_app
from crivo.web.edge import Edge
from crivo.web.failures import answer_unexpected
from crivo.web.metrics import Metrics


@pytest.fixture
def log() -> io.StringIO:
    """The log of the test, as it would be written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logger.setLevel("INFO")
    return stream


@pytest.fixture
async def app(settings: Settings, container: Container) -> AsyncIterator[FastAPI]:
    """An application whose metrics nobody else has counted in."""
    app = create_app(settings, lambda _: nullcontext(container))
    async with app.router.lifespan_context(app):
        yield app


def lines_of(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@pytest.mark.parametrize("path", ["/healthz", "/api/autorizacoes", "/nada", "/entrar", "/static/crivo.css", "/api/docs"])
async def test_every_answer_carries_the_security_headers(anonymous: httpx.AsyncClient, path: str) -> None:
    """Triagem 6/2: a page may call nobody but this server, so that models are asked from the server alone."""
    headers = (await anonymous.get(path)).headers
    assert "default-src 'self'" in headers["content-security-policy"] or path == "/api/docs"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-request-id"]
    assert ("no-store" in headers["cache-control"]) == (not path.startswith("/static/"))


async def test_strict_transport_is_asked_for_only_over_https(app: FastAPI) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
        assert "strict-transport-security" in (await client.get("https://crivo.teste/healthz")).headers
        assert "strict-transport-security" not in (await client.get("http://crivo.teste/healthz")).headers


@pytest.mark.parametrize("path", ["/healthz", "/api/autorizacoes", "/nada", "/entrar", "/static/crivo.css", "/api/docs"])
async def test_no_answer_lets_plug_ins_or_a_base_in_nor_another_origin_read_it(anonymous: httpx.AsyncClient, path: str) -> None:
    headers = (await anonymous.get(path, headers={"origin": "https://outro.teste"})).headers
    assert {"object-src 'none'", "base-uri 'none'"} <= {part.strip() for part in headers["content-security-policy"].split(";")}
    assert [name for name in headers if name.startswith("access-control-")] == []
    asked = {"origin": "https://outro.teste", "access-control-request-method": "POST"}
    preflight = await anonymous.options(path, headers=asked)
    assert preflight.status_code in (404, 405)
    assert [name for name in preflight.headers if name.startswith("access-control-")] == []


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/entrar", "text/html; charset=utf-8"),
        ("/static/crivo.css", "text/css; charset=utf-8"),
        ("/static/tema.js", "text/javascript; charset=utf-8"),
        ("/static/crivo.svg", "image/svg+xml"),
        ("/api/docs", "text/html; charset=utf-8"),
        ("/nada", "application/problem+json"),
        ("/healthz", "application/json"),
    ],
)
async def test_every_answer_says_what_it_is_and_texts_their_characters(anonymous: httpx.AsyncClient, path: str, media_type: str) -> None:
    assert (await anonymous.get(path)).headers["content-type"] == media_type


@pytest.mark.parametrize("path", ["/", "/entrar", "/healthz", "/api/autorizacoes", "/static/crivo.css"])
async def test_what_was_sent_is_not_traced_back(anonymous: httpx.AsyncClient, path: str) -> None:
    refused = await anonymous.request("TRACE", path, headers={"cookie": "crivo_sessao=segredo-do-cookie"})
    assert refused.status_code == 405
    assert "segredo-do-cookie" not in refused.text


@pytest.mark.parametrize("sane", ["abc-123_X.9", "0" * 64])
async def test_a_sane_request_id_is_kept(anonymous: httpx.AsyncClient, sane: str) -> None:
    assert (await anonymous.get("/healthz", headers={"x-request-id": sane})).headers["x-request-id"] == sane


@pytest.mark.parametrize("odd", ["", "curto", "0" * 65, "com espaço", "a;b<script>", "áéíóúàèì"])
async def test_an_odd_request_id_is_replaced(anonymous: httpx.AsyncClient, odd: str) -> None:
    answer = await anonymous.get("/healthz", headers={b"x-request-id": odd.encode()})
    assert answer.headers["x-request-id"] != odd
    assert len(answer.headers["x-request-id"]) == 24


async def test_the_log_keeps_the_template_of_the_address_and_nothing_that_was_sent(api: httpx.AsyncClient, log: io.StringIO) -> None:
    await api.get("/api/autorizacoes/529.982.247-25?nome=Maria", headers={"x-request-id": "pedido-1"})
    (line,) = lines_of(log)
    assert (line["event"], line["rota"], line["metodo"]) == ("requisicao_atendida", "/api/autorizacoes/{autorizacao_id}", "GET")
    assert (line["status"], line["codigo"], line["request_id"]) == (404, "autorizacao_nao_encontrada", "pedido-1")
    assert line["tenant"].startswith("t-")
    assert line["duracao_ms"] > 0
    assert "Maria" not in log.getvalue()
    assert "529.982" not in log.getvalue()


async def test_what_is_refused_to_whoever_may_not_is_in_the_log_by_its_code(
    anonymous: httpx.AsyncClient, scope: Tenancy, new_key: Callable[..., Awaitable[str]], log: io.StringIO
) -> None:
    key = await new_key(scope, "autorizacoes:ler")
    await anonymous.post("/api/politicas", headers={"authorization": f"Bearer {key}"})
    await anonymous.get("/admin/pessoas")
    refused = [(line["status"], line["codigo"], line["rota"]) for line in lines_of(log) if line["event"] == "requisicao_atendida"]
    assert refused == [(403, "sem_permissao", "/api/politicas"), (401, "sessao_encerrada", "/admin/pessoas")]
    assert key not in log.getvalue()


async def test_metrics_count_requests_by_template_and_decisions_by_outcome(
    app: FastAPI, api: httpx.AsyncClient, published: str, pedido: dict[str, Any]
) -> None:
    for _ in range(2):
        await api.post("/api/autorizacoes", json=pedido, headers={"idempotency-key": "k"})
    await api.get("/uma/rota/que/nao/existe")
    shown = generate_latest(app.state.metrics.registry).decode()
    assert 'crivo_http_requests_total{metodo="POST",rota="/api/autorizacoes",status="200"} 2.0' in shown
    assert 'crivo_http_requests_total{metodo="GET",rota="(nenhuma)",status="404"} 1.0' in shown
    assert 'crivo_decisoes_total{decisao_final="APROVADO"} 1.0' in shown
    assert 'crivo_http_seconds_count{metodo="POST",rota="/api/autorizacoes"} 2.0' in shown
    assert "existe" not in shown


async def test_a_method_that_nobody_knows_makes_no_label_of_its_own(app: FastAPI, anonymous: httpx.AsyncClient) -> None:
    await anonymous.request("INVENTADO", "/healthz")
    assert "INVENTADO" not in generate_latest(app.state.metrics.registry).decode()


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError("o CPF 529.982.247-25 de Maria")


async def half_done(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError("o CPF 529.982.247-25 de Maria")


async def test_a_fault_of_this_program_is_told_by_its_number_alone(log: io.StringIO) -> None:
    edge = Edge(broken, Metrics(), answer_unexpected, lambda: "numero-1", lambda: 0.0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://crivo.teste") as client:
        answer = await client.get("/qualquer")
    assert (answer.status_code, answer.json()["codigo"], answer.json()["request_id"]) == (500, "erro_interno", "numero-1")
    fault, access = lines_of(log)
    assert (fault["event"], fault["erro"], fault["request_id"]) == ("falha_inesperada", "RuntimeError", "numero-1")
    assert access["status"] == 500
    for told in (answer.text, log.getvalue()):
        assert "Maria" not in told
        assert "529.982" not in told


async def test_a_fault_after_the_answer_began_breaks_the_connection(log: io.StringIO) -> None:
    edge = Edge(half_done, Metrics(), answer_unexpected, lambda: "numero-1", lambda: 0.0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://crivo.teste") as client:
        with pytest.raises(RuntimeError):
            await client.get("/qualquer")
    assert "Maria" not in log.getvalue()


async def test_a_person_reads_of_a_fault_on_a_page() -> None:
    edge = Edge(broken, Metrics(), answer_unexpected, lambda: "numero-1", lambda: 0.0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://crivo.teste") as client:
        answer = await client.get("/", headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert "numero-1" in answer.text
    assert "RuntimeError" not in answer.text
