"""Traces of calls to models: who was asked, how it ended and what it took; never what was said.

The names are OpenTelemetry's for generative AI, which are still in development: they stand here alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from crivo.kernel.llm.port import Falha
from crivo.kernel.rastros import tracer
from crivo.kernel.settings import SIMULADO

_OPERATION: Final = "gen_ai.operation.name"
_PROVIDER: Final = "gen_ai.provider.name"
_REQUEST_MODEL: Final = "gen_ai.request.model"
_REQUEST_TEMPERATURE: Final = "gen_ai.request.temperature"
_RESPONSE_MODEL: Final = "gen_ai.response.model"
_INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
_OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
_ERROR_TYPE: Final = "error.type"
_AGENTE: Final = "crivo.agente"
_REPETIDA: Final = "crivo.repetida"
_CHAT: Final = "chat"
_PROVIDERS: Final = {"openai": "openai", "openai-chat": "openai", "azure": "azure.ai.openai", SIMULADO: "crivo.simulado"}


class Chamada:
    """The span of one question."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def answered(self, modelo: str, entrada: int, saida: int, *, repetida: bool) -> None:
        """The question has an answer, of this model."""
        self._span.set_attribute(_RESPONSE_MODEL, modelo.partition(":")[2] or modelo)
        self._span.set_attribute(_INPUT_TOKENS, entrada)
        self._span.set_attribute(_OUTPUT_TOKENS, saida)
        self._span.set_attribute(_REPETIDA, repetida)

    def failed(self, falha: Falha) -> None:
        """The question has none, for this reason."""
        self._span.set_attribute(_ERROR_TYPE, falha)
        self._span.set_status(Status(StatusCode.ERROR))


@contextmanager
def call_span(nome: str, agente: str, temperatura: float | None) -> Iterator[Chamada]:
    """A span for a question to the model configured as `nome`. Where no SDK is set up it records nothing."""
    prefix, _, model = nome.partition(":")
    attributes: dict[str, str | float] = {
        _OPERATION: _CHAT,
        _PROVIDER: _PROVIDERS.get(prefix, prefix),
        _REQUEST_MODEL: model or prefix,
        _AGENTE: agente,
    }
    if temperatura is not None:
        attributes[_REQUEST_TEMPERATURE] = temperatura
    # An error's text and frames may hold what was said: they are not recorded.
    with (tracer() or trace.get_tracer("crivo.kernel.llm")).start_as_current_span(
        f"{_CHAT} {model or prefix}", kind=SpanKind.CLIENT, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        yield Chamada(span)
