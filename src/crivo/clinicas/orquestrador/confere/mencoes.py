"""Clinics, doctors, dates and times that a text names, in the order named."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.entende.pessoas.nomes import is_word
from crivo.clinicas.orquestrador.fatos import Fact, Fatos
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.datas import FoundDate
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.horas import FoundTime
from crivo.kernel.linguagem.nomes import PARTICLES
from crivo.kernel.linguagem.texto import read

Kind = Literal["clinic", "doctor", "date", "time"]


class Mention(msgspec.Struct, frozen=True):
    """Something named between two places of the folded text: clinic ids, full names of doctors, ISO dates or times it may stand for.

    `loose` tells of a word like "hoje" that need not tell of a slot; `bound` of a time that only limits ("depois das 14h"); `elsewhere`
    of a day that the data holds otherwise than in a slot, or that is today.
    """

    kind: Kind
    start: int
    end: int
    values: frozenset[str]
    elsewhere: bool = False
    loose: bool = False
    bound: bool = False

    def fits(self, fact: Fact) -> bool:
        """Whether a slot is one that this may stand for."""
        match self.kind:
            case "clinic":
                return fact.clinic in self.values
            case "doctor":
                return fact.doctor in self.values
            case "date":
                return fact.date in self.values
            case "time":
                return fact.time in self.values


class Reading(msgspec.Struct, frozen=True):
    """What one mention, with those that go with it, says together, and the slots that agree with it."""

    parts: tuple[Mention, ...]
    facts: tuple[Fact, ...]


Readings = Sequence[tuple[tuple[int, int], Sequence[Reading]]]
"""The readings of each sentence, with the span of the sentence in the folded text."""


def find_mentions(page: Page, fatos: Fatos, registro: Registro, now: datetime) -> list[Mention]:
    """Every mention of a text, by place; a date stands for the days of the data that it may mean."""
    days = _calendar({fact.date for fact in fatos.all_slots})
    others = _calendar({now.date().isoformat(), *(text[:10] for key, text in fatos.strings if key != "date" and _ISO.match(text))})
    found, texto = [*_clinics(page, registro), *_doctors(page, fatos)], read(page.original)
    found += [_date(page, part, days, others, now) for part in texto.datas(now.date()) if part.kind not in {"week", "month"}]
    spanish_or_english = texto.idioma != "pt"
    found += [_time(page, part, lenient=spanish_or_english) for part in texto.horas if part.time or part.impossible]
    return sorted(found, key=lambda mention: mention.start)


def _place(page: Page, position: int) -> int:
    """The folded position of an original one."""
    positions = page.folded.positions
    return position if positions is None else bisect_left(positions, position)


_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def _calendar(written: Iterable[str]) -> dict[str, date]:
    """The days that exist among those written, each as written."""
    found = {}
    for iso in written:
        try:
            found[iso] = date.fromisoformat(iso)
        except ValueError:
            continue
    return found


def _date(page: Page, part: FoundDate, days: dict[str, date], others: dict[str, date], now: datetime) -> Mention:
    elsewhere = part.day is not None and any(_may_be(part, day, now) for day in others.values())
    values = frozenset(iso for iso, day in days.items() if _may_be(part, day, now))
    loose = part.kind == "relative" and part.day is None and part.weekday is None
    return Mention("date", _place(page, part.start), _place(page, part.end), values, elsewhere=elsewhere, loose=loose)


def _may_be(part: FoundDate, day: date, now: datetime) -> bool:
    written = ((part.day, day.day), (part.month, day.month), (part.year, day.year), (part.weekday, day.weekday()))
    if any(said is not None and said != real for said, real in written):
        return False
    return part.offset is None or day == now.date() + timedelta(days=part.offset)


def _time(page: Page, part: FoundTime, *, lenient: bool) -> Mention:
    start, end = _place(page, part.start), _place(page, part.end)
    in_figures = any(char.isdigit() for char in page.text[start:end])
    literal = min(part.readings, default="")
    values = frozenset(part.readings) if lenient or not in_figures else frozenset({literal})
    return Mention("time", start, end, values, bound=part.relation != "at")


def _clinics(page: Page, registro: Registro) -> Iterator[Mention]:
    pattern, ids = _clinic_pattern(registro)
    for match in pattern.finditer(page.text):
        letters = match["letters"]
        if letters is None:
            yield Mention("clinic", *match.span(), frozenset({ids[match.group()]}))
            continue
        for letter in _LETTER.finditer(page.text, match.start("letters"), match.end("letters")):
            if not _is_letter(page, letter.start(), letter.group()):
                continue
            yield Mention("clinic", match.start(), letter.end(), frozenset({ids[letter.group()]} if letter.group() in ids else ()))


def _is_letter(page: Page, position: int, letter: str) -> bool:
    """Whether a lone letter names a clinic; in lower case `a`, `e` and `o` are words."""
    original = page.folded.span(position, position + 1)[0]
    if page.original[original].isupper():
        return True
    return letter not in "aeoy" or page.text[position + 1 : position + 2] in {",", ".", ":", ")", ";", "?", "!"}


_LETTER: Final = re.compile(r"(?<![\w])[a-z](?![\w])")


@lru_cache(maxsize=8)
def _clinic_pattern(registro: Registro) -> tuple[re.Pattern[str], dict[str, str]]:
    ids: dict[str, str] = {}
    for clinica in registro:
        ids[fold(clinica.id)] = clinica.id
        ids[fold(clinica.nome)] = clinica.id
        lettered = re.fullmatch(r"clinica ([a-z])", fold(clinica.nome))
        if lettered:
            ids[lettered[1]] = clinica.id
    names = "|".join(
        re.escape(name) for name in sorted(ids, key=len, reverse=True) if len(name) > 1 and not re.fullmatch(r"clinica [a-z]", name)
    )
    joins = r"(?:\s*(?:,|/|\be\b|\by\b|\band\b|&|\bou\b|\bor\b)\s*(?:(?:n|d|pel)?a\s+|the\s+|la\s+)?(?:clinicas?\s+)?)"
    return re.compile(rf"(?<!\w)(?:{names}|(?:clinic[ao]?s?)[\s_]+[\"']?(?P<letters>[a-z](?!\w)(?:{joins}[a-z](?![\w'.]))*))(?!\w)"), ids


_TITLED: Final = re.compile(
    r"(?<!\w)(?:dra?|doutora?|doctora?|doctor)\b\.?\s*(?:\(a\)\s*)?(?P<name>(?:[a-z][a-z'-]*\.?)(?:[^\S\n]+[a-z][a-z'-]*\.?){0,4})"
)


def _doctors(page: Page, fatos: Fatos) -> Iterator[Mention]:
    known = {name: _tokens(name) for name in fatos.doctors}
    everyone = frozenset(token for tokens in known.values() for token in tokens)
    areas = frozenset(word for area in fatos.areas for word in _WORD.findall(area)) - everyone - PARTICLES
    taken: list[tuple[int, int]] = []
    for match in _TITLED.finditer(page.text):
        start, end, tokens = _title_name(page, match, everyone, areas)
        if tokens:
            taken.append((start, end))
            yield Mention("doctor", start, end, _doctors_of(tokens, known))
    for name, tokens in known.items():
        for match in _untitled(tuple(tokens)).finditer(page.text):
            if not any(start <= match.start() < end for start, end in taken) and _may_stand_alone(page, match, fatos):
                yield Mention("doctor", *match.span(), _doctors_of(tuple(_WORD.findall(match.group())), known) or frozenset({name}))


_WORD: Final = re.compile(r"[a-z]+")
_NAME_PART: Final = re.compile(r"[a-z'-]+")


@lru_cache(maxsize=256)
def _tokens(name: str) -> tuple[str, ...]:
    return tuple(token for token in _WORD.findall(fold(name)) if token not in PARTICLES and token not in {"dr", "dra"})


def _title_name(page: Page, match: re.Match[str], everyone: frozenset[str], areas: frozenset[str]) -> tuple[int, int, tuple[str, ...]]:
    """The words after a title that make up a name: those of a known doctor, and capitalised ones; a specialty or a verb ends it."""
    tokens: list[str] = []
    end = match.end()
    for word in _NAME_PART.finditer(page.text[match.start("name") : match.end("name")]):
        place = match.start("name") + word.start()
        capital = page.original[page.folded.span(place, place + 1)[0]].isupper()
        if word.group() in areas or page.original[slice(*page.folded.span(place, place + len(word.group())))] == "é":
            break
        if word.group() in PARTICLES and not capital:
            continue
        if word.group() not in everyone and (not capital or is_word(word.group())):
            break
        if "." in page.text[end - 1 : place] and tokens and len(tokens[-1]) > 1:
            break
        tokens.append(word.group())
        end = match.start("name") + word.end()
    return match.start(), end, tuple(tokens)


def _doctors_of(tokens: tuple[str, ...], known: dict[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(name for name, names in known.items() if all(_one_of(token, names) for token in tokens))


def _one_of(token: str, names: tuple[str, ...]) -> bool:
    return token in names or (len(token) == 1 and any(name.startswith(token) for name in names))


@lru_cache(maxsize=256)
def _untitled(tokens: tuple[str, ...]) -> re.Pattern[str]:
    rest = "|".join(re.escape(token) for token in tokens[1:])
    return re.compile(
        rf"(?<!\w){re.escape(tokens[0])}(?:\s+(?:d[aeo]s?\s+)?(?:{rest}))*(?!\w)" if rest else rf"(?<!\w){re.escape(tokens[0])}(?!\w)"
    )


def _may_stand_alone(page: Page, match: re.Match[str], fatos: Fatos) -> bool:
    """Whether a doctor's name without a title is no name of the person who speaks, nor of one booked for."""
    people = (*fatos.known.people, *([fatos.paciente.nome] if fatos.paciente else []))
    capital = page.original[page.folded.span(match.start(), match.start() + 1)[0]].isupper()
    said = frozenset(_WORD.findall(match.group()))
    return (capital or " " in match.group()) and not any(said <= frozenset(_tokens(name)) for name in people)
