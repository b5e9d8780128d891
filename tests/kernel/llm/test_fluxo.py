"""Where somebody waits the answer is heard as it is written, and is the same answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx2
import msgspec
import pytest

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.gateway import Falhou, Gateway, Obtida
from crivo.kernel.llm.provedores import LARGEST_BODY_BYTES, open_http, provedores_of
from crivo.kernel.settings import Settings, load_settings
from limites_aqui import LimitesAqui
from perguntas import Parecer, campos, pergunta
from provedor import FALTAS, Falta, Provedor, always

Configure = Callable[..., Settings]
Abre = Callable[..., Awaitable[Gateway]]
_MODELS = ("openai:gpt-4o", "openai-chat:gpt-4o", "azure:gpt-4o", "openai-compatible:llama3")
_LONG = "Um bom projeto, que diz o que faz, com quem, quando e por quanto, e a quem serve. " * 3


@pytest.fixture
async def abre(configure: Configure) -> AsyncIterator[Abre]:
    """Opens a gateway over the provider of the test, which waits in no time."""

    async def sleep(seconds: float) -> None:
        assert seconds >= 0

    async with AsyncExitStack() as stack:

        async def make(modelo: str, **chosen: Any) -> Gateway:
            settings = configure(modelo, **chosen)
            http = await stack.enter_async_context(open_http(settings))
            return Gateway(
                provedores_of(settings, http, {}),
                SystemClock(),
                limites=LimitesAqui(),
                segundos=settings.modelo_segundos,
                sleep=sleep,
                sample=lambda: 0.5,
            )

        yield make


async def ask(gateway: Gateway, **question: Any) -> Obtida[Parecer] | Falhou:
    asked = pergunta(**{"ao_escrever": lambda characters: None, **question})
    return await gateway.ask(asked, asked.temperatura)


def without(found: Obtida[Any] | Falhou) -> Any:
    """What was found, but for the very providers that were opened for it."""
    consumos = [(one.modelo, one.entrada, one.saida, one.lidos, one.contado) for one in found.consumos]
    return (found.valor, found.modelo, consumos) if isinstance(found, Obtida) else (found.falha, consumos)


@pytest.mark.parametrize("modelo", _MODELS)
async def test_who_waits_is_told_how_much_is_written_and_gets_the_same_answer(abre: Abre, provedor: Provedor, modelo: str) -> None:
    provedor.campos = lambda pedido: campos(_LONG)
    heard: list[int] = []
    gateway = await abre(modelo)
    streamed = await ask(gateway, ao_escrever=heard.append)
    whole = await ask(gateway, ao_escrever=None)
    assert isinstance(streamed, Obtida)
    assert without(streamed) == without(whole)
    assert [pedido.em_fluxo for pedido in provedor.recebidos] == [True, False]
    assert heard == sorted(set(heard))
    assert len(heard) > 3
    assert heard[-1] == len(msgspec.json.encode(campos(_LONG)).decode())
    assert all(one.entrada and one.saida for one in streamed.consumos)


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-compatible:llama3"])
@pytest.mark.parametrize("falta", sorted(set(FALTAS) - {"dez_megabytes"}))  # what grows too large has a test of its own
async def test_each_fault_ends_as_it_does_where_nobody_waits(abre: Abre, provedor: Provedor, modelo: str, falta: Falta) -> None:
    provedor.sempre, provedor.silencio_seconds = always(falta), 3
    gateway = await abre(modelo, modelo_segundos=1 if falta == "silencio" else 5)
    streamed = await ask(gateway)
    calls = len(provedor.recebidos)
    whole = await ask(gateway, ao_escrever=None)
    assert without(streamed) == without(whole)
    refused = falta == "parametro_recusado"  # the stream might have been that parameter: it is asked for once, and no more
    assert len(provedor.recebidos) == 2 * calls - refused


@pytest.mark.parametrize("modelo", _MODELS)
async def test_a_service_that_was_asked_for_pieces_and_answers_at_once_is_read_and_asked_once(
    abre: Abre, provedor: Provedor, modelo: str
) -> None:
    provedor.ignora_fluxo = True
    found = await ask(await abre(modelo))
    assert isinstance(found, Obtida)
    assert len(provedor.recebidos) == 1


@pytest.mark.parametrize("modelo", ["openai:o3", "openai-compatible:llama3"])
async def test_a_service_that_refuses_to_stream_is_asked_for_the_whole_from_then_on(abre: Abre, provedor: Provedor, modelo: str) -> None:
    """As OpenAI does for organisations that it has not verified."""
    provedor.nao_aceita = lambda pedido: "Your organization must be verified to stream this model." if pedido.em_fluxo else ""
    gateway = await abre(modelo)
    assert isinstance(await ask(gateway), Obtida)
    assert isinstance(await ask(gateway, texto="Outro."), Obtida)
    assert [pedido.em_fluxo for pedido in provedor.recebidos] == [True, False, False]


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-chat:gpt-4o"])
async def test_a_model_that_writes_at_length_is_not_cut_off_and_one_that_falls_silent_is(
    abre: Abre, provedor: Provedor, modelo: str
) -> None:
    provedor.campos = lambda pedido: campos(_LONG)
    provedor.entre_eventos_seconds = 0.15
    gateway = await abre(modelo, modelo_segundos=1)
    clock = asyncio.get_running_loop().time
    began = clock()
    assert isinstance(await ask(gateway), Obtida)
    assert clock() - began > 1.2
    provedor.entre_eventos_seconds, provedor.para_depois_de, provedor.silencio_seconds = 0, 4, 5
    heard: list[int] = []
    found = await ask(gateway, texto="Outro.", ao_escrever=heard.append)
    assert isinstance(found, Falhou)
    assert found.falha == "demorou"


async def test_what_is_alive_ends_with_the_questions_own_time(abre: Abre, provedor: Provedor) -> None:
    provedor.campos = lambda pedido: campos(_LONG)
    provedor.entre_eventos_seconds = 0.2
    found = await ask(await abre("openai-chat:gpt-4o", modelo_segundos=5), espera_seconds=0.7)
    assert found == Falhou("demorou", ())


async def test_an_answer_whose_tokens_nobody_tells_has_a_cost_that_is_not_known(abre: Abre, provedor: Provedor) -> None:
    provedor.sem_contagem = True
    gateway = await abre("openai-chat:gpt-4o")
    for ao_escrever in (lambda characters: None, None):
        found = await ask(gateway, ao_escrever=ao_escrever)
        assert isinstance(found, Obtida)
        assert [one.contado for one in found.consumos] == [False]


# --- what a stream may be


def _compatible(handle: Callable[[httpx2.Request], httpx2.Response]) -> tuple[Settings, httpx2.AsyncClient]:
    """The product's own client, over a transport of the test."""
    settings = load_settings(None, modelo="openai-compatible:llama3", modelo_url="http://127.0.0.1:9/v1")
    real = open_http(settings)
    return settings, httpx2.AsyncClient(transport=httpx2.MockTransport(handle), event_hooks=real.event_hooks, headers=real.headers)


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _streamed(body: bytes | AsyncIterator[bytes], **question: Any) -> tuple[Obtida[Any] | Falhou, int]:
    asked = 0

    def handle(request: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        asked += 1
        came = _once(body) if isinstance(body, bytes) else body  # a body that is there at once would be no stream to the client
        return httpx2.Response(200, content=came, headers={"content-type": "text/event-stream; charset=utf-8"})

    async def sleep(seconds: float) -> None:
        assert seconds >= 0

    settings, http = _compatible(handle)
    async with http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5, sleep=sleep)
        return await ask(gateway, **question), asked


