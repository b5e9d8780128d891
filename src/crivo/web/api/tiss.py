"""`/api/autorizacoes/tiss`: a guia of TISS in, its answer out. Source: design/autorizacoes.md, "Standards"; decision 0081."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from msgspec import UNSET
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.tiss.guia import MOST_ITEMS
from crivo.autorizacoes.tiss.pedidos import Complemento
from crivo.web.api.avisos import AVISO, told_beside
from crivo.web.api.documenting import body, failures
from crivo.web.body import content_type, read_body
from crivo.web.parametros import refuse_unknown
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_XML: Final = "application/xml"
_READ: Final = frozenset({_XML, "text/xml"})  # no envelope of SOAP is
_SAID: Final = "mensagemTISS com autorizacaoServicos, em ISO-8859-1."
_ANSWER: Final[dict[str, Any]] = {_XML: {"schema": {"type": "string", "description": _SAID}}}
_SCHEMA: Final = {"type": "string", "description": "mensagemTISS com solicitacaoProcedimento, das versões 4.00.00 a 4.03.00."}


@router.post(
    "/api/autorizacoes/tiss",
    summary="Decide uma guia TISS e responde em TISS",
    response_class=Response,
    responses={
        200: {
            "description": "A resposta à guia: autorizacaoServicos, com cada procedimento.",
            "content": _ANSWER,
            "headers": {
                "Crivo-TISS-Esquema": {
                    "description": "`conferida` quando a mensagem foi conferida pelos XSD; `nao_conferida` onde eles não estão instalados.",
                    "schema": {"type": "string"},
                },
                "Crivo-Aviso": {"description": AVISO, "schema": {"type": "string"}},
                "Idempotency-Replayed": {"description": "`true` quando a guia já tinha sido decidida.", "schema": {"type": "string"}},
            },
        },
        **failures(400, 410, 413, 415, 422),
    },
    openapi_extra=body("Uma mensagem TISS com uma guia de SP/SADT ou de internação, até 1 MB.", _SCHEMA, sorted(_READ)),
)
async def decidir(
    request: Request,
    plano: Annotated[str | None, Query(min_length=1, max_length=100, description="O plano do beneficiário, que a guia não traz.")] = None,
    idade: Annotated[int | None, Query(ge=0, le=130, description="A idade do beneficiário, em anos completos.")] = None,
    carencia_cumprida_dias: Annotated[int | None, Query(ge=0, le=100_000, description="Os dias de carência que ele já cumpriu.")] = None,
    sexo: Annotated[Literal["F", "M"] | None, Query(description="O sexo do beneficiário, F ou M, que a guia não traz.")] = None,
    valor: Annotated[
        list[Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]] | None,
        Query(max_length=MOST_ITEMS, description="O valor em R$ de cada procedimento, na ordem da guia: um parâmetro para cada um."),
    ] = None,
) -> Response:
    """Cada procedimento da guia é um pedido, com a sua decisão. Os mesmos bytes, com os mesmos parâmetros, têm a mesma resposta.

    A guia não diz o plano, a idade, a carência nem o sexo do beneficiário, nem o valor do que pede: quem sabe diz ao lado dela, nos
    parâmetros. Com outros parâmetros, a guia é decidida de novo.
    """
    refuse_unknown(request, "plano", "idade", "carencia_cumprida_dias", "sexo", "valor")
    content_type(request, _READ)
    state = state_of(request)
    raw = await read_body(request, state.container.settings.limite_corpo_bytes)
    complemento = Complemento(plano, idade, carencia_cumprida_dias, sexo or UNSET, UNSET if valor is None else tuple(valor))
    respondida = await state.container.tiss.decidir(scope_of(request), raw, complemento)
    headers = {"crivo-tiss-esquema": "conferida" if respondida.conferida else "nao_conferida"}
    headers |= told_beside(respondida.decididas)
    for decidida in respondida.decididas:
        if not decidida.repetida:
            state.metrics.decided(decidida.autorizacao.decisao_final)
    if all(decidida.repetida for decidida in respondida.decididas):
        headers["idempotency-replayed"] = "true"
    return Response(respondida.xml, media_type=_XML, headers=headers)


@router.get(
    "/api/autorizacoes/{autorizacao_id}/tiss",
    summary="A resposta TISS de uma decisão que veio de uma guia",
    response_class=Response,
    responses={200: {"description": "A resposta à guia inteira, como está agora.", "content": _ANSWER}, **failures(404, 410, 422)},
)
async def obter(request: Request, autorizacao_id: UUID) -> Response:
    """A resposta à guia, com o que pessoas decidiram depois. Uma decisão que não veio em TISS não tem guia a responder."""
    return Response(await state_of(request).container.tiss.responder(scope_of(request), autorizacao_id), media_type=_XML)
