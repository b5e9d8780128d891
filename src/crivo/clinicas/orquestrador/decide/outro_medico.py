"""Another doctor than the only one shown: whoever was shown is left out, and so is the hour at which there was nobody else."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.criterios import over
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.preferencias import Criterios


def than_the_one_shown(leitura: Leitura, situacao: Situacao) -> tuple[Leitura, tuple[str, ...]]:
    """A question for another doctor without the one shown, and the fields of what was asked before that it sets free.

    The day stays; the hour does too where it is told again, or where it was asked of that doctor by name.
    """
    shown = {offer.slot.doctor for offer in situacao.offers}
    said = leitura.criterios
    if "outro_medico" not in leitura.referencias or len(shown) != 1 or said.has_scope or leitura.excluidos.medicos:
        return leitura, ()
    left_out = over(leitura.excluidos, Criterios(medicos=(tuple(shown),)))
    named = any(busca.quer.medicos for busca in situacao.dialogue.preferencias.buscas)
    free = () if named or said.horas or "mesma_hora" in leitura.referencias else ("horas",)
    return msgspec.structs.replace(leitura, excluidos=left_out), free
