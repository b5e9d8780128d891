"""Calls whose projects were judged already, and the rules by which their notas become places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.edital import AvaliacaoDada, Avaliador

RITA: Final = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
UMA_VAGA: Final = Classificacao(vagas=(Vagas("*", 1),), suplentes=1)


def chamada_com_notas(
    notas: Sequence[int], regras: Classificacao | None = UMA_VAGA, campos: Mapping[str, Mapping[str, object]] | None = None
) -> Importacao:
    """The edital ED-1 with a project for each nota, which one person gave for both critérios; `campos` more that a project declares."""
    given = importacao(len(notas), avaliadores=(RITA,))
    edital = replace(given.chamada.edital, classificacao=regras)
    dadas = [
        AvaliacaoDada(f"P{at:04}", "rita@avalia.exemplo", {"C1": Decimal(nota), "C2": Decimal(nota)}) for at, nota in enumerate(notas, 1)
    ]
    more = campos or {}
    projetos = tuple([replace(one, campos={**one.campos, **more.get(one.id, {})}) for one in given.chamada.projetos])
    return Importacao(replace(given.chamada, edital=edital, projetos=projetos, avaliacoes=tuple(dadas)), given.arquivos)
