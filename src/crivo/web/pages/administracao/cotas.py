"""`/admin/cotas`: what an organisation uses of its quotas, for those who administer it; who changes them looks after the installation."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.pages.administracao.cotas_vista import UsoVisto, notices
from crivo.web.pages.rendering import page
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/cotas"


@router.get(_PAGE, response_class=Response)
async def cotas(request: Request) -> Response:
    """Every quota, with what is used."""
    numeros = await state_of(request).container.organizacoes.uso(scope_of(request))
    return page(
        request,
        "administracao/cotas.html",
        usos=[UsoVisto.of(one) for one in numeros.usos],
        avisos=notices(numeros.usos),
        decisoes_no_mes=numeros.decisoes_no_mes,
    )
