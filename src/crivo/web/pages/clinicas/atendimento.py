"""`/clinicas/atendimento`: who asked for a person, and their conversation from the other side. Source: design, "Nobody is harmed"."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.clinicas.conversa import Conversa
from crivo.clinicas.recepcao import ForaDaFila
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.escuta import still
from crivo.web.pages.ao_vivo import AoVivo, Pedaco
from crivo.web.pages.clinicas.atendimento_vista import AtendimentoVista
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, quem_of, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/clinicas/atendimento"
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT)


@router.get(_PAGE, response_class=Response)
async def fila(request: Request) -> Response:
    """The queue, before one of it is opened."""
    return await _shown(request)


@router.get(f"{_PAGE}/eventos", response_class=Response)
async def acompanhar(request: Request, conversa: UUID | None = None) -> Response:
    """The page as it changes, for our own script."""
    conversas, scope = state_of(request).conversas, scope_of(request)

    async def render() -> Pedaco:
        await conversas.look(scope.tenant_id)
        vista = await AtendimentoVista.of(conversas, scope, conversa)
        return Pedaco(bytes(page(request, "clinicas/atendimento_corpo.html", vista=vista).body).decode())

    hold(request, state_of(request).escutas)
    await conversas.sync()  # what is shown first is not rung for again
    return AoVivo(conversas.recepcao.sino, render, still(request))


@router.get(f"{_PAGE}/{{conversa_id}}", response_class=Response)
async def abrir(request: Request, conversa_id: UUID) -> Response:
    """One of the queue, with what was said in it."""
    return await _shown(request, conversa_id)


@router.post(f"{_PAGE}/{{conversa_id}}/assumir", response_class=Response)
async def assumir(request: Request, conversa_id: UUID) -> Response:
    """Take the conversation."""
    await read_form(request)
    nome = quem_of(request).split()[0]
    return await _done(request, conversa_id, state_of(request).atendimento.assume(scope_of(request), conversa_id, nome))


@router.post(f"{_PAGE}/{{conversa_id}}/responder", response_class=Response)
async def responder(request: Request, conversa_id: UUID) -> Response:
    """Write to the person."""
    texto = (await read_form(request)).get("texto", "")
    return await _done(request, conversa_id, state_of(request).atendimento.answer(scope_of(request), conversa_id, texto), texto)


@router.post(f"{_PAGE}/{{conversa_id}}/devolver", response_class=Response)
async def devolver(request: Request, conversa_id: UUID) -> Response:
    """Let the assistant go on."""
    await read_form(request)
    try:
        await state_of(request).atendimento.give_back(scope_of(request), conversa_id)
    except CrivoError as error:
        return await _refused(request, conversa_id, error)
    return RedirectResponse(f"{_PAGE}?ok=atendimento", status_code=303)


async def _done(request: Request, conversa_id: UUID, act: Awaitable[Conversa], texto: str = "") -> Response:
    try:
        await act
    except CrivoError as error:
        return await _refused(request, conversa_id, error, texto)
    return RedirectResponse(f"{_PAGE}/{conversa_id}#fim", status_code=303)


async def _refused(request: Request, conversa_id: UUID, error: CrivoError, texto: str = "") -> Response:
    if error.kind not in _ANSWERED_HERE:
        raise error
    return await _shown(request, conversa_id, error, texto)


async def _shown(request: Request, conversa_id: UUID | None = None, recusa: CrivoError | None = None, texto: str = "") -> Response:
    state, scope = state_of(request), scope_of(request)
    await state.conversas.look(scope.tenant_id)
    vista = await AtendimentoVista.of(state.conversas, scope, conversa_id)
    if recusa is None and conversa_id is not None and vista.atendida is None:
        recusa = ForaDaFila()
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    return page(request, "clinicas/atendimento.html", status, headers, vista=vista, recusa=recusa, texto=texto)
