"""Several wishes told together, one for each specialty, as a conversation keeps them, and the slots that each may have."""

from __future__ import annotations

import itertools
import re
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Offer, Value
from crivo.clinicas.orquestrador.entende.criterios import instant
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.entende.selecao import fitting, specialty_of
from crivo.clinicas.orquestrador.preferencias import Busca, Extremo

KEY: Final = "desejos"
_SCOPE: Final = frozenset({"especialidades", "medicos", "clinicas", "ramos"})
_OR: Final = re.compile(r"\b(?:ou|or|nem|nor)\b")


class Desejos(Value, frozen=True):
    """The searches that wait for a slot each, in the order told, and the specialty that was asked about last."""

    buscas: tuple[Busca, ...] = ()
    vez: str = ""


def kept_wishes(dialogue: Dialogue) -> Desejos:
    """The wishes that wait in a dialogue; none where no several were told together, or they are alternatives."""
    try:
        return msgspec.json.decode(dialogue.pending[KEY], type=Desejos)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        return Desejos()


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
    ends: dict[tuple[int, ...], Extremo] = {(1,): "min", (-1,): "max"}
    extremo = busca.quer.extremo or ends.get(busca.quer.ordinais)
    if found and extremo:
        best = (min if extremo == "min" else max)(moment(one) for one in found)
        found = [one for one in found if moment(one) == best]
    return tuple(found)


def told_together(utterance: str, dialogue: Dialogue) -> Literal["todos", "um", ""]:
    """Whether a message names several specialties, doctors or clinics, all wanted or as alternatives (`dermato ou ortopedista`)."""
    sentence = read_sentence(utterance)
    named = [one for one in find_mentions(sentence, context_of(dialogue)) if one.field in _SCOPE]
    if len({str(one.value) for one in named}) < 2:
        return ""
    joined = (sentence.text[one.end : other.start] for one, other in itertools.pairwise(named))
    either = accord("um_deles").search(sentence.text) is not None or any(_OR.search(between) for between in joined)
    return "um" if either else "todos"


def apart(buscas: tuple[Busca, ...], dialogue: Dialogue) -> tuple[Busca, ...]:
    """The searches as wishes: where there are several, each of one specialty and no two of the same; else none."""
    buscas = tuple(each for one in buscas for each in _each_doctor(one))
    names = [specialty(one, dialogue) for one in buscas]
    return buscas if len(names) > 1 and all(names) and len(set(names)) == len(names) else ()


def _is_open(offer: Offer, dialogue: Dialogue) -> bool:
    slot = offer.slot
    taken = any((one.date, one.time) == (slot.date, slot.time) and one.doctor == slot.doctor for one in dialogue.bookings)
    return not taken and instant(slot.date, slot.time, dialogue.now) > dialogue.now


def _each_doctor(busca: Busca) -> tuple[Busca, ...]:
    """A search for several doctors as one for each: `com a Norma e com o Samir`."""
    quer = busca.quer
    if len(quer.medicos) < 2 or quer.especialidades:
        return (busca,)
    return tuple(msgspec.structs.replace(busca, quer=msgspec.structs.replace(quer, medicos=(one,))) for one in quer.medicos)


def moment(offer: Offer) -> tuple[str, str]:
    """The day and the hour of a slot."""
    return offer.slot.date, offer.slot.time
