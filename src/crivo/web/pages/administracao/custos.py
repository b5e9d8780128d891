"""`/admin/execucoes/custos` and `/admin/execucoes/chamadas`: what models cost an organisation, what for, and how each call went.

None of it shows what was asked or answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.clock import today
from crivo.kernel.llm.custos import Grupo, Periodo, PeriodoInvalido, Recorte, Soma, calendar_month, chosen, read_periodo, total_of
from crivo.kernel.planilha.escrita import Celula, to_csv
from crivo.web.pages.administracao.custos_palavras import (
    DESFECHOS,
    OF_ONE,
    Assuntos,
    agente_dito,
    aplicacao_dita,
    desfecho_dito,
    ids_of,
)
from crivo.web.pages.administracao.custos_vista import (
    ALTURA,
    LARGURA,
    ChamadaVista,
    SomaVista,
    days_of,
    draw,
    limit_of,
    shown_of,
    table_of,
)
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.listas import link, matches, slice_of
from crivo.web.pages.rendering import page
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
CUSTOS: Final = "/admin/execucoes/custos"
CHAMADAS: Final = "/admin/execucoes/chamadas"
_PER_PAGE: Final = 15
_CALLS_PER_PAGE: Final = 25
_MOST_FOUND: Final = 200
_MOST_IN_A_FILE: Final = 100_000
_CSV: Final = "text/csv; charset=utf-8"
Escrito = Annotated[str, Query(max_length=200)]
Dia = Annotated[str, Query(max_length=10)]
Pagina = Annotated[int, Query(ge=1, le=1_000_000)]


@dataclass(frozen=True, slots=True)
class Escolhas:
    """What the address asks for, as it was written there."""

    q: str
    de: str
    ate: str
    aplicacao: str
    agente: str
    modelo: str
    desfecho: str

    @classmethod
    def read(
        cls,
        q: Escrito = "",
        de: Dia = "",
        ate: Dia = "",
        aplicacao: Escrito = "",
        agente: Escrito = "",
        modelo: Escrito = "",
        desfecho: Escrito = "",
    ) -> Escolhas:
        """Out of an address."""
        written = (q.strip(), de, ate, aplicacao, agente, modelo, desfecho)
        return cls(*(one.replace("\0", "") for one in written))

    @property
    def query(self) -> dict[str, str]:
        """All of it, as an address says it."""
        return {
            "q": self.q,
            "de": self.de,
            "ate": self.ate,
            "aplicacao": self.aplicacao,
            "agente": self.agente,
            "modelo": self.modelo,
            "desfecho": self.desfecho,
        }

    @property
    def algum(self) -> bool:
        """Whether any calls are left out."""
        return any(self.query.values())

    def periodo(self, hoje: date) -> tuple[Periodo, str]:
        """The days that are asked for, and what is wrong with them; this month then, and where none are."""
        try:
            return read_periodo("", self.de, self.ate, hoje), ""
        except PeriodoInvalido as error:
            return calendar_month(hoje), f"{error} Enquanto isso, este é o mês atual."

    def recorte(self, periodo: Periodo | None, origens: Iterable[str] | None = None) -> Recorte:
        """What it comes to."""
        named = None if origens is None else tuple(origens)
        return Recorte(periodo, self.aplicacao, self.agente, self.modelo, self.desfecho, named)


Pedidas = Annotated[Escolhas, Depends(Escolhas.read)]


@router.get(CUSTOS, response_class=Response)
async def custos(request: Request, escolhas: Pedidas, pagina: Pagina = 1) -> Response:
    """What a period cost, drawn and in tables, with what it was paid for."""
    state, scope = state_of(request), scope_of(request)
    hoje = today(state.container.clock)
    periodo, errado = escolhas.periodo(hoje)
    recorte = replace(escolhas.recorte(periodo), desfecho="")
    gastos, origens = await asyncio.gather(  # each reads all calls of the period
        state.container.custos.gastos(scope, periodo), state.container.custos.origens(scope, recorte, pagina, _PER_PAGE)
    )
    wanted = chosen(gastos.grupos, recorte)
    shown, simulada = shown_of(wanted)
    assuntos = await subjects_of(request, [one.origem for one in origens.itens])
    query = {**escolhas.query, "q": "", "desfecho": ""}
    total = total_of(shown)

    def with_only(name: str) -> str:
        return "" if query[name] else name

    def narrowed(name: str, value: str) -> str:
        return link(query, **{name: value}) if value and with_only(name) else ""

    linhas = [(assuntos.see(one.origem), one) for one in origens.itens]
    return page(
        request,
        "administracao/custos.html",
        escolhas=escolhas,
        errado=errado,
        periodo=periodo,
        periodos=_periods(query, periodo, hoje),
        opcoes=options_of([one.agente for one in gastos.grupos], [one.modelo for one in gastos.grupos]),
        total=SomaVista.of("", total),
        limite=limit_of(gastos, shown) if not (query["aplicacao"] or query["agente"] or query["modelo"]) else None,
        so_simulado=bool(shown) and all(one.simulado for one in shown),
        simulada=SomaVista.of("", simulada) if simulada.chamadas else None,
        figura=draw(shown, periodo),
        largura=LARGURA,
        altura=ALTURA,
        dias=days_of(shown, lambda one: link(query, de=one, ate=one)),
        tabelas=[
            ("Por aplicação", "Aplicação", table_of(shown, _aplicacao, aplicacao_dita, lambda one: narrowed("aplicacao", one))),
            ("Por modelo", "Modelo", table_of(wanted, _modelo, str, lambda one: narrowed("modelo", one))),
            ("Por agente", "Agente", table_of(shown, _agente, agente_dito, lambda one: narrowed("agente", one), cru=True)),
        ],
        fatia=slice_of(
            [
                (
                    origem,
                    SomaVista.of("", Soma(one.chamadas, custo=one.custo, sem_preco=one.sem_preco)),
                    one.ultima,
                    link({"q": one.origem}),
                )
                for origem, one in linhas
            ],
            origens.total,
            origens.pagina,
            _PER_PAGE,
            query,
        ),
        chamadas_query=link(query),
        ve_todas=pode(request, "organizacoes.administrar"),
    )


@router.get(f"{CUSTOS}.csv", response_class=Response)
async def custos_em_arquivo(request: Request, escolhas: Pedidas) -> Response:
    """The same by day, model and agent, as a file."""
    periodo, _ = escolhas.periodo(today(state_of(request).container.clock))
    gastos = await state_of(request).container.custos.gastos(scope_of(request), periodo)
    linhas = [_group_row(one) for one in chosen(gastos.grupos, escolhas.recorte(periodo))]
    return _file(await asyncio.to_thread(to_csv, _GROUP_HEADS, linhas), f"custos-{periodo.de}-a-{periodo.ate}")


@router.get(CHAMADAS, response_class=Response)
async def chamadas(request: Request, escolhas: Pedidas, pagina: Pagina = 1) -> Response:
    """Calls one by one, the newest first; this month's where neither days nor anything to look for are told."""
    state, scope = state_of(request), scope_of(request)
    periodo, errado = await _period_of_calls(request, escolhas)
    recorte = escolhas.recorte(periodo, await _looked_for(request, escolhas.q))
    folha = await state.container.custos.chamadas(scope, recorte, pagina, _CALLS_PER_PAGE)
    assuntos = await subjects_of(request, [one.origem for one in folha.itens])
    total = SomaVista.of("", folha.soma)
    return page(
        request,
        "administracao/chamadas.html",
        escolhas=escolhas,
        errado=errado,
        periodo=periodo,
        opcoes=options_of(folha.agentes, folha.modelos),
        desfechos=[(codigo, palavra) for codigo, (palavra, _) in DESFECHOS.items()],
        total=total,
        fatia=slice_of(
            [ChamadaVista.of(one, assuntos.see(one.origem)) for one in folha.itens],
            folha.soma.chamadas,
            folha.pagina,
            _CALLS_PER_PAGE,
            escolhas.query,
        ),
        arquivo=link(escolhas.query),
    )


