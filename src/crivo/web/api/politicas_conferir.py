"""`/api/politicas/{id}/conferir` and `/testar`: what is wrong with a version, and how its test cases come out."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.api.documenting import answer, failures
from crivo.web.api.politicas_schemas import ConferenciaDaPolitica, TesteDaPolitica
from crivo.web.api.schemas import encode
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(tags=["Políticas"])
_JSON: Final = "application/json"


@router.post(
    "/api/politicas/{politica_id}/conferir",
    summary="O que está errado numa política",
    response_class=Response,
    responses={**answer(ConferenciaDaPolitica, "O que foi achado, os erros primeiro."), **failures(404)},
)
async def conferir(request: Request, politica_id: UUID) -> Response:
    """Regras que se contradizem ou que nunca são usadas, carências acima da lei, limites e idades impossíveis, dias sem regra.

    Um rascunho é olhado como se estivesse publicado. Cada coisa vem com o menor pedido que a mostra. Nada é gravado.
    """
    hold(request, state_of(request).politicas)
    found = await state_of(request).container.conferencias.guardada(scope_of(request), politica_id)
    return Response(encode(ConferenciaDaPolitica.of(found)), media_type=_JSON)


@router.post(
    "/api/politicas/{politica_id}/testar",
    summary="Roda os casos de teste de uma política",
    response_class=Response,
    responses={**answer(TesteDaPolitica, "Como cada caso saiu, e o que eles cobrem."), **failures(404)},
)
async def testar(request: Request, politica_id: UUID) -> Response:
    """Os casos guardados com a versão, as regras e verificações por que eles passam, e casos propostos para o que falta."""
    hold(request, state_of(request).politicas)
    found = await state_of(request).container.casos_de_politica.guardada(scope_of(request), politica_id)
    return Response(encode(TesteDaPolitica.of(found)), media_type=_JSON)
