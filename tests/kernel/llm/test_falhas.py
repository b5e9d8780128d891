"""Each thing that can go wrong with a call is one of eight, and is tried again only where that can help."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import openai
import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
    UserError,
)

from crivo.kernel.llm.falhas import TROPECOS, CorpoGrande, Tropeco, refuses, tropeco_of

_NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def _http(category: Any, status: int, **more: Any) -> ModelHTTPError:
    return ModelHTTPError.for_category(category, status_code=status, model_name="m", **more)


@pytest.mark.parametrize(
    ("error", "tropeco"),
    [
        (_http(ModelRateLimitError, 429), Tropeco("limite_de_uso", passa=True)),
        (_http(ModelRateLimitError, 429, headers={"Retry-After": "9"}), Tropeco("limite_de_uso", passa=True, espera=9.0)),
        (_http(ModelRateLimitError, 429, headers={"x-should-retry": "false"}), Tropeco("limite_de_uso")),
        (_http(ModelQuotaExceededError, 429), Tropeco("limite_de_uso")),
        (_http(ModelServerError, 500), Tropeco("fora_do_ar", passa=True)),
        (_http(ModelUnavailableError, 503, headers={"retry-after": "2"}), Tropeco("fora_do_ar", passa=True, espera=2.0)),
        (_http(ModelOverloadedError, 529), Tropeco("fora_do_ar", passa=True)),
        (_http(None, 502), Tropeco("fora_do_ar", passa=True)),
        (_http(None, 408), Tropeco("demorou", passa=True)),
        (_http(ModelAuthenticationError, 401), Tropeco("nao_aceito")),
        (_http(ModelNotFoundError, 404), Tropeco("nao_aceito")),
        (_http(ModelRequestRejectedError, 400), Tropeco("nao_aceito", jeito=True)),
        (_http(ModelRequestRejectedError, 422), Tropeco("nao_aceito", jeito=True)),
        (_http(ModelContextWindowExceededError, 400), Tropeco("recusou")),
        (_http(None, 418), Tropeco("nao_aceito")),
        (_http(ModelRequestRejectedError, 400, provider_error_code="content_filter"), Tropeco("recusou")),
        (ModelServerError("m", "in a body that said 200"), Tropeco("fora_do_ar", passa=True)),
        (ModelConnectionError("m", "refused", phase="connect"), Tropeco("fora_do_ar", passa=True)),
        (ModelConnectionError("m", "cut", phase="read"), Tropeco("ilegivel", passa=True)),
        (ModelTimeoutError("m", "slow"), Tropeco("demorou")),
        (TimeoutError(), Tropeco("demorou")),
        (ModelAPIError("m", "not JSON"), Tropeco("ilegivel")),
        (UnexpectedModelBehavior("of no form"), Tropeco("ilegivel")),
        (CorpoGrande(), Tropeco("ilegivel")),
        (UserError("no such output"), Tropeco("nao_aceito")),
        (openai.OpenAIError("?"), Tropeco("ilegivel")),
        (IndexError(), Tropeco("ilegivel")),
    ],
)
def test_each_error_has_one_kind(error: Exception, tropeco: Tropeco) -> None:
    assert tropeco_of(error, _NOW) == tropeco
    assert isinstance(error, (TimeoutError, *TROPECOS))


@pytest.mark.parametrize(
    "texto",
    [
        "Desculpe, não posso ajudar com isso.",
        "Desculpe, mas não posso ajudar.",
        "Sinto muito, mas não consigo fazer isso.",
        "Infelizmente, não é possível avaliar este texto.",
        "Não posso responder a esse pedido.",
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, I cannot help with that request.",
        "I can't help with that.",
        "Unfortunately, I am unable to comply.",
    ],
)
def test_a_refusal_in_words_is_known_by_how_it_begins(texto: str) -> None:
    assert refuses(texto)


@pytest.mark.parametrize(
    "texto",
    ["", "Claro! Aqui está o que você pediu: {campo: valor,", '{"nota": 7', "O beneficiário não pode esperar.", "Sure, here it is:"],
)
def test_other_words_are_no_refusal(texto: str) -> None:
    assert not refuses(texto)
