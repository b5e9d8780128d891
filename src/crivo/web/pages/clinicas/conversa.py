"""`/clinicas/conversa`: talk with the clinics, with the trace of every answer for those who attend. Source: interfaces, Pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from crivo.clinicas.conversa import Conversa, ConversaNotFound
from crivo.clinicas.orquestrador.contracts import Paciente, Papel
from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_cpf, read_name
from crivo.clinicas.orquestrador.trace import Event
from crivo.clinicas.turnos import Turno
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.body import limited
from crivo.web.escuta import EVENT_STREAM, STREAMED, still, while_admitted, with_signs
from crivo.web.pages import csrf
from crivo.web.pages.ao_vivo import AoVivo, Pedaco
from crivo.web.pages.clinicas.vista import STILL, Comprovante, ConversaAberta, ConversaVista, happening
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.prova import find_proven
from crivo.web.state import conversations_at_once, hold, papel_of, quem_of, scope_of, state_of

router = APIRouter(include_in_schema=False)


class ConversaSeguiu(CrivoError):
    """A button was pressed on a page that is not how the conversation stands: its yes would answer another question."""

    codigo: ClassVar[str] = "conversa_seguiu"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Nada foi feito: a conversa continuou em outra aba"

    def __init__(self) -> None:
        super().__init__("Veja acima o que foi dito depois, e responda à última pergunta.")


_FORM_BYTES: Final = 64_000
_START: Final = "/clinicas/conversa"
_ANSWERED_IN_THE_PAGE: Final = (Kind.INVALID, Kind.CONFLICT)
_ANSWERED_AT_THE_START: Final = (Kind.LIMITED, Kind.UNAVAILABLE)
_NOME_RUIM: Final = "Escreva o nome e o sobrenome, só com letras."
_CPF_RUIM: Final = "Esse CPF não confere. Verifique os onze números e escreva de novo."


@router.get("/clinicas/conversa", response_class=Response)
async def inicio(request: Request) -> Response:
    """How a conversation begins."""
    return await _start_page(request)


@router.post("/clinicas/conversa", response_class=Response)
async def comecar(request: Request) -> Response:
    """Open a conversation, and go on to it: of whoever is named with their CPF, or of whoever attends patients one after another."""
    form = await _form(request)
    papel: Papel = "operador" if form.get("papel") == "operador" else "paciente"
    own = await find_proven(request, papel)
    is_own = own is not None and (form.get("proprio") == "sim" or read_cpf(form.get("cpf", "")) == own.cpf)
    paciente, erros = (own, {}) if papel == "operador" or is_own else _paciente(form)
    if erros:
        start = await _start(request) | {"erros": erros, "escrito": form}
        return page(request, "clinicas/inicio.html", 422, **start)
    try:
        cota = await conversations_at_once(request)
        conversa = await state_of(request).conversas.open(scope_of(request), papel, paciente, provado=is_own, cota=cota)
    except CrivoError as error:
        if error.kind not in _ANSWERED_AT_THE_START:
            raise
        return await _start_page(request, error)
    return RedirectResponse(f"{_START}/{conversa.id}", status_code=303)


@router.get("/clinicas/conversa/{conversa_id}", response_class=Response)
async def ver(request: Request, conversa_id: UUID) -> Response:
    """The conversation so far."""
    try:
        conversa = await _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return await _start_page(request, error)
    return _conversation_page(request, conversa)


@router.post("/clinicas/conversa/{conversa_id}", response_class=Response)
async def dizer(request: Request, conversa_id: UUID) -> Response:
    """One turn, and then the conversation again; told as it happens to our own script, which asks for events."""
    form = await _form(request)
    texto = form.get("texto", "")
    try:
        conversa = await _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return await _start_page(request, error)
    if form.get("visto", str(len(conversa.turnos))) != str(len(conversa.turnos)):
        return _conversation_page(request, conversa, ConversaSeguiu())
    try:
        if request.headers.get("accept", "") == EVENT_STREAM:
            return await _streamed(request, conversa, texto)
        await conversa.ask(texto)
    except CrivoError as error:
        if error.kind not in _ANSWERED_IN_THE_PAGE:
            raise
        return _conversation_page(request, conversa, error, texto)
    return RedirectResponse(f"{_START}/{conversa.id}#agora", status_code=303)


@router.get("/clinicas/conversa/{conversa_id}/comprovante", response_class=Response)
async def comprovante(request: Request, conversa_id: UUID) -> Response:
    """The appointments of the conversation, to be printed or kept."""
    try:
        conversa = await _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return await _start_page(request, error)
    emitido = state_of(request).container.clock.now()
    receipt = Comprovante.of(conversa)
    return page(request, "clinicas/comprovante.html", conversa=str(conversa.id), comprovante=receipt, emitido=emitido)


@router.get("/clinicas/conversa/{conversa_id}/eventos", response_class=Response)
async def acompanhar(request: Request, conversa_id: UUID) -> Response:
    """What a person of the reception writes, as it comes, while the conversation waits for one or has one."""
    conversa = await _conversa(request, conversa_id)

    async def render() -> Pedaco:
        found = await _conversa(request, conversa_id)  # a conversation that was forgotten meanwhile is none any more
        shown = page(request, "clinicas/conversa_corpo.html", vista=ConversaVista.of(found), atende=_attends(request))
        return Pedaco(bytes(shown.body).decode(), is_last=found.espera is None)

    hold(request, state_of(request).escutas)
    return AoVivo(conversa.sino, render, still(request))


@router.get("/clinicas/conversa/{conversa_id}/encerrar", response_class=Response)
async def perguntar_se_encerra(request: Request, conversa_id: UUID) -> Response:
    """What is forgotten with the conversation, before it is."""
    try:
        conversa = await _conversa(request, conversa_id)
    except ConversaNotFound as error:
        return await _start_page(request, error)
    return page(request, "clinicas/encerrar.html", vista=ConversaVista.of(conversa))


@router.post("/clinicas/conversa/{conversa_id}/encerrar", response_class=Response)
async def encerrar(request: Request, conversa_id: UUID) -> Response:
    """Forget the conversation and who was speaking."""
    await _form(request)
    try:
        await state_of(request).conversas.forget(scope_of(request), conversa_id)
    except ConversaNotFound as error:
        return await _start_page(request, error)
    return RedirectResponse(_START, status_code=303)


async def _streamed(request: Request, conversa: Conversa, texto: str) -> Response:
    heard = while_admitted(request, _stream(request, conversa, *await conversa.follow(texto)))
    return StreamingResponse(heard, headers=STREAMED, media_type=EVENT_STREAM)


async def _stream(request: Request, conversa: Conversa, turn: asyncio.Task[Turno], events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    async for event in with_signs(events):
        told = STILL if event is None else happening(event, conversa.registro)
        if told is not None:
            yield _wire("andamento", told)
    turn.result()
    shown = page(request, "clinicas/conversa_corpo.html", vista=ConversaVista.of(conversa), atende=_attends(request))
    yield _wire("fim", bytes(shown.body).decode())


def _wire(name: str, data: str) -> bytes:
    return format_sse_event(event=name, data_str=msgspec.json.encode(data).decode())


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form that our own page sent. Raises FormularioDeFora."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=10) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        # A form may name a charset whose text UTF-8 cannot hold.
        return {name: value.encode("utf-8", "replace").decode() for name, value in form.items() if isinstance(value, str)}


def _paciente(form: Mapping[str, str]) -> tuple[Paciente | None, dict[str, str]]:
    """Who a form names, or what is wrong of which field."""
    nome, cpf = read_name(form.get("nome", "")), read_cpf(form.get("cpf", ""))
    if nome and cpf:
        return Paciente(nome, cpf), {}
    wrong = (("nome", nome, _NOME_RUIM), ("cpf", cpf, _CPF_RUIM))
    return None, {field: told for field, read, told in wrong if not read}


def _attends(request: Request) -> bool:
    """Whether this person may attend patients, and see how answers came about."""
    return state_of(request).conversas.may_attend(scope_of(request).sujeito)


async def _conversa(request: Request, conversa_id: UUID) -> Conversa:
    """One's own conversation. Raises ConversaNotFound, and SemPermissao where it is a reception's and they are not of it any more."""
    return await state_of(request).conversas.get(scope_of(request), conversa_id)


async def _start(request: Request) -> dict[str, Any]:
    proven = await find_proven(request)
    own_name = quem_of(request) if papel_of(request) == "paciente" else ""
    atende = _attends(request)
    roles: tuple[Papel, ...] = ("operador", "paciente") if atende else ("paciente",)
    found = [await state_of(request).conversas.of(scope_of(request), papel) for papel in roles]
    abertas = [ConversaAberta.of(conversa) for conversa in found if conversa is not None]
    return {"atende": atende, "abertas": abertas, "erros": {}, "escrito": {"nome": own_name}, "recusa": None} | {
        "provado": proven.nome if proven is not None else ""
    }


async def _start_page(request: Request, recusa: CrivoError | None = None) -> Response:
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    return page(request, "clinicas/inicio.html", status, headers, **await _start(request) | {"recusa": recusa})


def _conversation_page(request: Request, conversa: Conversa, recusa: CrivoError | None = None, texto: str = "") -> Response:
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    values = {"recusa": recusa, "texto": texto, "vista": ConversaVista.of(conversa), "atende": _attends(request)}
    return page(request, "clinicas/conversa.html", status, headers, **values)
