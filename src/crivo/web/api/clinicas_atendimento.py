"""`/api/clinicas/atendimento`: the reception's queue for a program of its own: read, take, answer, give back. Source: interfaces, HTTP."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia
from crivo.clinicas.recepcao import Espera, Motivo
from crivo.web.api.clinicas_schemas import ConversaVista, Mensagem
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.schemas import encode
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Clínicas"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 32_000


class Atendente(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first name of the person who answers, as the patient reads it."""

    nome: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class NaFila(msgspec.Struct, frozen=True):
    """A conversation of the queue: why it waits, for how many seconds, and who has it, by name."""

    conversa: UUID
    motivo: Motivo
    emergencia: TipoDeEmergencia | None
    desmentida: bool
    espera_segundos: float
    atendente: str | None

    @classmethod
    def of(cls, espera: Espera, seconds: float) -> NaFila:
        """A line of the queue."""
        nome = espera.atendente.nome if espera.atendente else None
        return cls(espera.conversa_id, espera.motivo, espera.tipo, espera.desmentida, round(seconds, 1), nome)


class Fila(msgspec.Struct, frozen=True):
    """The queue in its turn, emergencies first."""

    fila: tuple[NaFila, ...]


_NOME: Final = msgspec.json.Decoder(Atendente)
_TEXTO: Final = msgspec.json.Decoder(Mensagem)
_SHOWN: Final = answer(ConversaVista, "A conversa, com cada turno.")


@router.get(
    "/api/clinicas/atendimento",
    summary="Quem pediu para falar com uma pessoa",
    response_class=Response,
    responses={**answer(Fila, "A fila da recepção, as emergências primeiro.")},
)
async def fila(request: Request) -> Response:
    """Quem lê a fila conta como gente na recepção pelos cinco minutos seguintes. Chave com `clinicas:operar`."""
    conversas, tenant_id = state_of(request).conversas, scope_of(request).tenant_id
    await conversas.look(tenant_id)
    lines = [NaFila.of(one, conversas.recepcao.waited(one)) for one in await conversas.fila(tenant_id)]
    return Response(encode(Fila(tuple(lines))), media_type=_JSON)


@router.get(
    "/api/clinicas/atendimento/{conversa_id}",
    summary="Uma conversa da fila",
    response_class=Response,
    responses={**_SHOWN, **failures(404)},
)
async def ler(request: Request, conversa_id: UUID) -> Response:
    """O que foi dito nela até aqui, pelo paciente, pelo assistente e por pessoas."""
    conversa = await state_of(request).conversas.at_reception(scope_of(request).tenant_id, conversa_id)
    return Response(encode(ConversaVista.of(conversa)), media_type=_JSON)


@router.post(
    "/api/clinicas/atendimento/{conversa_id}/assumir",
    summary="Assume uma conversa",
    response_class=Response,
    responses={**_SHOWN, **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("Quem atende.", {"$ref": REF.format(name="Atendente")}, [_JSON], {"nome": "Marta"}),
)
async def assumir(request: Request, conversa_id: UUID) -> Response:
    """De agora em diante as mensagens vão a quem assumiu, e não ao assistente. Quem chegou depois recebe 409."""
    quem = await read_json(request, _NOME, _LARGEST_BYTES, 'Envie {"nome": "..."}, com o primeiro nome de quem atende.')
    conversa = await state_of(request).atendimento.assume(scope_of(request), conversa_id, quem.nome)
    return Response(encode(ConversaVista.of(conversa)), media_type=_JSON)


@router.post(
    "/api/clinicas/atendimento/{conversa_id}/respostas",
    summary="Responde ao paciente",
    response_class=Response,
    responses={**_SHOWN, **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("A resposta.", {"$ref": REF.format(name="Mensagem")}, [_JSON], {"texto": "Oi, Ana! Em que ajudo?"}),
)
async def responder(request: Request, conversa_id: UUID) -> Response:
    """Só quem assumiu responde."""
    said = await read_json(request, _TEXTO, _LARGEST_BYTES, 'Envie {"texto": "..."}, sem outros campos.')
    conversa = await state_of(request).atendimento.answer(scope_of(request), conversa_id, said.texto)
    return Response(encode(ConversaVista.of(conversa)), media_type=_JSON)


@router.post(
    "/api/clinicas/atendimento/{conversa_id}/devolver",
    summary="Devolve a conversa ao assistente",
    response_class=Response,
    responses={**_SHOWN, **failures(404, 409)},
)
async def devolver(request: Request, conversa_id: UUID) -> Response:
    """O assistente continua com o que sabia."""
    conversa = await state_of(request).atendimento.give_back(scope_of(request), conversa_id)
    return Response(encode(ConversaVista.of(conversa)), media_type=_JSON)
