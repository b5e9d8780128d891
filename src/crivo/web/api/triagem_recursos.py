"""`/api/ia/triagem/{edital_id}/recursos`: the recursos of an edital, one of them, and one that came on paper. Persons answer, on pages."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.atos import name_of
from crivo.triagem.recursos.contratos import Anexo, Contra, Desfecho, Entrada, Mudanca, Papel, Recurso, Resposta
from crivo.triagem.recursos.erros import RecursoInvalido
from crivo.triagem.recursos.peticoes import LONGEST_REASON, Digitado
from crivo.triagem.recursos.recebimento import LONGEST_TEXT, MOST_BYTES, MOST_PAPERS
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.triagem_schemas import encode
from crivo.web.body import read_json
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_RECURSOS: Final = "/api/ia/triagem/{edital_id}/recursos"
_LARGEST_BYTES: Final = MOST_BYTES * 4 // 3 + 200_000
Numero = Annotated[int, Path(ge=1, le=1_000_000_000, description="Número do recurso no edital.")]


class RespostaDada(msgspec.Struct, frozen=True):
    """An answer, by whom and when, and what it changes; `motivo` is null once the project is erased."""

    desfecho: Desfecho
    motivo: str | None
    mudancas: tuple[Mudanca, ...]
    respondido_por: str
    respondido_em: datetime

    @classmethod
    def of(cls, resposta: Resposta, nomes: Mapping[UUID, str]) -> RespostaDada:
        """The answer as it is told."""
        quem = name_of(resposta.respondido_por, nomes)
        return cls(resposta.desfecho, resposta.motivo, resposta.mudancas, quem, resposta.respondido_em)


class RecursoRecebido(msgspec.Struct, frozen=True):
    """A recurso that came in; `texto` is null once the project is erased, `resposta` until somebody answers.

    `tardio` says why one from outside of the days was taken in; `resumo` is the SHA-256 of what was sent, `versao` the published result.
    """

    numero: int
    projeto_id: str
    contra: Contra
    entrada: Entrada
    apresentado_em: datetime
    recebido_em: datetime
    versao: int | None
    texto: str | None
    tardio: str
    papeis: tuple[Papel, ...]
    resumo: str
    resposta: RespostaDada | None

    @classmethod
    def of(cls, one: Recurso, nomes: Mapping[UUID, str]) -> RecursoRecebido:
        """The recurso as it is told."""
        came = (one.numero, one.projeto_id, one.contra, one.entrada, one.apresentado_em, one.recebido_em, one.versao)
        said = (one.texto, one.tardio, one.papeis, one.resumo)
        return cls(*came, *said, RespostaDada.of(one.resposta, nomes) if one.resposta else None)


class ListaDeRecursos(msgspec.Struct, frozen=True):
    """The recursos of an edital in the order of their numbers, how many wait for an answer, and the days in which they are taken."""

    edital_id: str
    itens: tuple[RecursoRecebido, ...]
    abertos: int
    prazo_inicio: date | None
    prazo_fim: date | None


class PapelDigitado(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that came with it: PDF, JPG, PNG, DOCX or ODT of up to 10 MB, in base64."""

    nome: Annotated[str, msgspec.Meta(max_length=255)]
    conteudo_base64: str


class PedidoRecurso(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recurso that came on paper on a day; one from outside of the days says in `tardio` why it is taken in."""

    projeto_id: Annotated[str, msgspec.Meta(max_length=64)]
    contra: Contra
    texto: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
    apresentado_em: date
    tardio: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] = ""
    papeis: Annotated[tuple[PapelDigitado, ...], msgspec.Meta(max_length=MOST_PAPERS)] = ()


CONTRACTS: Final = (ListaDeRecursos, RecursoRecebido, PedidoRecurso)
_PEDIDO: Final = msgspec.json.Decoder(PedidoRecurso)
_EXAMPLE: Final = {
    "projeto_id": "P001",
    "contra": "resultado",
    "texto": "Peço que revejam a nota do mérito: o portfólio, na página 4, mostra dez anos de trabalho.",
    "apresentado_em": "2026-11-20",
}
_RIGHT: Final = 'O certo é {"projeto_id": "P001", "contra": "resultado", "texto": "…", "apresentado_em": "2026-11-20"}.'


@router.get(
    _RECURSOS,
    summary="Os recursos de um edital, e as respostas",
    response_class=Response,
    responses={**answer(ListaDeRecursos, "Cada recurso, do primeiro ao último que chegou."), **failures(404)},
)
async def listar(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. Enquanto um recurso espera resposta, o resultado final não é publicado."""
    found = await state_of(request).container.recursos.listar(scope_of(request), edital_id)
    itens = tuple([RecursoRecebido.of(one, found.nomes) for one in found.recursos])
    waiting = sum(one.aberto for one in found.recursos)
    return Response(encode(ListaDeRecursos(edital_id, itens, waiting, found.prazo.inicio, found.prazo.fim)), media_type=_JSON)


@router.post(
    _RECURSOS,
    summary="Registrar um recurso que veio em papel",
    response_class=Response,
    responses={**answer(RecursoRecebido, "O recurso, com o número.", status=201), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("O que veio em papel.", {"$ref": REF.format(name="PedidoRecurso")}, [_JSON], _EXAMPLE),
)
async def registrar(request: Request, edital_id: EditalId) -> Response:
    """A chave deve agir por uma pessoa da gestão. Fora do prazo e sem `tardio`, 409 (`recurso_fora_do_prazo`).

    Responder é só de pessoas, nas páginas: antes de valer, veem o que a resposta faz com a lista.
    """
    hold(request, state_of(request).recursos)
    given = await read_json(request, _PEDIDO, _LARGEST_BYTES, _RIGHT)
    papeis = tuple([Anexo(one.nome, _bytes(one.conteudo_base64)) for one in given.papeis])
    digitado = Digitado(given.projeto_id, given.contra, given.texto, given.apresentado_em, given.tardio, papeis)
    made = await state_of(request).container.peticoes.registrar(scope_of(request), edital_id, digitado)
    return Response(encode(RecursoRecebido.of(made, {})), 201, media_type=_JSON)


@router.get(
    f"{_RECURSOS}/{{numero}}",
    summary="Um recurso, e a resposta",
    response_class=Response,
    responses={**answer(RecursoRecebido, "O recurso."), **failures(404, 422)},
)
async def abrir(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Só gestão e administração. Os papéis se abrem nas páginas."""
    found = await state_of(request).container.recursos.abrir(scope_of(request), edital_id, numero)
    return Response(encode(RecursoRecebido.of(found.recurso, found.nomes)), media_type=_JSON)


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RecursoInvalido("O conteúdo de um dos papéis não está em base64.", campo="papeis") from None
