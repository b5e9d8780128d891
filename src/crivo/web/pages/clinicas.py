"""`/clinicas/conversa`: talk with the clinics, with the trace of every answer beside it. Source: interfaces, Pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from crivo.clinicas.conversas import Conversa, ConversaNotFound
from crivo.clinicas.orquestrador.contracts import Papel
from crivo.clinicas.orquestrador.trace import Event
from crivo.clinicas.turnos import Turno
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.api.clinicas import EVENT_STREAM, STREAMED
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.conversa_vista import PAPEIS, ConversaVista, happening
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_FORM_BYTES: Final = 64_000
_START: Final = "/clinicas/conversa"
_ANSWERED_IN_THE_PAGE: Final = (Kind.INVALID, Kind.CONFLICT)
_ANSWERED_AT_THE_START: Final = (Kind.LIMITED, Kind.UNAVAILABLE)


@router.get("/clinicas/conversa", response_class=Response)
async def inicio(request: Request) -> Response:
    """How a conversation begins."""
    return _start_page(request)


@router.post("/clinicas/conversa", response_class=Response)
async def comecar(request: Request) -> Response:
    """Open a conversation, and go on to it."""
    form = await _form(request)
    papel: Papel = "operador" if form.get("papel") == "operador" else "paciente"
    try:
        conversa = state_of(request).conversas.open(scope_of(request), papel)
    except CrivoError as error:
        if error.kind not in _ANSWERED_AT_THE_START:
            raise
        return _start_page(request, error)
    return RedirectResponse(f"{_START}/{conversa.id}", status_code=303)


@router.get("/clinicas/conversa/{conversa_id}", response_class=Response)
async def ver(request: Request, conversa_id: UUID) -> Response:
    """The conversation so far."""
    try:
        conversa = _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return _start_page(request, error)
    return _conversation_page(request, conversa)


@router.post("/clinicas/conversa/{conversa_id}", response_class=Response)
async def dizer(request: Request, conversa_id: UUID) -> Response:
    """One turn, and then the conversation again; told as it happens to our own script, which asks for events."""
    texto = (await _form(request)).get("texto", "")
    try:
        conversa = _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return _start_page(request, error)
    try:
        if request.headers.get("accept", "") == EVENT_STREAM:
            return StreamingResponse(_stream(request, conversa, *conversa.follow(texto)), headers=STREAMED, media_type=EVENT_STREAM)
        await asyncio.shield(conversa.ask(texto))
    except CrivoError as error:
        if error.kind not in _ANSWERED_IN_THE_PAGE:
            raise
        return _conversation_page(request, conversa, error, texto)
    return RedirectResponse(f"{_START}/{conversa.id}#agora", status_code=303)


@router.post("/clinicas/conversa/{conversa_id}/encerrar", response_class=Response)
async def encerrar(request: Request, conversa_id: UUID) -> Response:
    """Forget the conversation and who was speaking."""
    await _form(request)
    try:
        state_of(request).conversas.forget(scope_of(request), conversa_id)
    except ConversaNotFound as error:
        return _start_page(request, error)
    return RedirectResponse(_START, status_code=303)


async def _stream(request: Request, conversa: Conversa, turn: asyncio.Task[Turno], events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    async for event in events:
        told = happening(event, conversa.registro)
        if told is not None:
            yield _wire("andamento", told)
    turn.result()
    yield _wire("fim", bytes(page(request, "conversa_corpo.html", vista=ConversaVista.of(conversa)).body).decode())


def _wire(name: str, data: str) -> bytes:
    return format_sse_event(event=name, data_str=msgspec.json.encode(data).decode())


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form that our own page sent. Raises FormularioDeFora."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=10) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        # A form may name a charset whose text UTF-8 cannot hold.
        return {name: value.encode("utf-8", "replace").decode() for name, value in form.items() if isinstance(value, str)}


def _conversa(request: Request, conversa_id: UUID) -> Conversa:
    return state_of(request).conversas.get(scope_of(request), conversa_id)


def _start_page(request: Request, recusa: CrivoError | None = None) -> Response:
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    return page(request, "conversa_inicio.html", status, headers, papeis=tuple(PAPEIS.items()), recusa=recusa)


def _conversation_page(request: Request, conversa: Conversa, recusa: CrivoError | None = None, texto: str = "") -> Response:
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    return page(request, "conversa.html", status, headers, recusa=recusa, texto=texto, vista=ConversaVista.of(conversa))
