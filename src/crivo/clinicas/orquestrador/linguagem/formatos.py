"""Dates, times and appointments written for people, in the three languages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.clinicas.orquestrador.linguagem.tratamento import Genero, gender_of
from crivo.clinicas.registro import Registro

_WEEKDAYS: Final[dict[Idioma, tuple[str, ...]]] = {
    "pt": ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}
_MONTHS: Final = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_WITH_THE: Final[dict[Idioma, dict[Genero, str]]] = {
    "pt": {"a": "com a", "o": "com o", "": "com"},
    "en": {"a": "with", "o": "with", "": "with"},
    "es": {"a": "con la", "o": "con el", "": "con"},
}
_AND: Final[dict[Idioma, str]] = {"pt": "e", "en": "and", "es": "y"}


def written_day(day: str, idioma: Idioma) -> str:
    """An ISO date with its weekday: `sexta-feira, 18/07`; in English with the month's name."""
    found = date.fromisoformat(day)
    weekday = _WEEKDAYS[idioma][found.weekday()]
    return f"{weekday}, {_MONTHS[found.month - 1]} {found.day}" if idioma == "en" else f"{weekday}, {found.day:02d}/{found.month:02d}"


def written_moment(day: str, time: str, idioma: Idioma) -> str:
    """A day and a time: `sexta-feira, 18/07, às 10:00`."""
    at = {"pt": "à" if time.startswith("01:") else "às", "en": "at", "es": "a la" if time.startswith("01:") else "a las"}[idioma]
    return f"{written_day(day, idioma)}, {at} {time}"


def with_doctor(doctor: str, idioma: Idioma) -> str:
    """`com o Dr. Fulano`, `com a Dra. Fulana`, `com a Fga. Fulana`, `com Enf. Fulano`."""
    article = _WITH_THE[idioma][gender_of(doctor)]
    return f"{article} {doctor}"


def written_slot(clinic: str, doctor: str, day: str, time: str, registro: Registro, idioma: Idioma) -> str:
    """An appointment in one line: when, with whom, and at which clinic."""
    return f"{written_moment(day, time, idioma)}, {with_doctor(doctor, idioma)} ({clinic_name(clinic, registro)})"


def clinic_name(clinic: str, registro: Registro) -> str:
    """What people call a clinic; its id where the registry has it no more."""
    known = registro.find(clinic)
    return known.nome if known else clinic


def enumerated(names: Iterable[str], idioma: Idioma) -> str:
    """`a, b e c`."""
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {_AND[idioma]} {listed[-1]}"
