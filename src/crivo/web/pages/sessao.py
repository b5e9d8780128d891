"""`/entrar` and `/sair`: a link that works once opens a session. Source: interfaces, Pages; quality, Security."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.session_cookie import clear_session, session_id_of, set_session
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_FORM_BYTES: Final = 4_000


@router.get("/entrar", response_class=Response)
async def entrar(request: Request, token: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Only shows a button: a program that previews links must not use the link up."""
    return page(request, "entrar.html", token=token, aviso=None)


@router.post("/entrar", response_class=Response)
async def abrir_sessao(request: Request) -> Response:
    """Trade the link for a session."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form() as form:
        token = form.get("token")
    sessao = await state_of(request).sessoes.redeem(token if isinstance(token, str) else "")
    response = RedirectResponse("/", status_code=303)
    set_session(request, response, sessao)
    return response


@router.post("/sair", response_class=Response)
async def sair(request: Request) -> Response:
    """End the session, here and in the database."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form() as form:
        csrf.check_token(request, form.get(csrf.FIELD))
    await state_of(request).sessoes.end(session_id_of(request) or "")
    response = RedirectResponse("/entrar", status_code=303)
    clear_session(request, response)
    return response
