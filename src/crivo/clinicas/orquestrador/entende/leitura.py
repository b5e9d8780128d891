"""All that a stretch of a sentence says of slots: criteria wanted, criteria refused, references, and what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.entende.criterios import DISTANT, Criterios, Dia, Extremo, Hora, Value, both_hours, over, period
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention, later, reference, shifts
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.momentos.alternativas import FIELD as SO_SE
from crivo.clinicas.orquestrador.entende.momentos.tempo import Falha
from crivo.clinicas.orquestrador.entende.negados import REFUSED_FOR_GOOD, SLIP, is_refused, refused_ids
from crivo.clinicas.orquestrador.entende.recusado import apart
from crivo.kernel.linguagem.folego import check


class Leitura(Value, frozen=True):
    """What a stretch of a sentence says.

    `desconhecidos` are clinics and doctors that nobody has, as written; `ausentes` are specialties that no clinic practises.
    `referencias` are the names of `Referencias` that occur. `depois` is how many minutes after another appointment it shall be,
    `desloca` how many days.
    """

    criterios: Criterios = Criterios()
    excluidos: Criterios = Criterios()
    falhas: tuple[Falha, ...] = ()
    medicos_desconhecidos: tuple[str, ...] = ()
    clinicas_desconhecidas: tuple[str, ...] = ()
    ausentes: tuple[str, ...] = ()
    referencias: frozenset[str] = frozenset()
    depois: int = 0
    desloca: int = 0


REFERENCE_NAMES: Final = (
    "este",
    "mesmo_medico",
    "mesma_clinica",
    "outra_clinica",
    "outro_medico",
    "outra_medica",
    "outro_horario",
    "o_outro",
    "destes",
    "o_de_baixo",
    "o_de_cima",
    "mesmo_dia",
    "mesma_hora",
    "outra_semana_depois",
    "semana_antes",
    "dia_que_vem",
    "mulher",
    "homem",
    "qualquer_hora",
    "qualquer_dia",
    "qualquer_medico",
    "qualquer_clinica",
)


def read_stretch(sentence: Frase, mentions: Iterable[Mencao], start: int, end: int, *, negation: bool = True) -> Leitura:
    """What the mentions within a span say together; `negation` False takes every one as wanted."""
    check()
    text = sentence.text[start:end]
    within = _without_slips([one for one in mentions if start <= one.start and one.end <= end], text, start)
    refused = refused_ids(within, sentence.text, start, end) if negation else set()
    within = _as_said_last(within, refused)
    told_off = {(one.field, one.value) for one in within if id(one) in refused and one.field in REFUSED_FOR_GOOD}
    wanted = _criteria(one for one in within if id(one) not in refused and (one.field, one.value) not in told_off)
    return Leitura(
        criterios=wanted,
        excluidos=_excluded([one for one in within if id(one) in refused], within, sentence.text),
        falhas=_values(within, "falha"),
        medicos_desconhecidos=_values(within, "medico_desconhecido"),
        clinicas_desconhecidas=_values(within, "clinica_desconhecida"),
        ausentes=() if wanted.has_scope else _values(within, "ausente"),
        referencias=_references(text),
        depois=next((minutes for minutes, pattern in later() if pattern.search(text)), 0),
        desloca=next((days for days, pattern in shifts() if pattern.search(text)), 0),
    )


def _excluded(refused: list[Mencao], mentions: list[Mencao], text: str) -> Criterios:
    """What is refused, and what alternatives leave out; each thing that is refused by itself stands by itself."""
    first, *others = (_criteria(group) for group in apart(refused, text))
    left_out = [one for mention in mentions if mention.field == SO_SE for one in mention.value]
    return msgspec.structs.replace(first, apartadas=(*others, *left_out))


_TITLES: Final = {"mulher": "homem", "homem": "mulher"}


def _references(text: str) -> frozenset[str]:
    """The names of the references in a text; of a title that is refused the other is meant: `não quero doutor homem`."""
    found = {name for name in REFERENCE_NAMES if reference(name).search(text)}
    told = {
        name: [
            is_refused(Mencao(match.end() - len(name), match.end(), "titulos", name), text, 0) for match in reference(name).finditer(text)
        ]
        for name in _TITLES
    }
    refused = {name for name, each in told.items() if each and all(each)}
    return frozenset((found - refused) | ({_TITLES[name] for name in refused} if len(refused) == 1 else set()))


def _as_said_last(mentions: list[Mencao], refused: set[int]) -> list[Mencao]:
    """The mentions without the places in a list that give way to one refused and then wanted: `o dois não, o três, quero o três`."""
    places = [one for one in mentions if one.field == "ordinais"]
    denied = {one.value for one in places if id(one) in refused}
    last = places[-1] if places else None
    if last is None or id(last) in refused or last.value not in denied:
        return mentions
    return [one for one in mentions if one.field != "ordinais" or one is last]


def _without_slips(mentions: list[Mencao], text: str, start: int) -> list[Mencao]:
    """The mentions without those that the speaker took back: `dia 18, não, dia 19`."""
    for end in _slips(text):
        at = start + end
        after = {one.field for one in mentions if one.start >= at}
        before = [one for one in mentions if one.start < at]
        if before:
            after |= {"falha"} if "dias" in after or "horas" in after else set()
            mentions = [one for one in mentions if one.start >= at or one.field not in after]
    return mentions


def _slips(text: str) -> list[int]:
    """Where the speaker goes on after taking something back: after the words that tell so, or after a pause that does."""
    paused = [
        match.end() for match in intention("desdizer").finditer(text) if text[: match.start()].rstrip().endswith((",", ".", ";", "!", "-"))
    ]
    return sorted([*(match.end() for match in SLIP.finditer(text)), *paused])


def takes_back(text: str) -> bool:
    """Whether the speaker corrects himself within a stretch."""
    return bool(_slips(text))


def _values(mentions: Iterable[Mencao], field: str) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(one.value for one in mentions if one.field == field))


def _criteria(mentions: Iterable[Mencao]) -> Criterios:
    kept = list(mentions)
    extremes: tuple[Extremo, ...] = _values(kept, "extremo")
    days: tuple[Dia, ...] = _values(kept, "dias")
    hours: tuple[Hora, ...] = _values(kept, "horas")
    return Criterios(
        especialidades=_values(kept, "especialidades"),
        ramos=_values(kept, "ramos"),
        medicos=_values(kept, "medicos"),
        clinicas=_values(kept, "clinicas"),
        dias=_days(days),
        horas=_hours(hours),
        numeros=_values(kept, "numeros"),
        ordinais=_values(kept, "ordinais"),
        extremo=extremes[0] if extremes else None,
    )


def _days(days: tuple[Dia, ...]) -> tuple[Dia, ...]:
    """One-day mentions narrow ranges that hold them: `semana que vem, na terça` is a day."""
    days = tuple(day for day in days if day.first) or days  # `quinta, durante a semana` is a Thursday
    single = tuple(day for day in days if day.is_one_day)
    bounded = over(Criterios(dias=tuple(day for day in days if not day.is_one_day)), Criterios(dias=single)).dias
    return tuple(_only_day(day) for day in bounded) or days


def _only_day(day: Dia) -> Dia:
    """A weekday of a week, as the day that it is."""
    if day.weekday is None or day.is_one_day or day.last == DISTANT:
        return day
    first, last = date.fromisoformat(day.first), date.fromisoformat(day.last)
    found = [one for one in (first + timedelta(days=step) for step in range((last - first).days + 1)) if one.weekday() == day.weekday]
    return Dia(found[0].isoformat(), found[0].isoformat()) if len(found) == 1 else day


def _together(parts: tuple[Hora, ...]) -> tuple[Hora, ...]:
    """What parts of the day and bounds that lie one within the other leave together: `bem cedinho, antes das 9`."""
    named = {period(name) for name in ("manha", "tarde", "noite")} & set(parts)
    first, last = max((hora.first for hora in parts), default=""), min((hora.last for hora in parts), default="")
    return (Hora(first=first, last=last),) if first < last and len(named) < 2 else both_hours(parts[:1], parts[1:])


def _hours(hours: tuple[Hora, ...]) -> tuple[Hora, ...]:
    """A part of the day narrows the readings of a time: `às 8 da noite`, `de manhã às 9`."""
    single = tuple(hour for hour in hours if hour.is_one_time)
    parts = tuple(hour for hour in hours if not hour.is_one_time)
    if not single:
        return _together(parts) or hours
    if not parts:
        return hours
    narrowed = tuple(Hora(tuple(time for time in hour.readings if any(part.holds(time) for part in parts))) for hour in single)
    return tuple(hour for hour in narrowed if hour.readings) or single
