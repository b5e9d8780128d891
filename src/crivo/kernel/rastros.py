"""What belongs together: the ids of a request or a job in every log line, and the spans of a trace where an installation exports them.

A span holds names, counts and codes, never a value that was sent, an address with its query, or an error's text. Libraries get no tracer
of ours: what they would note of a call is not known to be free of people. Where nothing is exported a span costs a look at one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, SpanKind, Tracer, TracerProvider

Lado = Literal["servidor", "cliente", "consumidor", "interno"]
"""Which end of a call a span is: it answers, asks, does a job of the queue, or none of these."""
Atributo = str | int | float | bool

TRACEPARENT: Final = "traceparent"  # as W3C Trace Context names the header
_TRACEPARENT: Final = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")
_SCOPE: Final = "crivo"


class Trecho(Protocol):
    """One span under way."""

    def note(self, nome: str, valor: Atributo) -> None:
        """What became known of it."""
        ...

    def rename(self, nome: str) -> None:
        """What it is, once that is known."""
        ...

    def fail(self, tipo: str) -> None:
        """It ended badly; `tipo` is a code or the name of a class, never what was said."""
        ...

    def end(self) -> None:
        """It is over."""
        ...


class _Nothing:
    """The span of an installation that exports none."""

    def note(self, nome: str, valor: Atributo) -> None:
        """Nothing."""

    def rename(self, nome: str) -> None:
        """Nothing."""

    def fail(self, tipo: str) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


class _Recorded:
    """A span of the SDK."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def note(self, nome: str, valor: Atributo) -> None:
        """As an attribute."""
        self._span.set_attribute(nome, valor)

    def rename(self, nome: str) -> None:
        """As its name."""
        self._span.update_name(nome)

    def fail(self, tipo: str) -> None:
        """As its status, without a description."""
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("error.type", tipo)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """As its last moment."""
        self._span.end()


_NOTHING: Final = _Nothing()
_UNTRACED: Final[AbstractContextManager[Trecho]] = nullcontext(_NOTHING)
_ids: ContextVar[Mapping[str, str] | None] = ContextVar("crivo.ids", default=None)
_tracer: Tracer | None = None


def export_to(provider: TracerProvider | None) -> None:
    """Record spans of this process with a provider from now on, or none."""
    global _tracer
    _tracer = provider.get_tracer(_SCOPE) if provider is not None else None


def tracer() -> Tracer | None:
    """What records spans of this process; None where nothing does."""
    return _tracer


@contextmanager
def known(**ids: str) -> Iterator[None]:
    """These ids stand in every log line until the block ends, in the tasks that it begins too. They must hold no personal data."""
    token = _ids.set({**(_ids.get() or {}), **ids})
    try:
        yield
    finally:
        _ids.reset(token)


def find_id(nome: str) -> str | None:
    """One of the ids that are known here, or None."""
    return (_ids.get() or {}).get(nome)


def ids() -> dict[str, str]:
    """What a log line of here belongs to: the ids that are known, and those of the span under way."""
    found = dict(_ids.get() or {})
    if _tracer is not None:
        from opentelemetry import trace

        context = trace.get_current_span().get_span_context()
        if context.is_valid:
            found["trace_id"], found["span_id"] = f"{context.trace_id:032x}", f"{context.span_id:016x}"
    return found


def span(nome: str, lado: Lado = "interno", seguindo: str | None = None, **atributos: Atributo) -> AbstractContextManager[Trecho]:
    """A span for as long as the block lasts, current in it; an error that leaves it is told by its class.

    `seguindo` is the traceparent of what asked for it, where that came from elsewhere. In the names of attributes `__` stands for a dot.
    """
    return _UNTRACED if _tracer is None else _current(_tracer, nome, lado, seguindo, atributos)


def begin(nome: str, lado: Lado = "interno", **atributos: Atributo) -> Trecho:
    """A span that is ended by hand, as part of the one under way and nobody's parent; nothing where none is under way."""
    if _tracer is None or traceparent() is None:
        return _NOTHING
    return _Recorded(_tracer.start_span(nome, kind=_kind(lado), attributes=_named(atributos)))


def traceparent() -> str | None:
    """The span under way as a header tells it to another program or a job; None where there is none."""
    if _tracer is None:
        return None
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}" if context.is_valid else None


def read_trace_id(header: str) -> str | None:
    """The trace that a traceparent belongs to; None where it is none."""
    found = _TRACEPARENT.fullmatch(header)
    return found.group(1) if found else None


@contextmanager
def _current(tracer: Tracer, nome: str, lado: Lado, seguindo: str | None, atributos: Mapping[str, Atributo]) -> Iterator[Trecho]:
    # An error's text and frames may hold what was said: only its class is kept.
    with tracer.start_as_current_span(
        nome,
        context=_context(seguindo) if seguindo else None,
        kind=_kind(lado),
        attributes=_named(atributos),
        record_exception=False,
        set_status_on_exception=False,
    ) as started:
        recorded = _Recorded(started)
        try:
            yield recorded
        except Exception as error:
            recorded.fail(getattr(error, "codigo", None) or type(error).__name__)
            raise


def _context(header: str) -> Context | None:
    from opentelemetry import trace
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

    found = _TRACEPARENT.fullmatch(header)
    if found is None:
        return None
    flags = TraceFlags(int(header[-2:], 16) & TraceFlags.SAMPLED)
    return trace.set_span_in_context(NonRecordingSpan(SpanContext(int(found[1], 16), int(found[2], 16), is_remote=True, trace_flags=flags)))


def _kind(lado: Lado) -> SpanKind:
    from opentelemetry.trace import SpanKind

    kinds = {"servidor": SpanKind.SERVER, "cliente": SpanKind.CLIENT, "consumidor": SpanKind.CONSUMER, "interno": SpanKind.INTERNAL}
    return kinds[lado]


def _named(atributos: Mapping[str, Atributo]) -> dict[str, Atributo]:
    return {nome.replace("__", "."): valor for nome, valor in atributos.items()}
