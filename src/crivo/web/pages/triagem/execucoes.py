"""`/admin/execucoes`: what models cost this month, and every screening of this tenant, with what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import list_chaves, list_usuarios
from crivo.kernel.llm.custos import Grupo, total_of
from crivo.triagem.andamento import Execucao
from crivo.triagem.palavras import STATUS, TIPO, count, number
from crivo.triagem.quadro import origem_of
from crivo.triagem.service import LONGEST_LIST
from crivo.web.pages.administracao.custos_vista import ALTURA, CHAMADAS_DE, LARGURA, cost_said, draw, shown_of
from crivo.web.pages.atores import ator_em_palavras, nomes_de_atores
from crivo.web.pages.formatos import dolares, mes
from crivo.web.pages.listas import Coluna, Titulo, cut, heads, matches, order
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.andamento import AndamentoVista
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)


_FOLLOWED: Final = 3  # each open stream takes one of the few connections that a browser makes to a host


@dataclass(frozen=True, slots=True)
class ExecucaoVista:
    """A screening as a line: by whom, how far it came, and what it cost; `ao_vivo` where the page follows it."""

    edital: str
    endereco: str
    andamento: AndamentoVista
    quanto: str
    falta: str
    custo: str
    por_projeto: str
    por: str
    pode_retomar: bool
    ao_vivo: bool
    chamadas: str  # the address of its calls to models; empty where nothing was asked

    @classmethod
    def of(cls, execucao: Execucao, por: str, *, ultima: bool, ao_vivo: bool = False) -> ExecucaoVista:
        """The line of an execução; only the last of its edital can be gone on with."""
        vista = AndamentoVista.of(execucao)
        return cls(
            edital=execucao.edital_id,
            endereco=f"/admin/editais/{quote(execucao.edital_id, safe='')}/triagem-ia",
            andamento=vista,
            quanto=f"{number(execucao.projetos_analisados)} de {count(execucao.total_projetos, 'projeto', 'projetos')}",
            falta=f"{number(execucao.sem_resposta)} sem resposta" if execucao.sem_resposta else "",
            custo=cost_said(execucao.custo, execucao.chamadas_sem_preco),
            por_projeto=_each(execucao),
            por=por,
            pode_retomar=ultima and vista.pode_retomar,
            ao_vivo=ao_vivo,
            chamadas=CHAMADAS_DE.format(origem_of(execucao.id)) if execucao.custo or execucao.chamadas_sem_preco else "",
        )


@dataclass(frozen=True, slots=True)
class MesVisto:
    """What the screenings of a month came to."""

    mes: str
    triagens: str
    projetos: str
    custo: str

    @classmethod
    def of(cls, mes: str, execucoes: Sequence[Execucao]) -> MesVisto:
        """The line of a month."""
        read = sum(one.projetos_analisados for one in execucoes)
        spent, unknown = sum((one.custo for one in execucoes), Decimal(0)), sum(one.chamadas_sem_preco for one in execucoes)
        return cls(mes, number(len(execucoes)), number(read), cost_said(spent, unknown))


_PER_PAGE: Final = 25
_COLUMNS: Final[tuple[Coluna[Execucao], ...]] = (
    Coluna("edital", "Edital", lambda one: one.edital_id),
    Coluna("situacao", "Situação", lambda one: STATUS[one.status].palavra),
    Coluna("andamento", "Andamento", lambda one: one.projetos_analisados, desce=True),
    Coluna("custo", "Custo", lambda one: one.custo, numero=True, desce=True),
    Coluna("quando", "Quando", lambda one: one.concluida_em or one.created_at, desce=True),
)


@router.get("/admin/execucoes", response_class=Response)
async def execucoes(
    request: Request,
    q: Annotated[str, Query(max_length=200)] = "",
    situacao: Annotated[str, Query(max_length=40)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """What models cost this month, and the screenings of every edital, the newest first; those under way are followed on the page."""
    gastos = await state_of(request).container.custos.gastos(scope_of(request))
    grupos, _ = shown_of(gastos.grupos)
    found = await state_of(request).container.triagem.execucoes(scope_of(request), LONGEST_LIST)
    nomes, latest = await _names(request), {one.edital_id: one.id for one in reversed(found)}

    def show(one: Execucao, *, ao_vivo: bool = False) -> ExecucaoVista:
        return ExecucaoVista.of(one, ator_em_palavras(one.iniciada_por, nomes), ultima=latest[one.edital_id] == one.id, ao_vivo=ao_vivo)

    under_way = [one for one in found if one.status == "em_andamento"]
    query = {"q": q.strip(), "situacao": situacao, "ordem": ordem}
    wanted = [
        one
        for one in found
        if matches(q, one.edital_id, TIPO[one.tipo], ator_em_palavras(one.iniciada_por, nomes)) and situacao in ("", one.status)
    ]
    return page(
        request,
        "triagem/execucoes.html",
        fatia=cut(order(wanted, _COLUMNS, ordem), show, pagina, _PER_PAGE, query),
        titulos=(*heads(_COLUMNS, ordem or "-quando", query), Titulo("Ações")),
        em_curso=[show(one, ao_vivo=at < _FOLLOWED) for at, one in enumerate(under_way)],
        total=len(found),
        gasto=cost_said(sum((one.custo for one in found), Decimal(0)), sum(one.chamadas_sem_preco for one in found)),
        meses=_months(found),
        figura=draw(grupos, gastos.periodo),
        largura=LARGURA,
        altura=ALTURA,
        deste_mes=_month_said(grupos),
        situacoes=[(status, rotulo.palavra) for status, rotulo in STATUS.items()],
        situacao=situacao,
        ordem=ordem,
        q=q,
    )


def _month_said(grupos: Sequence[Grupo]) -> str:
    """What this month came to, in a sentence."""
    soma = total_of(grupos)
    calls = count(soma.chamadas, "chamada", "chamadas")
    if all(one.simulado for one in grupos):
        return f"{calls} ao modelo simulado; nada foi pago."
    return f"Custo: {cost_said(soma.custo, soma.sem_preco)}; {calls}."


def _each(execucao: Execucao) -> str:
    if not execucao.custo or not execucao.projetos_analisados:
        return ""
    return f"{dolares(execucao.custo / execucao.projetos_analisados, 4)} por projeto"


def _months(found: Sequence[Execucao]) -> list[MesVisto]:
    """What each month came to, the newest first."""
    by_month: dict[str, list[Execucao]] = {}
    for one in sorted(found, key=lambda one: one.created_at, reverse=True):
        by_month.setdefault(mes(one.created_at), []).append(one)
    return [MesVisto.of(named, its) for named, its in by_month.items()]


async def _names(request: Request) -> dict[str, str]:
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        return nomes_de_atores(await list_usuarios(uow), await list_chaves(uow))
