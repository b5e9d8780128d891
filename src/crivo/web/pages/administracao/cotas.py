"""`/admin/cotas`: what an organisation uses of its quotas, for those who administer it; who changes them looks after the installation."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.pages.administracao.cotas_vista import UsoVisto, notices
from crivo.web.pages.rendering import page
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/cotas"


@router.get(_PAGE, response_class=Response)
async def cotas(request: Request) -> Response:
    """Every quota, with what is used."""
    casas, scope = state_of(request).container.organizacoes, scope_of(request)
    numeros, looks_after = await casas.uso(scope), pode(request, "organizacoes.administrar")
    return page(
        request,
        "administracao/cotas.html",
        usos=[UsoVisto.of(one) for one in numeros.usos],
        avisos=notices(numeros.usos, await casas.nome(scope) if looks_after else ""),
        onde_mudar=f"/admin/organizacoes/{scope.tenant_id}#titulo-cotas" if looks_after else "",
        decisoes_no_mes=numeros.decisoes_no_mes,
    )
