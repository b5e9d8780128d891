"""`/avaliacao`: the mesa of whoever judges, their queue and one project at a time. Source: triagem seed, Na tela do avaliador."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final, Literal

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError
from crivo.triagem.dadas import FilaDadas, PedidaDadas
from crivo.triagem.distribuicao.impedimentos import LONGEST_REASON
from crivo.triagem.erros import (
    AvaliacaoIncompleta,
    AvaliacaoJaEnviada,
    AvaliacaoMudou,
    DistribuicaoInvalida,
    NotaInvalida,
    PrazoEncerrado,
    ProjetoEmEspera,
    ProjetoNotFound,
)
from crivo.triagem.julgamento import LONGEST_TEXT, EmEspera, ParaAvaliar
from crivo.triagem.paginas import Apontado
from crivo.triagem.palavras import DECISAO_HUMANA, count, shown
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.distribuicao_vista import reminder_said
from crivo.web.pages.triagem.fila_vista import POR_PAGINA
from crivo.web.pages.triagem.folha import Folha, folha_of
from crivo.web.pages.triagem.mesa_pedido import Parte
from crivo.web.pages.triagem.meu_endereco import LISTA, MeuEndereco, read
from crivo.web.pages.triagem.meu_formulario import MeuProjeto
from crivo.web.pages.triagem.meu_rascunho import Escrita, lost, missing, read_written, review_seal, typed_of
from crivo.web.pages.triagem.minha_fila import MinhaFila
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import ProjetoId

router = APIRouter(include_in_schema=False)
_PAGE: Final = f"{LISTA}/{{projeto_id}}"
_FORM_BYTES: Final = 5_000_000
_MOST_FIELDS: Final = 1_000
_PARTES: Final[tuple[tuple[Parte, str, str], ...]] = (
    ("fila", "Fila", "lista"),
    ("pagina", "Projeto", "documento"),
    ("analise", "Notas", "balanca"),
)
_NOTHING: Final[Mapping[str, Escrita]] = {}
Edital = Annotated[str, Query(pattern=r"^([0-9A-Za-z][0-9A-Za-z._-]{0,63})?$")]


@router.get(LISTA, response_class=Response)
async def fila(request: Request) -> Response:
    """The projects given to whoever is here, and how far they have come."""
    endereco = read(request.query_params)
    return await _page(request, endereco, await _queue(request, endereco, ""))


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, projeto_id: ProjetoId, edital: Edital = "", conferir: Literal["", "sim"] = "") -> Response:
    """A project, and a form for its critérios; with `conferir`, what is about to be sent."""
    return await _project_page(request, await _asked(request, projeto_id, edital), projeto_id, conferir=bool(conferir))


@router.post(_PAGE, response_class=Response)
async def salvar(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Keep a draft; what will not do comes back with the reason and what was written, the rest is kept all the same."""
    fields = await _fields(request)
    endereco = await _asked(request, projeto_id, edital)
    para: ParaAvaliar | None = None
    try:
        para = await state_of(request).container.julgamento.projeto(scope_of(request), endereco.edital_id, projeto_id)
        escritas = await _keep(request, para, fields)
    except (AvaliacaoJaEnviada, ProjetoNotFound, ProjetoEmEspera) as error:
        return await _project_page(request, endereco, projeto_id, error, perdidas=lost(para, fields))
    if fields.get("acao") == "conferir":
        escritas |= missing(para, fields, escritas)
    if escritas:
        return await _project_page(request, endereco, projeto_id, _fault_of(escritas), escritas)
    if fields.get("acao") == "conferir":
        return RedirectResponse(endereco.aqui(projeto_id, vista="analise", conferir="sim"), status_code=303)
    asked = next((f"#criterio-{one.id}" for one in para.criterios if one.id == fields.get("dica")), "")
    return RedirectResponse(endereco.aqui(projeto_id, vista="analise", ok="gravado") + asked, status_code=303)


