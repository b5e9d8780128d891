"""What the papers of an answer say of the requisitos that they came for: the rules of the edital, over the new papers alone."""

from __future__ import annotations

from collections.abc import Sequence

from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Edital, Requisito
from crivo.triagem.habilitacao import habilitar


def judge_again(
    edital: Edital, requisitos: Sequence[Requisito], lido: ProjetoLido, novos: Sequence[DocumentoLido]
) -> tuple[ItemHabilitacao, ...]:
    """The items of those requisitos that a new paper came for, in the edital's order; of all others nothing is said.

    What was sent before for such a requisito is left out: the answer stands in its place. Papers of other requisitos stay, so that the
    same file sent twice is still found.
    """
    answered = {one.requisito for one in novos if one.requisito is not None}
    kept = tuple([one for one in lido.documentos if one.requisito not in answered])
    whole = habilitar(edital, requisitos, ProjetoLido(lido.projeto, (*kept, *novos)))
    return tuple([item for item in whole.itens if item.requisito in answered])
