"""What a person asked of the slots, told back in a few words for each thing: `joelho`, `só à tarde`, `menos segunda`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name
from crivo.clinicas.orquestrador.preferencias import DISTANT, Criterios, Dia, Hora, period
from crivo.clinicas.registro import Registro

_WEEKDAYS: Final = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
_PARTS: Final = {period("manha"): "de manhã", period("tarde"): "à tarde", period("noite"): "à noite"}
_EARLIEST_DAY: Final = "0001"
_DAY_BEGINS, _DAY_ENDS = "05:00", "23:59"


def understood(dialogue: Dialogue) -> tuple[str, ...]:
    """What binds the search, in pt-BR, each thing once."""
    return tuple(dict.fromkeys(chip for busca in dialogue.preferencias.buscas for chip in _of_search(busca.quer, busca.recusas, dialogue)))


def _of_search(quer: Criterios, recusas: tuple[Criterios, ...], dialogue: Dialogue) -> Iterator[str]:
    yield from (ramo.lower() for ramo in quer.ramos)
    yield from (f"com {doctor}" for doctor in quer.doctors)
    yield from ("médica mulher" if title == "Dra." else "médico homem" for title in quer.titulos)
    yield from (f"na {clinic_name(clinic, dialogue.registro)}" for clinic in quer.clinicas if not quer.especialidades)
    yield from (_day(dia) for dia in quer.dias)
    yield from (_hour(hora) for hora in quer.horas)
    if quer.extremo:
        yield "o mais cedo" if quer.extremo == "min" else "o mais tarde"
    for recusa in recusas:
        yield from _refused(recusa, dialogue.registro)


def _refused(recusa: Criterios, registro: Registro) -> Iterator[str]:
    days = [_day(dia, refused=True) for dia in recusa.dias]
    hours = [_hour(hora, refused=True) for hora in recusa.horas]
    if days and hours:
        yield f"menos {' e '.join(days)} {' e '.join(hours)}"
    else:
        yield from (f"menos {one}" for one in (*days, *hours))
    yield from (f"sem {doctor}" for doctor in recusa.doctors)
    yield from (f"fora da {clinic_name(clinic, registro)}" for clinic in recusa.clinicas)


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
