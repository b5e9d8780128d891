"""`/api/clinicas/conversas`: begin, speak and hear each turn as it happens, read again, end. Source: interfaces, HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from crivo.clinicas.codigos import read_code
from crivo.clinicas.conversa import Conversa
from crivo.clinicas.orquestrador.trace import Event
from crivo.clinicas.turnos import Turno
from crivo.web.api.clinicas_schemas import (
    CodigoRecusado,
    ConsultasVistas,
    ConversaVista,
    Mensagem,
    NovaConversa,
    ProvaDada,
    ended,
    masked,
    told,
)
from crivo.web.api.documenting import REF, Responses, answer, body, failures
from crivo.web.api.schemas import encode
from crivo.web.body import read_json
from crivo.web.escuta import EVENT_STREAM, STREAMED, while_admitted, with_signs
from crivo.web.prova import as_patient, find_proven, get_proven
from crivo.web.state import conversations_at_once, scope_of, state_of

router = APIRouter(tags=["Clínicas"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 32_000  # more than the longest message takes, however it is escaped

_NOVA: Final = msgspec.json.Decoder(NovaConversa)
_MENSAGEM: Final = msgspec.json.Decoder(Mensagem)
_EVENTS_SAID: Final = (
    "Eventos, à medida que acontecem: `plano` (EventoPlano), `chamada` (EventoChamada, no início e no fim de cada uma), `veredito` "
    "(EventoVeredito), `texto` (EventoTexto) e `fim` (Turno, o turno inteiro). Quem fala da própria identidade recebe só `texto` e `fim`."
)


@router.post(
    "/api/clinicas/conversas",
    summary="Começa uma conversa com as clínicas",
    status_code=201,
    response_class=Response,
    responses={
        **answer(ConversaVista, "A conversa, com a saudação.", status=201, headers={"Location": "Onde a conversa está."}),
        **failures(400, 403, 413, 415, 422),
    },
    openapi_extra=body(
        "O papel de quem fala e, se já se sabe, de quem é a consulta.",
        {"$ref": REF.format(name="NovaConversa")},
        [_JSON],
        {"papel": "paciente", "paciente": {"nome": "Ana Braga", "cpf": "529.982.247-25"}},
    ),
)
async def comecar(request: Request) -> Response:
    """Sem `paciente`, a conversa pergunta o nome e o CPF antes de tudo. Com papel `operador`, a chave precisa também de `clinicas:operar`.

    Um CPF digitado só serve para marcar. Para ver, mudar ou cancelar o que já existe: a chave de um paciente cuja conta foi ligada ao CPF
    dele, ou `prova` com o `codigo` de uma consulta de `paciente`. O código de cada consulta vem uma vez, no turno que a marcou.

    `planejador` diz quem planeja os turnos (`embutido`, `modelo` ou `modelo_raciocinio`); sem ele, quem a instalação usa.
    A conversa é guardada cifrada e esquecida depois de 30 minutos em silêncio; o que foi marcado continua marcado.
    """
    nova = await read_json(request, _NOVA, _LARGEST_BYTES, 'Envie {"papel": "paciente"}, com {"nome", "cpf"} em "paciente" se já os tiver.')
    paciente = nova.paciente.checked() if nova.paciente else None
    own = await find_proven(request, nova.papel)
    is_own = own is not None and (paciente is None or paciente.cpf == own.cpf)
    who, cota = own if is_own else paciente, await conversations_at_once(request)
    opens = state_of(request).conversas.open
    conversa = await opens(scope_of(request), nova.papel, who, nova.planejador, provado=is_own, cota=cota)
    await _present(request, conversa, nova.prova)
    headers = {"location": f"/api/clinicas/conversas/{conversa.id}"}
    return Response(encode(ConversaVista.of(conversa)), 201, headers, _JSON)


@router.get(
    "/api/clinicas/consultas",
    summary="As consultas de quem pede",
    response_class=Response,
    responses={**answer(ConsultasVistas, "As consultas futuras, em todas as clínicas."), **failures(403)},
)
async def consultas(request: Request) -> Response:
    """Só com a chave de um paciente cuja conta foi ligada ao CPF dele, na recepção. `sem_resposta` são as clínicas que não responderam."""
    paciente = await get_proven(request)
    found = await state_of(request).conversas.minhas.held(as_patient(request, paciente), paciente)
    return Response(encode(ConsultasVistas(found.consultas, found.faltam)), media_type=_JSON)


@router.get(
    "/api/clinicas/conversas/{conversa_id}",
    summary="Uma conversa até aqui",
    response_class=Response,
    responses={**answer(ConversaVista, "A conversa, com cada turno."), **failures(404)},
)
async def ler(request: Request, conversa_id: UUID) -> Response:
    """Quem perdeu a conexão no meio de um turno vê aqui como ele terminou: um turno começado vai até o fim."""
    return Response(encode(ConversaVista.of(await _conversa(request, conversa_id))), media_type=_JSON)


def _turn_responses() -> Responses:
    described = answer(Turno, _EVENTS_SAID)
    described[200]["content"][EVENT_STREAM] = {"schema": {"type": "string"}}
    return {**described, **failures(400, 404, 409, 413, 415, 422)}


@router.post(
    "/api/clinicas/conversas/{conversa_id}/mensagens",
    summary="Diz algo e ouve a resposta",
    response_class=Response,
    responses=_turn_responses(),
    openapi_extra=body(
        "O que a pessoa diz, em até 2.000 caracteres.", {"$ref": REF.format(name="Mensagem")}, [_JSON], {"texto": "quero um cardiologista"}
    ),
)
async def dizer(request: Request, conversa_id: UUID) -> Response:
    """Os eventos do turno ou, com `Accept: application/json`, o turno inteiro. Um turno de cada vez: antes da resposta anterior, 409."""
    mensagem = await read_json(request, _MENSAGEM, _LARGEST_BYTES, 'Envie {"texto": "..."}, sem outros campos.')
    conversa = await _conversa(request, conversa_id)
    if _wants_json(request.headers.get("accept", "")):
        return Response(encode(masked(await conversa.ask(mensagem.texto))), media_type=_JSON)
    # Begun here, so that what is refused is refused before anything is answered.
    heard = while_admitted(request, _stream(*await conversa.follow(mensagem.texto)))
    return StreamingResponse(heard, headers=STREAMED, media_type=EVENT_STREAM)


@router.delete(
    "/api/clinicas/conversas/{conversa_id}",
    summary="Termina uma conversa",
    status_code=204,
    response_class=Response,
    responses={204: {"description": "Esquecida, com a identidade de quem falava."}, **failures(404)},
)
async def terminar(request: Request, conversa_id: UUID) -> Response:
    """Nada do que foi marcado se desfaz."""
    await state_of(request).conversas.forget(scope_of(request), conversa_id)
    return Response(status_code=204)


async def _present(request: Request, conversa: Conversa, prova: ProvaDada | None) -> None:
    """Prove an appointment by the code that came with a new conversation. Raises CodigoRecusado, and there is no conversation then."""
    if prova is None:
        return
    code = read_code(prova.codigo)
    if code is None or conversa.paciente is None or not await conversa.present(code):
        await state_of(request).conversas.forget(scope_of(request), conversa.id)
        raise CodigoRecusado


async def _conversa(request: Request, conversa_id: UUID) -> Conversa:
    return await state_of(request).conversas.get(scope_of(request), conversa_id)


async def _stream(turn: asyncio.Task[Turno], events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    async for event in with_signs(events):
        chunk = format_sse_event(comment="a resposta está a caminho") if event is None else told(event)
        if chunk is not None:
            yield chunk
    for chunk in ended(turn.result()):
        yield chunk


def _wants_json(accept: str) -> bool:
    """Whether a whole document is asked for; events are what is answered where nothing is said."""
    named = (kind.partition(";")[0].strip().lower() for kind in accept.split(","))
    return next((kind for kind in named if kind in (_JSON, EVENT_STREAM)), EVENT_STREAM) == _JSON
