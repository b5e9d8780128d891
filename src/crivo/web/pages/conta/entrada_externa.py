"""`/entrar/oidc`: sign-in at the organisation's own identity provider. Source: interfaces, "OIDC optional"."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import EntradaRecusada, Sessao, find_usuario
from crivo.kernel.access.oidc import EntradaExternaRecusada, Ida, Provedor, begin, finish
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.web.edge import CODIGO
from crivo.web.pages.conta.entrada import entered, entrance, opened_by_password
from crivo.web.pages.conta.navegadores import onde_of
from crivo.web.problems import RotaInexistente
from crivo.web.session_cookie import cookie_name
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_COOKIE: Final = "crivo_ida"
_SECONDS: Final = 600
_WHOEVER: Final = "entrada"


class _NaIda(msgspec.Struct, frozen=True):
    """What the browser itself keeps of a sign-in on its way: nobody else can bring it back."""

    estado: str
    nonce: str
    verificador: str


@router.get("/entrar/oidc", response_class=Response)
async def ir(request: Request) -> Response:
    """Send the browser to the provider. Raises RotaInexistente where none is configured; ProvedorIndisponivel."""
    settings = state_of(request).container.settings
    ida = await begin(_provedor(settings), _retorno(settings))
    response = RedirectResponse(ida.endereco, status_code=303)
    kept = msgspec.json.encode(_NaIda(ida.estado, ida.nonce, ida.verificador)).hex()
    secure = request.url.scheme == "https"
    response.set_cookie(cookie_name(request, _COOKIE), kept, _SECONDS, path="/", secure=secure, httponly=True, samesite="lax")
    return response


@router.get("/entrar/oidc/retorno", response_class=Response)
async def voltar(
    request: Request,
    code: Annotated[str, Query(max_length=4_000)] = "",
    state: Annotated[str, Query(max_length=400)] = "",
    iss: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """Trade what the provider proves for a session, once. Raises RotaInexistente; what was refused is told on the form.

    Source: OpenID Connect Core 1.0; RFC 9207 for `iss`.
    """
    try:
        response = await entered(request, await _proved(request, code, state, iss), None)
    except (EntradaExternaRecusada, EntradaRecusada) as error:
        request.scope[CODIGO] = error.codigo
        response = entrance(request, error)
    secure = request.url.scheme == "https"
    response.delete_cookie(cookie_name(request, _COOKIE), path="/", secure=secure, httponly=True, samesite="lax")
    return response


async def _proved(request: Request, code: str, state: str, iss: str) -> Sessao:
    """A session for whom the provider proves, where they are a person here. Raises EntradaExternaRecusada, EntradaRecusada."""
    web = state_of(request)
    settings = web.container.settings
    provedor, ida = _provedor(settings), _kept(request)
    if iss not in ("", provedor.emissor):
        raise EntradaExternaRecusada("A resposta não veio da sua organização. Tente de novo a partir desta página.")
    provado = await finish(provedor, ida, _retorno(settings), code, state)
    async with web.container.database.unit_of_work(Scope(settings.tenant, _WHOEVER)) as uow:
        usuario = await find_usuario(uow, provado.email)
    if usuario is None or usuario.desativado_em is not None:
        raise EntradaExternaRecusada("Sua organização confirmou quem você é, mas você não está cadastrado aqui. Peça um convite.")
    scope = Scope(settings.tenant, usuario.ator)
    await web.sessoes.spend(scope, ida.estado)
    if provado.dois_fatores:
        return await web.sessoes.open(scope, onde_of(request))
    return await opened_by_password(request, scope, usuario)


def _provedor(settings: Settings) -> Provedor:
    if not settings.oidc_emissor or settings.oidc_segredo is None:
        raise RotaInexistente("Não há nada neste endereço.")
    return Provedor(settings.oidc_emissor, settings.oidc_cliente, settings.oidc_segredo.get_secret_value())


def _retorno(settings: Settings) -> str:
    return f"{settings.endereco}/entrar/oidc/retorno"


def _kept(request: Request) -> Ida:
    try:
        kept = msgspec.json.decode(bytes.fromhex(request.cookies.get(cookie_name(request, _COOKIE), "")), type=_NaIda)
    except (ValueError, msgspec.DecodeError):
        raise EntradaExternaRecusada(
            "A entrada começou em outro navegador, ou o tempo passou. Tente de novo a partir desta página."
        ) from None
    return Ida("", kept.estado, kept.nonce, kept.verificador)
