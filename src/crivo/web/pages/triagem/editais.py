"""`/admin/editais` and its screening: begin, follow, and read what was found. Source: triagem seed, Interface; interfaces, Pages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.usuarios import usuario_id_of
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.achados import Tipo
from crivo.triagem.andamento import Execucao
from crivo.triagem.decisao import LONGEST_REASON
from crivo.triagem.erros import (
    AtoNotFound,
    DecisaoDeOutraPessoa,
    DecisaoInvalida,
    LoteEncerrando,
    NadaARetomar,
    ProjetoNotFound,
    TriagemEmAndamento,
    TriagemNotFound,
)
from crivo.triagem.exportacao import NomeTabela
from crivo.triagem.fora import told
from crivo.triagem.impedidos import heading
from crivo.triagem.painel import Vista
from crivo.triagem.palavras import DECISAO_HUMANA, SINAL, TIPO, shown
from crivo.triagem.service import EditalNaLista
from crivo.triagem.tratamento import LONGEST_TEXT
from crivo.web.body import limited
from crivo.web.escuta import still
from crivo.web.pages import csrf
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import Coluna, cut, heads, link, matches, order
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.abas import Busca, Mine, busca_of, open_tab
from crivo.web.pages.triagem.andamento import AndamentoVista, EditalVista, estimate
from crivo.web.pages.triagem.casos import eu_of
from crivo.web.pages.triagem.lote import AtoVista
from crivo.web.pages.triagem.numeros import estimate_figures, figures
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, Formato, ProjetoId, export
from crivo.web.triagem.eventos import Acompanhamento
from crivo.web.triagem.pacote import FILE_FIELD, PACOTE_MAXIMO, consents, take_in

router = APIRouter(include_in_schema=False)
_LIST: Final = "/admin/editais"
_PAGE: Final = "/admin/editais/{edital_id}/triagem-ia"
_FORM_OVERHEAD_BYTES: Final = 100_000
_LONGEST_SEARCH: Final = 200
_PER_PAGE: Final = 25
_MOST_AVISOS: Final = 20
_ANSWERED_IN_THE_LIST: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.CONFLICT, Kind.UNAVAILABLE)
_ANSWERED_HERE: Final = (Kind.FORBIDDEN, Kind.CONFLICT, Kind.INVALID)
Ordem = Annotated[str, Query(max_length=20)]
_COLUMNS: Final[tuple[Coluna[EditalNaLista], ...]] = (
    Coluna("nome", "Edital", lambda one: fold(one.nome or one.edital_id)),
    Coluna("projetos", "Projetos", lambda one: one.projetos, numero=True, desce=True),
    Coluna("importado", "Importado em", lambda one: one.importado_em, desce=True),
    Coluna("triagem", "Última triagem", lambda one: one.execucao.created_at.timestamp() if one.execucao else 0, desce=True),
)
_WHOLE: Final[Tipo] = "completa"
_PARTS: Final[tuple[Tipo, ...]] = ("habilitacao", "avaliacao", "irregularidades")


@dataclass(frozen=True, slots=True)
class Recusada:
    """A decision that was not kept: of which project, what was chosen and written, and why."""

    projeto_id: str
    decisao: str
    motivo: str
    mensagem: str


class TipoDesconhecido(CrivoError):
    """A form asks for a part of a screening that there is not."""

    codigo: ClassVar[str] = "tipo_desconhecido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A triagem não começou"


@router.get(_LIST, response_class=Response)
async def listar(
    request: Request,
    q: Annotated[str, Query(max_length=_LONGEST_SEARCH)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    ordem: Ordem = "",
) -> Response:
    """Every edital, and a form for another."""
    return await _list_page(request, q=q.strip(), pagina=pagina, ordem=ordem)


@router.post(_LIST, response_class=Response)
async def importar(request: Request) -> Response:
    """Take an edital in, and go on to its page; what is wrong with it, or was left out of it, comes back with the list."""
    csrf.check_origin(request)
    hold(request, state_of(request).importacoes)
    async with limited(request, PACOTE_MAXIMO + _FORM_OVERHEAD_BYTES).form(max_files=1, max_fields=10) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        try:
            importada, lida = await take_in(request, form.get(FILE_FIELD), aceitar_apagados=consents(form))
        except CrivoError as error:
            if error.kind not in _ANSWERED_IN_THE_LIST:
                raise
            return await _list_page(request, error)
    left = told(importada.fora, importada.avaliadores_fora)
    if left or lida.avisos:
        return await _list_page(request, fora=left, importado=importada.edital_id, avisos=lida.avisos)
    return RedirectResponse(_PAGE.format(edital_id=importada.edital_id), status_code=303)


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request, edital_id: EditalId, busca: Annotated[Busca, Depends(busca_of)], ato: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """The execução, and what the last finished one found; after a decision on many, what was done and how to undo it."""
    return await _page(request, edital_id, busca, ato=ato)


@router.post(_PAGE, response_class=Response)
async def executar(request: Request, edital_id: EditalId) -> Response:
    """Begin a screening; pressed twice, the one under way is shown."""
    fields = await read_form(request)
    tipo, em_lote = _read_tipo(fields.get("tipo", "")), fields.get("em_lote") == "sim"
    try:
        await state_of(request).container.triagem.executar(scope_of(request), edital_id, tipo, em_lote=em_lote)
    except TriagemEmAndamento:
        pass
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return await _page(request, edital_id, Busca(), error)
    return _back(edital_id)


@router.post(f"{_PAGE}/cancelar", response_class=Response)
async def cancelar(request: Request, edital_id: EditalId) -> Response:
    """Stop the screening under way; where it had ended by then, its end is shown."""
    await read_form(request)
    with suppress(TriagemNotFound):
        await state_of(request).container.triagem.cancelar(scope_of(request), edital_id)
    return _back(edital_id, "cancelado")


@router.post(f"{_PAGE}/retomar", response_class=Response)
async def retomar(request: Request, edital_id: EditalId) -> Response:
    """Go on with the screening that was stopped."""
    await read_form(request)
    try:
        await state_of(request).container.triagem.retomar(scope_of(request), edital_id)
    except (NadaARetomar, LoteEncerrando) as error:
        return await _page(request, edital_id, Busca(), error)
    return _back(edital_id, "retomado")


@router.post("/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao", response_class=Response)
async def decidir(request: Request, edital_id: EditalId, projeto_id: ProjetoId, busca: Annotated[Busca, Depends(busca_of)]) -> Response:
    """A person's decision on the habilitação of a project; one that says too little comes back with what was written."""
    fields = await read_form(request)
    decisao, motivo, visto = fields.get("decisao", ""), fields.get("motivo", ""), fields.get("visto", "") or None
    try:
        await state_of(request).container.decisoes.decidir(scope_of(request), edital_id, projeto_id, decisao, motivo, visto)
    except (DecisaoInvalida, DecisaoDeOutraPessoa) as error:
        return await _page(request, edital_id, busca, error, Recusada(projeto_id, decisao, motivo, error.mensagem))
    return _back_to(edital_id, busca, projeto_id, "gravado")


