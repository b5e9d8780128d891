"""Whose decisions of the queue are: one at a press, many after they were looked at, and the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.revisao import LoteGrandeDemais, NaFila, Partilha, SemDestinatario
from crivo.autorizacoes.revisao.responsaveis import MOST_AT_ONCE
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.autorizacoes.fila import queue_page, sieved
from crivo.web.pages.autorizacoes.fila_vista import QUEUE, Peneira
from crivo.web.pages.autorizacoes.pessoas import name_of, names_of
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.rendering import page
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_FORM_BYTES: Final = 200_000
_ASSUMIR, _SOLTAR, _DAR = "assumir", "soltar", "dar"
_ACOES: Final = (_ASSUMIR, _SOLTAR, _DAR)


class NadaEscolhido(CrivoError):
    """No decision was chosen, or nothing to do with those that were."""

    codigo: ClassVar[str] = "nada_escolhido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Escolha as decisões"


@router.post("/autorizacoes/{autorizacao_id}/assumir", response_class=Response)
async def assumir(request: Request, autorizacao_id: UUID) -> Response:
    """Make one decision one's own; where somebody was quicker, the queue says so."""
    form = await read_form(request)
    return await _done(request, form.get("volta", ""), _ASSUMIR, {autorizacao_id: ""}, "")


@router.post("/autorizacoes/{autorizacao_id}/soltar", response_class=Response)
async def soltar(request: Request, autorizacao_id: UUID) -> Response:
    """Let go of one decision that is one's own."""
    form = await read_form(request)
    return await _done(request, form.get("volta", ""), _SOLTAR, {autorizacao_id: scope_of(request).ator}, "")


@router.post("/autorizacoes/fila/lote", response_class=Response)
async def conferir(request: Request) -> Response:
    """Look at what would be done to the decisions that were chosen, before it is."""
    form, chosen = await read_choices(request, "um", max_bytes=_FORM_BYTES, max_fields=MOST_AT_ONCE + 20)
    container, scope = state_of(request).container, scope_of(request)
    peneira, acao, quem = Peneira.read(form.get("volta", "")), form.get("acao", ""), form.get("quem", "")
    waiting = await container.revisoes.fila(scope)
    wanted = await sieved(request, waiting, peneira) if form.get("todas") else [one for one in waiting if str(one.id) in set(chosen)]
    names = await names_of(request)
    try:
        _check(acao, quem, len(wanted), names)
    except CrivoError as error:
        return await queue_page(request, peneira, recusa=error)
    owners = Counter(name_of(one.responsavel, names) if one.responsavel else "" for one in wanted)
    return page(
        request,
        "autorizacoes/partilha.html",
        acao=acao,
        destino=quem,
        destinatario=names.get(quem, ""),
        quantas=len(wanted),
        donos=sorted(owners.items()),
        em_revisao=_under_review(wanted, quem if acao == _DAR else scope.ator, container.clock.now(), names),
        urgentes=sum(one.urgente for one in wanted),
        vistos=[f"{one.id}|{one.responsavel}" for one in wanted],
        volta=peneira.volta,
        endereco=peneira.endereco,
        so_minhas=acao == _SOLTAR and not pode(request, "autorizacoes.distribuir"),
    )


@router.post("/autorizacoes/fila/partilhar", response_class=Response)
async def partilhar(request: Request) -> Response:
    """Do it, to those that still are as they were when they were looked at."""
    form, chosen = await read_choices(request, "um", max_bytes=_FORM_BYTES, max_fields=MOST_AT_ONCE + 20)
    vistos = {}
    for one in chosen:
        which, _, visto = one.partition("|")
        try:
            vistos[UUID(which)] = visto
        except ValueError:  # of another hand
            continue
    return await _done(request, form.get("volta", ""), form.get("acao", ""), vistos, form.get("quem", ""))


@router.post("/autorizacoes/fila/desfazer", response_class=Response)
async def desfazer(request: Request) -> Response:
    """Undo what one did to many, or to one."""
    form = await read_form(request)
    peneira = Peneira.read(form.get("volta", ""))
    try:
        lote = UUID(form.get("lote", ""))
    except ValueError:
        return RedirectResponse(peneira.endereco, status_code=303)
    feitas = form.get("feitas", "")
    many = int(feitas) if feitas.isascii() and feitas.isdecimal() and len(feitas) <= len(str(MOST_AT_ONCE)) else 0
    done = await state_of(request).container.responsaveis.desfazer(scope_of(request), lote, many)
    if done.feitas and done.mudaram:
        told = {"lote": str(done.lote), "feitas": done.feitas, "mudaram": done.mudaram, "desfez": 1}
        return RedirectResponse(f"{peneira.endereco}{'&' if peneira.volta else '?'}{urlencode(told)}", status_code=303)
    code = "desfeito" if done.feitas else "nada_a_desfazer"
    return RedirectResponse(f"{peneira.endereco}{'&' if peneira.volta else '?'}ok={code}", status_code=303)


def _under_review(fila: Sequence[NaFila], novo: str, agora: datetime, names: Mapping[str, str]) -> list[tuple[str, str, datetime]]:
    """Those that somebody else than their new owner decides right now: the pedido's number, who it is, and until when."""
    return [
        (mask_cpfs(one.pedido_id or "sem número"), name_of(one.reserva.revisor, names), one.reserva.ate)
        for one in fila
        if one.reserva is not None and one.reserva.ate > agora and one.reserva.revisor != novo
    ]


async def _done(request: Request, volta: str, acao: str, vistos: Mapping[UUID, str], quem: str) -> Response:
    peneira = Peneira.read(volta)
    try:
        _check(acao, quem, len(vistos), {quem: quem})
        done = await _share(request, acao, vistos, quem)
    except (NadaEscolhido, SemDestinatario, LoteGrandeDemais) as error:
        return await queue_page(request, peneira, recusa=error)
    told = {"lote": str(done.lote), "feitas": done.feitas, "mudaram": done.mudaram, "fora": done.fora}
    query = f"{peneira.volta}&" if peneira.volta else ""
    return RedirectResponse(f"{QUEUE}?{query}{urlencode(told)}", status_code=303)


async def _share(request: Request, acao: str, vistos: Mapping[UUID, str], quem: str) -> Partilha:
    responsaveis, scope = state_of(request).container.responsaveis, scope_of(request)
    if acao == _ASSUMIR:
        return await responsaveis.assumir(scope, vistos)
    if acao == _DAR:
        return await responsaveis.dar(scope, vistos, quem)
    if pode(request, "autorizacoes.distribuir"):
        return await responsaveis.soltar_de_outros(scope, vistos)
    return await responsaveis.soltar(scope, vistos)


def _check(acao: str, quem: str, quantas: int, names: Mapping[str, str]) -> None:
    """Raises NadaEscolhido, SemDestinatario, LoteGrandeDemais."""
    if acao not in _ACOES or not quantas:
        raise NadaEscolhido("Marque ao menos uma decisão, ou todas as deste filtro, e escolha o que fazer com elas.")
    if acao == _DAR and (not quem or quem not in names):
        raise SemDestinatario("Escolha a pessoa que recebe as decisões.")
    if quantas > MOST_AT_ONCE:
        raise LoteGrandeDemais(f"São {quantas}, e cabem {MOST_AT_ONCE} de uma vez. Use os filtros para separar uma parte.")
