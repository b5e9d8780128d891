"""Everything that a sentence mentions: doctors, clinics, specialties, days, hours, numbers, places in a list; each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma
from crivo.clinicas.orquestrador.entende.criterios import Extremo, Hora
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import intention, ordinals, reference, weeks_of_a_month
from crivo.clinicas.orquestrador.entende.lugares import find_clinics
from crivo.clinicas.orquestrador.entende.medicos import find_doctors
from crivo.clinicas.orquestrador.entende.momentos.alternativas import FIELD as SO_SE
from crivo.clinicas.orquestrador.entende.momentos.alternativas import alternatives, working_days
from crivo.clinicas.orquestrador.entende.momentos.limites import with_bounds
from crivo.clinicas.orquestrador.entende.momentos.tempo import find_moments
from crivo.clinicas.orquestrador.entende.sintomas import is_figure, is_of_complaint
from crivo.clinicas.orquestrador.entende.vocabulario import Dito, find_branches, find_specialties
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.folego import check

_EXTREMES: Final[tuple[tuple[str, Extremo], ...]] = (("mais_cedo", "min"), ("mais_tarde", "max"))


class Mencao(msgspec.Struct, frozen=True):
    """One thing mentioned: where, in which field of `Criterios`, and its value; of `so_se` the value is what all alternatives leave out."""

    start: int
    end: int
    field: str
    value: Any


class Contexto(msgspec.Struct, frozen=True):
    """What reading a sentence needs to know: who works where, which clinics there are, what time it is.

    `marcados` are those with whom something is booked, `ditos` what was said before.
    """

    directory: Mapping[str, tuple[str, ...]]
    registro: Registro
    now: datetime
    marcados: tuple[str, ...] = ()
    ditos: tuple[str, ...] = ()


def context_of(dialogue: Dialogue) -> Contexto:
    """The context of a dialogue: the directory, and whoever was shown or booked besides."""
    directory: dict[str, tuple[str, ...]] = {name: tuple(clinics) for name, clinics in dialogue.doctors.items()}
    seen = [(offer.slot.doctor, offer.clinic) for offer in dialogue.offers] + [(one.doctor, one.clinic) for one in dialogue.bookings]
    for doctor, clinic in seen:
        if clinic not in directory.get(doctor, ()):
            directory[doctor] = (*directory.get(doctor, ()), clinic)
    return Contexto(directory, dialogue.registro, dialogue.now, tuple(one.doctor for one in dialogue.bookings), dialogue.utterances)


def find_mentions(sentence: Frase, context: Contexto) -> list[Mencao]:
    """Everything that a sentence mentions, in the order written, none within another."""
    idioma = language_of(sentence.original, context.ditos)
    return list(_mentions(sentence, tuple(context.directory.items()), context.registro, context.now, idioma))


@lru_cache(maxsize=64)
def _mentions(
    sentence: Frase, directory: tuple[tuple[str, tuple[str, ...]], ...], registro: Registro, now: datetime, idioma: Idioma
) -> tuple[Mencao, ...]:
    """The same, read once however often a turn asks for it."""
    context = Contexto(dict(directory), registro, now)
    taken: list[Mencao] = []

    def add(found: Iterable[Mencao]) -> None:
        check()
        taken.extend([one for one in found if not any(one.start < other.end and other.start < one.end for other in taken)])

    add(_doctors(sentence, context))
    add(_places(sentence, context))
    add(_extremes(sentence))
    ordinais = _ordinals(sentence)
    counted = _COUNTED_IN_SPANISH if idioma == "es" else _COUNTED_ONLY
    add(one for one in ordinais if counted.search(sentence.text[one.start : one.end]))  # these cannot be a date: `opção 2`
    add(_nth(sentence))
    add(_moments(sentence, context))
    add(ordinais)
    branches = [Mencao(place.start, place.end, "ramos", place.value) for place in _real_branches(sentence.text, registro)]
    return tuple(sorted([*taken, *branches], key=lambda mention: mention.start))


def _real_branches(text: str, registro: Registro) -> list[Dito]:
    return [place for place in find_branches(text, registro) if not is_figure(text, place.start, place.end)]


def _doctors(sentence: Frase, context: Contexto) -> list[Mencao]:
    found = []
    for doctor in find_doctors(sentence, context.directory):
        written = " ".join(word.original for word in sentence.words_in(doctor.start, doctor.end))
        field, value = ("medicos", doctor.names) if doctor.names else ("medico_desconhecido", written)
        found.append(Mencao(doctor.start, doctor.end, field, value))
    return found


def _places(sentence: Frase, context: Contexto) -> list[Mencao]:
    found = [
        Mencao(place.start, place.end, "clinicas" if place.value else "clinica_desconhecida", place.value or place.written)
        for place in find_clinics(sentence, context.registro)
    ]
    specialties = find_specialties(sentence.text, context.registro)
    return found + [Mencao(one.start, one.end, "especialidades" if one.offered else "ausente", one.value) for one in specialties]


def _extremes(sentence: Frase) -> list[Mencao]:
    found = [Mencao(*match.span(), "extremo", value) for name, value in _EXTREMES for match in reference(name).finditer(sentence.text)]
    return [one for one in found if not _THAN_AN_HOUR.match(sentence.text, one.end)]


_THAN_AN_HOUR: Final = re.compile(r"\s+(?:than|do que|que|de)\s+(?:a?s\s+|las\s+)?\d")  # `no más temprano que las 10` bounds it
_COUNTED_ONLY: Final = re.compile(
    r"\b(?:opcao|numero|item|alternativa|option|number|opcion|ultim|penultim|segund[ao] (?:opc|consulta|horario))"
)


_COUNTED_IN_SPANISH: Final = re.compile(rf"{_COUNTED_ONLY.pattern}|\bla (?:segunda|cuarta|quinta|sexta)\b")  # no weekdays of Spanish


_THE_NTH: Final = re.compile(
    r"^\W*(?:(?:ok|i ll take|i will take|give me|take)\s+)?the (\d{1,2})(?:st|nd|rd|th)(?: one| option)?(?: please)?\W*$"
)


def _nth(sentence: Frase) -> list[Mencao]:
    """`the 4th` and nothing else: a day or a place in the list."""
    found = _THE_NTH.match(sentence.text)
    return [Mencao(*found.span(1), "numeros", int(found.group(1)))] if found else []


def _ordinals(sentence: Frase) -> list[Mencao]:
    weeks = [match.span() for _, pattern in weeks_of_a_month() for match in pattern.finditer(sentence.text)]
    found = [Mencao(*match.span(), "ordinais", place) for place, pattern in ordinals() for match in pattern.finditer(sentence.text)]
    return [one for one in found if not any(start <= one.end <= end for start, end in weeks)]


def _moments(sentence: Frase, context: Contexto) -> list[Mencao]:
    found = []
    greetings = [match.span() for name in ("saudar", "agradecer") for match in intention(name).finditer(sentence.text)]
    text = reference("sem_hora").sub(lambda match: " " * len(match.group()), sentence.text)
    told = with_bounds(text, find_moments(text, context.now), context.now.date())
    told += [day for day in working_days(text) if not any(day.start < one.end and one.start < day.end for one in told)]
    told.sort(key=lambda moment: moment.start)
    either = alternatives(text, told)
    found += [Mencao(start, end, SO_SE, left_out) for start, end, left_out in either]
    for moment in told:
        if any(start <= moment.start and moment.end <= end for start, end, _ in either):
            continue
        if any(start <= moment.start and moment.end <= end for start, end in greetings):
            continue  # `boa tarde` wishes for no afternoon
        for field, value in (("falha", moment.falha), ("dias", moment.dia), ("horas", moment.hora), ("numeros", moment.numero)):
            complained = isinstance(value, Hora) and not value.is_one_time and is_of_complaint(sentence.text, moment.start, moment.end)
            if value is not None and not complained:
                found.append(Mencao(moment.start, moment.end, field, value))
    return found