@router.get("/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao", response_class=Response)
async def voltar(request: Request, edital_id: EditalId, projeto_id: ProjetoId, busca: Annotated[Busca, Depends(busca_of)]) -> Response:
    """Where a decision came back from is opened again: the page with that project's line."""
    return RedirectResponse(f"{_PAGE.format(edital_id=edital_id)}{busca.opened(projeto_id)}", status_code=303)


@router.post("/admin/editais/{edital_id}/projetos/{projeto_id}/reabrir", response_class=Response)
async def reabrir(request: Request, edital_id: EditalId, projeto_id: ProjetoId, busca: Annotated[Busca, Depends(busca_of)]) -> Response:
    """Give an avaliação that was sent back to whoever sent it."""
    fields = await read_form(request)
    try:
        avaliador = UUID(fields.get("avaliador", ""))
    except ValueError:
        raise ProjetoNotFound("Não há avaliação desta pessoa. Volte à lista e escolha outra.") from None
    await state_of(request).container.julgamento.reabrir(scope_of(request), edital_id, projeto_id, avaliador)
    return _back_to(edital_id, busca, projeto_id, "alterado")


@router.get(f"{_PAGE}/andamento", response_class=Response)
async def acompanhar(request: Request, edital_id: EditalId) -> Response:
    """The progress as events for our own script, each with a piece of the page."""
    state, scope = state_of(request), scope_of(request)

    async def look() -> Execucao:
        return await state.container.triagem.status(scope, edital_id)

    def tell(execucao: Execucao) -> str:
        piece = page(request, "triagem/andamento.html", andamento=AndamentoVista.of(execucao))
        return msgspec.json.encode(bytes(piece.body).decode()).decode()

    hold(request, state.acompanhamentos)
    return Acompanhamento(await look(), look, tell, still(request))


@router.get(f"{_PAGE}/exportacao", response_class=Response)
async def baixar(request: Request, edital_id: EditalId, formato: Formato = "csv", tabela: NomeTabela | None = None) -> Response:
    """What was found, as a file."""
    return await export(request, edital_id, formato, tabela)


