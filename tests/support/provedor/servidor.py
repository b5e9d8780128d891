"""A server that speaks Chat Completions, Responses and Embeddings as OpenAI and Azure do, and misbehaves when told to."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Final

import msgspec
import uvicorn
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from provedor.faltas import FALTAS, FALTAS_DE_CAMPOS, FALTAS_DE_FLUXO, FALTAS_DE_TROCA, FALTAS_DE_VETORES, QualquerFalta, altered
from provedor.pedido import Pedido, read_pedido
from provedor.respostas import Dito, encode, encode_error, encode_events, encode_vectors
from provedor.roteiro import Anotado, Provedor
from provedor.vetores import vector_of

_STARTUP_SECONDS: Final = 10.0
_MOST_INPUTS: Final = 2048
_MOST_OF_ALL: Final = 300_000
_REFUSAL: Final = "Desculpe, não posso ajudar com isso."
_PAGE: Final = b"<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>"
_JSON: Final = "application/json"
_OF_VECTORS: Final = (*FALTAS_DE_TROCA, *FALTAS_DE_VETORES, "filtro_de_conteudo")
_STATUS: Final[Mapping[QualquerFalta, int]] = {
    "limite_segundos": 429,
    "limite_data": 429,
    "erro_401": 401,
    "erro_500": 500,
    "erro_502": 502,
    "erro_503": 503,
    "filtro_de_conteudo": 400,
    "parametro_recusado": 400,
}


Headers = tuple[tuple[bytes, bytes], ...]


@contextmanager
def provedor_no_ar(provedor: Provedor | None = None, porta: int = 0) -> Iterator[Provedor]:
    """The server in a thread of its own, at a free port of 127.0.0.1, until the end of the block."""
    script = provedor or Provedor()
    with socket.create_server(("127.0.0.1", porta)) as listening:
        script.endereco = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(application(script), log_config=None, access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            _wait_until(server)
            yield script
        finally:
            server.should_exit = server.force_exit = True
            thread.join(_STARTUP_SECONDS)


def application(provedor: Provedor) -> Callable[[Scope, Receive, Send], Any]:
    """The server as an ASGI application; `GET /contagem` tells its record."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/contagem":
            await _send_whole(send, 200, msgspec.json.encode(provedor.contagem()), _JSON, (), is_cut=False)
            return
        if scope["path"].endswith("/models"):
            listed = [{"id": nome, "object": "model", "created": 0, "owned_by": "crivo"} for nome in provedor.modelos]
            await _send_whole(send, 200, msgspec.json.encode({"object": "list", "data": listed}), _JSON, (), is_cut=False)
            return
        if scope["path"].startswith(("/v1/files", "/v1/batches")):
            await (await provedor.balcao.serve(Request(scope, receive)))(scope, receive, send)
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        pedido = read_pedido(scope["path"], headers, await _body(receive))
        if pedido is None:
            await _send_whole(send, 404, encode_error("Resource not found", "not_found"), _JSON, (), is_cut=False)
            return
        await _Troca(provedor, pedido, receive, send).run()

    return serve


