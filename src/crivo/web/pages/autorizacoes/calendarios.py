"""`/autorizacoes/calendarios`: which days count in deadlines, for the organisation and for administradoras of another place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.revisao import CalendarioInvalido, Dito
from crivo.autorizacoes.revisao.calendarios import COMO_SE_ESCREVE, shown
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.prazos import cidades, ufs
from crivo.web.pages.autorizacoes.pessoas import name_of, names_of
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/autorizacoes/calendarios"
_MOST_OFFERED: Final = 200
_NAMES: Final[Mapping[str, str]] = {
    "administradora": "Administradora",
    "uf": "Estado",
    "cidade": "Cidade",
    "folgas": "Dias sem expediente",
}
_FIELDS: Final = ("administradora", "uf", "cidade", "folgas")


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, administradora: str | None = None) -> Response:
    """What was said, and a form to say more; of an administradora whose calendar is there, the form holds it."""
    guardados = await state_of(request).container.calendarios.listar(scope_of(request))
    found = next((one.dito for one in guardados if one.dito.administradora_id == administradora), None)
    if found is None:
        return await _page(request, {})
    values = {"administradora": found.administradora_id, "uf": found.uf, "cidade": found.cidade, "folgas": shown(found.folgas)}
    return await _page(request, values)


@router.post(_PAGE, response_class=Response)
async def definir(request: Request) -> Response:
    """Keep a calendar; what will not do comes back with the reason and what was typed."""
    form = await read_form(request)
    values = {name: form.get(name, "").encode("utf-8", "replace").decode() for name in _FIELDS}
    dito = Dito(values["administradora"], values["uf"], values["cidade"], values["folgas"])
    try:
        await state_of(request).container.calendarios.definir(scope_of(request), dito, nova=bool(form.get("nova")))
    except CalendarioInvalido as error:
        return await _page(request, values, error)
    return RedirectResponse(f"{_PAGE}?ok=calendario", status_code=303)


@router.post(f"{_PAGE}/retirar", response_class=Response)
async def retirar(request: Request) -> Response:
    """Take a calendar back."""
    form = await read_form(request)
    await state_of(request).container.calendarios.retirar(scope_of(request), form.get("administradora", ""))
    return RedirectResponse(f"{_PAGE}?ok=calendario_retirado", status_code=303)


async def _page(request: Request, valores: Mapping[str, str], recusa: CalendarioInvalido | None = None) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    names, padrao = await names_of(request), container.settings
    faults = {} if recusa is None else {one.caminho: one.mensagem for one in recusa.problemas}
    return page(
        request,
        "autorizacoes/calendarios.html",
        200 if recusa is None else status_of(recusa),
        guardados=[
            (one.dito, mask_cpfs(one.dito.administradora_id), shown(one.dito.folgas), name_of(one.por, names), one.em)
            for one in await container.calendarios.listar(scope)
        ],
        padrao_uf=padrao.uf,
        padrao_folgas=shown(padrao.dias_sem_expediente),
        estados=[("", "Só feriados nacionais"), *[(one, one) for one in ufs()]],
        conhecidas=cidades(),
        administradoras=[one for one in await container.calendarios.administradoras(scope) if mask_cpfs(one) == one][:_MOST_OFFERED],
        pergunta_se_nova=any(one.codigo == "administradora_desconhecida" for one in recusa.problemas) if recusa else False,
        como=COMO_SE_ESCREVE,
        valores={name: valores.get(name, "") for name in _FIELDS},
        erros={name: faults.get(name, "") for name in _FIELDS},
        nomes=_NAMES,
        recusa=recusa,
    )
