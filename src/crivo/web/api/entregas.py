"""`/api/entregas` and `/api/autorizacoes/{id}/link`: where decisions go, and the link by which a beneficiary reads theirs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.entregas.contracts import EVENTOS, Canal, Conteudo, Evento, MotivoDeDesligar, SituacaoDoDestino
from crivo.autorizacoes.entregas.service import DestinoVisto, Proposto
from crivo.autorizacoes.links.contracts import SituacaoDoLink
from crivo.autorizacoes.links.erros import LinkNotFound
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 16_000
_DESTINOS: Final = "/api/entregas/destinos"
_LINK: Final = "/api/autorizacoes/{autorizacao_id}/link"
_encode = msgspec.json.Encoder().encode


class NovoDestino(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where decisions are to go."""

    nome: str
    endereco: str
    canal: Canal = "webhook"
    eventos: tuple[Evento, ...] = EVENTOS
    conteudo: Conteudo = "inteiro"


class DestinoNaApi(msgspec.Struct, frozen=True):
    """A destination, and what waits for it. The address of a webhook may hold a token, and is not repeated whole."""

    id: UUID
    nome: str
    canal: Canal
    eventos: tuple[Evento, ...]
    conteudo: Conteudo
    situacao: SituacaoDoDestino
    motivo: MotivoDeDesligar | None
    a_espera: int
    a_espera_desde: datetime | None
    criado_em: datetime

    @classmethod
    def of(cls, visto: DestinoVisto) -> DestinoNaApi:
        """A destination as it is answered."""
        one = visto.destino
        return cls(
            one.id,
            one.nome,
            one.canal,
            one.eventos,
            one.conteudo,
            one.situacao,
            one.motivo,
            visto.fila.quantas,
            visto.fila.desde,
            one.criado_em,
        )


class DestinoRegistrado(msgspec.Struct, frozen=True):
    """A destination that was just registered; `segredo` is told this once, and null for an e-mail. `aviso` is why nothing would reach it
    as things are, null where it may.
    """

    id: UUID
    segredo: str | None
    aviso: str | None


class ListaDestinos(msgspec.Struct, frozen=True):
    """Every destination of the organisation, the oldest first."""

    itens: tuple[DestinoNaApi, ...]


class SegredoNovo(msgspec.Struct, frozen=True):
    """A secret, told this once; the one before it signs too for 24 hours."""

    segredo: str


class ExemploEnviado(msgspec.Struct, frozen=True):
    """The id under which an example goes."""

    id: UUID


class LinkFeito(msgspec.Struct, frozen=True):
    """A link and its code, which go to the beneficiary by different ways; neither is told again."""

    link: str
    codigo: str
    expira_em: datetime


class LinkNaApi(msgspec.Struct, frozen=True):
    """How the link that was made last of a decision fares."""

    situacao: SituacaoDoLink
    criado_em: datetime
    expira_em: datetime
    aberturas: int


CONTRACTS: Final = (NovoDestino, DestinoNaApi, DestinoRegistrado, ListaDestinos, SegredoNovo, ExemploEnviado, LinkFeito, LinkNaApi)
_decoder = msgspec.json.Decoder(NovoDestino)


@router.get(
    _DESTINOS,
    summary="Para onde vão os avisos de decisões",
    response_class=Response,
    responses=answer(ListaDestinos, "Os destinos, do mais antigo ao mais novo."),
)
async def listar(request: Request) -> Response:
    """Cada um com quantos avisos esperam e desde quando."""
    found = await state_of(request).container.entregas.listar(scope_of(request))
    return Response(_encode(ListaDestinos(tuple([DestinoNaApi.of(one) for one in found]))), media_type=_JSON)


@router.post(
    _DESTINOS,
    summary="Registra um destino de avisos",
    response_class=Response,
    responses={**answer(DestinoRegistrado, "O destino, com o segredo que assina.", status=201), **failures(400, 409, 413, 415, 422)},
    openapi_extra=body(
        "O endereço https que recebe, ou um e-mail.",
        {"$ref": REF.format(name="NovoDestino")},
        [_JSON],
        {"nome": "Sistema da clínica", "endereco": "https://sistema.exemplo.com.br/crivo"},
    ),
)
async def registrar(request: Request) -> Response:
    """A chave deve agir por uma pessoa que administra. O segredo aparece uma vez."""
    right = 'Envie {"nome": "Sistema da clínica", "endereco": "https://sistema.exemplo.com.br/crivo"}.'
    novo = await read_json(request, _decoder, _LARGEST_BYTES, right)
    proposto = Proposto(novo.nome, novo.canal, novo.endereco, novo.eventos, novo.conteudo)
    done = await state_of(request).container.entregas.registrar(scope_of(request), proposto)
    return Response(
        _encode(DestinoRegistrado(done.destino.id, done.segredo or None, done.aviso or None)), status_code=201, media_type=_JSON
    )


