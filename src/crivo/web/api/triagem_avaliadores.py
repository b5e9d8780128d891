"""`/api/ia/triagem/{edital_id}/avaliadores`, `/atribuicoes` and `/lembretes`: who judges an edital, what is given and asked of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, DestinoDasNotas, Devolvidas, QuemJulga, Tiradas
from crivo.triagem.distribuicao.lembrete import Lembradas, PreviaDeLembrete
from crivo.triagem.distribuicao.pessoas import LONGEST_REASON, Equipe
from crivo.triagem.distribuicao.previa import PreviaDeDistribuicao
from crivo.triagem.distribuicao.servico import MOST_PEOPLE
from crivo.triagem.impedidos import Causa
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.triagem_schemas import Codigos, encode
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 5_000_000  # the codes of 50,000 projects
_EDITAL: Final = "/api/ia/triagem/{edital_id}"
_AVALIADORES: Final = f"{_EDITAL}/avaliadores"
_ATRIBUICOES: Final = f"{_EDITAL}/atribuicoes"
_LEMBRETES: Final = f"{_EDITAL}/lembretes"
_WHO: Final = "A chave deve agir por uma pessoa da gestão: crie-a com `crivo chaves criar --usuario EMAIL`."
_SOMEBODY: Final = "0190a6e0-0000-7000-8000-000000000001"
Pessoas = Annotated[tuple[UUID, ...], msgspec.Meta(min_length=1, max_length=MOST_PEOPLE)]


class QuemAvaliaOEdital(msgspec.Struct, frozen=True):
    """Somebody who judges the edital: how many projects they have, how many of these are begun and sent, and the last reminder.

    `impedida` says why they cannot judge yet, null where they can.
    """

    id: UUID
    nome: str
    projetos: int
    por_comecar: int
    rascunhos: int
    enviadas: int
    lembrada_em: datetime | None
    lembrada_por: str | None
    impedida: Causa | None

    @classmethod
    def of(cls, one: QuemJulga) -> QuemAvaliaOEdital:
        """The person as they are answered."""
        counted = (one.projetos, one.por_comecar, one.rascunhos, one.enviadas)
        return cls(one.id, one.nome, *counted, one.lembrada_em, one.lembrada_por, one.impedida)


class ListaDeAvaliadores(msgspec.Struct, frozen=True):
    """Who judges the edital, how many projects nobody was given, and the last 50 acts of giving."""

    edital_id: str
    itens: tuple[QuemAvaliaOEdital, ...]
    projetos: int
    sem_ninguem: int
    atos: tuple[AtoDeDistribuicao, ...]

    @classmethod
    def of(cls, edital_id: str, equipe: Equipe) -> ListaDeAvaliadores:
        """The list as it is answered."""
        people = tuple([QuemAvaliaOEdital.of(one) for one in equipe.pessoas])
        return cls(edital_id, people, equipe.projetos, equipe.sem_ninguem, equipe.atos)


class NovoAvaliador(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody of the organisation who is to judge, by e-mail."""

    email: Annotated[str, msgspec.Meta(max_length=254)]


class AvaliadorIncluido(msgspec.Struct, frozen=True):
    """Who judges the edital now."""

    id: UUID


class PedidoTirar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which projects to take; without them all, and the person leaves. `notas` says whether those that were sent count on."""

    codigos: Codigos | None = None
    motivo: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] = ""
    notas: DestinoDasNotas = "contam"


class PedidoPreviaAtribuicao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which projects to give to whom."""

    codigos: Codigos
    avaliadores: Pessoas


class PedidoAtribuicao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same, and `prevista` as the preview gave it."""

    codigos: Codigos
    avaliadores: Pessoas
    prevista: str


class PedidoPreviaLembrete(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which projects to ask the notas that are missing."""

    codigos: Codigos


