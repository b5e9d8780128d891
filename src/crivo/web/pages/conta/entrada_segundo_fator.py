"""`/entrar/codigo` and `/entrar/segundo-fator`: the second factor of whoever has proved a password, asked for or made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import CodigoErrado, SemPermissao, TentativasDemais, Usuario, acting_usuario
from crivo.kernel.errors import CrivoError
from crivo.kernel.tenancy import Scope
from crivo.web.edge import CODIGO
from crivo.web.pages.conta.entrada import entered, own_address
from crivo.web.pages.conta.navegadores import address_of
from crivo.web.pages.conta.quadrado import qr_code
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.session_cookie import session_id_of, set_session
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_CODE: Final = "/entrar/codigo"
_ENROL: Final = "/entrar/segundo-fator"
_GROUP: Final = 4
REFUSED: Final = (CodigoErrado, TentativasDemais)  # a code that is not taken, and one that is not even looked at

Taken = TypeVar("Taken")
Volta = Annotated[str, Query(max_length=2_000)]


@router.get(_CODE, response_class=Response)
async def codigo(request: Request, volta: Volta = "") -> Response:
    """The form that asks for a code."""
    return _asked(request, volta)


@router.post(_CODE, response_class=Response)
async def dar_codigo(request: Request) -> Response:
    """Take a code of the app, or a recovery code, and go on."""
    form, usuario, state = await read_form(request), await acting(request), state_of(request)
    try:
        await tried(request, usuario, form, state.segundos_fatores.check)
    except REFUSED as error:
        return _asked(request, form.get("volta", ""), error)
    return await entered(request, await state.sessoes.take_up(scope_of(request), session_id_of(request) or ""), form.get("volta"))


@router.get(_ENROL, response_class=Response)
async def inscricao(request: Request, volta: Volta = "") -> Response:
    """What to put into an authenticator app, where a second factor must be made before anything else."""
    return await shown_enrolment(request, _ENROL, volta)


@router.post(_ENROL, response_class=Response)
async def inscrever(request: Request) -> Response:
    """Turn the second factor on and go on: the page with the recovery codes leads to where one wanted to go."""
    form, usuario, state = await read_form(request), await acting(request), state_of(request)
    try:
        codes = await tried(request, usuario, form, turning_on(request))
    except REFUSED as error:
        return await shown_enrolment(request, _ENROL, form.get("volta", ""), error)
    response = shown_codes(request, codes, own_address(form.get("volta", "")) or "/")
    set_session(request, response, await state.sessoes.take_up(scope_of(request), session_id_of(request) or ""))
    return response


async def acting(request: Request) -> Usuario:
    """The person of the session. Raises SemPermissao where it is no person's."""
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        usuario = await acting_usuario(uow)
    if usuario is None:
        raise SemPermissao("Esta sessão não é de uma pessoa cadastrada, e por isso não tem segundo fator.")
    return usuario


async def tried(
    request: Request, usuario: Usuario, form: Mapping[str, str], take: Callable[[Scope, Usuario, str], Awaitable[Taken]]
) -> Taken:
    """Count a try of the form's code, and do with it what it is given for. Raises what is in REFUSED."""
    scope = scope_of(request)
    await state_of(request).entradas.code(scope.tenant_id, usuario.ator, address_of(request))
    return await take(scope, usuario, form.get("codigo", ""))


def turning_on(request: Request) -> Callable[[Scope, Usuario, str], Awaitable[Sequence[str]]]:
    """Turns on what the request's own session began."""

    async def turn_on(scope: Scope, usuario: Usuario, said: str) -> Sequence[str]:
        return await state_of(request).segundos_fatores.turn_on(scope, usuario, session_id_of(request) or "", said)

    return turn_on


async def shown_enrolment(request: Request, acao: str, volta: str = "", recusa: CrivoError | None = None) -> Response:
    """The QR code and the secret, and the form for the app's first code, which is sent to `acao`."""
    inscricao = await state_of(request).segundos_fatores.begin(scope_of(request), await acting(request), session_id_of(request) or "")
    segredo = inscricao.segredo
    return _told(
        request,
        "conta/segundo_fator.html",
        recusa,
        acao=acao,
        desenho=qr_code(inscricao.endereco),
        segredo=" ".join(segredo[at : at + _GROUP] for at in range(0, len(segredo), _GROUP)),
        endereco=inscricao.endereco,
        volta=own_address(volta),
    )


def shown_codes(request: Request, codes: Sequence[str], onwards: str) -> Response:
    """The recovery codes, which no later page shows."""
    return page(request, "conta/codigos_de_recuperacao.html", codigos=codes, adiante=onwards)


def _asked(request: Request, volta: str, recusa: CrivoError | None = None) -> Response:
    return _told(request, "conta/codigo.html", recusa, volta=own_address(volta))


def _told(request: Request, template: str, recusa: CrivoError | None, **values: Any) -> Response:
    if recusa is None:
        return page(request, template, recusa=None, **values)
    request.scope[CODIGO] = recusa.codigo
    return page(request, template, status_of(recusa), headers_of(recusa), recusa=recusa, **values)
