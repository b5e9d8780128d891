"""`POST /api/autorizacoes/lote`: pedidos in, one a line, results out as they are decided; nothing is stored. Source: interfaces, HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from crivo.autorizacoes.contracts import Decisao
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.lote import OVERLONG, Line, LineDecisoes, LineReader, LineResult, Rows, decide_line, failed_line
from crivo.kernel.clock import today
from crivo.kernel.concorrencia import aside
from crivo.web.api.autorizacoes import PEDIDO_SCHEMA
from crivo.web.api.documenting import REF, body, failures
from crivo.web.body import CSV, NDJSON, content_type
from crivo.web.problems import CorpoLento
from crivo.web.spool import Spool
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_NDJSON: Final = "application/x-ndjson"
_TURN_BYTES: Final = 32_768  # decided before others get their turn: a few milliseconds
_RESULT: Final = {"oneOf": [{"$ref": REF.format(name=struct.__name__)} for struct in (Decisao, LineDecisoes, LineResult)]}
_DONE: Final = "Um resultado por linha, na ordem: a decisão, ou por que a linha não pôde ser lida."


class Results(Response):
    """The results of the lines that a request carries, sent while they still come in."""

    media_type = _NDJSON

    def __init__(self, fluxo: Fluxo, received_on: date, folder: Path, status_code: int = 200) -> None:
        """`folder` takes what the client does not read yet."""
        super().__init__(status_code=status_code)
        del self.headers["content-length"]
        self._fluxo = fluxo
        self._rows = Rows(fluxo)
        self._received_on = received_on
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Decide until the last line, in constant memory. Raises ClientDisconnect where the client goes before it has sent them all."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async with Spool(self._folder) as spool, asyncio.TaskGroup() as tasks:
                tasks.create_task(self._decide_all(Request(scope, receive), spool))
                while chunk := await spool.take():
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        except* ClientDisconnect:
            raise ClientDisconnect from None
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _decide_all(self, request: Request, spool: Spool) -> None:
        reader = LineReader()
        number = 0
        try:
            async for chunk in request.stream():
                number = await self._decide(reader.feed(chunk), number, spool)
        except CorpoLento as error:  # the answer has begun: that no more is read is its last line
            await spool.put(failed_line(number + 1, error) + b"\n")
        else:
            await self._decide(reader.finish(), number, spool)
        await spool.finish()

    async def _decide(self, lines: Iterable[Line], number: int, spool: Spool) -> int:
        """Decide lines that follow the line of that number; the number of the last one."""
        turn = bytearray()
        for line in lines:
            number += 1
            if self._rows.is_header(line):
                continue
            line = self._rows.body(line)
            size = 0 if line is OVERLONG else len(line)
            turn += await aside(size, decide_line, self._fluxo, line, number, self._received_on) + b"\n"
            if len(turn) >= _TURN_BYTES:
                await spool.put(bytes(turn))
                turn.clear()
                await asyncio.sleep(0)
        if turn:
            await spool.put(bytes(turn))
        return number


@router.post(
    "/api/autorizacoes/lote",
    summary="Decide muitos pedidos, um por linha, sem guardar",
    response_class=Results,
    responses={200: {"description": _DONE, "content": {_NDJSON: {"schema": _RESULT}}}, **failures(415)},
    openapi_extra=body(
        "Pedidos em NDJSON: um JSON por linha, cada um até 1 MB; quantas linhas forem.", PEDIDO_SCHEMA, [_NDJSON, "text/csv"]
    ),
)
async def lote(request: Request) -> Results:
    """Decide com as regras que valem agora, as mesmas para todas as linhas. Nada é guardado: use `POST /api/autorizacoes` para guardar.

    Uma linha em que um mapeamento publicado acha vários pedidos tem um resultado só, `{"linha": n, "decisoes": [...]}`; de um CSV, a
    primeira linha é o cabeçalho. Uma linha ruim é um resultado também: `{"linha": n, "erro": {"codigo", "mensagem", "problemas"}}`.
    """
    content_type(request, NDJSON | CSV | {"application/json"})
    container = state_of(request).container
    hold(request, state_of(request).lotes)
    fluxo = await container.autorizacoes.vigente(scope_of(request))
    folder = container.settings.data_dir
    return Results(fluxo, today(container.clock), folder)
