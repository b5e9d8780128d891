"""A pedido followed while it is decided: server-sent events for our own script, at the address of the form.

`andamento` is the panel as it stands, as HTML; `fim` the address of the stored decision; `recusa` why it could not be stored, as HTML.
The decision is taken and stored to its end, though whoever follows leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlencode

import msgspec
from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from crivo.autorizacoes.acompanhamento import Acontecimento, DecididoPeloCodigo, Observador
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.web.escuta import EVENT_STREAM, STREAMED, while_admitted
from crivo.web.pages.autorizacoes.acompanhamento import AcompanhamentoVista
from crivo.web.pages.rendering import page
from crivo.web.problems import ErroInterno
from crivo.web.state import request_id_of, scope_of, state_of

RECEBIDAS: Final = "/autorizacoes/recebidas"
PANEL: Final = "autorizacoes/acompanhamento.html"
REFUSAL: Final = "autorizacoes/recusa.html"
Happened = asyncio.Queue[Acontecimento | None]  # None: nothing more will


def wants_events(request: Request) -> bool:
    """Whether it is our script that asks."""
    return request.headers.get("accept", "") == EVENT_STREAM


async def decide(request: Request, raw: bytes, observador: Observador | None = None) -> Autorizacao:
    """Decide and store, and count it. Raises as `Autorizacoes.decidir`."""
    state = state_of(request)
    decidida = await state.container.autorizacoes.decidir(scope_of(request), raw, observador=observador)
    state.metrics.decided(decidida.autorizacao.decisao_final)
    return decidida.autorizacao


async def receive(request: Request, raw: bytes) -> str:
    """Decide and store what may bring several pedidos, all or none; the address of the decision, or of the list of them.

    Raises as `Autorizacoes.receber`.
    """
    state = state_of(request)
    decididas = await state.container.autorizacoes.receber(scope_of(request), raw)
    for decidida in decididas:
        state.metrics.decided(decidida.autorizacao.decisao_final)
    ids = [str(decidida.autorizacao.id) for decidida in decididas]
    return f"/autorizacoes/{ids[0]}" if len(ids) == 1 else f"{RECEBIDAS}?{urlencode([('id', um) for um in ids])}"


def ended_at(address: str) -> Response:
    """The events of what is decided and stored already: only where it is."""
    return Response(_wire("fim", address), headers=STREAMED, media_type=EVENT_STREAM)


async def follow(request: Request, raw: bytes) -> Response:
    """The events of a pedido. Raises, before anything is answered, whatever refuses it before the code has decided."""
    happened: Happened = asyncio.Queue()
    deciding = state_of(request).decisoes.begin(_decide_to_the_end(request, raw, happened))
    batches = _until_the_end(happened)
    first = await anext(batches, None)
    if first is None:
        deciding.result()
    heard = while_admitted(request, _events(request, deciding, first or (), batches))
    return StreamingResponse(heard, headers=STREAMED, media_type=EVENT_STREAM)


async def _decide_to_the_end(request: Request, raw: bytes, happened: Happened) -> Autorizacao:
    """Decide; where what was decided cannot be stored, there may be nobody left to be told but the log."""
    is_decided = False

    def tell(acontecimento: Acontecimento) -> None:
        nonlocal is_decided
        is_decided = True
        happened.put_nowait(acontecimento)

    try:
        return await decide(request, raw, tell)
    except CrivoError as error:
        if is_decided:
            logger.warning("decisao_nao_guardada", extra={"codigo": error.codigo, "request_id": request_id_of(request)})
        raise
    except Exception:  # noqa: BLE001 - whatever it was, whoever follows is told in our words, and the log in its own
        logger.exception("falha_inesperada", extra={"request_id": request_id_of(request)})
        raise ErroInterno from None
    finally:
        happened.put_nowait(None)


async def _until_the_end(happened: Happened) -> AsyncIterator[tuple[Acontecimento, ...]]:
    """What has happened since it was last asked for."""
    ended = False
    while not ended:
        told = [await happened.get()]
        while not happened.empty():
            told.append(happened.get_nowait())
        ended = None in told
        if since := tuple([one for one in told if one is not None]):
            yield since


async def _events(
    request: Request,
    deciding: asyncio.Task[Autorizacao],
    first: tuple[Acontecimento, ...],
    batches: AsyncIterator[tuple[Acontecimento, ...]],
) -> AsyncIterator[bytes]:
    match first:
        case (DecididoPeloCodigo() as decidido, *depois):
            yield _panel(request, decidido, depois)
            async for more in batches:
                depois += more
                yield _panel(request, decidido, depois)
    try:
        autorizacao = deciding.result()
    except CrivoError as error:
        yield _wire("recusa", _html(page(request, REFUSAL, recusa=error)))
    else:
        yield _wire("fim", f"/autorizacoes/{autorizacao.id}")


def _panel(request: Request, decidido: DecididoPeloCodigo, depois: list[Acontecimento]) -> bytes:
    return _wire("andamento", _html(page(request, PANEL, vista=AcompanhamentoVista.of(decidido, depois))))


def _html(response: Response) -> str:
    return bytes(response.body).decode()


def _wire(name: str, data: str) -> bytes:
    return format_sse_event(event=name, data_str=msgspec.json.encode(data).decode())