def _event(delta: Any, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, **{name: value for name, value in more.items() if name == "finish_reason"}}
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "llama3"}
    return b"data: " + msgspec.json.encode({**head, **more, "choices": [choice]}) + b"\n\n"


_TOLD = '{"texto": "Bom. 🙂", "nota": 7}'
_DONE = b"data: [DONE]\n\n"
_USAGE = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}


@pytest.mark.parametrize(
    "body",
    [
        _event({"content": _TOLD}) + _DONE,
        _event({"content": _TOLD}, finish_reason="stop"),
        b": keep-alive\n\n" + _event({"content": _TOLD}).replace(b"\n", b"\r\n") + b"event: x\n" + _DONE,
        _event({"role": "assistant", "content": ""}) + _event({"content": [{"type": "text", "text": _TOLD}]}) + _DONE,
        _event({"reasoning_content": "Penso."}) + _event({"content": _TOLD}) + _DONE,
        _event({"content": f"<think>Penso que {{}}.</think>{_TOLD}"}) + _DONE,
        _event({"content": _TOLD}) + b'data: {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5}}\n\n' + _DONE,
        _event({"content": _TOLD}) + _event(None) + b'data: {"choices": null}\n\n' + _DONE,
    ],
)
async def test_a_stream_is_read_as_services_write_it(body: bytes) -> None:
    found, asked = await _streamed(body)
    assert isinstance(found, Obtida)
    assert (found.valor, asked) == (Parecer("Bom. 🙂", 7), 1)


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_a_stream_is_the_same_however_it_is_cut_into_packets(size: int) -> None:
    body = b"".join(_event({"content": piece}) for piece in _TOLD) + _DONE

    async def packets() -> AsyncIterator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    found, _ = await _streamed(packets())
    assert isinstance(found, Obtida)
    assert found.valor == Parecer("Bom. 🙂", 7)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        _event({"content": _TOLD[:9]}),
        _event({"content": _TOLD[:9]}) + _event({"content": _TOLD[9:]})[:20],
        _event({"content": _TOLD[:9]}) + b'data: {"error": {"message": "overloaded", "code": 503}}\n\n',
    ],
)
async def test_a_stream_that_breaks_off_is_asked_again_and_cannot_be_read(body: bytes) -> None:
    found, asked = await _streamed(body)
    assert (found, asked) == (Falhou("ilegivel", ()), 4)


