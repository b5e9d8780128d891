"""Spans leave by OTLP where the settings say where to, and whatever becomes of them costs no request."""

from __future__ import annotations

import gzip
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from crivo.kernel import rastros, rastros_otlp
from crivo.kernel.rastros import span
from crivo.kernel.rastros_otlp import SemExportador, exporting, require_exporter
from crivo.kernel.settings import Settings, load_settings


class Coletor(HTTPServer):
    """Takes what is sent to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.recebidos: list[tuple[str, ExportTraceServiceRequest]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        raw = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
        assert isinstance(self.server, Coletor)
        self.server.recebidos.append((self.path, ExportTraceServiceRequest.FromString(raw)))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def coletor() -> Iterator[Coletor]:
    server = Coletor()
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield server
    server.shutdown()
    serving.join()
    server.server_close()


def test_spans_are_sent_to_where_the_standard_name_says(coletor: Coletor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", coletor.address + "/")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "crivo-de-prova")
    with exporting(load_settings(None), "trabalhador"), span("trabalho t", "consumidor", crivo__tarefa="t"):
        pass
    ((path, sent),) = coletor.recebidos
    assert path == "/v1/traces"
    (resource,) = sent.resource_spans
    told = {one.key: one.value.string_value for one in resource.resource.attributes}
    assert (told["service.name"], told["crivo.papel"]) == ("crivo-de-prova", "trabalhador")
    ((one,),) = [scope.spans for scope in resource.scope_spans]
    assert one.name == "trabalho t"
    assert rastros.tracer() is None  # it is over


@pytest.mark.parametrize(
    "chosen",
    [{}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}],
)
def test_nothing_is_exported_where_nobody_asks_or_it_is_switched_off(chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    with exporting(load_settings(None), "servidor"):
        assert rastros.tracer() is None


def test_an_endpoint_of_traces_is_taken_as_it_stands() -> None:
    settings = Settings(_env_file=None).model_copy(update={"otel_endpoint": "http://a:4318", "otel_traces_endpoint": "http://b/x"})
    assert settings.rastros_para == "http://b/x"


def test_without_what_sends_them_the_start_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with (
        pytest.raises(SemExportador, match=r"pip install 'opentelemetry-exporter-otlp-proto-http>=.*opentelemetry-sdk>="),
        exporting(load_settings(None), "servidor"),
    ):
        pass
    with pytest.raises(SemExportador):
        require_exporter(load_settings(None))


def test_a_collector_that_is_away_costs_spans_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(rastros_otlp, "_LAST_SECONDS", 0.1)
    done = []
    with exporting(load_settings(None), "servidor"), span("x"):
        assert rastros.tracer() is not None
        done.append("x")
    assert (done, rastros.tracer()) == (["x"], None)
