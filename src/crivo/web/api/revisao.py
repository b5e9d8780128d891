"""`/api/autorizacoes/{id}/revisao`: a person's decision over that of the code. Source: interfaces, HTTP."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.revisao import Revisao, RevisaoProposta
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 64_000
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(RevisaoProposta)


class Historico(msgspec.Struct, frozen=True):
    """The reviews of a decision, the newest first: the first is what stands."""

    revisoes: tuple[Revisao, ...]


@router.post(
    "/api/autorizacoes/{autorizacao_id}/revisao",
    summary="Decide por uma pessoa o que o código tinha decidido",
    response_class=Response,
    responses={**answer(Revisao, "A revisão guardada, com as duas mensagens.", status=201), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body(
        "A decisão da pessoa e o motivo. Sem `mensagens`, o código as escreve a partir do motivo.",
        {"$ref": REF.format(name="RevisaoProposta")},
        [_JSON],
        {"decisao_final": "APROVADO", "motivo": "O laudo chegou por outro canal e foi conferido."},
    ),
)
async def revisar(request: Request, autorizacao_id: UUID) -> Response:
    """A chave deve agir por uma pessoa que revê pedidos; a decisão do código continua guardada ao lado."""
    right = 'Envie {"decisao_final": "APROVADO", "motivo": "..."}; com APROVADO_PARCIAL, também "quantidade_aprovada".'
    proposta = await read_json(request, _decoder, _LARGEST_BYTES, right)
    revisoes, scope = state_of(request).container.revisoes, scope_of(request)
    revisao = await revisoes.decidir(scope, autorizacao_id, proposta, livre=True)
    return Response(_encode(revisao), status_code=201, media_type=_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}/revisao",
    summary="As revisões de uma decisão",
    response_class=Response,
    responses={**answer(Historico, "Da mais nova para a mais antiga; vazia quando ninguém reviu."), **failures(404)},
)
async def historico(request: Request, autorizacao_id: UUID) -> Response:
    """A primeira da lista é a que vale."""
    container, scope = state_of(request).container, scope_of(request)
    await container.autorizacoes.obter(scope, autorizacao_id)
    return Response(_encode(Historico(await container.revisoes.historico(scope, autorizacao_id))), media_type=_JSON)
