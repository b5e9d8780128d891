"""What can be known of a spreadsheet before it is a draft: what would stand in the way of publishing it, and planos spelled anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.conferencia import errors_of
from crivo.autorizacoes.politicas.planilha.leitura import PlanilhaLida
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.autorizacoes.politicas.sucessao import Publicada
from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import cut

_THE_WORD: Final = re.compile(r"^(?:PLANO|PRODUTO)(?=.)")


def hindrances(lida: PlanilhaLida, publicadas: Sequence[Publicada], hoje: date) -> tuple[Problem, ...]:
    """The errors of a conferência, each by the cell of its regra."""
    if lida.parcial is None:
        return ()
    return tuple(
        [
            Problem(f"impede publicar: {achado.explicacao}", lida.onde.get(achado.regra or "", ""), codigo=achado.codigo)
            for achado in errors_of(Bancada(lida.parcial, publicadas, hoje, lambda _: None))
        ]
    )


def planos_by_another_name(lida: PlanilhaLida, publicadas: Sequence[Publicada]) -> Iterator[Problem]:
    """Planos that published políticas of the administradora seem to know by another name: `Plano Ouro`, where they say `OURO`."""
    if lida.parcial is None:
        return
    ours = fold_id(lida.parcial.administradora_id)
    known: dict[str, str] = {}
    for politica in (one.politica for one in publicadas if fold_id(one.politica.administradora_id) == ours):
        for plano in (*politica.planos, *(um for regra in politica.regras for um in planos_da(regra))):
            known.setdefault(fold_id(plano), plano)
    plain = {_without_the_word(dobrado): plano for dobrado, plano in known.items()}
    for plano, _ in lida.planos:
        other = plain.get(_without_the_word(fold_id(plano)))
        if plano != CURINGA and fold_id(plano) not in known and other is not None:
            yield Problem(
                f"as regras são do plano “{cut(plano)}”, e as políticas publicadas desta administradora dizem “{cut(other)}”: "
                f"para os pedidos, são dois planos. Se são o mesmo, escreva “{cut(other)}” na planilha, ou dê esse nome à folha.",
                codigo="plano_parecido",
            )


def _without_the_word(dobrado: str) -> str:
    return _THE_WORD.sub("", dobrado)
