"""`/api/avaliacoes`: the projects given to whoever asks, and the notas that they give. Source: triagem seed, Na tela do avaliador."""

from __future__ import annotations

from typing import Final

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.triagem_schemas import ListaAvaliacoes, NotasEnviadas, ProjetoDado, ProjetoParaAvaliar, encode
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 5_000_000
_PROJETO: Final = "/api/avaliacoes/{edital_id}/{projeto_id}"
_decode_notas: Final = msgspec.json.Decoder(NotasEnviadas)


@router.get(
    "/api/avaliacoes",
    summary="Os projetos que me foram dados",
    response_class=Response,
    responses=answer(ListaAvaliacoes, "Os projetos de quem a chave representa, de todos os editais."),
)
async def listar(request: Request) -> Response:
    """A chave deve agir por uma pessoa: crie-a com `crivo chaves criar --usuario EMAIL`."""
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    return Response(encode(ListaAvaliacoes(tuple([ProjetoDado.of(one) for one in given]))), media_type=_JSON)


@router.get(
    _PROJETO,
    summary="Um projeto para avaliar",
    response_class=Response,
    responses={**answer(ProjetoParaAvaliar, "O projeto, os critérios, as minhas notas e as dicas já abertas."), **failures(404, 409)},
)
async def ler(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Onde o edital pede a nota antes da dica, a de um critério só aparece depois da nota dele.

    409 `projeto_em_espera`: o projeto abre quando a calibração terminar.
    """
    return await _answer(request, edital_id, projeto_id)


@router.put(
    _PROJETO,
    summary="Dá as notas de um projeto",
    response_class=Response,
    responses={**answer(ProjetoParaAvaliar, "Como ficou, com as dicas que as notas abriram."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body(
        "Uma nota por critério, com até duas casas depois da vírgula, e o que se escreve dela.",
        {"$ref": REF.format(name="NotasEnviadas")},
        [_JSON],
        {"notas": [{"criterio": "C1", "nota": 7.5, "texto": "Equipe experiente; cronograma apertado."}]},
    ),
)
async def avaliar(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Todas ou nenhuma; cada uma fica no lugar da que a mesma pessoa tinha dado. Critérios não citados ficam como estão.

    409 `prazo_encerrado`: passou do último dia das notas.
    """
    right = 'Envie {"notas": [{"criterio": "C1", "nota": 7.5, "texto": ""}]}, sem outros campos.'
    enviadas = await read_json(request, _decode_notas, _LARGEST_BYTES, right)
    await state_of(request).container.julgamento.registrar_notas(scope_of(request), edital_id, projeto_id, enviadas.given())
    return await _answer(request, edital_id, projeto_id)


async def _answer(request: Request, edital_id: str, projeto_id: str) -> Response:
    para = await state_of(request).container.julgamento.projeto(scope_of(request), edital_id, projeto_id)
    return Response(encode(ProjetoParaAvaliar.of(para)), media_type=_JSON)