class _Troca:
    """One exchange: a request that is known, answered or not. It is in the record before the asker can have the end of its answer."""

    def __init__(self, provedor: Provedor, pedido: Pedido, receive: Receive, send: Send) -> None:
        self._provedor = provedor
        self._pedido = pedido
        chosen = provedor.receive(pedido)
        known = _OF_VECTORS if pedido.protocolo == "embeddings" else (*FALTAS, *FALTAS_DE_FLUXO) if pedido.em_fluxo else FALTAS
        self._falta = chosen if chosen in known else None
        self._left = asyncio.ensure_future(receive())  # what comes after the body is that the asker has left
        self._send = send

    async def run(self) -> None:
        provedor = self._provedor
        provedor.em_curso += 1
        provedor.mais_em_curso = max(provedor.mais_em_curso, provedor.em_curso)
        try:
            if provedor.espera_seconds:
                await asyncio.wait([self._left], timeout=provedor.espera_seconds)
            if provedor.segura is not None:
                await asyncio.to_thread(provedor.segura, self._pedido)
            await self._answer()
        finally:
            provedor.em_curso -= 1
            self._left.cancel()

    async def _answer(self) -> None:
        falta, complaint = self._falta, self._complaint()
        if falta is not None and falta in _STATUS:
            await self._refuse(_STATUS[falta], falta)
        elif falta == "silencio":
            await asyncio.wait([self._left], timeout=self._provedor.silencio_seconds)
            await self._whole(504, encode_error("The server took too long", "timeout"))
        elif falta == "corpo_nao_json":
            await self._whole(200, _PAGE, "text/html")
        elif complaint:
            await self._whole(400, encode_error(complaint, "invalid_request_error"))
        elif self._pedido.protocolo == "embeddings":
            await self._whole(200, self._vectors())
        elif self._pedido.em_fluxo and not self._provedor.ignora_fluxo:
            await self._stream(encode_events(self._pedido, self._said(), counted=self._is_counted))
        else:
            await self._whole(200, encode(self._pedido, self._said(), counted=self._is_counted))

    async def _refuse(self, status: int, falta: QualquerFalta) -> None:
        seconds = self._provedor.retry_after_seconds
        later = {
            "limite_segundos": str(seconds),
            "limite_data": format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True),
        }
        extra = ((b"retry-after", later[falta].encode()),) if falta in later else ()
        if falta == "parametro_recusado":
            await self._whole(status, encode_error("Unsupported parameter: 'reasoning_effort'", "unsupported_parameter"))
            return
        code = {400: "content_filter", 401: "invalid_api_key", 429: "rate_limit_exceeded"}.get(status, "server_error")
        await self._whole(status, encode_error(f"Scripted failure {status}", code), extra=extra)

    @property
    def _is_counted(self) -> bool:
        return not self._provedor.sem_contagem and self._falta != "sem_contagem"

    def _said(self) -> Dito:
        if self._falta == "recusa":
            return Dito(_REFUSAL, recusa=True)
        if self._falta in {"vazia", "sem_espaco"}:
            return Dito("", inteiro=self._falta == "vazia")
        if self._falta == "texto_nao_json":
            return Dito("Claro! Aqui está o que você pediu: {campo: valor,")
        good = self._provedor.campos(self._pedido)
        said = altered(self._falta, good)
        if self._falta in FALTAS_DE_CAMPOS and said == good:
            self._falta = None  # nothing was done, and the record is not to say so
        texto = msgspec.json.encode(said).decode()
        return Dito(texto[: len(texto) // 2], inteiro=False) if self._falta == "truncada" else Dito(texto)

    def _complaint(self) -> str:
        """What the service would not take: of texts to be embedded, as the real one; else as it is told."""
        if self._pedido.protocolo != "embeddings":
            return "" if self._provedor.nao_aceita is None else self._provedor.nao_aceita(self._pedido)
        sizes = [len(entrada.encode()) for entrada in self._pedido.entradas]
        if not sizes or len(sizes) > _MOST_INPUTS or min(sizes) == 0:
            return "'$.input' is invalid"
        if max(sizes) > self._provedor.maior_entrada:
            return f"This model's maximum context length is {self._provedor.maior_entrada} tokens"
        return "Requested too many tokens" if sum(sizes) > _MOST_OF_ALL else ""

    def _vectors(self) -> bytes:
        asked = int(self._pedido.corpo.get("dimensions", self._provedor.dimensoes))
        dimensoes = asked - 1 if self._falta == "dimensao_errada" else asked
        vetores = [(index, vector_of(entrada, dimensoes)) for index, entrada in enumerate(self._pedido.entradas)]
        if self._falta == "vetores_a_menos":
            vetores.pop()
        return encode_vectors(self._pedido, vetores[::-1] if self._falta == "ordem_trocada" else vetores)

    async def _whole(self, status: int, body: bytes, media_type: str = _JSON, extra: Headers = ()) -> None:
        """Send a body at once, or its first half: a server that stops short of what it announced closes the connection."""
        is_cut = status == 200 and self._falta == "cortada"
        self._note(is_paid=status == 200 and not is_cut)
        await _send_whole(self._send, status, body, media_type, extra, is_cut=is_cut)

    async def _stream(self, events: list[bytes]) -> None:
        await self._send(_start(200, "text/event-stream"))
        is_cut = self._falta == "cortada"
        half = len(events) // 2
        provedor = self._provedor
        for number, event in enumerate([*events[:half], events[half][:9]] if is_cut else events):
            if number == (half if self._falta == "fluxo_parado" else provedor.para_depois_de):
                await asyncio.wait([self._left], timeout=provedor.silencio_seconds)
            elif provedor.entre_eventos_seconds:
                await asyncio.sleep(provedor.entre_eventos_seconds)
            await self._send({"type": "http.response.body", "body": event, "more_body": True})
        self._note(is_paid=not is_cut)
        if not is_cut:
            await self._send({"type": "http.response.body", "body": b""})

    def _note(self, *, is_paid: bool) -> None:
        self._provedor.anotados.append(Anotado(self._pedido, self._falta, is_paid and not self._left.done()))


async def _send_whole(send: Send, status: int, body: bytes, media_type: str, extra: Headers, *, is_cut: bool) -> None:
    await send(_start(status, media_type, (b"content-length", str(len(body)).encode()), *extra))
    await send({"type": "http.response.body", "body": body[: len(body) // 2] if is_cut else body, "more_body": is_cut})


def _start(status: int, media_type: str, *extra: tuple[bytes, bytes]) -> Message:
    return {"type": "http.response.start", "status": status, "headers": [(b"content-type", media_type.encode()), *extra]}


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def _wait_until(server: uvicorn.Server) -> None:
    waited = threading.Event()
    for _ in range(int(_STARTUP_SECONDS * 200)):
        if server.started:
            return
        waited.wait(0.005)
    raise TimeoutError("the provider under test did not start")
