"""`/admin/editais/{edital_id}/mesa`: the queue, one project at a time, and what is decided of it. Source: design, "The mesa"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.casos.guardados import named_in
from crivo.triagem.decisao import LONGEST_REASON
from crivo.triagem.diligencias.depois import DoProjeto
from crivo.triagem.erros import AtoNotFound, MotivoDeOutraDecisao, ProjetoNotFound, VisaoInvalida
from crivo.triagem.mesa import LONGEST_NAME, Fila, NaMesa, Pedida, Visao
from crivo.triagem.palavras import HABILITACAO, count, shown
from crivo.triagem.tratamento import LONGEST_TEXT
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.abas import quem_by_code
from crivo.web.pages.triagem.caso_vista import CasoVista
from crivo.web.pages.triagem.casos import eu_of
from crivo.web.pages.triagem.decisoes import preview_of, read_marked
from crivo.web.pages.triagem.diligencias_vista import ResumoNaMesa
from crivo.web.pages.triagem.distribuicao import Selecao, with_selected
from crivo.web.pages.triagem.enderecos import Enderecos, comparar_address, dossie_address
from crivo.web.pages.triagem.fila_vista import POR_PAGINA, FilaVista
from crivo.web.pages.triagem.folha import Folha, folha_of
from crivo.web.pages.triagem.mesa_endereco import Endereco, is_saved, read, saved_id
from crivo.web.pages.triagem.mesa_pedido import Parte
from crivo.web.pages.triagem.mesa_vista import ProjetoNaMesa
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId

router = APIRouter(include_in_schema=False)
_QUEUE: Final = "/admin/editais/{edital_id}/mesa"
_PROJECT: Final = f"{_QUEUE}/{{projeto_id}}"
_VERBOS: Final[tuple[tuple[HabilitacaoSugerida, str], ...]] = (
    ("habilitado", "Habilitar"),
    ("pendencia", "Pedir documento"),
    ("inabilitado", "Inabilitar"),
)
_PARTES: Final[tuple[tuple[Parte, str, str], ...]] = (
    ("fila", "Fila", "lista"),
    ("pagina", "Página", "documento"),
    ("analise", "Análise", "balanca"),
)
_MOST_CASES: Final = 12  # of one project: more are on the page of the screening
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT, Kind.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class Feita:
    """What was just decided, in words, and where it is undone; empty where whoever looks may not."""

    ato: str
    dito: str
    desfazer: str


@router.get(_QUEUE, response_class=Response)
async def fila(request: Request, edital_id: EditalId) -> Response:
    """The queue, with no project open."""
    endereco = await _asked(request, edital_id)
    found = await state_of(request).container.mesa.fila(scope_of(request), edital_id, _pedida(endereco))
    return await _page(request, endereco, found)


@router.get(f"{_QUEUE}/desfazer", response_class=Response)
@router.get(f"{_QUEUE}/lote", response_class=Response)
@router.get(f"{_QUEUE}/visoes", response_class=Response)
async def reabrir(request: Request, edital_id: EditalId) -> Response:
    """Where a form of the queue is opened again: the queue."""
    return RedirectResponse((await _asked(request, edital_id)).fila(), status_code=303)


@router.get(_PROJECT, response_class=Response)
async def projeto(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """A project of the queue; of one that was withdrawn it is told, beside the queue."""
    return await _project_page(request, await _asked(request, edital_id), projeto_id)


@router.post(f"{_PROJECT}/decidir", response_class=Response)
async def decidir(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Decide, and go on to the next project of the same queue; what cannot be kept comes back with what was written."""
    fields, container, scope = await read_form(request), state_of(request).container, scope_of(request)
    endereco = await _asked(request, edital_id)
    beside = await container.mesa.vizinhos(scope, edital_id, endereco.recorte, projeto_id)
    try:
        _refuse_anothers_reason(fields)
        ato = await container.decisoes.decidir(
            scope, edital_id, projeto_id, fields.get("decisao", ""), fields.get("motivo", ""), fields.get("visto") or None
        )
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return await _project_page(request, endereco, projeto_id, error, fields)
    following = beside.seguinte or (beside.primeiro if beside.primeiro != projeto_id else None)
    if fields.get("depois") == "ficar":
        following = projeto_id
    told = {"ato": str(ato.id), "vista": endereco.vista or ""}
    where = endereco.projeto(following, **told) if following else _with(endereco.fila(), ato=str(ato.id))
    return RedirectResponse(where, status_code=303)


