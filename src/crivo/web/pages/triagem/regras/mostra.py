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
from crivo.web.pages.triagem.chamada.escrito import YES, Linha, one
from crivo.web.pages.triagem.chamada.mostra import typed
from crivo.web.pages.triagem.chamada.valores import show_valor
from crivo.web.pages.triagem.regras.escrito import Escrito, LinhaDeVagas

NO: Final = "nao"
_USUAL_SUPLENTES: Final = 5


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
        [_bonus(bonus) for bonus in regras.bonus],
        [_desempate(desempate) for desempate in regras.desempate],
        [LinhaDeVagas(_vagas(vagas), [_cota(cota) for cota in vagas.cotas]) for vagas in regras.vagas],
    )


def suggest(escrito: Escrito, criterios: Sequence[Criterio]) -> None:
    """Write rules as calls usually have them into the form: two avaliadores no further apart than 30 %, a mean of 60 of 100, ties by the
    critério that weighs most and then by a draw. What was typed of cuts by critério, bônus, vagas and the draw stays.
    """
    heaviest = max(criterios, key=lambda criterio: criterio.peso, default=None)
    ties: tuple[Desempate, ...] = (PorCriterio(heaviest.id),) if heaviest else ()
    usual = show(
        Classificacao(
            minimo_avaliadores=2,
            divergencia_maxima=Decimal(30),
            corte=Corte(Decimal(60)),
            desempate=(*ties, PorSorteio()),
            remanejamento=("cotas", "categorias"),
            suplentes=_USUAL_SUPLENTES,
        ),
        (),
    )
    for nome in ("minimo_avaliadores", "divergencia_maxima", "escala", "casas", "nota_final_minima", "remanejamento"):
        escrito.regras[nome] = usual.regras[nome]
    if one(escrito.regras, "suplentes").strip() in {"", "0"}:
        escrito.regras["suplentes"] = usual.regras["suplentes"]
    escrito.desempate = usual.desempate


def copied(regras: Classificacao) -> Classificacao:
    """Rules of another edital, to be this one's: all but its draw, of which the semente is its own."""
    return msgspec.structs.replace(regras, semente="")


def _cortes(corte: Corte, criterios: Sequence[Criterio]) -> list[Linha]:
    codes = dict.fromkeys([*(criterio.id for criterio in criterios), *corte.por_criterio, *corte.zero_elimina])
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
