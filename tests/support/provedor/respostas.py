"""An answer as each protocol writes it: whole, or in the events of a stream."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from provedor.pedido import Pedido

_CREATED: Final = 1_767_225_600
_PIECE: Final = 40  # characters of a delta


@dataclass(frozen=True, slots=True)
class Dito:
    """What the model says: its text (as a tool's arguments or as its message), or a refusal; `inteiro` unless tokens ran out."""

    texto: str
    recusa: bool = False
    inteiro: bool = True


def encode(pedido: Pedido, dito: Dito, *, counted: bool = True) -> bytes:
    """The body of an answer that does not stream, with its tokens unless they are not `counted`."""
    body = _completion(pedido, dito) if pedido.protocolo == "chat/completions" else _response(pedido, dito)
    return msgspec.json.encode(body if counted else {name: value for name, value in body.items() if name != "usage"})


def encode_events(pedido: Pedido, dito: Dito, *, counted: bool = True) -> list[bytes]:
    """The events of an answer that streams, with its tokens unless they are not `counted`."""
    if pedido.protocolo == "chat/completions":
        chunks = (chunk for chunk in _chunks(pedido, dito) if counted or "usage" not in chunk)
        return [*(b"data: " + msgspec.json.encode(chunk) + b"\n\n" for chunk in chunks), b"data: [DONE]\n\n"]
    events = _events(pedido, dito) if counted else map(_uncounted, _events(pedido, dito))
    numbered = ({**event, "sequence_number": number} for number, event in enumerate(events))
    return [f"event: {event['type']}\n".encode() + b"data: " + msgspec.json.encode(event) + b"\n\n" for event in numbered]


def encode_vectors(pedido: Pedido, vetores: Sequence[tuple[int, Sequence[float]]]) -> bytes:
    """The body that carries vectors, each with its index, in base64 where that was asked for."""
    as_text = pedido.corpo.get("encoding_format") == "base64"
    data = [{"object": "embedding", "index": index, "embedding": _in_base64(vetor) if as_text else list(vetor)} for index, vetor in vetores]
    tokens = sum(map(tokens_of, pedido.entradas))
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return msgspec.json.encode({"object": "list", "data": data, "model": pedido.modelo, "usage": usage})


def encode_error(mensagem: str, codigo: str) -> bytes:
    """The body of an error, as all three protocols write it."""
    return msgspec.json.encode({"error": {"message": mensagem, "type": codigo, "code": codigo, "param": None}})


def tokens_of(texto: str) -> int:
    """How many tokens this server counts a text as: one for every four characters."""
    return (len(texto) + 3) // 4


def _in_base64(vetor: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vetor)}f", *vetor)).decode()


def _completion(pedido: Pedido, dito: Dito) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": dito.texto if dito.recusa else None}
    if pedido.ferramenta and not dito.recusa:
        message["tool_calls"] = [_tool_call(pedido, dito.texto)]
    elif not dito.recusa:
        message["content"] = dito.texto
    choice = {"index": 0, "finish_reason": _finish(pedido, dito), "message": message, "logprobs": None}
    return {**_head(pedido, "chat.completion"), "choices": [choice], "usage": _chat_usage(pedido, dito)}


def _chunks(pedido: Pedido, dito: Dito) -> Iterator[dict[str, Any]]:
    head = _head(pedido, "chat.completion.chunk")

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": None if pedido.ferramenta else ""})
    if pedido.ferramenta and not dito.recusa:
        yield chunk({"tool_calls": [{**_tool_call(pedido, ""), "index": 0}]})
    for piece in _pieces(dito.texto):
        if dito.recusa:
            yield chunk({"refusal": piece})
        elif pedido.ferramenta:
            yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
        else:
            yield chunk({"content": piece})
    yield chunk({}, _finish(pedido, dito))
    if pedido.corpo.get("stream_options", {}).get("include_usage"):
        yield {**head, "choices": [], "usage": _chat_usage(pedido, dito)}


