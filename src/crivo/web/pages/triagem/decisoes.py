"""`/admin/editais/{id}/decisoes`: many decided at once after a preview, what was decided so far, and undoing it.

Whoever sends people here says with `volta` where they come back to: an address of the same edital.
"""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote, urlencode
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.usuarios import usuario_id_of
from crivo.kernel.errors import CrivoError
from crivo.triagem.decisao import LONGEST_REASON
from crivo.triagem.erros import AtoNotFound, DecisaoInvalida, NadaADesfazer, PreviaMudou
from crivo.triagem.painel import Pedida
from crivo.triagem.palavras import DECISAO_HUMANA, shown
from crivo.triagem.previa import Previa
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.lote import AtoVista, LoteVista, people_in
from crivo.web.problems import headers_of, status_of
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/decisoes"
_UNDO: Final = f"{_PAGE}/atos/{{ato_id}}/desfazer"
_FORM_BYTES: Final = 5_000_000  # the codes of 50,000 projects, and four letters for each of what was foreseen
_MOST_FIELDS: Final = 1_000
_TODOS: Final = "todos"


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, ato: Annotated[str, Query(max_length=40)] = "") -> Response:
    """What was decided, an act a line, the last first; one of them with its projects where the address names it."""
    return await _list_page(request, edital_id, ato)


