"""`/api/ia/triagem/{edital_id}/resultado`: the places that people's notas and decisions come to. Source: interfaces, HTTP."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.atos import NewEntry
from crivo.triagem.classificacao.publicado import FaseDoResultado, ResultadoPublicado, publish
from crivo.triagem.exportacao import lugares_to_json
from crivo.web.api.documenting import answer, failures
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"


@router.get(
    "/api/ia/triagem/{edital_id}/resultado",
    summary="Os lugares: quem é selecionado, em que vaga e por quê",
    response_class=Response,
    responses={**answer(ResultadoPublicado, "Cada projeto com lugar, situação, vaga e motivo."), **failures(404, 409, 422)},
)
async def resultado(
    request: Request,
    edital_id: EditalId,
    fase: Annotated[FaseDoResultado, Query(description="O que vai escrito no resultado; as contas são as mesmas.")] = "preliminar",
) -> Response:
    """Só gestão e administração. Contam só notas enviadas e decisões de pessoas, nunca as de um modelo.

    Sem `classificacao` no edital, 409 com o que falta.
    """
    container, scope = state_of(request).container, scope_of(request)
    found = await container.lugares.resultado(scope, edital_id)
    told = {"edital": edital_id, "fase": fase, "formato": "json", "projetos": len(found.lugares)}
    await container.auditoria.anotar(scope, NewEntry(acao="resultado.exportado", alvo=f"edital:{edital_id}", dados=told))
    content = await asyncio.to_thread(lambda: lugares_to_json(publish(found, fase)))
    return Response(content, media_type=_JSON)
