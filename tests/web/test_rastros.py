"""A request, the jobs that it gave and the clinics that it called are one trace, in which nothing of a person is."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from atendimento import Attended, attended
from cenario import MORNING
from crivo.bootstrap import Container
from crivo.kernel import rastros
from crivo.kernel.logs import JsonLines
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from diligencias import com_pendencia, working_on
from seguimento import wait_for_end
from triagem_web import empty_queue

ANA = {"nome": "Ana Braga", "cpf": "529.982.247-25"}
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
# Of who asked and was asked about: names, numbers, addresses and words.
UNSAID = (
    "Ana",
    "Braga",
    "529",
    "982",
    "Maria",
    "Clara",
    "Souza",
    "proponente",
    "cardiologista",
    "Fernando",
    "dói",
    "P0001",
    "Portf",
    "B-1",
)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    rastros.export_to(provider)
    yield exporter
    rastros.export_to(None)
    provider.shutdown()


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento")) as running:
        yield running


@pytest.fixture
def settings(scope: Scope, clinics: Attended) -> Settings:
    clinics.reset()
    folder, endereco = clinics.clinicas.data_dir, "http://crivo.teste"
    return Settings(_env_file=None, data_dir=folder, tenant=scope.tenant_id, limite_por_minuto=0, agora=MORNING, endereco_publico=endereco)


def by_name(spans: InMemorySpanExporter) -> dict[str, list[ReadableSpan]]:
    found: dict[str, list[ReadableSpan]] = {}
    for one in spans.get_finished_spans():
        found.setdefault(one.name, []).append(one)
    return found


def trace_of(one: ReadableSpan) -> int:
    assert one.context is not None
    return int(one.context.trace_id)


def told(spans: InMemorySpanExporter) -> str:
    """All that would be exported, but for ids and times: those are random, and may hold any digits."""
    kept = []
    for one in spans.get_finished_spans():
        whole = json.loads(one.to_json())
        kept.append([whole["name"], whole["attributes"], whole["status"], whole["events"], whole["links"], whole["resource"]["attributes"]])
    return json.dumps(kept, ensure_ascii=False)


async def test_a_whole_journey_is_told_without_anybody_in_it(
    spans: InMemorySpanExporter,
    api: httpx.AsyncClient,
    container: Container,
    database: Database,
    urls: tuple[str, str],
    scope: Scope,
    pedido: dict[str, Any],
    published: str,
) -> None:
    empty_queue(urls[0])
    cliente = {"id": "B-1", "nome": ANA["nome"], "cpf": ANA["cpf"], "idade": 50, "carencia_cumprida_dias": 400}
    decided = await api.post("/api/autorizacoes", json={**pedido, "beneficiario": cliente, "observacoes": "dói muito"})
    assert decided.status_code == 200
    await api.get("/api/autorizacoes", params={"status": "APROVADO", "q": ANA["cpf"]})
    await api.get(f"/nada/{ANA['cpf']}", headers={"x-request-id": "529.982.247-25", "traceparent": PARENT})
    begun = await api.post("/api/clinicas/conversas", json={"paciente": ANA})
    for texto in ("quero marcar uma consulta com cardiologista", "pode ser com o Dr. Fernando dia 18 as 10h", "meu peito dói, é Ana"):
        said = await api.post(f"{begun.headers['location']}/mensagens", json={"texto": texto}, headers={"accept": "application/json"})
        assert said.status_code == 200, said.text
    await container.triagem.importar(scope, com_pendencia())
    async with working_on(database):
        started = await api.post("/api/ia/triagem", json={"edital_id": "ED-1"}, headers={"traceparent": PARENT})
        assert started.status_code in {200, 202}, started.text
        execucao = await wait_for_end(container.triagem, scope, "ED-1")
    assert execucao.status == "concluida"

    found, everything = by_name(spans), told(spans)
    for unsaid in UNSAID:
        assert unsaid not in everything
    assert set(found) >= {
        "POST /api/autorizacoes",
        "GET (nenhuma)",
        "banco",
        "POST /api/clinicas/conversas/{conversa_id}/mensagens",
        "clinica list_available_slots",
        "clinica book_appointment",
        "POST /api/ia/triagem",
        "trabalho triagem.projeto",
    }
    # From the request to its jobs, and to the clinics.
    (asked,) = found["POST /api/ia/triagem"]
    assert trace_of(asked) == int(PARENT.split("-")[1], 16)
    assert {trace_of(one) for one in found["trabalho triagem.projeto"]} == {trace_of(asked)}
    turns = {trace_of(one) for one in found["POST /api/clinicas/conversas/{conversa_id}/mensagens"]}
    assert {trace_of(one) for one in found["clinica book_appointment"]} <= turns
    assert dict(found["GET (nenhuma)"][0].attributes or {}) == {
        "http.request.method": "GET",
        "http.route": "(nenhuma)",
        "http.response.status_code": 404,
    }


async def test_every_line_of_a_request_has_its_id_and_a_proxy_may_give_it(
    spans: InMemorySpanExporter, api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(JsonLines())
    with caplog.at_level(logging.INFO, "crivo"):
        answer = await api.get("/healthz", headers={"x-request-id": "proxy-0123456789", "traceparent": PARENT})
    line = json.loads(caplog.text.splitlines()[-1])
    assert answer.headers["x-request-id"] == line["request_id"] == "proxy-0123456789"
    assert line["trace_id"] == PARENT.split("-")[1]
    (done,) = by_name(spans)["GET /healthz"]
    assert done.context is not None
    assert line["span_id"] == f"{done.context.span_id:016x}"