def _head(pedido: Pedido, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{pedido.resumo[:12]}", "object": kind, "created": _CREATED, "model": pedido.modelo}


def _tool_call(pedido: Pedido, arguments: str) -> dict[str, Any]:
    return {"id": f"call_{pedido.resumo[:12]}", "type": "function", "function": {"name": pedido.ferramenta, "arguments": arguments}}


def _finish(pedido: Pedido, dito: Dito) -> str:
    if not dito.inteiro:
        return "length"
    return "tool_calls" if pedido.ferramenta and not dito.recusa else "stop"


def _chat_usage(pedido: Pedido, dito: Dito) -> dict[str, int]:
    read, written = tokens_of(pedido.texto), tokens_of(dito.texto)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _uncounted(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what the answer took."""
    if "response" not in event:
        return event
    return {**event, "response": {name: value for name, value in event["response"].items() if name != "usage"}}


def _response(pedido: Pedido, dito: Dito, *, status: str = "") -> dict[str, Any]:
    done = status or ("completed" if dito.inteiro else "incomplete")
    read, written = tokens_of(pedido.texto), tokens_of(dito.texto)
    response = {
        "id": f"resp_{pedido.resumo[:12]}",
        "object": "response",
        "created_at": _CREATED,
        "model": pedido.modelo,
        "status": done,
        "output": [] if done == "in_progress" else [_item(pedido, dito)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "incomplete_details": None if dito.inteiro else {"reason": "max_output_tokens"},
    }
    if done != "in_progress":
        details = {"input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response["usage"] = {"input_tokens": read, "output_tokens": written, "total_tokens": read + written, **details}
    return response


def _item(pedido: Pedido, dito: Dito, *, empty: bool = False) -> dict[str, Any]:
    status = "in_progress" if empty else ("completed" if dito.inteiro else "incomplete")
    if pedido.ferramenta and not dito.recusa:
        said = {"name": pedido.ferramenta, "arguments": "" if empty else dito.texto}
        return {
            "type": "function_call",
            "id": f"fc_{pedido.resumo[:12]}",
            "call_id": f"call_{pedido.resumo[:12]}",
            "status": status,
            **said,
        }
    content = [] if empty else [_part(dito, dito.texto)]
    return {"type": "message", "id": f"msg_{pedido.resumo[:12]}", "role": "assistant", "status": status, "content": content}


def _part(dito: Dito, texto: str) -> dict[str, Any]:
    return (
        {"type": "refusal", "refusal": texto} if dito.recusa else {"type": "output_text", "text": texto, "annotations": [], "logprobs": []}
    )


def _events(pedido: Pedido, dito: Dito) -> Iterator[dict[str, Any]]:
    item = _item(pedido, dito)
    started = _response(pedido, dito, status="in_progress")
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    yield {"type": "response.output_item.added", "output_index": 0, "item": _item(pedido, dito, empty=True)}
    at: dict[str, Any] = {"item_id": item["id"], "output_index": 0}
    if item["type"] == "function_call":
        yield from ({"type": "response.function_call_arguments.delta", **at, "delta": piece} for piece in _pieces(dito.texto))
        yield {"type": "response.function_call_arguments.done", **at, "name": item["name"], "arguments": dito.texto}
    else:
        yield from _message_events(dito, {**at, "content_index": 0})
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    whole = _response(pedido, dito)
    yield {"type": f"response.{whole['status']}", "response": whole}


def _message_events(dito: Dito, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    kind, name = ("refusal", "refusal") if dito.recusa else ("output_text", "text")
    extra: dict[str, Any] = {} if dito.recusa else {"logprobs": []}
    yield {"type": "response.content_part.added", **at, "part": _part(dito, "")}
    yield from ({"type": f"response.{kind}.delta", **at, "delta": piece, **extra} for piece in _pieces(dito.texto))
    yield {"type": f"response.{kind}.done", **at, name: dito.texto, **extra}
    yield {"type": "response.content_part.done", **at, "part": _part(dito, dito.texto)}


def _pieces(texto: str) -> Iterator[str]:
    yield from (texto[start : start + _PIECE] for start in range(0, len(texto), _PIECE))
