"""`/entrar` and `/sair`: a link that works once, an invitation or a password opens a session. Source: interfaces, Pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import EntradaRecusada, Falta, Sessao, TentativasDemais, Usuario, falta_of, find_by_senha, has_segundo_fator
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import InvalidTenant, Scope
from crivo.web.body import limited
from crivo.web.edge import CODIGO
from crivo.web.pages import csrf
from crivo.web.pages.conta.navegadores import address_of, onde_of
from crivo.web.pages.rendering import page
from crivo.web.passos import PASSOS
from crivo.web.problems import headers_of, status_of
from crivo.web.session_cookie import clear_session, session_id_of, set_session
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_FORM_BYTES: Final = 8_000
_WHOEVER: Final = "entrada"  # who looks, before it is known who enters


class SenhaErrada(CrivoError):
    """No person with that e-mail and that password; which of the two was wrong is not told."""

    codigo: ClassVar[str] = "senha_errada"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Não foi possível entrar"


@router.get("/entrar", response_class=Response)
async def entrar(
    request: Request, token: Annotated[str, Query(max_length=500)] = "", volta: Annotated[str, Query(max_length=2_000)] = ""
) -> Response:
    """The sign-in form. Of a link it only shows a button: a program that previews links must not use the link up."""
    return entrance(request, token=token, volta=volta)


@router.post("/entrar", response_class=Response)
async def abrir_sessao(request: Request) -> Response:
    """Trade a link or an invitation for a session; where it serves no more, the form says so."""
    said, state = await _said(request), state_of(request)
    try:
        async with state.entradas.link(address_of(request)):
            sessao = await state.sessoes.redeem(said.get("token", ""), onde_of(request))
    except (EntradaRecusada, TentativasDemais) as error:
        return _refused(request, error, said)
    return await entered(request, sessao, said.get("volta"))


@router.post("/entrar/senha", response_class=Response)
async def entrar_com_senha(request: Request) -> Response:
    """Trade an e-mail and a password for a session; what was wrong comes back with the form, all but the password."""
    said = await _said(request)
    state = state_of(request)
    try:
        scope, usuario = await _person_of_password(request, said.get("organizacao", "").strip() or state.container.settings.tenant, said)
    except (SenhaErrada, TentativasDemais) as error:
        return _refused(request, error, said)
    return await entered(request, await opened_by_password(request, scope, usuario), said.get("volta"))


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


def entrance(
    request: Request, error: CrivoError | None = None, *, token: str = "", volta: str = "", email: str = "", organizacao: str = ""
) -> Response:
    """The page of the ways in: a link's button where there is one, else the form, with what was wrong with the last try."""
    return page(
        request,
        "conta/entrar.html",
        status_of(error) if error else 200,
        headers_of(error) if error else None,
        token=token,
        aviso=error.mensagem if error else "",
        volta=own_address(volta),
        email=email,
        organizacao=organizacao,
        externa=bool(state_of(request).container.settings.oidc_emissor),
    )


async def entered(request: Request, sessao: Sessao, volta: object) -> Response:
    """Send whoever has just entered to where they wanted to go, on this site, or to the beginning; by the step that is still to be done.

    The session that the browser had before, whosesoever it was, ends.
    """
    await state_of(request).sessoes.end(session_id_of(request) or "")
    wanted = volta if isinstance(volta, str) else ""
    address = step_address(sessao.falta, wanted) if sessao.falta else own_address(wanted) or "/"
    response = RedirectResponse(address, status_code=303)
    set_session(request, response, sessao)
    return response


def step_address(falta: Falta, volta: str) -> str:
    """The page of a step, which leads on to where one wanted to go."""
    onwards = own_address(volta)
    return f"{PASSOS[falta]}?{urlencode({'volta': onwards})}" if onwards else PASSOS[falta]


def own_address(text: str) -> str:
    """An address of this site, or nothing: what follows a sign-in must not lead elsewhere."""
    parts = urlsplit(text)
    inside = text.startswith("/") and not text.startswith(("//", "/\\", "/entrar")) and not parts.netloc and not parts.scheme
    return text if inside and text.isprintable() else ""


async def _said(request: Request) -> dict[str, str]:
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=10) as form:
        return {name: value.replace("\0", "") for name, value in form.items() if isinstance(value, str)}


async def opened_by_password(request: Request, scope: Scope, usuario: Usuario) -> Sessao:
    """A session for whoever has proved a person's password alone: it lacks a second factor where they have one, or must."""
    state = state_of(request)
    async with state.container.database.unit_of_work(scope) as uow:
        ligado = await has_segundo_fator(uow, usuario.id)
    return await state.sessoes.open(scope, onde_of(request), falta_of(state.container.settings.segundo_fator, usuario.papel, ligado=ligado))


async def _person_of_password(request: Request, tenant: str, said: Mapping[str, str]) -> tuple[Scope, Usuario]:
    """Who has that e-mail and password in that tenant. Raises SenhaErrada, TentativasDemais."""
    state, email = state_of(request), said.get("email", "")
    try:
        scope = Scope(tenant, _WHOEVER)
    except InvalidTenant:
        await state.entradas.hit(tenant, email, address_of(request))
        raise _wrong() from None
    try:
        return await _right(request, scope, email, said.get("senha", ""))
    except (SenhaErrada, TentativasDemais):
        await state.recusas.senha(scope, email, address_of(request))
        raise


async def _right(request: Request, scope: Scope, email: str, senha: str) -> tuple[Scope, Usuario]:
    state = state_of(request)
    await state.entradas.hit(scope.tenant_id, email, address_of(request))
    usuario = await find_by_senha(state.container.database, scope, email, senha)
    if usuario is None:
        raise _wrong()
    return Scope(scope.tenant_id, usuario.ator), usuario


def _refused(request: Request, error: CrivoError, said: Mapping[str, str]) -> Response:
    request.scope[CODIGO] = error.codigo
    kept = {name: said.get(name, "") for name in ("volta", "email", "organizacao")}
    return entrance(request, error, **kept)


def _wrong() -> SenhaErrada:
    return SenhaErrada("E-mail ou senha não conferem. Confira os dois, ou peça um link de entrada a quem administra o crivo.")
