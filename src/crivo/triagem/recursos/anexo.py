"""The annex of a final result: what became of each recurso. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from crivo.triagem.condicao import Value
from crivo.triagem.recursos.contratos import Recurso
from crivo.triagem.recursos.palavras import DESFECHO


class Anexada(Value, frozen=True):
    """A recurso as the annex of a final result lists it: no name of whoever answered, and nothing of what was asked."""

    numero: int
    projeto: str
    resultado: str
    motivo: str


def annex(recursos: Sequence[Recurso]) -> tuple[Anexada, ...]:
    """The answered recursos, in the order of their numbers; of one whose project was erased the reason is left out."""
    answered = [(one, one.resposta) for one in recursos if one.resposta is not None]
    return tuple([Anexada(one.numero, one.projeto_id, DESFECHO[of.desfecho].palavra, of.motivo or "") for one, of in answered])
