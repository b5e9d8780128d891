"""`/api/custos`: what models cost an organisation, and how each call went; never what was asked or answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.clock import today
from crivo.kernel.errors import Problem
from crivo.kernel.llm.custos import (
    Chamada,
    FolhaDeChamadas,
    Gastos,
    PeriodoInvalido,
    Recorte,
    Soma,
    by,
    chosen,
    projected,
    read_periodo,
    total_of,
)
from crivo.kernel.settings import SIMULADO
from crivo.web.api.documenting import answer, failures
from crivo.web.parametros import refuse_unknown
from crivo.web.problems import ParametroInvalido
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Sistema"])
_JSON: Final = "application/json"
_LARGEST_PAGE: Final = 1_000
_PERIODO: Final = ("mes", "de", "ate")
_FILTROS: Final = ("aplicacao", "agente", "modelo")
encode: Final = msgspec.json.Encoder(decimal_format="number").encode
Mes = Annotated[str, Query(max_length=7, description="Um mês, como 2026-11; sem período, o mês atual.", examples=["2026-11"])]
De = Annotated[str, Query(max_length=10, description="Do dia, como 2026-11-01, no horário de Brasília.", examples=["2026-11-01"])]
Ate = Annotated[str, Query(max_length=10, description="Até o dia, inclusive.", examples=["2026-11-30"])]
Aplicacao = Annotated[str, Query(max_length=200, description="Só as desta aplicação.", examples=["triagem"])]
Agente = Annotated[str, Query(max_length=200, description="Só as deste agente.", examples=["triagem.criterio"])]
Modelo = Annotated[str, Query(max_length=200, description="Só as deste modelo, como CRIVO_MODELO o chama.", examples=["openai:gpt-5"])]


class SomaDeChamadas(msgspec.Struct, frozen=True):
    """What some calls took; costs in dollars. `sem_preco` counts those whose price nobody knows, `falharam` those without an answer,
    `provisorias` those whose answer was served once and not kept; `custo_perdido` is what both cost.
    """

    chamadas: int
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal
    sem_preco: int
    falharam: int
    provisorias: int
    custo_perdido: Decimal

    @classmethod
    def of(cls, soma: Soma) -> SomaDeChamadas:
        """A sum as it is answered."""
        return cls(
            soma.chamadas,
            soma.tokens_entrada,
            soma.tokens_saida,
            soma.custo,
            soma.sem_preco,
            soma.falharam,
            soma.provisorias,
            soma.custo_perdido,
        )


class CustosDoPeriodo(msgspec.Struct, frozen=True):
    """The calls of a period. All sums but `por_modelo` and `simulado` leave out the simulated model, for which nothing is paid.

    `limite_mes` is what may be spent in a calendar month, null where nothing limits it; `projecao_mes` is this month's cost if it goes on
    as so far, null of any other period and of a part of the calls.
    """

    de: date
    ate: date
    total: SomaDeChamadas
    simulado: SomaDeChamadas
    limite_mes: Decimal | None
    projecao_mes: Decimal | None
    por_dia: dict[str, SomaDeChamadas]
    por_aplicacao: dict[str, SomaDeChamadas]
    por_modelo: dict[str, SomaDeChamadas]
    por_agente: dict[str, SomaDeChamadas]

    @classmethod
    def of(cls, gastos: Gastos, recorte: Recorte) -> CustosDoPeriodo:
        """What a period cost, as it is answered."""
        wanted = chosen(gastos.grupos, recorte)
        paid = tuple([one for one in wanted if not one.simulado])
        whole = not (recorte.aplicacao or recorte.agente or recorte.modelo)
        projeto = projected(gastos) if whole else None
        days = by(paid, lambda one: one.dia.isoformat())
        return cls(
            gastos.periodo.de,
            gastos.periodo.ate,
            SomaDeChamadas.of(total_of(paid)),
            SomaDeChamadas.of(total_of([one for one in wanted if one.simulado])),
            gastos.limite,
            None if projeto is None else round(projeto, 2),
            _sums({day: days[day] for day in sorted(days)}),
            _sums(by(paid, lambda one: one.aplicacao)),
            _sums(by(wanted, lambda one: one.modelo)),
            _sums(by(paid, lambda one: one.agente)),
        )


class ChamadaAModelo(msgspec.Struct, frozen=True):
    """A call as it went. What nobody noted at the time is null, and so is a cost whose price nobody knows.

    `desfecho` is `respondida`, `provisoria` (served once, not kept) or the failure; `origem` is what was paid for, as `execucao:` or
    `autorizacao:` or `conversa:` and an id.
    """

    em: datetime
    agente: str
    modelo: str
    simulado: bool
    origem: str
    prompt_versao: str | None
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    duracao_ms: int | None
    desfecho: str | None

    @classmethod
    def of(cls, one: Chamada) -> ChamadaAModelo:
        """A call as it is answered."""
        return cls(
            one.em,
            one.agente,
            one.modelo,
            one.modelo == SIMULADO,
            one.origem,
            one.prompt_versao,
            one.tokens_entrada,
            one.tokens_saida,
            one.custo,
            one.duracao_ms,
            one.desfecho,
        )


class PaginaChamadas(msgspec.Struct, frozen=True):
    """A page of calls, the newest first, its number from 1, and what all those asked for come to."""

    itens: tuple[ChamadaAModelo, ...]
    pagina: int
    total: SomaDeChamadas

    @classmethod
    def of(cls, folha: FolhaDeChamadas) -> PaginaChamadas:
        """A page as it is answered."""
        return cls(tuple([ChamadaAModelo.of(one) for one in folha.itens]), folha.pagina, SomaDeChamadas.of(folha.soma))


@router.get(
    "/api/custos",
    summary="O que os modelos custaram",
    response_class=Response,
    responses={**answer(CustosDoPeriodo, "O período por dia, aplicação, modelo e agente."), **failures(422)},
)
async def custos(
    request: Request, mes: Mes = "", de: De = "", ate: Ate = "", aplicacao: Aplicacao = "", agente: Agente = "", modelo: Modelo = ""
) -> Response:
    """Em dólares, por preços públicos; o que não tem preço conhecido é contado à parte, e nunca como zero.

    O modelo simulado não custa nada e fica fora das somas. Respostas que já estavam guardadas não são chamadas.
    """
    refuse_unknown(request, *_PERIODO, *_FILTROS)
    recorte = _recorte(request, mes, de, ate, aplicacao, agente, modelo)
    gastos = await state_of(request).container.custos.gastos(scope_of(request), recorte.periodo)
    return Response(encode(CustosDoPeriodo.of(gastos, recorte)), media_type=_JSON)


@router.get(
    "/api/custos/chamadas",
    summary="As chamadas a modelos, uma a uma",
    response_class=Response,
    responses={**answer(PaginaChamadas, "Uma página de chamadas, da mais nova à mais antiga."), **failures(422)},
)
async def chamadas(
    request: Request,
    mes: Mes = "",
    de: De = "",
    ate: Ate = "",
    aplicacao: Aplicacao = "",
    agente: Agente = "",
    modelo: Modelo = "",
    desfecho: Annotated[str, Query(max_length=40, description="Só as que terminaram assim.", examples=["demorou"])] = "",
    origem: Annotated[
        str,
        Query(max_length=200, description="Só as que foram pagas para isto.", examples=["execucao:0198a6f4-0000-7000-8000-000000000000"]),
    ] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000, description="O número da página; depois da última, a última.")] = 1,
    limite: Annotated[int, Query(ge=1, le=_LARGEST_PAGE, description="Quantas por página.")] = 50,
) -> Response:
    """Quando foi, de que agente, para quê, quanto levou e custou, e como terminou; nunca o que foi perguntado ou respondido."""
    refuse_unknown(request, *_PERIODO, *_FILTROS, "desfecho", "origem", "pagina", "limite")
    recorte = _recorte(request, mes, de, ate, aplicacao, agente, modelo, desfecho, origem)
    folha = await state_of(request).container.custos.chamadas(scope_of(request), recorte, pagina, limite)
    return Response(encode(PaginaChamadas.of(folha)), media_type=_JSON)


def _sums(found: Mapping[str, Soma]) -> dict[str, SomaDeChamadas]:
    return {name: SomaDeChamadas.of(soma) for name, soma in found.items()}


def _recorte(
    request: Request, mes: str, de: str, ate: str, aplicacao: str, agente: str, modelo: str, desfecho: str = "", origem: str = ""
) -> Recorte:
    """What is asked for. Raises ParametroInvalido where the period or a text is none."""
    texts: Mapping[str, str] = {"aplicacao": aplicacao, "agente": agente, "modelo": modelo, "desfecho": desfecho, "origem": origem}
    for name, text in texts.items():
        if "\0" in text:
            raise ParametroInvalido("Corrija os parâmetros indicados e tente de novo.", [Problem("tem um caractere nulo", name)])
    try:
        periodo = read_periodo(mes, de, ate, today(state_of(request).container.clock))
    except PeriodoInvalido as error:
        raise ParametroInvalido(error.mensagem, [Problem(error.mensagem, "mes" if mes else "de" if de else "ate")]) from None
    return Recorte(periodo, aplicacao, agente, modelo, desfecho, (origem,) if origem else None)
