"""What the program says of itself, and how it fares without its database."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from crivo.bootstrap import Container
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from crivo.web.state import free_bytes


async def test_the_six_agents_are_told_as_data(api: httpx.AsyncClient) -> None:
    agentes = (await api.get("/api/agentes")).json()["itens"]
    assert [agente["etapa"] for agente in agentes] == ["normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"]
    assert agentes[0]["ve"] == ["pedido"]
    assert agentes[5]["autoria"]["mensagens.para_beneficiario"] == ["codigo", "modelo", "pessoa"]
    assert all(len(agente["prompt"]["digest"]) == 64 and agente["saida"]["$defs"] for agente in agentes)


async def test_the_audit_chain_is_verified(api: httpx.AsyncClient, published: str, pedido: dict[str, Any]) -> None:
    await api.post("/api/autorizacoes", json=pedido)
    found = (await api.get("/api/auditoria/verificacao")).json()
    assert (found["integra"], found["quebras"]) == (True, [])
    assert found["entradas"] == found["cabeca"]["seq"] >= 3


async def test_an_altered_audit_entry_is_found(api: httpx.AsyncClient, published: str, scope: Scope, urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("set local session_replication_role = replica")
        connection.execute("update auditoria set acao = 'outra' where tenant_id = %s and seq = 2", (scope.tenant_id,))
    found = (await api.get("/api/auditoria/verificacao")).json()
    assert (found["integra"], found["quebras"]) == (False, [{"seq": 2, "ate": 2, "motivo": "alterada"}])


async def test_up_and_ready_are_said_without_a_key(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.get("/healthz")).json() == {"situacao": "no ar"}
    assert (await anonymous.get("/readyz")).json() == {"situacao": "pronto"}


@pytest.fixture
async def stranded(
    settings: Settings, container_over: Callable[[Settings, Database, Clock], Container]
) -> AsyncIterator[httpx.AsyncClient]:
    """The application over a database that is not there."""
    database = Database("postgresql://ninguem@127.0.0.1:1/nada")
    app = create_app(settings, lambda _: nullcontext(container_over(settings, database, SystemClock())))
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://crivo.teste") as client:
        yield client
    await database.close()


@pytest.mark.parametrize("path", ["/readyz", "/api/autorizacoes"])
async def test_without_its_database_it_says_so_and_when_to_try_again(stranded: httpx.AsyncClient, path: str) -> None:
    key = f"crv_local_{'0' * 16}_{'0' * 64}"
    answer = await stranded.get(path, headers={"authorization": f"Bearer {key}"})
    assert (answer.status_code, answer.json()["codigo"]) == (503, "banco_indisponivel")
    assert int(answer.headers["retry-after"]) > 0
    assert (await stranded.get("/healthz")).status_code == 200


async def test_without_its_database_a_person_is_told_on_a_page(stranded: httpx.AsyncClient) -> None:
    cookie = f"crs_local_{'0' * 16}_{'0' * 64}"
    answer = await stranded.get("/autorizacoes", headers={"accept": "text/html", "cookie": f"crivo_sessao={cookie}"})
    assert answer.status_code == 503
    assert "<h1>O banco de dados não respondeu</h1>" in answer.text


async def test_it_serves_again_once_its_connections_were_cut(
    api: httpx.AsyncClient, published: str, pedido: dict[str, Any], urls: tuple[str, str]
) -> None:
    assert (await api.post("/api/autorizacoes", json=pedido)).status_code == 200
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        )
    assert (await api.post("/api/autorizacoes", json=pedido)).status_code == 200


async def test_the_documentation_page_lets_only_its_own_script_run(anonymous: httpx.AsyncClient) -> None:
    page = await anonymous.get("/api/docs")
    assert re.findall(r'(?:src|href)="(?!/api/docs/)', page.text) == []
    assert "//" not in page.text.replace("<!-- `SwaggerUIBundle` is now available on the page -->", "")
    policy = page.headers["content-security-policy"]
    assert "'sha256-" in policy
    assert "unsafe" not in policy
    assert (await anonymous.get("/api/docs/../app.py")).status_code == 404
    assert (await anonymous.get("/api/docs/__init__.py")).status_code == 404


async def test_a_full_disk_is_not_ready_and_still_up(app: FastAPI, anonymous: httpx.AsyncClient) -> None:
    """Source: design/sujeito.md, table, 11."""
    app.state.web = replace(app.state.web, free_bytes=lambda _: 1_000_000)
    answer = await anonymous.get("/readyz")
    assert (answer.status_code, answer.json()["codigo"]) == (503, "disco_cheio")
    assert (await anonymous.get("/healthz")).status_code == 200


def test_room_is_measured_where_the_folder_will_be(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "nova" / "pasta") > 0