@router.get(f"{CHAMADAS}.csv", response_class=Response)
async def chamadas_em_arquivo(request: Request, escolhas: Pedidas) -> Response:
    """The same as a file, at most the newest hundred thousand."""
    periodo, _ = await _period_of_calls(request, escolhas)
    recorte = escolhas.recorte(periodo, await _looked_for(request, escolhas.q))
    folha = await state_of(request).container.custos.chamadas(scope_of(request), recorte, 1, _MOST_IN_A_FILE)

    def write() -> bytes:
        return to_csv(
            _CALL_HEADS,
            (
                (
                    instante(one.em),
                    aplicacao_dita(one.agente.partition(".")[0]),
                    one.agente,
                    one.modelo,
                    one.prompt_versao,
                    one.tokens_entrada,
                    one.tokens_saida,
                    one.custo,
                    one.duracao_ms,
                    desfecho_dito(one.desfecho)[0],
                    one.origem,
                )
                for one in folha.itens
            ),
        )

    return _file(await asyncio.to_thread(write), "chamadas")


async def subjects_of(request: Request, origens: Sequence[str]) -> Assuntos:
    """What these speak of, as far as whoever looks may know."""
    state, scope = state_of(request), scope_of(request)
    ve_decisoes, ve_triagens = pode(request, "autorizacoes.ler"), pode(request, "triagem.acompanhar")
    decisions = ids_of(origens, "autorizacao", "sombra") if ve_decisoes else []
    runs = ve_triagens and pode(request, "execucoes.ver") and bool(ids_of(origens, "execucao"))
    talks = pode(request, "clinicas.atender") and bool(ids_of(origens, "conversa"))
    waiting: set[UUID] = set()
    if talks:
        waiting = {one.conversa_id for one in state.conversas.recepcao.fila(scope.tenant_id)}
    return Assuntos(
        await state.container.autorizacoes.numeros(scope, decisions) if decisions else {},
        await state.container.triagem.codigos_das_execucoes(scope) if runs else {},
        waiting,
        ve_decisoes,
        ve_triagens,
    )


