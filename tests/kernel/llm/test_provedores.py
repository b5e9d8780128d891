"""Keys go to their owners, bodies have an end, and a service that is to choose a model chooses its first."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import msgspec
import pytest

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.gateway import Falhou, Gateway, Obtida
from crivo.kernel.llm.port import Falha
from crivo.kernel.llm.provedores import LARGEST_BODY_BYTES, client_of, effort_meant, open_http, provedores_of
from crivo.kernel.settings import Settings, load_settings
from limites_aqui import LimitesAqui
from perguntas import pergunta

Configure = Callable[..., Settings]
_CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"texto": "Bom.", "nota": 7}'}}
_COMPLETION = {"id": "c", "object": "chat.completion", "created": 1, "model": "llama3", "choices": [_CHOICE]}
_LISTED = {"object": "list", "data": [{"id": name, "object": "model", "created": 1, "owned_by": "x"} for name in ("llama3", "outro")]}


async def _ask(settings: Settings, http: httpx2.AsyncClient) -> Any:
    async with http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5)
        return await gateway.ask(pergunta(), None)


def _answering(settings: Settings, handle: Callable[[httpx2.Request], httpx2.Response]) -> httpx2.AsyncClient:
    """The product's own client, over a transport of the test."""
    real = open_http(settings)
    return httpx2.AsyncClient(transport=httpx2.MockTransport(handle), event_hooks=real.event_hooks, headers=real.headers)


def _compatible(**chosen: Any) -> Settings:
    return load_settings(None, **{"modelo": "openai-compatible:llama3", "modelo_url": "http://127.0.0.1:9/v1", **chosen})


async def test_a_compatible_service_without_a_name_is_asked_for_its_first_model_once() -> None:
    paths: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        paths.append(request.url.path)
        if request.url.path.endswith("/models"):
            return httpx2.Response(200, json=_LISTED)
        assert msgspec.json.decode(request.content)["model"] == "llama3"
        return httpx2.Response(200, json=_COMPLETION)

    settings = _compatible(modelo="openai-compatible")
    async with _answering(settings, handle) as http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5)
        for _ in range(2):
            found = await gateway.ask(pergunta(), None)
            assert isinstance(found, Obtida)
            assert found.modelo == "openai-compatible:llama3"
    assert paths == ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]


@pytest.mark.parametrize(
    ("answer", "falha"),
    [
        (httpx2.Response(401, json={"error": {}}), "nao_aceito"),
        (httpx2.Response(500), "fora_do_ar"),
        (httpx2.Response(200, json={"object": "list", "data": []}), "ilegivel"),
        (httpx2.ConnectError("refused"), "fora_do_ar"),
    ],
)
async def test_a_service_that_lists_nothing_fails_in_its_kind(answer: httpx2.Response | Exception, falha: Falha) -> None:
    def handle(request: httpx2.Request) -> httpx2.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    settings = _compatible(modelo="openai-compatible")

    async def sleep(seconds: float) -> None:
        assert seconds > 0

    async with _answering(settings, handle) as http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5, sleep=sleep)
        assert await gateway.ask(pergunta(), None) == Falhou(falha, ())


async def test_a_body_without_an_announced_length_is_left_where_it_grows_too_large() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 50 * LARGEST_BODY_BYTES:
            sent += 65_536
            yield b" " * 65_536

    settings = _compatible()
    found = await _ask(settings, _answering(settings, lambda request: httpx2.Response(200, content=endless())))
    assert found == Falhou("ilegivel", ())
    assert sent <= LARGEST_BODY_BYTES + 65_536


async def test_a_packed_body_is_not_opened() -> None:
    packed = gzip.compress(msgspec.json.encode(_COMPLETION))
    asked: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers["accept-encoding"])
        return httpx2.Response(200, content=packed, headers={"content-encoding": "gzip", "content-type": "application/json"})

    settings = _compatible()
    assert await _ask(settings, _answering(settings, handle)) == Falhou("ilegivel", ())
    assert asked == ["identity"]


@pytest.mark.parametrize(
    "body",
    [b"null", b"[]", b'""', b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b'{"choices": null}', b"[" * 5000, b"\xff\xfe"],
)
async def test_a_body_that_is_out_of_order_is_a_fault_and_never_a_crash(body: bytes) -> None:
    settings = _compatible()
    answer = httpx2.Response(200, content=body, headers={"content-type": "application/json"})
    found = await _ask(settings, _answering(settings, lambda request: answer))
    assert isinstance(found, Falhou)
    assert found.falha in {"ilegivel", "fora_do_formato"}


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ({}, True),
        ({"modelo_reserva": "openai:gpt-4o"}, False),
        ({"modelo_reserva": "openai-chat:gpt-4o"}, False),
        ({"embeddings": "openai:text-embedding-3-small"}, False),
    ],
)
async def test_openais_own_key_is_shown_to_no_other_service(
    monkeypatch: pytest.MonkeyPatch, chosen: dict[str, str], *, shown: bool
) -> None:
    """Triagem 6/1: OPENAI_API_KEY goes to its owner alone."""
    monkeypatch.setenv("OPENAI_API_KEY", "chave-de-teste")
    keys: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        keys.append(request.headers["authorization"])
        return httpx2.Response(200, json=_COMPLETION)

    settings = _compatible(**chosen)
    assert isinstance(await _ask(settings, _answering(settings, handle)), Obtida)
    assert ("chave-de-teste" in keys[0]) is shown


@pytest.mark.parametrize(
    ("modelo", "chosen", "meant", "seconds"),
    [
        ("openai:gpt-4o", {}, None, 60),
        ("openai:gpt-5", {}, "medio", 90),
        ("azure:triagem", {"modelo_familia": "o3"}, "medio", 90),
        ("openai:gpt-4o", {"modelo_reserva": "openai:gpt-5"}, "medio", 90),
        ("openai:gpt-5", {"modelo_esforco": "baixo"}, "baixo", 60),
        ("openai:gpt-5", {"modelo_esforco": "alto"}, "alto", 180),
        ("simulado", {}, None, 60),
    ],
)
async def test_a_model_that_thinks_may_be_silent_for_longer(
    configure: Configure, modelo: str, chosen: dict[str, str], meant: str | None, seconds: float
) -> None:
    settings = configure(modelo, modelo_segundos=60, **chosen)
    assert effort_meant(settings) == meant
    async with open_http(settings) as http:
        assert http.timeout.read == seconds


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-chat:gpt-4o", "azure:gpt-4o", "openai-compatible:llama3"])
async def test_no_client_asks_again_by_itself(configure: Configure, modelo: str) -> None:
    settings = configure(modelo)
    async with open_http(settings) as http:
        client = client_of(settings, modelo, http)
        assert client is not None
        assert client.max_retries == 0