def _refuse_anothers_reason(fields: Mapping[str, str]) -> None:
    """Raise MotivoDeOutraDecisao, once, where the reason is word for word what the page had for another decision: scripts may be off."""
    decisao, motivo = fields.get("decisao", ""), " ".join(fields.get("motivo", "").split())
    made = {valor: " ".join(fields.get(f"feito_{valor}", "").split()) for valor, _ in _VERBOS}
    chosen = next((valor for valor in made if valor == decisao), None)
    if not motivo or chosen is None or made[chosen] == motivo or fields.get("mesmo_assim") == decisao:
        return
    whose = next((valor for valor, feito in made.items() if feito == motivo), None)
    if whose is not None:
        raise MotivoDeOutraDecisao(
            f"O motivo escrito é o de “{HABILITACAO[whose].palavra}”, e você escolheu “{HABILITACAO[chosen].palavra}”. "
            "Troque o motivo, que vai para quem se inscreveu. Se for este mesmo, decida de novo sem mudar nada."
        )


@router.post(f"{_QUEUE}/desfazer", response_class=Response)
async def desfazer(request: Request, edital_id: EditalId) -> Response:
    """Take back the act that was just done, and go to its project; what cannot be taken back any more is told beside the queue."""
    fields, container, scope = await read_form(request), state_of(request).container, scope_of(request)
    endereco = await _asked(request, edital_id)
    try:
        ato_id = saved_id(fields.get("ato", ""))
        if ato_id is None:
            raise AtoNotFound("Não há decisão com este número neste edital. Volte à fila e confira.")
        undone = await container.decisoes.desfazer(scope, edital_id, ato_id)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        found = await container.mesa.fila(scope, edital_id, _pedida(endereco))
        return await _page(request, endereco, found, recusa=error)
    one = undone.voltaram[0].projeto_id if len(undone.voltaram) == 1 else ""
    where = endereco.projeto(one, vista=endereco.vista or "") if one else endereco.fila()
    return RedirectResponse(_with(where, ok="desfeita"), status_code=303)