@router.get(f"{_PAGE}/previa", response_class=Response)
async def prever(
    request: Request,
    edital_id: EditalId,
    codigo: Annotated[list[str] | None, Query(max_length=_MOST_FIELDS)] = None,
    decisao: Annotated[str, Query(max_length=20)] = "habilitado",
    alvo: Annotated[str, Query(max_length=20)] = "",
    q: Annotated[str, Query(max_length=200)] = "",
    filtro: Annotated[str, Query(max_length=40)] = "",
    com: Annotated[str, Query(max_length=40)] = "",
    volta: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """What a decision on the marked projects would do, or on all that answer to a filter; nothing is done yet."""
    codigos: tuple[str, ...] = tuple(codigo or ())
    if alvo == _TODOS:
        asked = Pedida(q=q.strip(), filtro=filtro, decisao=com)
        codigos = await state_of(request).container.painel.codigos(scope_of(request), edital_id, asked)
    return await preview_of(request, edital_id, codigos, decisao, volta)


@router.post(f"{_PAGE}/previa", response_class=Response)
async def prever_muitos(request: Request, edital_id: EditalId) -> Response:
    """The same for more projects than an address holds."""
    fields, codigos = await read_marked(request)
    return await preview_of(request, edital_id, codigos, fields.get("decisao", ""), fields.get("volta", ""))


@router.post(_PAGE, response_class=Response)
async def decidir(request: Request, edital_id: EditalId) -> Response:
    """Decide on all that the preview said; where something changed since, nobody is, and the preview of now is shown."""
    fields, codigos = await read_marked(request)
    decisao, motivo, volta = fields.get("decisao", ""), fields.get("motivo", ""), fields.get("volta", "")
    decisoes, scope = state_of(request).container.decisoes, scope_of(request)
    try:
        ato = await decisoes.decidir_muitos(scope, edital_id, codigos, decisao, motivo, fields.get("prevista", ""))
    except PreviaMudou as error:
        return await _preview_page(request, error.nova, volta, motivo, error)
    except DecisaoInvalida as error:
        return await preview_of(request, edital_id, codigos, decisao, volta, motivo, error)
    return _back(edital_id, volta, ato=str(ato.id))


@router.get(_UNDO, response_class=Response)
async def voltar(edital_id: EditalId, ato_id: UUID) -> Response:
    """The act itself: what is undone is undone by its form."""
    return RedirectResponse(_act_address(edital_id, ato_id), status_code=303)


@router.post(_UNDO, response_class=Response)
async def desfazer(request: Request, edital_id: EditalId, ato_id: UUID) -> Response:
    """Put all of an act, or one of its projects, back to what stood before; what others decided since is left, and shown."""
    fields = await read_form(request)
    only = [fields["projeto"]] if fields.get("projeto") else None
    try:
        undone = await state_of(request).container.decisoes.desfazer(scope_of(request), edital_id, ato_id, only)
    except NadaADesfazer as error:
        return await _list_page(request, edital_id, str(ato_id), error)
    if undone.ficaram and only is None:
        return RedirectResponse(_act_address(edital_id, ato_id, ok="desfeito"), status_code=303)
    return _back(edital_id, fields.get("volta", ""), ok="desfeito")


async def preview_of(
    request: Request,
    edital_id: str,
    codigos: tuple[str, ...],
    decisao: str,
    volta: str,
    motivo: str = "",
    recusa: DecisaoInvalida | None = None,
) -> Response:
    """The page that says what a decision on many would do. Raises EditalNotFound."""
    try:
        previa = await state_of(request).container.decisoes.prever(scope_of(request), edital_id, codigos, decisao)
    except DecisaoInvalida as error:
        edital, _ = await state_of(request).container.painel.cabecalhos(scope_of(request), edital_id, ())
        status = 200 if request.method == "GET" else status_of(error)
        back = way_back(edital_id, volta)
        return page(request, "triagem/lote.html", status, lote=None, edital=shown(edital.nome), volta=back, vazio=error.mensagem)
    return await _preview_page(request, previa, volta, motivo, recusa)


async def _preview_page(request: Request, previa: Previa, volta: str, motivo: str, recusa: CrivoError | None) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    edital, cabecalhos = await container.painel.cabecalhos(scope, previa.edital_id, LoteVista.named(previa))
    nomes = await container.decisoes.nomes(scope, people_in(previa))
    return page(
        request,
        "triagem/lote.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        lote=LoteVista.of(previa, cabecalhos, nomes),
        edital=shown(edital.nome),
        endereco=_PAGE.format(edital_id=previa.edital_id),
        volta=way_back(previa.edital_id, volta),
        motivo=motivo,
        motivo_maximo=LONGEST_REASON,
        recusa=recusa if isinstance(recusa, PreviaMudou) else None,
        erro=recusa.mensagem if isinstance(recusa, DecisaoInvalida) else "",
        humana=DECISAO_HUMANA,
        vazio="",
    )


async def _list_page(request: Request, edital_id: str, ato_id: str, recusa: CrivoError | None = None) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    found = await container.decisoes.listar(scope, edital_id)
    aberto = None
    if (of := _uuid(ato_id)) is not None:
        try:
            aberto = await container.decisoes.ato(scope, edital_id, of)
        except AtoNotFound as error:
            recusa = recusa or error
    edital, cabecalhos = await container.painel.cabecalhos(scope, edital_id, [one.projeto_id for one in aberto.projetos] if aberto else ())
    me, all_of_them = usuario_id_of(scope.ator), pode(request, "triagem.desfazer_de_outro")
    atos = [AtoVista.of(one, found.nomes, mine=all_of_them or one.feito_por == me) for one in found.atos]
    return page(
        request,
        "triagem/decisoes.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital=shown(edital.nome),
        endereco=_PAGE.format(edital_id=edital_id),
        triagem=way_back(edital_id, ""),
        atos=atos,
        aberto=AtoVista.opened(aberto, cabecalhos) if aberto else None,
        recusa=recusa,
    )


async def read_marked(request: Request) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields of a form, and the codes in it: one a field, or many in one with blanks between them."""
    fields, marked = await read_choices(request, "codigo", max_bytes=_FORM_BYTES, max_fields=_MOST_FIELDS)
    return fields, (*marked, *fields.get("codigos", "").split())


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def way_back(edital_id: str, volta: str) -> str:
    """Where people go on: the address that was asked for where it is one of the edital's own, else its screening."""
    inside = f"/admin/editais/{quote(edital_id, safe='')}/"
    return volta if volta.startswith(inside) and not set(volta) & {"\\", "\r", "\n", "\t"} else f"{inside}triagem-ia"


def _back(edital_id: str, volta: str, **said: str) -> Response:
    address, _, fragment = way_back(edital_id, volta).partition("#")
    joint = "&" if "?" in address else "?"
    return RedirectResponse(f"{address}{joint}{urlencode(said)}{'#' if fragment else ''}{fragment}", status_code=303)


def _act_address(edital_id: str, ato_id: UUID, **said: str) -> str:
    return f"{_PAGE.format(edital_id=edital_id)}?{urlencode({'ato': str(ato_id), **said})}"