async def _page(
    request: Request, edital_id: str, busca: Busca, recusa: CrivoError | None = None, recusada: Recusada | None = None, ato: str = ""
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    execucao = await _find_execucao(request, edital_id)  # before what was found: one that ends meanwhile is not said to have ended
    vista = await container.painel.abrir(scope, edital_id, busca.pedida)
    achada, impedidos = vista.achada, await container.painel.impedidos(scope, edital_id)
    under_way = execucao is not None and execucao.status == "em_andamento"
    estimativa = None if under_way else await container.triagem.estimar(scope, edital_id)
    return page(
        request,
        "triagem/triagem.html",
        status=200 if recusa is None else status_of(recusa),
        headers={} if recusa is None else headers_of(recusa),
        endereco=_address(edital_id),
        base=f"{_LIST}/{edital_id}",
        edital=_heading(vista),
        recusa=None if recusada else recusa,
        recusada=recusada,
        estimativa=estimate(estimativa) if estimativa else "",
        nada_mudou=estimativa is not None and 0 < estimativa.projetos == estimativa.projetos_inalterados,
        em_lote=estimativa is not None and estimativa.em_lote,
        previsao=estimate_figures(estimativa) if estimativa else (),
        partes=[(tipo, TIPO[tipo]) for tipo in _PARTS],
        andamento=AndamentoVista.of(execucao) if execucao else None,
        busca=busca,
        aberto=open_tab(edital_id, achada, busca, _mine(request), eu_of(request)) if achada else None,
        feita=await _find_act(request, edital_id, ato) if ato else None,
        numeros=figures(achada.panorama, achada.situacoes, None if under_way else execucao) if achada else None,
        motivo_maximo=LONGEST_REASON,
        texto_maximo=LONGEST_TEXT,
        desatualizada=achada is not None and achada.desatualizada,
        humana=DECISAO_HUMANA,
        nao_ve=container.comparar.nao_ve,
        sinal=SINAL,
        diligencias=vista.diligencias,
        imagens=None if under_way else await container.painel.imagens(scope, edital_id),
        impedidos=impedidos,
        titulo_impedidos=heading(impedidos),
        fora=vista.fora,
    )


def _mine(request: Request) -> Mine:
    """Whether whoever looks may undo a decision: their own, or any where they administer."""
    me, all_of_them = usuario_id_of(scope_of(request).ator), pode(request, "triagem.desfazer_de_outro")
    return lambda decided: all_of_them or decided.decidido_por == me


async def _find_act(request: Request, edital_id: str, ato: str) -> AtoVista | None:
    with suppress(AtoNotFound, ValueError):
        found = await state_of(request).container.decisoes.ato(scope_of(request), edital_id, UUID(ato))
        return AtoVista.of(found.ato, found.nomes, mine=found.pode_desfazer)
    return None


async def _find_execucao(request: Request, edital_id: str) -> Execucao | None:
    try:
        return await state_of(request).container.triagem.status(scope_of(request), edital_id)
    except TriagemNotFound:
        return None


async def _list_page(
    request: Request,
    recusa: CrivoError | None = None,
    q: str = "",
    pagina: int = 1,
    ordem: str = "",
    fora: Sequence[str] = (),
    importado: str = "",
    avisos: Sequence[Problem] = (),
) -> Response:
    status, headers = (200, {}) if recusa is None else (status_of(recusa), headers_of(recusa))
    if recusa is not None and recusa.kind is Kind.UNAVAILABLE:
        raise recusa
    found = await state_of(request).container.triagem.editais(scope_of(request))
    wanted = order([one for one in found if matches(q, one.nome, one.edital_id)], _COLUMNS, ordem)
    query = {"q": q, "ordem": ordem}
    return page(
        request,
        "triagem/editais.html",
        status,
        headers,
        fatia=cut(wanted, EditalVista.of, pagina, _PER_PAGE, query),
        titulos=heads(_COLUMNS, ordem, query),
        total=len(found),
        q=q,
        ordem=ordem,
        recusa=recusa,
        fora=fora,
        importado=importado,
        avisos=avisos[:_MOST_AVISOS],
        mais_avisos=max(0, len(avisos) - _MOST_AVISOS),
    )


def _heading(vista: Vista) -> dict[str, Any]:
    edital = vista.edital
    return {"id": edital.id, "nome": shown(edital.nome), "orgao": shown(edital.orgao), "projetos": vista.projetos}


def _read_tipo(text: str) -> Tipo:
    """Which part is asked for; all of it where nothing is said. Raises TipoDesconhecido."""
    for tipo in (_WHOLE, *_PARTS):
        if tipo == (text or _WHOLE):
            return tipo
    raise TipoDesconhecido("Escolha na lista que parte da triagem fazer: não há outra.")


def _back(edital_id: str, ok: str = "") -> Response:
    return RedirectResponse(_address(edital_id) + (f"?ok={ok}" if ok else ""), status_code=303)


def _back_to(edital_id: str, busca: Busca, projeto_id: str, ok: str) -> Response:
    query = link(busca.query, pagina=str(busca.pagina), projeto=projeto_id, ok=ok)
    return RedirectResponse(f"{_address(edital_id)}{query}#projeto-{projeto_id}", status_code=303)


def _address(edital_id: str) -> str:
    return _PAGE.format(edital_id=edital_id)