@router.post(f"{_PAGE}/enviar", response_class=Response)
async def enviar(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Send the notas of a project as they were looked over, and go on to the next one that waits."""
    fields = await _fields(request)
    endereco = await _asked(request, projeto_id, edital)
    julgamento, scope = state_of(request).container.julgamento, scope_of(request)
    following = (await _queue(request, endereco, projeto_id)).seguinte
    try:
        para = await julgamento.projeto(scope, endereco.edital_id, projeto_id)
        if fields.get("visto", "") not in ("", review_seal(para)) and not para.enviada:
            changed = AvaliacaoMudou("Você gravou outra coisa em outra aba ou aparelho. Confira de novo, e envie.")
            return await _project_page(request, endereco, projeto_id, changed, conferir=True)
        await julgamento.enviar(scope, endereco.edital_id, projeto_id)
    except (ProjetoNotFound, ProjetoEmEspera, PrazoEncerrado) as error:
        return await _project_page(request, endereco, projeto_id, error)
    except AvaliacaoIncompleta as error:
        return await _project_page(request, endereco, projeto_id, error, missing(para, {}, {}))
    where = endereco.dada(following.chave, ok="enviado") if following else f"{LISTA}?ok=enviado"
    return RedirectResponse(where, status_code=303)


@router.post(f"{_PAGE}/impedimento", response_class=Response)
async def impedimento(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Whoever is here says that they must not judge a project; it leaves their list."""
    fields = await _fields(request)
    endereco = await _asked(request, projeto_id, edital)
    try:
        told = (endereco.edital_id, projeto_id, fields.get("motivo", ""))
        await state_of(request).container.quem_nao_pode.declarar(scope_of(request), *told)
    except (DistribuicaoInvalida, ProjetoNotFound) as error:
        return await _project_page(request, endereco, projeto_id, error, impedimento=fields.get("motivo", ""))
    return RedirectResponse(f"{endereco.fila()}{'&' if '?' in endereco.fila() else '?'}ok=impedimento_declarado", status_code=303)


def _fault_of(escritas: Mapping[str, Escrita]) -> CrivoError:
    told = "Confira os critérios marcados. O resto está gravado como rascunho."
    return AvaliacaoMudou(told) if all(one.mudou for one in escritas.values()) else NotaInvalida(told)


async def _fields(request: Request) -> dict[str, str]:
    """What a form of ours holds. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS, max_part_size=_FORM_BYTES) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        # A form may name a charset whose text UTF-8 cannot hold.
        return {name: value.encode("utf-8", "replace").decode() for name, value in form.items() if isinstance(value, str)}


async def _asked(request: Request, projeto_id: str, edital: str) -> MeuEndereco:
    """What the address asks for; where it names no edital, it is one in which a project of that code was given."""
    if not edital:
        given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
        edital = next((one.edital_id for one in given if one.projeto_id == projeto_id), "")
    return read(request.query_params, edital)


async def _queue(request: Request, endereco: MeuEndereco, aberto: str) -> FilaDadas:
    opened = (endereco.edital_id, aberto) if aberto else None
    pedida = PedidaDadas(endereco.recorte, endereco.pagina, POR_PAGINA, opened)
    return await state_of(request).container.julgamento.fila(scope_of(request), pedida)


async def _keep(request: Request, para: ParaAvaliar, fields: Mapping[str, str]) -> dict[str, Escrita]:
    """Keep all that will do; what is left is answered by critério. Raises AvaliacaoJaEnviada, ProjetoNotFound."""
    julgamento, scope, at_hand = state_of(request).container.julgamento, scope_of(request), (para.edital.id, para.projeto.id)
    dadas, escritas = read_written(para, fields)
    try:
        await julgamento.salvar(scope, *at_hand, dadas)
    except NotaInvalida as error:
        faults = {problem.caminho: problem.mensagem for problem in error.problemas}
        for at, one in enumerate(dadas):
            if (fault := faults.get(f"notas[{at}]")) is not None:
                escritas[one.criterio] = Escrita(*typed_of(fields, one.criterio), fault)
        await julgamento.salvar(scope, *at_hand, [one for one in dadas if one.criterio not in escritas])
    return escritas


async def _project_page(
    request: Request,
    endereco: MeuEndereco,
    projeto_id: str,
    recusa: CrivoError | None = None,
    escritas: Mapping[str, Escrita] = _NOTHING,
    *,
    perdidas: Mapping[str, Escrita] = _NOTHING,
    conferir: bool = False,
    impedimento: str | None = None,
) -> Response:
    found = await _queue(request, endereco, projeto_id)
    try:
        para = await state_of(request).container.julgamento.projeto(scope_of(request), endereco.edital_id, projeto_id)
    except (ProjetoNotFound, ProjetoEmEspera) as error:
        return await _page(request, endereco, found, recusa=recusa or error, perdidas=perdidas)
    vista = MeuProjeto.of(para, endereco, escritas, perdidas, conferir=conferir)
    part: Parte = "analise" if recusa or conferir else "pagina"
    return await _page(
        request,
        replace(endereco, vista=endereco.vista or part),
        found,
        vista,
        await _folha(request, para, endereco),
        recusa,
        impedimento=impedimento,
    )


async def _folha(request: Request, para: ParaAvaliar, endereco: MeuEndereco) -> Folha:
    """What is read, with the passages of the critério that is asked about: what was found of requisitos is for others to decide."""
    triado = None if para.triado is None else msgspec.structs.replace(para.triado, itens=())

    async def apontado() -> Apontado:
        return Apontado(para.criterios, triado, ())

    return await folha_of(request, replace(para, triado=triado), endereco, apontado)


async def _page(
    request: Request,
    endereco: MeuEndereco,
    found: FilaDadas,
    projeto: MeuProjeto | None = None,
    folha: Folha | None = None,
    recusa: CrivoError | None = None,
    perdidas: Mapping[str, Escrita] = _NOTHING,
    impedimento: str | None = None,
) -> Response:
    aberto = projeto.quem.codigo if projeto else ""
    settled = replace(endereco, recorte=found.recorte)
    beside = found.vizinhos
    first = found.seguinte if projeto is None else None
    return page(
        request,
        "triagem/avaliacao.html",
        status=200 if recusa is None else status_of(recusa),
        headers={} if recusa is None else headers_of(recusa),
        endereco=settled,
        fila=MinhaFila.of(found, settled, (endereco.edital_id, aberto) if aberto else None),
        lembretes=await _reminders(request),
        em_espera=[_waiting_said(one) for one in await state_of(request).container.julgamento.em_espera(scope_of(request))],
        impedimento=impedimento,
        motivo_maximo=LONGEST_REASON,
        dadas=found.dadas,
        enviadas=found.enviadas,
        comecado=bool(found.enviadas or (first and first.de.comecado)),
        projeto=projeto,
        folha=folha,
        vista=folha.pagina if folha else None,
        posicao=f"{beside.posicao} de {found.total}" if beside.posicao else "",
        anterior=settled.dada(beside.anterior) if beside.anterior else "",
        seguinte=settled.dada(beside.seguinte) if beside.seguinte else "",
        primeiro=settled.dada(first.chave) if first else "",
        parte=(endereco.vista or "pagina") if projeto else "fila",
        partes=[
            (parte, nome, desenho, settled.aqui(aberto, vista=parte) if aberto else settled.fila())
            for parte, nome, desenho in _PARTES
            if aberto or parte == "fila"
        ],
        recusa=recusa,
        campos_errados=[(f"nota-{one.id}", one.nome) for one in projeto.criterios if one.recusa] if projeto else [],
        perdidas=list(perdidas.items()),
        texto_maximo=LONGEST_TEXT,
        humana=DECISAO_HUMANA,
    )


def _waiting_said(one: EmEspera) -> tuple[str, str, str]:
    """What waits, how far whoever is here has come with the common projects, and what opens the rest."""
    waits = f"{count(one.esperam, 'projeto seu espera', 'projetos seus esperam')} a calibração"
    left = one.comuns - one.enviados
    if left:
        done = f"Primeiro, avalie {'o projeto' if one.comuns == 1 else f'os {one.comuns} projetos'} que todas as pessoas avaliam: "
        done += f"{'falta' if left == 1 else 'faltam'} {left} de {one.comuns}."
    else:
        done = "Você já enviou os projetos em comum, e falta alguém enviar."
    return f"{waits} no edital {one.edital_id}.", done, "Os outros abrem quando todas enviarem, ou quando a gestão abrir."


async def _reminders(request: Request) -> list[tuple[str, str, str]]:
    """Who asked for the notas that are still owed, of how many projects, and when."""
    asked = await state_of(request).container.lembretes.meus(scope_of(request))
    return [(shown(quem), count(len(one.projetos), "projeto", "projetos"), reminder_said(one)) for one, quem in asked]
