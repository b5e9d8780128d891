"""Another doctor than the one shown or held: whoever that is is left out, and so is the hour at which there was nobody else."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.criterios import over
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.preferencias import Criterios


def than_the_one_shown(leitura: Leitura, situacao: Situacao) -> tuple[Leitura, tuple[str, ...]]:
    """A question for another doctor without the one shown or held, and the fields of what was asked before that it sets free.

    The day stays; the hour does too where it is told again, or where it was asked of that doctor by name.
    """
    said = leitura.criterios
    if "outro_medico" not in leitura.referencias or said.medicos or leitura.excluidos.medicos:
        return leitura, ()
    known = _not_meant(said, situacao)
    if not known:
        return leitura, ()
    left_out = over(leitura.excluidos, Criterios(medicos=tuple((doctor,) for doctor in known)))
    named = any(busca.quer.medicos for busca in situacao.dialogue.preferencias.buscas)
    free = () if named or said.horas or "mesma_hora" in leitura.referencias else ("horas",)
    return msgspec.structs.replace(leitura, excluidos=left_out), free


def _not_meant(said: Criterios, situacao: Situacao) -> tuple[str, ...]:
    """The doctors that another one is not: of the slot proposed, the only one shown, and whoever is held in what the talk is of."""
    proposed, known = situacao.pendente.proposta, situacao.bookings
    shown = (proposed,) if proposed is not None else situacao.offers
    doctors = tuple(dict.fromkeys(offer.slot.doctor for offer in shown))
    places = {offer.clinic for offer in shown} or {one.clinic for one in known[-1:]}
    spoken_of = {situacao.specialty_of(place) for place in places}
    wanted = set(said.especialidades) or spoken_of
    held = tuple(one.doctor for one in known if situacao.specialty_of(one.clinic) in wanted)
    alone = doctors if len(doctors) == 1 and spoken_of <= wanted else ()
    return tuple(dict.fromkeys((*alone, *held)))


def is_asked_for(leitura: Leitura, situacao: Situacao) -> bool:
    """Whether another doctor is asked for by no name, so that there is somebody who is not meant, or a woman is."""
    if "outro_medico" not in leitura.referencias or leitura.criterios.medicos:
        return False
    return "outra_medica" in leitura.referencias or bool(_not_meant(leitura.criterios, situacao))
