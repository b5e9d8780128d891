"""`/api/ia/triagem/{edital_id}/decisoes`: what people decide of the habilitação, many at once, undone and listed. No program decides."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.atos import Desfeito
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.guardados import Ato
from crivo.triagem.previa import Previa
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.triagem_schemas import ListaDecisoes, PedidoDecisao, PedidoDesfazer, PedidoPrevia, encode
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 5_000_000  # the codes of 50,000 projects
_DECISOES: Final = "/api/ia/triagem/{edital_id}/decisoes"
_decode_previa: Final = msgspec.json.Decoder(PedidoPrevia)
_decode_decisao: Final = msgspec.json.Decoder(PedidoDecisao)
_decode_desfazer: Final = msgspec.json.Decoder(PedidoDesfazer)


@router.post(
    f"{_DECISOES}/previa",
    summary="O que uma decisão sobre muitos projetos faria",
    response_class=Response,
    responses={**answer(Previa, "Quem entra, quem fica de fora e por quê. Nada é decidido."), **failures(400, 404, 413, 415, 422)},
    openapi_extra=body(
        "Os projetos e a decisão.",
        {"$ref": REF.format(name="PedidoPrevia")},
        [_JSON],
        {"codigos": ["P001", "P002"], "decisao": "habilitado"},
    ),
)
async def prever(request: Request, edital_id: EditalId) -> Response:
    """Devolva `prevista` ao decidir: se algo mudar até lá, ninguém é decidido."""
    right = 'Envie {"codigos": ["P001"], "decisao": "habilitado"}; as decisões são habilitado, inabilitado e pendencia.'
    pedido = await read_json(request, _decode_previa, _LARGEST_BYTES, right)
    return _answer(await _decisoes(request).prever(scope_of(request), edital_id, pedido.codigos, pedido.decisao))


@router.post(
    _DECISOES,
    summary="Decide sobre muitos projetos, todos ou nenhum",
    response_class=Response,
    responses={**answer(Ato, "O que foi decidido, e o número que o desfaz.", status=201), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body(
        "Os projetos, a decisão, o motivo e a prévia que foi vista.",
        {"$ref": REF.format(name="PedidoDecisao")},
        [_JSON],
        {"codigos": ["P001", "P002"], "decisao": "inabilitado", "motivo": "Não comprovaram a sede.", "prevista": "…"},
    ),
)
async def decidir(request: Request, edital_id: EditalId) -> Response:
    """A chave deve agir por uma pessoa que decide. Se algo mudou desde a prévia, 409 com os projetos que mudaram em `problemas`."""
    right = 'Envie {"codigos": ["P001"], "decisao": "habilitado", "motivo": "...", "prevista": "..."}, com a prévia que foi vista.'
    pedido = await read_json(request, _decode_decisao, _LARGEST_BYTES, right)
    told = (pedido.codigos, pedido.decisao, pedido.motivo, pedido.prevista)
    return _answer(await _decisoes(request).decidir_muitos(scope_of(request), edital_id, *told), 201)


@router.post(
    f"{_DECISOES}/atos/{{ato_id}}/desfazer",
    summary="Desfaz uma decisão: cada projeto volta ao que valia antes",
    response_class=Response,
    responses={**answer(Desfeito, "Quem voltou, e quem ficou porque alguém decidiu depois."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("Os projetos, ou `{}` para todos.", {"$ref": REF.format(name="PedidoDesfazer")}, [_JSON], {"projetos": ["P001"]}),
)
async def desfazer(request: Request, edital_id: EditalId, ato_id: UUID) -> Response:
    """Só quem decidiu, ou quem administra. O que foi desfeito continua no histórico."""
    pedido = await read_json(request, _decode_desfazer, _LARGEST_BYTES, 'Envie {} para todos, ou {"projetos": ["P001"]}.')
    return _answer(await _decisoes(request).desfazer(scope_of(request), edital_id, ato_id, pedido.projetos))


@router.get(
    _DECISOES,
    summary="O que as pessoas decidiram",
    response_class=Response,
    responses={**answer(ListaDecisoes, "Por projeto, o que vale e o que já não vale; e os últimos atos."), **failures(404)},
)
async def listar(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração."""
    return _answer(ListaDecisoes.of(edital_id, await _decisoes(request).listar(scope_of(request), edital_id)))


def _answer(value: msgspec.Struct, status: int = 200) -> Response:
    return Response(encode(value), status, media_type=_JSON)


def _decisoes(request: Request) -> Habilitacoes:
    return state_of(request).container.decisoes