class PedidoLembrete(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same, and `prevista` as the preview gave it."""

    codigos: Codigos
    prevista: str


CONTRACTS: Final = (
    ListaDeAvaliadores,
    NovoAvaliador,
    AvaliadorIncluido,
    PedidoTirar,
    Tiradas,
    PedidoPreviaAtribuicao,
    PreviaDeDistribuicao,
    PedidoAtribuicao,
    AtoDeDistribuicao,
    Devolvidas,
    PedidoPreviaLembrete,
    PreviaDeLembrete,
    PedidoLembrete,
    Lembradas,
)
_decode_novo: Final = msgspec.json.Decoder(NovoAvaliador)
_decode_tirar: Final = msgspec.json.Decoder(PedidoTirar)
_decode_previa: Final = msgspec.json.Decoder(PedidoPreviaAtribuicao)
_decode_dar: Final = msgspec.json.Decoder(PedidoAtribuicao)
_decode_previa_lembrete: Final = msgspec.json.Decoder(PedidoPreviaLembrete)
_decode_lembrar: Final = msgspec.json.Decoder(PedidoLembrete)


@router.get(
    _AVALIADORES,
    summary="Quem avalia um edital",
    response_class=Response,
    responses={**answer(ListaDeAvaliadores, "Cada pessoa com o que já começou e enviou, e o último lembrete."), **failures(404)},
)
async def listar(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. O que está em rascunho é só contado: quem o escreve é quem o lê."""
    return _answer(ListaDeAvaliadores.of(edital_id, await state_of(request).container.quem_avalia.equipe(scope_of(request), edital_id)))


@router.post(
    _AVALIADORES,
    summary="Põe uma pessoa para avaliar um edital",
    response_class=Response,
    responses={**answer(AvaliadorIncluido, "Agora avalia.", status=201), **failures(400, 404, 413, 415, 422)},
    openapi_extra=body("Alguém da organização.", {"$ref": REF.format(name="NovoAvaliador")}, [_JSON], {"email": "rita@prefeitura.exemplo"}),
    description=f"{_WHO} A pessoa já deve ter conta, com um papel que avalia; nenhum projeto é dado com isto.",
)
async def incluir(request: Request, edital_id: EditalId) -> Response:
    """Somebody more who judges."""
    novo = await read_json(request, _decode_novo, _LARGEST_BYTES, 'Envie {"email": "rita@prefeitura.exemplo"}.')
    who = await state_of(request).container.quem_avalia.incluir(scope_of(request), edital_id, novo.email)
    return _answer(AvaliadorIncluido(who), 201)


@router.post(
    f"{_AVALIADORES}/{{avaliador_id}}/tirar",
    summary="Tira projetos de quem avalia",
    response_class=Response,
    responses={**answer(Tiradas, "O que foi tirado; o que foi escrito está guardado."), **failures(400, 404, 413, 415, 422)},
    openapi_extra=body(
        "Os projetos; sem `codigos`, todos, e a pessoa deixa de avaliar o edital.",
        {"$ref": REF.format(name="PedidoTirar")},
        [_JSON],
        {"codigos": ["P001"], "motivo": "Conhece o grupo.", "notas": "nao_contam"},
    ),
    description=f"{_WHO} Com notas enviadas, é preciso o motivo; elas continuam contando, a menos que `notas` seja `nao_contam`.",
)
async def tirar(request: Request, edital_id: EditalId, avaliador_id: UUID) -> Response:
    """Projects that are no longer with a person."""
    right = 'Envie {"codigos": ["P001"], "motivo": "...", "notas": "contam"}; notas são contam ou nao_contam.'
    pedido = await read_json(request, _decode_tirar, _LARGEST_BYTES, right)
    told = (pedido.codigos, pedido.motivo, pedido.notas)
    return _answer(await state_of(request).container.quem_avalia.tirar(scope_of(request), edital_id, avaliador_id, *told))


@router.post(
    f"{_ATRIBUICOES}/previa",
    summary="O que dar projetos a quem avalia faria",
    response_class=Response,
    responses={
        **answer(PreviaDeDistribuicao, "Quem recebe o quê, o que fica de fora e por quê. Nada é dado."),
        **failures(400, 404, 413, 415, 422),
    },
    openapi_extra=body(
        "Os projetos e as pessoas.",
        {"$ref": REF.format(name="PedidoPreviaAtribuicao")},
        [_JSON],
        {"codigos": ["P001", "P002"], "avaliadores": [_SOMEBODY]},
    ),
)
async def prever(request: Request, edital_id: EditalId) -> Response:
    """Devolva `prevista` ao dar. O possível conflito de interesse é dito só aqui, nunca a quem avalia."""
    pedido = await read_json(request, _decode_previa, _LARGEST_BYTES, 'Envie {"codigos": ["P001"], "avaliadores": ["id da pessoa"]}.')
    distribuicao = state_of(request).container.distribuicao
    return _answer(await distribuicao.prever(scope_of(request), edital_id, pedido.codigos, pedido.avaliadores))


@router.post(
    _ATRIBUICOES,
    summary="Dá projetos a quem avalia, tudo ou nada",
    response_class=Response,
    responses={
        **answer(AtoDeDistribuicao, "O que foi dado, e o número que o desfaz.", status=201),
        **failures(400, 404, 409, 413, 415, 422),
    },
    openapi_extra=body(
        "Os projetos, as pessoas e a prévia que foi vista.",
        {"$ref": REF.format(name="PedidoAtribuicao")},
        [_JSON],
        {"codigos": ["P001", "P002"], "avaliadores": [_SOMEBODY], "prevista": "…"},
    ),
    description=f"{_WHO} Se algo mudou desde a prévia, nada é dado: 409, com os projetos que mudaram em `problemas`.",
)
async def dar(request: Request, edital_id: EditalId) -> Response:
    """Projects given."""
    right = 'Envie {"codigos": ["P001"], "avaliadores": ["id da pessoa"], "prevista": "..."}, com a prévia que foi vista.'
    pedido = await read_json(request, _decode_dar, _LARGEST_BYTES, right)
    told = (pedido.codigos, pedido.avaliadores, pedido.prevista)
    return _answer(await state_of(request).container.distribuicao.dar(scope_of(request), edital_id, *told), 201)


@router.post(
    f"{_ATRIBUICOES}/atos/{{ato_id}}/desfazer",
    summary="Desfaz uma distribuição, menos o que já tem algo escrito",
    response_class=Response,
    responses={**answer(Devolvidas, "Quantos voltaram, e quantos ficaram com quem já escreveu."), **failures(404, 409)},
    description=f"{_WHO} Só quem deu, ou quem administra.",
)
async def desfazer(request: Request, edital_id: EditalId, ato_id: UUID) -> Response:
    """Projects taken back."""
    return _answer(await state_of(request).container.distribuicao.desfazer(scope_of(request), edital_id, ato_id))


@router.post(
    f"{_LEMBRETES}/previa",
    summary="A quem um lembrete chegaria",
    response_class=Response,
    responses={**answer(PreviaDeLembrete, "Quem seria lembrado de quê, e quem não, e por quê."), **failures(400, 404, 413, 415, 422)},
    openapi_extra=body("Os projetos.", {"$ref": REF.format(name="PedidoPreviaLembrete")}, [_JSON], {"codigos": ["P001", "P002"]}),
)
async def prever_lembrete(request: Request, edital_id: EditalId) -> Response:
    """Devolva `prevista` ao lembrar. Cada pessoa é lembrada no máximo uma vez por dia."""
    pedido = await read_json(request, _decode_previa_lembrete, _LARGEST_BYTES, 'Envie {"codigos": ["P001"]}.')
    return _answer(await state_of(request).container.lembretes.prever(scope_of(request), edital_id, pedido.codigos))


@router.post(
    _LEMBRETES,
    summary="Lembra quem avalia das notas que faltam",
    response_class=Response,
    responses={**answer(Lembradas, "Quem foi lembrado de quê.", status=201), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body(
        "Os projetos e a prévia que foi vista.",
        {"$ref": REF.format(name="PedidoLembrete")},
        [_JSON],
        {"codigos": ["P001", "P002"], "prevista": "…"},
    ),
    description=f"{_WHO} O lembrete fica na primeira página da pessoa e em Avaliação até ela enviar; nenhum e-mail sai daqui.",
)
async def lembrar(request: Request, edital_id: EditalId) -> Response:
    """People reminded."""
    pedido = await read_json(request, _decode_lembrar, _LARGEST_BYTES, 'Envie {"codigos": ["P001"], "prevista": "..."}.')
    return _answer(await state_of(request).container.lembretes.lembrar(scope_of(request), edital_id, pedido.codigos, pedido.prevista), 201)


def _answer(value: msgspec.Struct, status: int = 200) -> Response:
    return Response(encode(value), status, media_type=_JSON)
