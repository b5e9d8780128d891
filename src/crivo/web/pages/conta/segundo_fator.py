"""`/conta/segundo-fator`: a person turns their own second factor on, changes the recovery codes, or turns it off where they may."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import (
    SemPermissao,
    count_recovery_codes,
    end_others,
    has_segundo_fator,
    is_required,
    remove_segundo_fator,
)
from crivo.kernel.errors import CrivoError
from crivo.web.edge import CODIGO
from crivo.web.pages.conta.entrada_segundo_fator import REFUSED, acting, shown_codes, shown_enrolment, tried, turning_on
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.session_cookie import session_id_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/conta/segundo-fator"


@router.get(_PAGE, response_class=Response)
async def segundo_fator(request: Request) -> Response:
    """How to turn it on; where it is on, what can be done with it."""
    return await _shown(request)


@router.post(_PAGE, response_class=Response)
async def ligar(request: Request) -> Response:
    """Turn it on with a first code; every other session ends, as none of them gave one."""
    form, usuario, state = await read_form(request), await acting(request), state_of(request)
    try:
        codes = await tried(request, usuario, form, turning_on(request))
    except REFUSED as error:
        return await _shown(request, error)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        await end_others(uow, state.container.clock.now(), session_id_of(request) or "")
    return shown_codes(request, codes, "/conta")


@router.post(f"{_PAGE}/codigos", response_class=Response)
async def trocar_codigos(request: Request) -> Response:
    """New recovery codes for the old ones, against a code."""
    form, usuario = await read_form(request), await acting(request)
    try:
        codes = await tried(request, usuario, form, state_of(request).segundos_fatores.renew_codes)
    except REFUSED as error:
        return await _shown(request, error)
    return shown_codes(request, codes, "/conta")


@router.post(f"{_PAGE}/desligar", response_class=Response)
async def desligar(request: Request) -> Response:
    """Turn it off against a code, where nothing asks for it. Raises SemPermissao where the role must have one."""
    form, usuario, state = await read_form(request), await acting(request), state_of(request)
    if is_required(state.container.settings.segundo_fator, usuario.papel):
        raise SemPermissao("O seu papel entra sempre com o segundo fator. Para trocar de aplicativo, fale com quem cuida do crivo.")
    try:
        await tried(request, usuario, form, state.segundos_fatores.check)
    except REFUSED as error:
        return await _shown(request, error)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        await remove_segundo_fator(uow, state.container.clock.now(), usuario)
    return RedirectResponse("/conta?ok=alterado", status_code=303)


async def _shown(request: Request, recusa: CrivoError | None = None) -> Response:
    state, usuario = state_of(request), await acting(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        ligado, restam = await has_segundo_fator(uow, usuario.id), await count_recovery_codes(uow, usuario.id)
    if not ligado:
        return await shown_enrolment(request, _PAGE, "/conta", recusa)
    if recusa is not None:
        request.scope[CODIGO] = recusa.codigo
    exigido = is_required(state.container.settings.segundo_fator, usuario.papel)
    status, headers = (status_of(recusa), headers_of(recusa)) if recusa else (200, None)
    return page(request, "conta/segundo_fator_ligado.html", status, headers, exigido=exigido, restam=restam, recusa=recusa)
