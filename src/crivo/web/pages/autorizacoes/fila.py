"""`/autorizacoes/fila`: decisions that wait for a person, the urgent first, then the shortest deadline. Source: interfaces, Pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.revisao import Dizeres, NaFila, Prazo, ReservaDeOutro, ReservasDemais
from crivo.autorizacoes.revisao.fila import panorama_de, sieve
from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.autorizacoes.fila_vista import COLUNAS, QUEUE, NaFilaVista, Peneira, choices, peneira_of, unknown
from crivo.web.pages.autorizacoes.pessoas import names_of
from crivo.web.pages.autorizacoes.prazo_vista import FAIXAS_EM_PALAVRAS, PrazoVista
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import cut, heads, link, order
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PER_PAGE: Final = 25
_COUNTED: Final = 1_000
_LONGEST_SAID, _MOST_SAID = 40, 5
_ASKED: Final = frozenset({*Peneira().query, "pagina", "lote", "feitas", "mudaram", "fora", "desfez", "ok"})


@router.get(QUEUE, response_class=Response)
async def fila(
    request: Request,
    peneira: Annotated[Peneira, Depends(peneira_of)],
    lote: UUID | None = None,
    feitas: Annotated[int, Query(ge=0, le=_COUNTED)] = 0,
    mudaram: Annotated[int, Query(ge=0, le=_COUNTED)] = 0,
    fora: Annotated[int, Query(ge=0, le=_COUNTED)] = 0,
    desfez: Annotated[int, Query(ge=0, le=1)] = 0,
) -> Response:
    """What waits for a person; after many were shared out, what became of them, and the way to undo it."""
    partilha: dict[str, str | int] | None = (
        None if lote is None else {"lote": str(lote), "feitas": feitas, "mudaram": mudaram, "fora": fora, "desfez": desfez}
    )
    strange = sorted(request.query_params.keys() - _ASKED)
    return await queue_page(request, peneira, partilha=partilha if lote else None, estranhos=strange)


@router.post("/autorizacoes/fila/proxima", response_class=Response)
async def proxima(request: Request) -> Response:
    """Claim the first one that nobody has in hand, and go to it; where five are in hand already, the queue says so."""
    await read_form(request)
    try:
        found = await take_next(request)
    except ReservasDemais as error:
        return await queue_page(request, recusa=error)
    return RedirectResponse(f"/autorizacoes/{found}/revisao" if found else QUEUE, status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/reservar", response_class=Response)
async def reservar(request: Request, autorizacao_id: UUID) -> Response:
    """Claim a decision and go to it; where somebody else was quicker, the queue says who, and where it is one too many, what to do."""
    form = await read_form(request)
    try:
        await state_of(request).container.revisoes.reservar(scope_of(request), autorizacao_id)
    except (ReservaDeOutro, ReservasDemais) as error:
        return await queue_page(request, Peneira.read(form.get("volta", "")), recusa=error)
    return RedirectResponse(f"/autorizacoes/{autorizacao_id}/revisao", status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/liberar", response_class=Response)
async def liberar(request: Request, autorizacao_id: UUID) -> Response:
    """Let go of a decision."""
    await read_form(request)
    await state_of(request).container.revisoes.liberar(scope_of(request), autorizacao_id)
    return RedirectResponse(f"{QUEUE}?ok=devolvida", status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/liberar-de-outro", response_class=Response)
async def liberar_de_outro(request: Request, autorizacao_id: UUID) -> Response:
    """Give back what somebody else has in hand."""
    await read_form(request)
    await state_of(request).container.revisoes.liberar_de_outro(scope_of(request), autorizacao_id)
    return RedirectResponse(f"{QUEUE}?ok=devolvida", status_code=303)


async def take_next(request: Request) -> UUID | None:
    """Claim the first decision of the queue that is free or one's own already; None where there is none. Raises ReservasDemais."""
    revisoes, scope = state_of(request).container.revisoes, scope_of(request)
    for one in await revisoes.fila(scope):
        if one.quem not in {"", scope.ator} or (one.reserva is not None and one.reserva.revisor != scope.ator):
            continue
        try:
            await revisoes.reservar(scope, one.id)
        except ReservaDeOutro:  # somebody was quicker
            continue
        return one.id
    return None


async def sieved(request: Request, fila: Sequence[NaFila], peneira: Peneira) -> list[NaFila]:
    """Those of the queue that an address asks for, in its order; what they are about is opened only where words are searched for."""
    container, scope = state_of(request).container, scope_of(request)
    ditos: Mapping[UUID, Dizeres] = await container.revisoes.dizeres_da_fila(scope) if peneira.recorte.q else {}
    return order(sieve(fila, peneira.recorte, container.clock.now(), scope.ator, ditos), COLUNAS, peneira.ordem)


async def queue_page(
    request: Request,
    peneira: Peneira | None = None,
    *,
    recusa: CrivoError | None = None,
    partilha: Mapping[str, str | int] | None = None,
    estranhos: Sequence[str] = (),
) -> Response:
    """The queue; `recusa` is why an act on it did not happen, `partilha` what became of many, `estranhos` what an address asks for by a
    name that no filter has.
    """
    container, scope = state_of(request).container, scope_of(request)
    asked, agora = peneira or Peneira(), container.clock.now()
    waiting = await container.revisoes.fila(scope)
    names, wanted = await names_of(request), await sieved(request, waiting, asked)
    at = min(asked.pagina, max(1, -(-len(wanted) // _PER_PAGE)))
    ditos = await container.revisoes.dizeres(scope, [one.id for one in wanted[(at - 1) * _PER_PAGE : at * _PER_PAGE]])
    panorama = panorama_de(waiting, agora, scope.ator)
    reve, distribui = pode(request, "autorizacoes.revisar"), pode(request, "autorizacoes.distribuir")

    def show(one: NaFila) -> NaFilaVista:
        return NaFilaVista.of(one, ditos.get(one.id), agora, scope.ator, names)

    filtros = choices(waiting, asked, scope.ator, names)
    return page(
        request,
        "autorizacoes/fila.html",
        200 if recusa is None else status_of(recusa),
        fatia=cut(wanted, show, at, _PER_PAGE, asked.query),
        titulos=heads(COLUNAS, asked.ordem, asked.query),
        peneira=asked,
        filtros=filtros,
        estranhos=[mask_cpfs(one[:_LONGEST_SAID]) for one in estranhos[:_MOST_SAID]],
        desconhecidos=unknown(filtros, waiting, scope.ator),
        faixas=[
            (f"{panorama.faixas[one]} {palavra}", QUEUE + link({**asked.query, "prazo": one}), asked.recorte.prazo == one)
            for one, palavra in FAIXAS_EM_PALAVRAS.items()
            if panorama.faixas[one]
        ],
        panorama=panorama,
        primeira=_nearest(waiting, panorama.mais_perto, show),
        pode_rever=reve,
        pode_liberar=pode(request, "autorizacoes.liberar_de_outro"),
        pode_distribuir=distribui,
        pessoas=sorted((await container.responsaveis.quem_reve(scope)).items(), key=lambda one: one[1]) if distribui and waiting else [],
        recusa=recusa,
        partilha=partilha,
    )


def _nearest(fila: Sequence[NaFila], prazo: Prazo | None, show: Callable[[NaFila], NaFilaVista]) -> tuple[NaFilaVista, PrazoVista] | None:
    """The decision of the nearest deadline."""
    found = next((one for one in fila if one.prazo is not None and one.prazo == prazo), None)
    if found is None:
        return None
    line = show(found)
    return line, line.prazo
