"""Ids go with what they belong to, and spans tell names and codes alone."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from crivo.kernel import rastros
from crivo.kernel.logs import JsonLines
from crivo.kernel.rastros import begin, find_id, ids, known, read_trace_id, span, traceparent
from crivo.kernel.storage.errors import DiscoCheio

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class OfThisThread(SimpleSpanProcessor):
    """What a server of another test still does in a thread of its own is none of what is looked at."""

    def on_end(self, span: ReadableSpan) -> None:
        if threading.current_thread() is threading.main_thread():
            super().on_end(span)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(OfThisThread(exporter))
    rastros.export_to(provider)
    yield exporter
    rastros.export_to(None)
    provider.shutdown()


def test_without_an_exporter_a_span_is_nothing_and_is_nobody_s_parent() -> None:
    with span("trabalho", "consumidor", PARENT) as one:
        one.note("x", 1)
        one.fail("nada")
        assert traceparent() is None
    begin("banco").end()
    assert ids() == {}


async def test_ids_stand_until_the_block_ends_in_the_tasks_that_it_begins_too() -> None:
    with known(request_id="r-1"):
        with known(job_id="7"):
            assert await asyncio.create_task(_ids()) == {"request_id": "r-1", "job_id": "7"}
        assert find_id("job_id") is None
    assert ids() == {}


async def _ids() -> dict[str, str]:
    return ids()


def test_a_log_line_has_the_ids_of_where_it_is_written_and_its_own_before_them(spans: InMemorySpanExporter) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger("crivo.prova")
    logger.addHandler(handler)
    with known(request_id="r-1", tarefa="t"), span("x"):
        logger.warning("aconteceu", extra={"tarefa": "outra"})
    line = json.loads(stream.getvalue())
    (done,) = spans.get_finished_spans()
    assert done.context is not None
    assert (line["request_id"], line["tarefa"]) == ("r-1", "outra")
    assert line["trace_id"] == f"{done.context.trace_id:032x}"
    assert line["span_id"] == f"{done.context.span_id:016x}"


def test_a_span_goes_on_from_what_asked_for_it_elsewhere(spans: InMemorySpanExporter) -> None:
    with span("trabalho", "consumidor", PARENT):
        told = traceparent()
    (done,) = spans.get_finished_spans()
    assert done.parent is not None
    assert done.parent.span_id == 0x00F067AA0BA902B7
    assert told is not None
    assert read_trace_id(told) == "4bf92f3577b34da6a3ce929d0e0e4736"


def test_what_is_part_of_nothing_is_not_told(spans: InMemorySpanExporter) -> None:
    begin("banco").end()
    assert spans.get_finished_spans() == ()
    with span("x"):
        begin("banco", "cliente", db__system__name="postgresql").end()
    part, whole = spans.get_finished_spans()
    assert (part.parent, dict(part.attributes or {})) == (whole.context, {"db.system.name": "postgresql"})


@pytest.mark.parametrize("said", ["", "x", PARENT + "-1", PARENT.upper(), "00-" + "0" * 32 + "-00f067aa0ba902b7-01", "ff" + PARENT[2:]])
def test_what_is_no_traceparent_begins_a_trace_of_its_own(spans: InMemorySpanExporter, said: str) -> None:
    assert read_trace_id(said) is None
    with span("GET", "servidor", said):
        pass
    (done,) = spans.get_finished_spans()
    assert done.parent is None


@pytest.mark.parametrize(("error", "code"), [(ValueError("Maria, 529.982.247-25"), "ValueError"), (DiscoCheio("Maria"), "disco_cheio")])
def test_an_error_is_told_by_its_code_and_never_by_what_it_says(spans: InMemorySpanExporter, error: Exception, code: str) -> None:
    with pytest.raises(type(error)), span("x"):
        raise error
    (done,) = spans.get_finished_spans()
    assert dict(done.attributes or {}) == {"error.type": code}
    assert (done.status.description, list(done.events)) == (None, [])