def options_of(agentes: Iterable[str], modelos: Iterable[str]) -> Mapping[str, list[tuple[str, str]]]:
    """What a filter of the calls of these may choose from."""
    agents = set(agentes) - {""}
    return {
        "aplicacao": sorted({(one, aplicacao_dita(one)) for one in (agente.partition(".")[0] for agente in agents)}, key=_by_words),
        "agente": sorted([(one, agente_dito(one)) for one in agents], key=_by_words),
        "modelo": sorted({(one, one) for one in modelos}),
    }


def _by_words(option: tuple[str, str]) -> str:
    return option[1]


async def _looked_for(request: Request, q: str) -> list[str] | None:
    """The origens that words name: by themselves, by the id in them, by the number of a pedido, by the code of an edital."""
    if not q:
        return None
    state, scope = state_of(request), scope_of(request)
    found = [q]
    with suppress(ValueError):
        one = UUID(q)
        return [f"{kind}:{one}" for kind in OF_ONE]
    if ":" in q:
        return found
    if pode(request, "autorizacoes.ler"):
        folha = await state.container.autorizacoes.folhear(scope, busca=q, tamanho=_MOST_FOUND)
        found += [f"{kind}:{one.id}" for one in folha.itens for kind in ("autorizacao", "sombra")]
    if pode(request, "execucoes.ver"):
        codigos = await state.container.triagem.codigos_das_execucoes(scope)
        found += [f"execucao:{one}" for one, codigo in codigos.items() if matches(q, codigo)]
    return found


async def _period_of_calls(request: Request, escolhas: Escolhas) -> tuple[Periodo | None, str]:
    """The days asked for; none where something is looked for without any."""
    if escolhas.q and not (escolhas.de or escolhas.ate):
        return None, ""
    return escolhas.periodo(today(state_of(request).container.clock))


def _periods(query: Mapping[str, str], periodo: Periodo, hoje: date) -> list[tuple[str, str, bool]]:
    """The periods of one press."""
    this = calendar_month(hoje)
    last = calendar_month(this.de - timedelta(days=1))
    week, year = Periodo(hoje - timedelta(days=6), hoje), Periodo(hoje - timedelta(days=364), hoje)
    named = (("Este mês", this), ("Mês passado", last), ("Últimos 7 dias", week), ("Último ano", year))
    return [
        (
            nome,
            CUSTOS + (link(query, de=one.de.isoformat(), ate=one.ate.isoformat())),
            one == periodo or (one == this and _so_far(periodo, hoje)),
        )
        for nome, one in named
    ]


def _so_far(periodo: Periodo, hoje: date) -> bool:
    return periodo == Periodo(hoje.replace(day=1), hoje)


def _aplicacao(one: Grupo) -> str:
    return one.aplicacao


def _modelo(one: Grupo) -> str:
    return one.modelo


def _agente(one: Grupo) -> str:
    return one.agente


_GROUP_HEADS: Final = (
    "Dia",
    "Aplicação",
    "Agente",
    "Modelo",
    "Chamadas",
    "Tokens de entrada",
    "Tokens de saída",
    "Custo (US$)",
    "Sem preço conhecido",
    "Falharam",
    "Servidas uma vez",
    "Pago por nada (US$)",
)
_CALL_HEADS: Final = (
    "Quando",
    "Aplicação",
    "Agente",
    "Modelo",
    "Versão do prompt",
    "Tokens de entrada",
    "Tokens de saída",
    "Custo (US$)",
    "Duração (ms)",
    "Como terminou",
    "Para quê",
)


def _group_row(one: Grupo) -> tuple[Celula, ...]:
    soma = one.soma
    return (
        dia(one.dia),
        aplicacao_dita(one.aplicacao),
        one.agente,
        one.modelo,
        soma.chamadas,
        soma.tokens_entrada,
        soma.tokens_saida,
        soma.custo,
        soma.sem_preco,
        soma.falharam,
        soma.provisorias,
        soma.custo_perdido,
    )


def _file(content: bytes, name: str) -> Response:
    return Response(content, media_type=_CSV, headers={"content-disposition": f'attachment; filename="{name}.csv"'})
