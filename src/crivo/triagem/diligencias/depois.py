"""What stands of a project's requisitos once diligências were answered and their papers judged. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crivo.triagem.achados import HabilitacaoSugerida, ItemHabilitacao
from crivo.triagem.diligencias.guardadas import Diligencia, Papel, Situacao
from crivo.triagem.edital import Requisito
from crivo.triagem.habilitacao.sugestao import suggest


@dataclass(frozen=True, slots=True)
class DoProjeto:
    """A diligência of a project, how it stands, and every paper that came for it."""

    diligencia: Diligencia
    situacao: Situacao
    papeis: tuple[Papel, ...]


@dataclass(frozen=True, slots=True)
class Respondido:
    """What the papers of an answer say of a requisito, of which diligência, since when, and these papers."""

    numero: int
    em: datetime
    item: ItemHabilitacao
    papeis: tuple[Papel, ...]


@dataclass(frozen=True, slots=True)
class Depois:
    """The items of a project as they stand after its diligências, what these come to, and by requisito the answers that changed one."""

    itens: tuple[ItemHabilitacao, ...]
    sugestao: HabilitacaoSugerida | None
    respondidos: Mapping[str, Respondido]


def stand_after(
    itens: Sequence[ItemHabilitacao],
    sugestao: HabilitacaoSugerida | None,
    requisitos: Sequence[Requisito],
    diligencias: Sequence[DoProjeto],
) -> Depois:
    """Each item that the last screening did not find met gives way to what the newest answer to it says; `diligencias` the newest first.

    Papers of diligências are no part of a screening, so that an answer stands also after another one.
    """
    answered: dict[str, Respondido] = {}
    for one in diligencias:
        asked, em = one.diligencia, one.diligencia.respondida_em
        for item in asked.depois or ():
            if em is not None:
                papers = tuple([papel for papel in one.papeis if papel.requisito == item.requisito])
                answered.setdefault(item.requisito, Respondido(asked.numero, em, item, papers))
    changed = {one.requisito: answered[one.requisito] for one in itens if one.situacao != "atende" and one.requisito in answered}
    if not changed:
        return Depois(tuple(itens), sugestao, {})
    whole = tuple([changed[one.requisito].item if one.requisito in changed else one for one in itens])
    by_id = {one.requisito: one for one in whole}
    known = [one for one in requisitos if one.id in by_id]  # a requisito that came since was never held against this project
    said = suggest("", known, [by_id[one.id] for one in known]).habilitacao_sugerida if known else sugestao
    return Depois(whole, said, changed)
