"""Rules for places put into their form, as people type them; and the sets of them to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from crivo.triagem.classificacao.definicao import (
    Bonus,
    Classificacao,
    Corte,
    Cota,
    Desempate,
    PorCampo,
    PorCriterio,
    PorInscricao,
    PorSorteio,
    Vagas,
)
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Criterio
from crivo.web.pages.triagem.chamada.escrito import YES, Linha
from crivo.web.pages.triagem.chamada.mostra import typed
from crivo.web.pages.triagem.chamada.valores import show_valor
from crivo.web.pages.triagem.regras.escrito import Escrito, LinhaDeVagas

NO: Final = "nao"
_USUAL_AVALIADORES: Final = 2
_USUAL_DIVERGENCIA: Final = Decimal(30)
_USUAL_MINIMA: Final = Decimal(60)


def show(regras: Classificacao, criterios: Sequence[Criterio]) -> Escrito:
    """The form of the rules; every critério of the edital has a row for what it asks at least, and then those that only the rules name."""
    numbers = {
        "minimo_avaliadores": regras.minimo_avaliadores,
        "divergencia_maxima": regras.divergencia_maxima,
        "escala": regras.escala,
        "casas": regras.casas,
        "nota_final_minima": regras.corte.nota_final_minima,
        "bonus_maximo": regras.bonus_maximo,
        "suplentes": regras.suplentes,
        "semente": regras.semente,
    }
    passed_on: Linha = {"remanejamento": [*regras.remanejamento]} if regras.remanejamento else {}
    return Escrito(
        typed(numbers) | passed_on,
        _cortes(regras.corte, criterios),
        [_bonus(one) for one in regras.bonus],
        [_desempate(one) for one in regras.desempate],
        [LinhaDeVagas(_vagas(one), [_cota(cota) for cota in one.cotas]) for one in regras.vagas],
    )


def usual(regras: Classificacao, criterios: Sequence[Criterio]) -> Classificacao:
    """Rules as calls usually have them in the place of these, of which bônus, vagas and the draw stay: two avaliadores no further apart
    than 30 %, a mean of 60 of 100, ties by the critério that weighs most, and then by a draw.
    """
    heaviest = max(criterios, key=lambda one: one.peso, default=None)
    ties: tuple[Desempate, ...] = (PorCriterio(heaviest.id),) if heaviest else ()
    return msgspec.structs.replace(
        regras,
        minimo_avaliadores=_USUAL_AVALIADORES,
        divergencia_maxima=_USUAL_DIVERGENCIA,
        escala=Decimal(100),
        casas=2,
        corte=Corte(_USUAL_MINIMA),
        desempate=(*ties, PorSorteio()),
        remanejamento=("cotas", "categorias"),
    )


def copied(regras: Classificacao) -> Classificacao:
    """Rules of another edital, to be this one's: all but its draw, of which the semente is its own."""
    return msgspec.structs.replace(regras, semente="")


def _cortes(corte: Corte, criterios: Sequence[Criterio]) -> list[Linha]:
    codes = dict.fromkeys([*(one.id for one in criterios), *corte.por_criterio, *corte.zero_elimina])
    return [typed({"criterio": codigo, "minima": corte.por_criterio.get(codigo), "zero": codigo in corte.zero_elimina}) for codigo in codes]


def _bonus(bonus: Bonus) -> Linha:
    return typed({"id": bonus.id, "clausula": bonus.clausula, "pontos": bonus.pontos, **_quando(bonus.quando)})


def _desempate(desempate: Desempate) -> Linha:
    match desempate:
        case PorCriterio():
            return typed({"por": "criterio", "criterio": desempate.criterio})
        case PorCampo():
            return typed({"por": "campo", "campo": desempate.campo, "maior": YES if desempate.maior else NO})
        case PorInscricao():
            return typed({"por": "inscricao"})
        case PorSorteio():
            return typed({"por": "sorteio"})


def _vagas(vagas: Vagas) -> Linha:
    return typed({"categoria": vagas.categoria, "total": vagas.total, "valor": vagas.valor})


def _cota(cota: Cota) -> Linha:
    return typed({"id": cota.id, "clausula": cota.clausula, "vagas": cota.vagas, **_quando(cota.quando)})


def _quando(quando: Condicao) -> dict[str, Any]:
    return {"quando.campo": quando.campo, "quando.operador": quando.operador, "quando.valor": show_valor(quando.valor)}
