"""What goes wrong with a call to a model, each in one of the eight kinds of `Falha`. Nothing of what a service said is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import httpx2
from openai import OpenAIError
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UserError,
)

from crivo.kernel.llm.port import Falha
from crivo.kernel.llm.ritmo import retry_after

_REFUSES: Final = re.compile(
    r"^\W*(desculp\w+|sinto muito|lamento|infelizmente|i'?m sorry|i am sorry|sorry|unfortunately)?\W*(\w+\W+){0,3}?"
    r"(não (posso|consigo|vou|é possível)|i (can'?t|cannot|can not|won'?t|am unable|'m unable))\b",
    re.IGNORECASE,
)
_SERVER_ERROR: Final = 500
_NOT_SO: Final = frozenset({400, 422})
_FILTERED: Final = frozenset({"content_filter", "content_policy_violation"})


class CorpoGrande(Exception):
    """The body of an answer is larger than any that could be meant, or packed so that its size cannot be known."""


# What a call raises: errors with a name, and what a body that is out of order makes of a library that takes it on trust.
TROPECOS: Final[tuple[type[Exception], ...]] = (
    *(AgentRunError, OpenAIError, httpx2.HTTPError, CorpoGrande),
    *(AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
)


@dataclass(frozen=True, slots=True)
class Tropeco:
    """A call that brought no answer: `passa` where asking again may bring one, `espera` the seconds that the service asked for.

    `jeito`: the key was taken, and the way of asking was not; it may be asked otherwise.
    """

    falha: Falha
    passa: bool = False
    espera: float | None = None
    jeito: bool = False


def tropeco_of(error: BaseException, now: datetime) -> Tropeco:
    """The kind of an error that a call raised; whatever is not known is an answer that could not be read."""
    if isinstance(error, TimeoutError | ModelTimeoutError):
        return Tropeco("demorou")
    if isinstance(error, ModelConnectionError):
        return Tropeco("ilegivel" if error.phase == "read" else "fora_do_ar", passa=True)
    if isinstance(error, ModelAPIError):
        return _of_service(error, now)
    if isinstance(error, UserError):
        return Tropeco("nao_aceito")
    return Tropeco("ilegivel")


def refuses(texto: str) -> bool:
    """Whether a text that is not the answer begins as refusals do, in Portuguese or in English."""
    return _REFUSES.match(texto.strip()[:200].replace("’", "'")) is not None


def _of_service(error: ModelAPIError, now: datetime) -> Tropeco:
    http = error if isinstance(error, ModelHTTPError) else None
    passes = http is None or http.provider_retry_hint is not False
    espera = retry_after(http.headers, now) if http is not None and http.headers is not None else None
    if isinstance(error, ModelQuotaExceededError):
        return Tropeco("limite_de_uso")
    if isinstance(error, ModelRateLimitError):
        return Tropeco("limite_de_uso", passes, espera)
    if isinstance(error, ModelServerError | ModelUnavailableError) or (http is not None and http.status_code >= _SERVER_ERROR):
        return Tropeco("fora_do_ar", passes, espera)
    if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
        return Tropeco("nao_aceito")
    if http is not None and http.status_code == 408:
        return Tropeco("demorou", passes, espera)
    if isinstance(error, ModelContextWindowExceededError):
        return Tropeco("recusou")  # the key and the name are right: it is the question that it does not take
    if error.provider_error_code in _FILTERED or error.provider_error_type in _FILTERED:
        return Tropeco("recusou")
    if isinstance(error, ModelRequestRejectedError) or http is not None:
        return Tropeco("nao_aceito", jeito=http is not None and http.status_code in _NOT_SO)
    return Tropeco("ilegivel")
