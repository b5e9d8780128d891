"""Several wishes told together, one for each specialty, as a conversation keeps them, and the slots that each may have."""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Offer, Value
from crivo.clinicas.orquestrador.planner.criterios import instant
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.clinicas.orquestrador.selecao import fitting, specialty_of

KEY: Final = "desejos"


class Desejos(Value, frozen=True):
    """The searches that wait for a slot each, in the order told, and the specialty that was asked about last."""

    buscas: tuple[Busca, ...] = ()
    vez: str = ""


def kept_wishes(dialogue: Dialogue) -> Desejos:
    """The wishes that wait in a dialogue; none where fewer than two were told together, or they are alternatives."""
    try:
        return msgspec.json.decode(dialogue.pending[KEY], type=Desejos)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        held = {known.especialidade for one in dialogue.bookings if (known := dialogue.registro.find(one.clinic))}
        told = apart(dialogue.preferencias.buscas, dialogue)
        return Desejos(tuple(one for one in told if specialty(one, dialogue) not in held))


def open_wishes(dialogue: Dialogue) -> tuple[Busca, ...]:
    """The searches of the wishes that wait; empty where fewer than two do."""
    found = kept_wishes(dialogue).buscas
    return found if len(found) > 1 else ()


def specialty(busca: Busca, dialogue: Dialogue) -> str:
    """The one specialty that a search is of; empty where it is of none or of several."""
    quer = busca.quer
    places = (*quer.clinicas, *(place for doctor in quer.doctors for place in dialogue.doctors.get(doctor, ())))
    known = [dialogue.registro.find(place) for place in places]
    named = frozenset(quer.especialidades) or frozenset(one.especialidade for one in known if one)
    return next(iter(named)) if len(named) == 1 else ""


def slots_for(busca: Busca, dialogue: Dialogue) -> tuple[Offer, ...]:
    """The free slots last listed that are as a wish asks, the earliest or the latest alone where it asks for that."""
    name, registro = specialty(busca, dialogue), dialogue.registro
    pool = [one for one in dict.fromkeys((*dialogue.offers, *dialogue.vitrine.todas)) if specialty_of(one, registro) == name]
    pool.sort(key=moment)
    found = [one for one in fitting(busca, pool, registro) if _is_open(one, dialogue)]
    extremo = busca.quer.extremo or {(1,): "min", (-1,): "max"}.get(busca.quer.ordinais)
    if found and extremo:
        best = (min if extremo == "min" else max)(moment(one) for one in found)
        found = [one for one in found if moment(one) == best]
    return tuple(found)


def apart(buscas: tuple[Busca, ...], dialogue: Dialogue) -> tuple[Busca, ...]:
    """The searches as wishes: where there are several, each of one specialty and no two of the same; else none."""
    names = [specialty(one, dialogue) for one in buscas]
    return buscas if len(names) > 1 and all(names) and len(set(names)) == len(names) else ()


def _is_open(offer: Offer, dialogue: Dialogue) -> bool:
    slot = offer.slot
    taken = any((one.date, one.time) == (slot.date, slot.time) and one.doctor == slot.doctor for one in dialogue.bookings)
    return not taken and instant(slot.date, slot.time, dialogue.now) > dialogue.now


def moment(offer: Offer) -> tuple[str, str]:
    """The day and the hour of a slot."""
    return offer.slot.date, offer.slot.time
