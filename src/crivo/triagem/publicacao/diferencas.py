"""In what the rules of two results differ, in words: part by part, as it was and as it is."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from crivo.triagem.classificacao.definicao import (
    TODAS,
    Bonus,
    Corte,
    Cota,
    Desempate,
    PorCampo,
    PorCriterio,
    PorInscricao,
    PorSorteio,
    Vagas,
)
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.palavras import condition_said
from crivo.triagem.edital import Value
from crivo.triagem.palavras import count, number, shown
from crivo.triagem.publicacao.conteudo import Conteudo, CriterioPublicado

NADA = "nada"


class Diferenca(Value, frozen=True):
    """A part of the rules by name, as it was and as it is."""

    parte: str
    antes: str
    depois: str


def differences(antes: Conteudo, depois: Conteudo) -> tuple[Diferenca, ...]:
    """The parts that differ, in the order in which the rules run."""
    before, after = dict(_parts(antes)), dict(_parts(depois))
    names = [*after, *(one for one in before if one not in after)]
    return tuple(
        [
            Diferenca(name, before.get(name, NADA), after.get(name, NADA))
            for name in names
            if before.get(name, NADA) != after.get(name, NADA)
        ]
    )


def _parts(conteudo: Conteudo) -> Iterator[tuple[str, str]]:
    regras = conteudo.regras
    yield "Avaliações que bastam", number(regras.minimo_avaliadores)
    most = regras.divergencia_maxima
    yield "Divergência máxima", NADA if most is None else f"{number(most)}% da escala do critério"
    for criterio in conteudo.criterios:
        yield f"Critério {shown(criterio.id)}", _criterio(criterio)
    yield "Escala da nota base", f"de 0 a {number(regras.escala)}, com {count(regras.casas, 'casa', 'casas')}"
    yield "Cortes", _corte(regras.corte)
    for bonus in regras.bonus:
        yield f"Bônus {shown(bonus.id)}", _bonus(bonus)
    yield "Teto dos bônus", NADA if regras.bonus_maximo is None else _points(regras.bonus_maximo)
    yield "Desempates, em ordem", "; ".join(map(_desempate, regras.desempate)) or "só o sorteio"
    for vagas in regras.vagas:
        yield f"Vagas de {'todas as categorias' if vagas.categoria == TODAS else shown(vagas.categoria)}", _vagas(vagas)
        for cota in vagas.cotas:
            yield f"Cota {shown(cota.id)}, {'de todos' if vagas.categoria == TODAS else shown(vagas.categoria)}", _cota(cota)
    passing = [words for code, words in (("cotas", "entre cotas"), ("categorias", "entre categorias")) if code in regras.remanejamento]
    yield "Vagas que sobram passam", " e ".join(passing) or NADA
    yield "Suplentes por categoria", number(regras.suplentes) if regras.suplentes else NADA
    yield "Semente do sorteio", shown(conteudo.semente)


def _criterio(criterio: CriterioPublicado) -> str:
    return f"{shown(criterio.nome)}, peso {number(criterio.peso)}, nota até {number(criterio.nota_max)}"


def _corte(corte: Corte) -> str:
    told = [] if corte.nota_final_minima is None else [f"nota base mínima de {nota_said(corte.nota_final_minima)}"]
    told += [f"média mínima de {nota_said(least)} em {shown(codigo)}" for codigo, least in corte.por_criterio.items()]
    told += [f"zero em {shown(codigo)} elimina" for codigo in corte.zero_elimina]
    return "; ".join(told) or NADA


def _bonus(bonus: Bonus) -> str:
    return f"{_points(bonus.pontos)} para quem declara {condition_said(bonus.quando)}{_clausula(bonus.clausula)}"


def _vagas(vagas: Vagas) -> str:
    each = "" if vagas.valor is None else f" de R$ {number(vagas.valor, 2)}"
    return f"{count(vagas.total, 'vaga', 'vagas')}{each}, {number(vagas.ampla)} de ampla concorrência"


def _cota(cota: Cota) -> str:
    return f"{count(cota.vagas, 'vaga', 'vagas')} para quem declara {condition_said(cota.quando)}{_clausula(cota.clausula)}"


def _desempate(por: Desempate) -> str:
    match por:
        case PorCriterio():
            return f"maior média em {shown(por.criterio)}"
        case PorCampo():
            return f"{'maior' if por.maior else 'menor'} {shown(por.campo)}"
        case PorInscricao():
            return "inscrição mais antiga"
        case PorSorteio():
            return "sorteio"


def _points(pontos: Decimal) -> str:
    return f"{number(pontos)} {'ponto' if abs(pontos) == 1 else 'pontos'}"


def _clausula(clausula: str) -> str:
    return f" ({shown(clausula)})" if clausula else ""
