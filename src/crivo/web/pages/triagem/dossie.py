"""`/admin/editais/{id}/projetos/{projeto}/dossie.{formato}`: all of a project on paper, for those who manage or for the proponente."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.publicacao.dossie import Para
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId
from crivo.web.triagem.saida import send

router = APIRouter(include_in_schema=False)


@router.get("/admin/editais/{edital_id}/projetos/{projeto_id}/dossie.{formato}", response_class=Response)
async def dossie(
    request: Request, edital_id: EditalId, projeto_id: ProjetoId, formato: Literal["html", "pdf"], para: Para = "interno"
) -> Response:
    """The dossier as a file; who took it is noted."""
    hold(request, state_of(request).desenhos)
    return send(await state_of(request).container.dossies.dossie(scope_of(request), edital_id, projeto_id, formato, para))