@router.get(
    f"{_DESTINOS}/{{destino_id}}",
    summary="Um destino de avisos",
    response_class=Response,
    responses={**answer(DestinoNaApi, "O destino, e o que espera por ele."), **failures(404)},
)
async def obter(request: Request, destino_id: UUID) -> Response:
    """Com quantos avisos esperam e desde quando."""
    found = await state_of(request).container.entregas.obter(scope_of(request), destino_id)
    return Response(_encode(DestinoNaApi.of(found)), media_type=_JSON)


@router.delete(
    f"{_DESTINOS}/{{destino_id}}",
    summary="Remove um destino de avisos",
    status_code=204,
    response_class=Response,
    responses={204: {"description": "Nada mais vai para lá, nem o que esperava."}, **failures(404)},
)
async def remover(request: Request, destino_id: UUID) -> Response:
    """As decisões continuam guardadas."""
    await state_of(request).container.entregas.remover(scope_of(request), destino_id)
    return Response(status_code=204)


@router.post(
    f"{_DESTINOS}/{{destino_id}}/exemplo",
    summary="Envia um aviso de exemplo",
    response_class=Response,
    responses={**answer(ExemploEnviado, "O exemplo está na fila.", status=202), **failures(404, 409)},
)
async def exemplo(request: Request, destino_id: UUID) -> Response:
    """Ele é assinado como os outros e não fala de pedido nenhum."""
    sent = await state_of(request).container.entregas.enviar_exemplo(scope_of(request), destino_id)
    return Response(_encode(ExemploEnviado(sent)), status_code=202, media_type=_JSON)


@router.post(
    f"{_DESTINOS}/{{destino_id}}/segredo",
    summary="Troca o segredo que assina os avisos",
    response_class=Response,
    responses={**answer(SegredoNovo, "O segredo novo.", status=201), **failures(404, 409)},
)
async def girar(request: Request, destino_id: UUID) -> Response:
    """O anterior assina junto por 24 horas."""
    segredo = await state_of(request).container.entregas.girar_segredo(scope_of(request), destino_id)
    return Response(_encode(SegredoNovo(segredo)), status_code=201, media_type=_JSON)


@router.post(
    _LINK,
    summary="Faz o link pelo qual o beneficiário lê a decisão",
    response_class=Response,
    responses={**answer(LinkFeito, "O link e o código.", status=201), **failures(404, 410)},
)
async def fazer_link(request: Request, autorizacao_id: UUID) -> Response:
    """Mande um por um meio e o outro por outro. O link feito antes deixa de abrir."""
    novo = await state_of(request).container.links.criar(scope_of(request), autorizacao_id)
    return Response(_encode(LinkFeito(novo.endereco, novo.codigo, novo.expira_em.astimezone(UTC))), status_code=201, media_type=_JSON)


@router.get(
    _LINK,
    summary="Como está o link do beneficiário",
    response_class=Response,
    responses={**answer(LinkNaApi, "A situação do último link feito."), **failures(404)},
)
async def ver_link(request: Request, autorizacao_id: UUID) -> Response:
    """Nem o link nem o código aparecem de novo."""
    found = await state_of(request).container.links.situacao(scope_of(request), autorizacao_id)
    if found is None:
        raise LinkNotFound
    return Response(_encode(LinkNaApi(found.situacao, found.criado_em, found.expira_em, found.aberturas)), media_type=_JSON)


@router.delete(
    _LINK,
    summary="Revoga o link do beneficiário",
    status_code=204,
    response_class=Response,
    responses={204: {"description": "Não há link que abra esta decisão."}, **failures(404)},
)
async def revogar_link(request: Request, autorizacao_id: UUID) -> Response:
    """Onde não há link, nada se desfaz."""
    await state_of(request).container.links.revogar(scope_of(request), autorizacao_id)
    return Response(status_code=204)