@pytest.mark.parametrize("body", [b"data: [1, 2]\n\n", b"data: {\n\n", b'data: {"choices": 7}\n\n', b"data: \xff\n\n"])
async def test_a_stream_that_is_out_of_order_is_a_fault_and_never_a_crash(body: bytes) -> None:
    found, asked = await _streamed(body)
    assert (found, asked) == (Falhou("ilegivel", ()), 1)


async def test_what_is_known_of_an_answer_that_breaks_off_is_counted() -> None:
    found, asked = await _streamed(_event({"content": _TOLD[:9]}, usage=_USAGE))
    assert isinstance(found, Falhou)
    assert asked == 4
    assert [(one.modelo, one.entrada, one.saida) for one in found.consumos] == [("llama3", 11, 5)] * 4


@pytest.mark.parametrize("said", [{"content": "x" * 65_536}, {"refusal": "x" * 65_536}])
async def test_a_stream_is_left_where_what_it_says_grows_too_large(said: dict[str, str]) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 50 * LARGEST_BODY_BYTES:
            sent += 65_536
            yield _event(said)

    found, _ = await _streamed(endless())
    assert found == Falhou("ilegivel", ())
    assert sent <= LARGEST_BODY_BYTES + 2 * 65_536


async def test_one_event_without_an_end_is_left_where_it_grows_too_large() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b"data: "
        while sent < 50 * LARGEST_BODY_BYTES:
            sent += 65_536
            yield b"x" * 65_536

    found, _ = await _streamed(endless())
    assert found == Falhou("ilegivel", ())
    assert sent <= LARGEST_BODY_BYTES + 2 * 65_536


@pytest.mark.parametrize(
    ("event", "falha", "calls"),
    [
        ({"type": "response.failed", "response": {"error": {"code": "rate_limit_exceeded", "message": "later"}}}, "limite_de_uso", 4),
        ({"type": "response.failed", "response": {"error": {"code": "server_error", "message": "?"}}}, "fora_do_ar", 4),
        ({"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}}, "ilegivel", 1),
        ({"type": "response.incomplete", "response": {"incomplete_details": {"reason": "content_filter"}}}, "recusou", 1),
        ({"type": "error", "code": "server_error", "message": "?", "param": None}, "ilegivel", 4),
    ],
)
async def test_how_a_stream_of_responses_ends_is_the_fault_that_it_is(
    configure: Configure, event: dict[str, Any], falha: str, calls: int
) -> None:
    """OpenAI's Responses: an answer ends completed, incomplete or failed; an error ends the stream."""
    asked = 0
    head = {"id": "r", "object": "response", "created_at": 1, "model": "gpt-4o", "output": [], "tools": [], "tool_choice": "auto"}
    ended = {**head, "parallel_tool_calls": True, "status": event["type"].rpartition(".")[2], **event.get("response", {})}
    told = {**event, "sequence_number": 0, **({"response": ended} if "response" in event else {})}

    def handle(request: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        asked += 1
        body = _once(b"event: " + event["type"].encode() + b"\ndata: " + msgspec.json.encode(told) + b"\n\n")
        return httpx2.Response(200, content=body, headers={"content-type": "text/event-stream"})

    async def sleep(seconds: float) -> None:
        assert seconds >= 0

    settings = configure("openai:gpt-4o")
    real = open_http(settings)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(handle), event_hooks=real.event_hooks) as http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5, sleep=sleep)
        found = await ask(gateway)
    assert isinstance(found, Falhou)
    assert (found.falha, asked) == (falha, calls)
