"""What a person asked of the slots, told back in a few words for each thing: `joelho`, `só à tarde`, `menos segunda`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name
from crivo.clinicas.orquestrador.preferencias import DISTANT, VAZIO, Busca, Criterios, Dia, Hora, period
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold

_WEEKDAYS: Final = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
_PARTS: Final = {period("manha"): "de manhã", period("tarde"): "à tarde", period("noite"): "à noite"}
_EARLIEST_DAY: Final = "0001"
_DAY_BEGINS, _DAY_ENDS = "05:00", "23:59"


Posta = tuple[str, Busca]


def understood(dialogue: Dialogue) -> tuple[str, ...]:
    """What binds the search, in pt-BR, each thing once."""
    return tuple(dict.fromkeys(words for busca in dialogue.preferencias.buscas for words, _ in _of_search(busca, dialogue)))


def without_it(words: str, dialogue: Dialogue) -> tuple[Busca, ...]:
    """The searches without what is told back in those words, whatever the case and accents; none where nothing is."""
    told = [[rest for named, rest in _of_search(busca, dialogue) if fold(named) == fold(words)] for busca in dialogue.preferencias.buscas]
    if not any(told):
        return ()
    return tuple(found[0] if found else busca for found, busca in zip(told, dialogue.preferencias.buscas, strict=True))


def _of_search(busca: Busca, dialogue: Dialogue) -> Iterator[Posta]:
    """Each thing of a search, with the search as it is without it."""
    yield from _wanted(busca, dialogue)
    for recusa in busca.recusas:
        others = tuple(one for one in busca.recusas if one != recusa)
        for words, left in _refused(recusa, dialogue.registro):
            yield words, Busca(busca.quer, others if left == VAZIO else tuple(left if one == recusa else one for one in busca.recusas))


def _wanted(busca: Busca, dialogue: Dialogue) -> Iterator[Posta]:
    quer, registro = busca.quer, dialogue.registro
    told: list[tuple[str, str, object]] = [(ramo.lower(), "ramos", ramo) for ramo in quer.ramos]
    told += [(f"com {doctor}", "medicos", names) for names in quer.medicos for doctor in names]
    told += [("médica mulher" if title == "Dra." else "médico homem", "titulos", title) for title in quer.titulos]
    told += [(f"na {clinic_name(clinic, registro)}", "clinicas", clinic) for clinic in quer.clinicas if not quer.especialidades]
    told += [(_day(dia), "dias", dia) for dia in quer.dias] + [(_hour(hora), "horas", hora) for hora in quer.horas]
    for words, field, value in told:
        kept = tuple(one for one in getattr(quer, field) if one != value)
        yield words, Busca(msgspec.structs.replace(quer, **{field: kept}), busca.recusas)
    if quer.extremo:
        yield "o mais cedo" if quer.extremo == "min" else "o mais tarde", Busca(msgspec.structs.replace(quer, extremo=None), busca.recusas)


def _refused(recusa: Criterios, registro: Registro) -> Iterator[tuple[str, Criterios]]:
    """Each thing refused, with what is left refused without it; days and hours refused together are one thing."""
    days = [(_day(dia, refused=True), "dias", dia) for dia in recusa.dias]
    hours = [(_hour(hora, refused=True), "horas", hora) for hora in recusa.horas]
    each: list[tuple[str, str, object]] = []
    if days and hours:
        named = f"menos {' e '.join(words for words, *_ in days)} {' e '.join(words for words, *_ in hours)}"
        yield named, msgspec.structs.replace(recusa, dias=(), horas=())
    else:
        each += [(f"menos {words}", field, value) for words, field, value in (*days, *hours)]
    each += [(f"sem {doctor}", "medicos", names) for names in recusa.medicos for doctor in names]
    each += [(f"fora da {clinic_name(clinic, registro)}", "clinicas", clinic) for clinic in recusa.clinicas]
    for words, field, value in each:
        kept = tuple(one for one in getattr(recusa, field) if one != value)
        yield words, msgspec.structs.replace(recusa, **{field: kept})


def _day(dia: Dia, *, refused: bool = False) -> str:
    if dia.weekday is not None and (dia.is_one_day or (dia.last == DISTANT and dia.first < _EARLIEST_DAY)):
        return _WEEKDAYS[dia.weekday] if refused or dia.is_one_day is False else f"{_WEEKDAYS[dia.weekday]}, {_written(dia.first)}"
    told = f"dia {_written(dia.first)}" if dia.is_one_day else _range(dia)
    return told if dia.weekday is None else f"{_WEEKDAYS[dia.weekday]}, {told}"


def _range(dia: Dia) -> str:
    if dia.last == DISTANT:
        return f"a partir de {_written(dia.first)}"
    return f"até {_written(dia.last)}" if dia.first < _EARLIEST_DAY else f"de {_written(dia.first)} a {_written(dia.last)}"


def _hour(hora: Hora, *, refused: bool = False) -> str:
    part = _PARTS.get(hora)
    if part:
        return part if refused else f"só {part}"
    if hora.readings:
        return f"às {' ou '.join(hora.readings)}"
    if hora.last >= _DAY_ENDS:
        return f"a partir das {hora.first}"
    return f"até as {hora.last}" if hora.first <= _DAY_BEGINS else f"entre {hora.first} e {hora.last}"


def _written(day: str) -> str:
    return f"{day[8:]}/{day[5:7]}"
