"""`/api/autorizacoes`: decide and store, read, list. Source: interfaces, HTTP."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.erros import ChaveInvalida
from crivo.autorizacoes.pedido import esquema_do_pedido
from crivo.autorizacoes.revisao import Faixa, Recorte
from crivo.autorizacoes.service import LARGEST_PAGE, Pagina
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.clock import BRASILIA
from crivo.web.api.avisos import AVISO, told_beside
from crivo.web.api.documenting import answer, answer_either, body, failures
from crivo.web.api.schemas import Decisoes, PaginaAutorizacoes, PrazoDeAutorizacao, PrazoDito, encode
from crivo.web.body import CSV, JSON, XML, content_type, read_body
from crivo.web.parametros import refuse_unknown
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_JSON: Final = "application/json"
_DA_FILA: Final = ("administradora", "plano", "urgencia")
_SCHEMA_JSON: Final = "application/schema+json"

PEDIDO_SCHEMA: Final = {
    "type": "object",
    "description": "O pedido como a administradora o manda. Campos com outros nomes são reconhecidos; o que não é conhecido segue com ele. "
    "O JSON Schema está em `GET /api/autorizacoes/esquema`.",
    "additionalProperties": True,
}
PEDIDO_EXAMPLE: Final = {
    "pedido_id": "EX-01",
    "administradora_id": "ADM-001",
    "plano_id": "PRATA",
    "data_pedido": "2026-10-05",
    "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "41101014", "tabela": "TUSS", "quantidade": 1},
    "prestador": {"tipo": "CREDENCIADO"},
    "solicitante": {"tipo": "MEDICO"},
    "documentos_anexos": [{"tipo": "PEDIDO_MEDICO"}, {"tipo": "LAUDO_MEDICO"}],
}


_MAPPED: Final = ("application/xml", "text/xml", "application/soap+xml", "text/csv")
"""What only a published mapping reads, besides JSON."""


@router.post(
    "/api/autorizacoes",
    summary="Decide um pedido e guarda a decisão",
    response_class=Response,
    responses={
        **answer_either(
            (Decisao, Decisoes),
            "A decisão, nos mesmos bytes em que foi guardada; ou as de cada pedido, onde um mapeamento achou vários.",
            headers={
                "Location": "Onde a decisão está guardada.",
                "Crivo-Aviso": AVISO,
                "Idempotency-Replayed": "`true` quando a chave trouxe uma decisão anterior.",
            },
        ),
        **failures(400, 409, 410, 413, 415, 422),
    },
    openapi_extra=body(
        "Um pedido em JSON, até 1 MB; XML e CSV onde um mapeamento publicado os lê.",
        PEDIDO_SCHEMA,
        [_JSON],
        PEDIDO_EXAMPLE,
        mapped=_MAPPED,
    ),
)
async def decidir(
    request: Request,
    idempotency_key: Annotated[
        str | None, Header(description="Com a mesma chave e o mesmo pedido, a resposta é a mesma; com outro pedido, é recusado.")
    ] = None,
) -> Response:
    """Decide e guarda numa só transação: o que foi respondido está guardado, com a trilha.

    O que um mapeamento publicado reconhece é lido por ele, também em XML e CSV. Onde ele acha vários pedidos, todos são guardados ou
    nenhum, e a resposta é `{"decisoes": [{"id", "decisao", "links"}]}`, na ordem em que vieram.
    """
    content_type(request, JSON | XML | CSV)
    if idempotency_key is not None and not idempotency_key.isprintable():
        raise ChaveInvalida("A chave de idempotência deve ter só caracteres visíveis.")
    state = state_of(request)
    raw = await read_body(request, state.container.settings.limite_corpo_bytes)
    decididas = await state.container.autorizacoes.receber(scope_of(request), raw, idempotency_key)
    headers = {"idempotency-replayed": "true"} if decididas[0].repetida else {}
    headers |= told_beside(decididas)
    for decidida in decididas:
        if not decidida.repetida:
            state.metrics.decided(decidida.autorizacao.decisao_final)
    if len(decididas) > 1:
        return Response(encode(Decisoes.of([one.autorizacao for one in decididas])), media_type=_JSON, headers=headers)
    autorizacao = decididas[0].autorizacao
    headers["location"] = f"/api/autorizacoes/{autorizacao.id}"
    return Response(autorizacao.decisao, media_type=_JSON, headers=headers)


@router.get(
    "/api/autorizacoes",
    summary="Lista as decisões guardadas, da mais nova para a mais antiga",
    response_class=Response,
    responses={**answer(PaginaAutorizacoes, "Uma página de decisões."), **failures(422)},
)
async def listar(
    request: Request,
    status: Annotated[DecisaoFinal | None, Query(description="Só as decisões com este resultado.")] = None,
    desde: Annotated[datetime | None, Query(description="Só o que foi recebido a partir daqui; sem fuso, vale o de Brasília.")] = None,
    pedido_id: Annotated[str | None, Query(max_length=500, description="Só as do pedido com este número, como veio.")] = None,
    cursor: Annotated[UUID | None, Query(description="O `cursor` da página anterior.")] = None,
    limite: Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Quantas por página.")] = 50,
    prazo: Annotated[Faixa | None, Query(description="Só as que esperam por uma pessoa e têm o prazo nesta faixa.")] = None,
    responsavel: Annotated[
        str, Query(max_length=200, description="Só as que esperam e são desta pessoa (`usuario:…`), `minhas` ou `livres` (de ninguém).")
    ] = "",
    administradora: Annotated[str, Query(max_length=200, description="Só as que esperam e são desta administradora (`-`: sem ela).")] = "",
    plano: Annotated[str, Query(max_length=200, description="Só as que esperam e são deste plano (`-`: de nenhum).")] = "",
    urgencia: Annotated[Literal["sim", "nao"] | None, Query(description="Só as que esperam e são urgentes, ou não são.")] = None,
) -> Response:
    """Cada página traz o `cursor` da seguinte, e cada decisão que espera por uma pessoa, o prazo dela.

    Um filtro que não existe é recusado, para que ninguém o tome por atendido.
    """
    refuse_unknown(request, "status", "desde", "pedido_id", "cursor", "limite", "prazo", "responsavel", *_DA_FILA)
    if desde is not None and desde.tzinfo is None:
        desde = desde.replace(tzinfo=BRASILIA)
    container, scope = state_of(request).container, scope_of(request)
    of_fila = Recorte(prazo=prazo or "", quem=responsavel, administradora=administradora, plano=plano, urgencia=urgencia or "")
    if of_fila.algum:
        itens = await container.revisoes.que_esperam(scope, replace(of_fila, decisao=status or ""))
        asked = [one for one in itens if (desde is None or one.recebida_em >= desde) and pedido_id in (None, one.pedido_id)]
        found = [one for one in asked if cursor is None or one.id < cursor]
        pagina = Pagina(tuple(found[:limite]), str(found[limite - 1].id) if len(found) > limite else None)
    else:
        pagina = await container.autorizacoes.listar(scope, status=status, desde=desde, pedido_id=pedido_id, cursor=cursor, limite=limite)
    prazos = await container.revisoes.prazos(scope, pagina.itens)
    return Response(encode(PaginaAutorizacoes.of(pagina, prazos, container.clock.now())), media_type=_JSON)


@router.get(
    "/api/autorizacoes/esquema",
    summary="O JSON Schema de um pedido",
    response_class=Response,
    responses={200: {"description": "O esquema (draft 2020-12).", "content": {_SCHEMA_JSON: {"schema": {"type": "object"}}}}},
)
async def esquema() -> Response:
    """Os campos de um pedido, o que cada um aceita e exemplos. Nenhum é exigido pelo esquema: cada um pode vir por outro nome."""
    return Response(encode(esquema_do_pedido()), media_type=_SCHEMA_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}",
    summary="Uma decisão guardada",
    response_class=Response,
    responses={**answer(Decisao, "A decisão, nos mesmos bytes em que foi respondida."), **failures(404, 410)},
)
async def obter(request: Request, autorizacao_id: UUID) -> Response:
    """O documento do RF6."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "decisao")
    return Response(autorizacao.decisao, media_type=_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}/prazo",
    summary="Até quando uma pessoa tem de responder",
    response_class=Response,
    responses={**answer(PrazoDeAutorizacao, "O prazo e a norma que o dá; nulo se a decisão não espera por ninguém."), **failures(404)},
)
async def prazo_de(request: Request, autorizacao_id: UUID) -> Response:
    """Contado em dias úteis do lugar que vale para a administradora, desde o recebimento. Zero dias úteis é na hora."""
    container, scope = state_of(request).container, scope_of(request)
    resumo = await container.autorizacoes.resumo(scope, autorizacao_id)
    prazos = await container.revisoes.prazos(scope, [resumo])
    dito = PrazoDito.of(prazos[resumo.id], container.clock.now()) if resumo.id in prazos else None
    return Response(encode(PrazoDeAutorizacao(resumo.id, dito)), media_type=_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}/trilha",
    summary="A trilha de uma decisão",
    response_class=Response,
    responses={**answer(Trilha, "O que cada agente respondeu, quem escreveu cada campo e em quanto tempo."), **failures(404, 410)},
)
async def trilha(request: Request, autorizacao_id: UUID) -> Response:
    """A resposta de cada um dos seis agentes; `ajustes` é nulo quando não foi preciso."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "trilha")
    return Response(autorizacao.trilha, media_type=_JSON)
