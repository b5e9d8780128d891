"""Files and batches, as OpenAI's Batch API has them: uploaded, begun, looked at, fetched, called off, erased."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from provedor.pedido import Pedido, read_pedido
from provedor.respostas import Dito, encode, encode_error

Linha = dict[str, Any]
Fim = Literal["completed", "expired", "failed", "cancelled"]


@dataclass(slots=True)
class Balcao:
    """What was sent and what is to become of it. `abertos_por` looks a batch is under way, and then it ends as `fim`.

    `muda` makes other lines of those that came out; `recusa` answers uploads with that status, `recusa_lote` the beginning of a batch, and
    `perde` begins it and fails to say so, once; `fora` answers nothing at all.
    """

    campos: Callable[[Pedido], Mapping[str, Any]]
    fim: Fim = "completed"
    abertos_por: int = 0
    muda: Callable[[list[Linha]], Sequence[Linha]] | None = None
    recusa: int = 0
    recusa_lote: int = 0
    perde: bool = False
    fora: bool = False
    erros: tuple[str, ...] = ()
    arquivos: dict[str, bytes] = field(default_factory=dict)
    lotes: dict[str, dict[str, Any]] = field(default_factory=dict)
    apagados: list[str] = field(default_factory=list)
    olhadas: dict[str, int] = field(default_factory=dict)

    @property
    def enviadas(self) -> list[Linha]:
        """The requests of every batch that was begun, in order."""
        return [one for lote in self.lotes.values() for one in self._lines(lote)]

    async def serve(self, request: Request) -> Response:
        """One exchange below `/v1/files` or `/v1/batches`."""
        if self.fora:
            return _refused(503, "server_error")
        what, *rest = request.url.path.removeprefix("/v1/").split("/")
        if what == "files":
            return await self._files(request, rest)
        return await self._batches(request, rest)

    async def _files(self, request: Request, rest: list[str]) -> Response:
        if request.method == "POST":
            async with request.form() as form:
                sent: Any = form.get("file")
                content = b"" if sent is None else await sent.read()
            if sent is None:
                return _refused(404, "not_found")
            if self.recusa:
                return _refused(self.recusa, "invalid_file")
            return JSONResponse(self._stored(content))
        if request.method == "DELETE":
            self.arquivos.pop(rest[0], None)
            self.apagados.append(rest[0])
            return JSONResponse({"id": rest[0], "object": "file", "deleted": True})
        return Response(self.arquivos[rest[0]], media_type="application/octet-stream")

    async def _batches(self, request: Request, rest: list[str]) -> Response:
        if request.method == "POST" and not rest:
            asked = await request.json()
            if self.recusa_lote:
                return _refused(self.recusa_lote, "token_limit_exceeded")
            begun = self._begin(asked)
            if self.perde:
                self.perde = False
                return _refused(500, "server_error")
            return JSONResponse(begun)
        if not rest:
            return JSONResponse({"object": "list", "data": list(reversed(self.lotes.values())), "has_more": False})
        lote = self.lotes.get(rest[0])
        if lote is None:
            return _refused(404, "not_found")
        if rest[1:] == ["cancel"]:
            lote["status"] = "cancelling"
            self.fim, self.abertos_por = "cancelled", 0
        else:
            self._advance(lote)
        return JSONResponse(lote)

    def _begin(self, asked: dict[str, Any]) -> dict[str, Any]:
        nome = f"batch_{len(self.lotes) + 1}"
        self.lotes[nome] = {
            "id": nome,
            "object": "batch",
            "completion_window": asked["completion_window"],
            "created_at": 1,
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "metadata": asked.get("metadata"),
            "status": "validating",
        }
        return self.lotes[nome]

    def _advance(self, lote: dict[str, Any]) -> None:
        looks = self.olhadas[lote["id"]] = self.olhadas.get(lote["id"], 0) + 1
        lines = self._lines(lote)
        if looks <= self.abertos_por:
            lote |= {"status": "in_progress", "request_counts": {"total": len(lines), "completed": 1, "failed": 0}}
        elif lote["status"] not in ("completed", "expired", "failed", "cancelled"):
            lote["status"] = self.fim
            if self.fim == "failed":
                lote["errors"] = {"object": "list", "data": [{"code": one, "message": "Scripted"} for one in self.erros]}
                return
            out = [self._answered(lote, one) for one in lines]
            out = list(out if self.muda is None else self.muda(out))
            good = [one for one in out if one.get("error") is None and one["response"]["status_code"] == 200]
            bad = [one for one in out if one not in good]
            lote["request_counts"] = {"total": len(lines), "completed": len(good), "failed": len(bad)}
            for name, part in (("output_file_id", good), ("error_file_id", bad)):
                if part:
                    lote[name] = self._stored(b"\n".join(msgspec.json.encode(one) for one in part))["id"]

    def _lines(self, lote: dict[str, Any]) -> list[Linha]:
        content = self.arquivos.get(lote["input_file_id"], b"")
        return [msgspec.json.decode(line, type=Linha) for line in content.splitlines() if line]

    def _answered(self, lote: dict[str, Any], line: Linha) -> Linha:
        pedido = read_pedido(line["url"], {}, msgspec.json.encode(line["body"]))
        assert pedido is not None
        assert line["url"] == lote["endpoint"]
        dito = Dito(msgspec.json.encode(self.campos(pedido)).decode())
        body = msgspec.json.decode(encode(pedido, dito))
        answer = {"status_code": 200, "request_id": "req_1", "body": body}
        return {"id": f"line_{line['custom_id']}", "custom_id": line["custom_id"], "response": answer, "error": None}

    def _stored(self, content: bytes) -> dict[str, Any]:
        nome = f"file-{len(self.arquivos) + len(self.apagados) + 1}"
        self.arquivos[nome] = content
        return {
            "id": nome,
            "object": "file",
            "bytes": len(content),
            "created_at": 1,
            "filename": "crivo.jsonl",
            "purpose": "batch",
            "status": "processed",
        }


def _refused(status: int, code: str) -> Response:
    return Response(encode_error("Scripted", code), status, media_type="application/json")
