"""A result as it goes out, row by row. Source: design, After the notas (the JSON of `crivo triagem resultado`)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from crivo.triagem.classificacao.definicao import Desempate, PorCampo, PorCriterio, PorInscricao, PorSorteio
from crivo.triagem.classificacao.palavras import motivo
from crivo.triagem.classificacao.resultado import Classificada, Lugar, Situacao
from crivo.triagem.condicao import Value

FaseDoResultado = Literal["preliminar", "final"]


class LugarPublicado(Value, frozen=True, gc=False):
    """What became of a project. `notas` are means by critério; what a rule before took away is None, and `notas` then empty.

    Numbers that are whole are integers, the others have `casas` places at most.
    """

    projeto_id: str
    posicao: int | None
    situacao: Situacao
    vaga: str | None
    categoria: str
    notas: Mapping[str, Decimal | int]
    nota_base: Decimal | int | None
    bonus: Decimal | int | None
    nota_final: Decimal | int | None
    desempate: str | None
    motivo: str


class ResultadoPublicado(Value, frozen=True):
    """The rows of an edital: category by category in the order of its vagas, the best first, and then those without a place."""

    edital_id: str
    fase: FaseDoResultado
    projetos: tuple[LugarPublicado, ...]


def publish(classificada: Classificada, fase: FaseDoResultado) -> ResultadoPublicado:
    """The result as it stands."""
    rows = tuple([_row(classificada, lugar) for lugar in classificada.lugares])
    return ResultadoPublicado(classificada.concorrencia.edital_id, fase, rows)


def _row(classificada: Classificada, lugar: Lugar) -> LugarPublicado:
    regua, contas = classificada.regua, lugar.contas
    competes = lugar.grupo is not None and contas is not None
    return LugarPublicado(
        lugar.inscrito.id,
        lugar.posicao,
        lugar.situacao,
        lugar.vaga,
        lugar.inscrito.categoria,
        {one.id: _plain(regua.media_said(contas, at)) for at, one in enumerate(regua.criterios)} if contas else {},
        _plain(regua.base(contas)) if contas else None,
        _plain(regua.pontos(contas.bonus)) if competes and contas else None,
        _plain(regua.pontos(contas.final)) if competes and contas else None,
        _named(lugar.desempate.por) if lugar.desempate else None,
        motivo(classificada, lugar),
    )


@lru_cache(maxsize=20_000)
def _plain(value: Decimal) -> Decimal | int:
    whole = int(value)
    return whole if whole == value else value.normalize()


def _named(por: Desempate | None) -> str:
    match por:
        case PorCriterio():
            return por.criterio
        case PorCampo():
            return por.campo
        case PorInscricao():
            return "inscricao"
        case PorSorteio() | None:
            return "sorteio"
