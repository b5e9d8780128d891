"""What a service is sent is what the SDK would have sent by itself, letter by letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import msgspec
import pytest
from openai import AsyncAzureOpenAI, AsyncOpenAI
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from crivo.kernel.llm.envio import send_as_given
from crivo.kernel.llm.fluxo import asks_for_stream
from crivo.kernel.llm.gateway import _parameters
from perguntas import Parecer

Opens = Callable[[httpx2.AsyncClient], AsyncOpenAI]
_CHAT = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-5",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "{}"}}],
}
_RESPONSE: dict[str, Any] = {
    "id": "1",
    "object": "response",
    "created_at": 1,
    "model": "gpt-5",
    "status": "completed",
    "output": [
        {
            "id": "2",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "{}", "annotations": []}],
        }
    ],
}
_ASKED: list[ModelMessage] = [
    ModelRequest(parts=[UserPromptPart("Quantas sessões?")], instructions="Seja breve."),
    ModelResponse(parts=[TextPart("Não sei.")]),
    ModelRequest(parts=[UserPromptPart("Só o JSON.")], instructions="Seja breve."),
]


def _openai(http: httpx2.AsyncClient) -> AsyncOpenAI:
    return AsyncOpenAI(base_url="http://servico/v1", api_key="chave", http_client=http, max_retries=0)


def _azure(http: httpx2.AsyncClient) -> AsyncOpenAI:
    return AsyncAzureOpenAI(azure_endpoint="http://servico", api_version="1", api_key="chave", http_client=http, max_retries=0)


async def _sent(model: type[Any], opens: Opens, prepare: Callable[[AsyncOpenAI], None], *, nativo: bool, flui: bool) -> tuple[Any, ...]:
    """What came in when a question was asked, and what its answer was read as."""
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=_RESPONSE if request.url.path.endswith("/responses") else _CHAT)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        client = opens(http)
        prepare(client)
        settings = OpenAIChatModelSettings(max_tokens=9, openai_store=False, openai_reasoning_effort="low")
        if flui:
            settings["extra_body"] = asks_for_stream(chat=model is OpenAIChatModel)
        asked = model("gpt-5", provider=OpenAIProvider(openai_client=client))
        parameters = _parameters(Parecer, nativo=nativo)
        got = await model_request(asked, _ASKED, model_settings=settings, model_request_parameters=parameters, instrument=False)
    (request,) = seen
    return request.method, str(request.url), request.headers.multi_items(), msgspec.json.decode(request.content), got.text, got.usage


@pytest.mark.parametrize("flui", [False, True], ids=["whole", "in pieces"])
@pytest.mark.parametrize("nativo", [True, False], ids=["native", "in words"])
@pytest.mark.parametrize(
    ("model", "opens"),
    [(OpenAIChatModel, _openai), (OpenAIChatModel, _azure), (OpenAIResponsesModel, _openai)],
    ids=["chat", "azure", "responses"],
)
async def test_what_is_sent_is_what_the_sdk_sends_and_read_as_it_reads_it(model: type[Any], opens: Opens, nativo: bool, flui: bool) -> None:
    own = await _sent(model, opens, lambda client: None, nativo=nativo, flui=flui)
    assert await _sent(model, opens, send_as_given, nativo=nativo, flui=flui) == own
    assert own[3]["stream"] is flui
