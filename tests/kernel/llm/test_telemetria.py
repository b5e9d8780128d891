"""A trace tells who was asked, how it ended and what it took, and never what was said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from perguntas import SEGREDO, pergunta
from provedor import FALTAS, Falta, Provedor, always


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What an SDK that is set up would export."""
    exporter = InMemorySpanExporter()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", tracers.get_tracer)
    yield exporter
    tracers.shutdown()


async def test_a_call_and_its_repetition_are_told_by_the_names_of_the_conventions(
    spans: InMemorySpanExporter, configure: Any, database: Database, scope: Scope
) -> None:
    async with open_modelo(configure("openai:gpt-4o"), database, SystemClock()) as modelo:
        assert modelo is not None
        reply = await modelo.ask(scope, pergunta(), "teste:1")
        await modelo.ask(scope, pergunta(), "teste:1")
    first, again = spans.get_finished_spans()
    assert first.name == "chat gpt-4o"
    assert dict(first.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.request.temperature": 0.6,
        "gen_ai.response.model": "gpt-4o",
        "gen_ai.usage.input_tokens": reply.tokens_entrada,
        "gen_ai.usage.output_tokens": reply.tokens_saida,
        "crivo.agente": "teste.parecer",
        "crivo.repetida": False,
    }
    assert dict(again.attributes or {})["crivo.repetida"] is True


@pytest.mark.parametrize("falta", [None, *FALTAS])
async def test_nothing_of_the_content_is_in_a_trace_whatever_goes_wrong(
    spans: InMemorySpanExporter, configure: Any, provedor: Provedor, database: Database, scope: Scope, falta: Falta | None
) -> None:
    provedor.sempre, provedor.silencio_seconds = None if falta is None else always(falta), 1
    provedor.campos = lambda pedido: {"texto": SEGREDO, "nota": SEGREDO if falta == "esquema_errado" else 7}
    failed = True
    async with open_modelo(configure("openai:gpt-4o", modelo_segundos=1), database, SystemClock()) as modelo:
        assert modelo is not None
        with suppress(ModeloIndisponivel):
            await modelo.ask(scope, pergunta(conferir=lambda parecer: SEGREDO, espera_seconds=2), "teste:1")
            failed = False
    (span,) = spans.get_finished_spans()
    assert ("error.type" in (span.attributes or {})) is failed
    assert not span.events
    assert "Quaresma" not in _whole(span)
    assert "529.982" not in _whole(span)


def _whole(span: ReadableSpan) -> str:
    return f"{span.to_json()} {span.status.description} {[(event.name, dict(event.attributes or {})) for event in span.events]}"