@router.get(f"{_PROJECT}/decidir", response_class=Response)
async def voltar(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Where a decision came back from is opened again: the project."""
    return RedirectResponse((await _asked(request, edital_id)).projeto(projeto_id), status_code=303)


@router.post(f"{_QUEUE}/lote", response_class=Response)
async def lote(request: Request, edital_id: EditalId) -> Response:
    """What would be done with the marked projects, or with all of the queue: decided, or what else is asked; nothing is done yet."""
    fields, codigos = await read_marked(request)
    endereco = await _asked(request, edital_id)
    if fields.get("alvo") == "todos":
        codigos = await state_of(request).container.mesa.codigos(scope_of(request), edital_id, endereco.recorte)
    if fields.get("acao"):
        return await with_selected(request, edital_id, Selecao(fields["acao"], codigos, volta=endereco.fila()))
    return await preview_of(request, edital_id, codigos, fields.get("decisao", ""), endereco.fila())


@router.post(f"{_QUEUE}/visoes", response_class=Response)
async def visoes(request: Request, edital_id: EditalId) -> Response:
    """Save what is asked of the queue under a name, or forget a saved view."""
    fields, container, scope = await read_form(request), state_of(request).container, scope_of(request)
    endereco = await _asked(request, edital_id)
    blank = endereco.fila().partition("?")[0]
    forgotten = saved_id(fields.get("apagar", ""))
    if forgotten is not None:
        await container.mesa.apagar_visao(scope, edital_id, forgotten)
        return RedirectResponse(_with(blank, ok="visao_apagada"), status_code=303)
    try:
        saved = await container.mesa.salvar_visao(scope, edital_id, fields.get("nome", ""), endereco.consulta)
    except VisaoInvalida as error:
        found = await container.mesa.fila(scope, edital_id, _pedida(endereco))
        return await _page(request, endereco, found, recusa=error)
    return RedirectResponse(_with(blank, visao=str(saved), ok="visao"), status_code=303)


async def _asked(request: Request, edital_id: str) -> Endereco:
    """What the address asks for, its saved view looked up where it names one."""
    params = request.query_params
    salvas: Sequence[Visao] = ()
    if is_saved(params.get("visao", "todos")):
        salvas = await state_of(request).container.mesa.visoes(scope_of(request), edital_id)
    return read(edital_id, params, salvas)


def _pedida(endereco: Endereco, aberto: str = "") -> Pedida:
    return Pedida(endereco.recorte, endereco.pagina, POR_PAGINA, aberto)


async def _project_page(
    request: Request, endereco: Endereco, projeto_id: str, recusa: CrivoError | None = None, escrito: dict[str, str] | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    found = await container.mesa.fila(scope, endereco.edital_id, _pedida(endereco, projeto_id))
    try:
        na_mesa = await container.mesa.projeto(scope, endereco.edital_id, projeto_id)
    except ProjetoNotFound as error:
        return await _page(request, endereco, found, recusa=recusa or error)
    folha = await folha_of(request, na_mesa, endereco, lambda: container.paginas.apontado(scope, endereco.edital_id, projeto_id))
    return await _page(request, endereco, found, na_mesa, folha, recusa, escrito)


async def _page(
    request: Request,
    endereco: Endereco,
    found: Fila,
    na_mesa: NaMesa | None = None,
    folha: Folha | None = None,
    recusa: CrivoError | None = None,
    escrito: dict[str, str] | None = None,
) -> Response:
    aberto = na_mesa.projeto.id if na_mesa else ""
    settled = replace(endereco, recorte=found.recorte)
    asked = await _asked_of(request, found.edital.id, aberto) if na_mesa else ()
    base = f"/admin/editais/{quote(found.edital.id, safe='')}"
    projeto = ProjetoNaMesa.of(na_mesa, settled, asked, base) if na_mesa else None
    beside = found.vizinhos
    casos = await _cases(request, found.edital.id, aberto) if na_mesa else []
    return page(
        request,
        "triagem/mesa.html",
        status=200 if recusa is None else status_of(recusa),
        headers={} if recusa is None else headers_of(recusa),
        edital={"id": found.edital.id, "nome": shown(found.edital.nome)},
        base=base,
        endereco=settled,
        fila=FilaVista.of(found, settled, aberto),
        triada=found.triada,
        desatualizada=found.desatualizada,
        projetos=found.projetos,
        decididos=found.decididos,
        total=found.total,
        projeto=projeto,
        folha=folha,
        vista=folha.pagina if folha else None,
        posicao=f"{beside.posicao} de {found.total}" if beside.posicao else "",
        anterior=settled.projeto(beside.anterior) if beside.anterior else "",
        seguinte=settled.projeto(beside.seguinte) if beside.seguinte else "",
        primeiro=settled.projeto(beside.primeiro) if beside.primeiro else "",
        a_decidir=settled.projeto(found.a_decidir) if found.a_decidir else "",
        a_decidir_codigo=found.a_decidir,
        parte=(endereco.vista or "analise") if projeto else "fila",
        partes=_parts(settled, aberto),
        recusa=recusa,
        escrito=escrito or {},
        mesmo_assim=(escrito or {}).get("decisao", "") if isinstance(recusa, MotivoDeOutraDecisao) else "",
        casos=casos,
        diligencias=[ResumoNaMesa.of(one, base) for one in asked],
        confirmados=[caso.numero for caso in casos if not caso.sumido and caso.situacao == "confirmado" and not caso.mudou],
        abertos=[caso.numero for caso in casos if not caso.sumido and (caso.situacao == "aberto" or caso.mudou)],
        comparar=comparar_address(found.edital.id, aberto, _other(na_mesa, casos)) if na_mesa else "",
        dossie=dossie_address(found.edital.id, aberto) if na_mesa else "",
        volta=settled.projeto(aberto) if aberto else "",
        texto_maximo=LONGEST_TEXT,
        feita=await _done(request, endereco) if recusa is None else None,
        decisoes=[(valor, verbo, HABILITACAO[valor]) for valor, verbo in _VERBOS],
        motivo_maximo=LONGEST_REASON,
        nome_maximo=LONGEST_NAME,
    )


def _parts(endereco: Endereco, aberto: str) -> list[tuple[Parte, str, str, str]]:
    """The three parts of the mesa as a telephone shows them, one at a time: code, name, drawing, address."""
    kept = {"doc": endereco.doc, "req": endereco.req, "crit": endereco.crit}
    return [
        (parte, nome, desenho, endereco.projeto(aberto, vista=parte, **kept) if aberto else endereco.fila())
        for parte, nome, desenho in _PARTES
        if aberto or parte == "fila"
    ]


async def _cases(request: Request, edital_id: str, codigo: str) -> list[CasoVista]:
    """The cases of a project as cards, those that wait to be decided first."""
    container, scope = state_of(request).container, scope_of(request)
    brief = (await container.casos.dos_projetos(scope, edital_id, [codigo])).get(codigo, ())
    waiting_first = sorted(brief, key=lambda one: not one.pendente)[:_MOST_CASES]
    whole = [await container.casos.abrir(scope, edital_id, one.numero) for one in waiting_first]
    _, cabecalhos = await container.painel.cabecalhos(scope, edital_id, sorted(named_in(whole)))
    enderecos = Enderecos.of(edital_id, {of: one.arquivos for of, one in cabecalhos.items()})
    return [CasoVista.of(one, quem_by_code(cabecalhos), enderecos, eu_of(request)) for one in whole]


async def _asked_of(request: Request, edital_id: str, codigo: str) -> Sequence[DoProjeto]:
    """What was asked of a project's proponente, the newest first."""
    found: Sequence[DoProjeto] = await state_of(request).container.diligencias.do_projeto(scope_of(request), edital_id, codigo)
    return found


def _other(na_mesa: NaMesa, casos: Sequence[CasoVista]) -> str:
    """The project that this one is most worth being read beside: of one of its cases, or else the one that is most like it."""
    here = na_mesa.projeto.id
    tied = (quem.codigo for caso in casos for quem, onde in caso.projetos if not onde and quem.codigo != here)
    return next(tied, (na_mesa.triado.projeto_similar if na_mesa.triado else "") or "")


async def _done(request: Request, endereco: Endereco) -> Feita | None:
    """The act that the address says was just done, as far as it still stands."""
    ato_id = saved_id(request.query_params.get("ato", ""))
    if ato_id is None:
        return None
    try:
        aberto = await state_of(request).container.decisoes.ato(scope_of(request), endereco.edital_id, ato_id)
    except AtoNotFound:
        return None
    standing = [one.projeto_id for one in aberto.projetos if one.sorte == "em_vigor"]
    if not standing:
        return None
    said = standing[0] if len(standing) == 1 else count(len(standing), "projeto", "projetos")
    undo = endereco.acao("", "desfazer") if aberto.pode_desfazer else ""
    return Feita(str(ato_id), f"{said}: {HABILITACAO[aberto.ato.decisao].palavra.lower()}", undo)


def _with(address: str, **more: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(more)}"
