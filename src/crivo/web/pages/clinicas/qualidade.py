"""`/clinicas/avaliacao`: how well conversations go, by the last evaluation of each planner. Source: interfaces, Pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.clinicas.avaliacao.conjunto import Classe
from crivo.clinicas.avaliacao.guardadas import Guardada, last_of_each
from crivo.clinicas.avaliacao.pontuacao import Metricas
from crivo.clinicas.avaliacao.relatorio import CLASSES, NOMES, rate, share
from crivo.kernel.settings import Planejador
from crivo.kernel.taxas import Taxa
from crivo.web.pages.clinicas.palavras import FALHAS, NO_LUGAR
from crivo.web.pages.rendering import page
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_SCALE: Final = 1000  # of the charts: a share of 1
_LANE: Final = 20  # the height that each planner has in a row
_PLANEJADORES: Final[dict[Planejador, tuple[str, str]]] = {
    "embutido": ("Só código", "codigo"),
    "modelo": ("Com modelo", "modelo"),
    "modelo_raciocinio": ("Com modelo e raciocínio", "raciocinio"),
}
# The metrics that have a chart, in order, with what each counts.
_SOBRE: Final = {
    "tsr": "Mensagens que tiveram o desfecho esperado, com todas as chamadas respondidas.",
    "tca": "Passos do plano que pedem a uma clínica que existe uma ação que existe.",
    "hr": "Respostas com remédio, dose ou tratamento que os dados não trazem. Quanto menor, melhor.",
    "pvr": "Respostas com dados pessoais de outra pessoa. Quanto menor, melhor.",
    "mcra": "Pedidos por especialidade em que todas as clínicas dela foram procuradas.",
    "plan_accuracy": "Planos com os mesmos passos que se esperava.",
    "estado": "Conversas que deixaram as agendas como deviam ficar.",
}


@dataclass(frozen=True, slots=True)
class Ponto:
    """A share in a chart: its place and its interval's, of a thousand, its height in the row, and its style."""

    valor: int
    de: int
    ate: int
    y: int
    estilo: str


@dataclass(frozen=True, slots=True)
class Faixa:
    """A row of a chart: what it is of, the points of the planners, and their figures in words."""

    nome: str
    altura: int
    pontos: tuple[Ponto, ...]
    valores: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grafico:
    """A metric: what it counts, and its rows, the whole set first."""

    nome: str
    sobre: str
    faixas: tuple[Faixa, ...]


@dataclass(frozen=True, slots=True)
class Rodada:
    """An evaluation: who planned, when, over how much, and its table by class."""

    planejador: str
    estilo: str
    quando: datetime
    casos: int
    turnos: int
    errados: int
    colunas: tuple[str, ...]
    linhas: tuple[tuple[str, tuple[str, ...]], ...]
    falhas: tuple[tuple[str, int], ...]


@router.get("/clinicas/avaliacao", response_class=Response)
async def avaliacao(request: Request) -> Response:
    """The last evaluation of each planner, side by side."""
    found = await asyncio.to_thread(last_of_each, state_of(request).container.settings.data_dir)
    return page(request, "clinicas/qualidade.html", rodadas=[_rodada(one) for one in found], graficos=_graficos(found))


def _graficos(found: Sequence[Guardada]) -> list[Grafico]:
    return [Grafico(NOMES[key], sobre, _faixas(found, key)) for key, sobre in _SOBRE.items()]


def _faixas(found: Sequence[Guardada], key: str) -> tuple[Faixa, ...]:
    classes = [classe for classe in get_args(Classe) if any(classe in one.classes for one in found)]
    rows: list[tuple[str, Callable[[Guardada], Metricas | None]]] = [("Todos os casos", lambda one: one.geral)]
    rows += [(CLASSES[classe].capitalize(), _of_class(classe)) for classe in classes]
    made = [_faixa(nome, key, [(one.planejador, figures) for one in found if (figures := of(one)) is not None]) for nome, of in rows]
    return tuple(faixa for faixa in made if faixa.pontos)


def _of_class(classe: Classe) -> Callable[[Guardada], Metricas | None]:
    return lambda one: one.classes.get(classe)


def _faixa(nome: str, key: str, figures: Sequence[tuple[Planejador, Metricas]]) -> Faixa:
    counted = [(_PLANEJADORES[planejador][1], taxa) for planejador, one in figures if (taxa := rate(one, key)).total]
    pontos = tuple(_ponto(taxa, index, estilo) for index, (estilo, taxa) in enumerate(counted))
    return Faixa(nome, _LANE * len(pontos), pontos, tuple((estilo, share(taxa)) for estilo, taxa in counted))


def _ponto(taxa: Taxa, index: int, estilo: str) -> Ponto:
    valor, de, ate = (round(_SCALE * (one or 0.0)) for one in (taxa.valor, taxa.de, taxa.ate))
    return Ponto(valor, de, ate, _LANE * index + _LANE // 2, estilo)


def _rodada(one: Guardada) -> Rodada:
    nome, estilo = _PLANEJADORES[one.planejador]
    columns = {"Todos": one.geral, **{CLASSES[classe].capitalize(): figures for classe, figures in one.classes.items()}}
    linhas = tuple(
        (nome_da_metrica, tuple(share(rate(figures, key)) for figures in columns.values())) for key, nome_da_metrica in NOMES.items()
    )
    falhas = tuple((_falha(told), quantas) for told, quantas in one.falhas_do_modelo.items())
    return Rodada(
        planejador=nome,
        estilo=estilo,
        quando=one.quando,
        casos=one.casos,
        turnos=one.turnos,
        errados=len(one.erros),
        colunas=tuple(columns),
        linhas=linhas,
        falhas=falhas,
    )


def _falha(told: str) -> str:
    """A failure as the report names it (`planner: demorou`), in words."""
    agente, _, falha = told.partition(": ")
    part = next((words for name, words in NO_LUGAR.items() if name == agente), "O modelo não fez a sua parte")
    return f"{part}: {next((words for name, words in FALHAS.items() if name == falha), 'por outro motivo')}"
