"""What became of the recursos, as the result that comes after them lists it."""

from __future__ import annotations

from collections.abc import Sequence

from crivo.triagem.publicacao.conteudo import RecursoPublicado
from crivo.triagem.recursos.contratos import Recurso
from crivo.triagem.recursos.palavras import DESFECHO


def annex(recursos: Sequence[Recurso]) -> tuple[RecursoPublicado, ...]:
    """The answered recursos, in the order of their numbers."""
    answered = sorted([(one.numero, one.projeto_id, one.resposta) for one in recursos if one.resposta is not None], key=lambda row: row[0])
    return tuple([RecursoPublicado(numero, projeto_id, DESFECHO[of.desfecho].palavra) for numero, projeto_id, of in answered])
