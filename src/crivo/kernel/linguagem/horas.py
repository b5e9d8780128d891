"""Times of day as people write them, found in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from crivo.kernel.linguagem import formas_de_horas as patterns
from crivo.kernel.linguagem.fala import Folded, folded
from crivo.kernel.linguagem.formas_de_datas import ISO, NUMERIC, day_in

Period = Literal["manha", "tarde", "noite"]
Relation = Literal["at", "after", "before"]


MORNING_ENDS: Final = 12


class FoundTime(msgspec.Struct, frozen=True):
    """A time in a text.

    `time` is `HH:MM`, or None for a part of the day alone (`period`) or for no time there is (`impossible`: 25h). `readings` are all the
    times that may be meant, the likelier first: "às 3" may be 03:00 or 15:00, "às 3 da tarde" and "15h" may not. `exact` tells that only
    one may. `relation` tells of "depois das 14h" and "até as 10h".
    """

    start: int
    end: int
    time: str | None
    period: Period | None = None
    readings: tuple[str, ...] = ()
    exact: bool = True
    relation: Relation = "at"
    impossible: bool = False


def find_times(text: str) -> list[FoundTime]:
    """Every time of day in a text in the order written; how long something lasts ("a cada 8 horas") is none."""
    page = folded(text)
    no_times = (ISO, *NUMERIC, patterns.DURATION) if patterns.HOUR_SIGN.search(page.text) else (ISO, *NUMERIC)
    taken = [match.span() for pattern in no_times for match in pattern.finditer(page.text)]
    kept: list[FoundTime] = []
    for found in sorted(_raw(page), key=lambda found: (found.start, -found.end)):
        if any(start < found.end and found.start < end for start, end in taken):
            continue
        if not kept or found.start >= kept[-1].end:
            kept.append(found)
    return [_placed(page, found) for found in kept]


def _raw(page: Folded) -> Iterator[FoundTime]:
    plain = page.text
    for match in patterns.NAMED.finditer(plain):
        base = 12 * 60 if match["noon"] else 0
        yield _found(match, base + _minutes(match["more"]), None, exact=True)
    for match in patterns.CLOCK.finditer(plain):
        minutes = int(match["hour"]) * 60 + int(match["minutes"])
        yield _found(match, minutes, match["part"], exact=len(match["hour"]) == 2 or int(match["hour"]) > 12)
    for match in patterns.HOURS.finditer(plain) if patterns.HOUR_SIGN.search(plain) else ():
        written = patterns.is_written(match["hour"])
        told = match["prep"] or match["part"] or match["more"] or match["sharp"] or patterns.OF_THAT_DAY.match(plain, match.end())
        if written and not told:
            continue
        yield _found(match, (day_in(match["hour"]) or 0) * 60 + _minutes(match["more"]), match["part"], exact=not written)
    if patterns.MORE_SIGN.search(plain):
        yield from _halves(plain)
    has_part = patterns.PART_SIGN.search(plain) is not None
    for match in patterns.HOUR_AND_PART.finditer(plain) if has_part else ():
        if not patterns.OF_DAYS.search(plain, 0, match.start()):
            yield _found(match, (day_in(match["hour"]) or 0) * 60, match["part"], exact=False)
    yield from _after_a_preposition(page)
    yield from _before_the_hour(plain)
    for match in patterns.PERIOD.finditer(plain) if has_part else ():
        period = patterns.PERIODS[next(name for name in ("manha", "tarde", "noite") if match[name])]
        if match["manha"] == "manana" and not match["prep"]:
            continue
        yield FoundTime(*match.span(), None, period)


def _halves(plain: str) -> Iterator[FoundTime]:
    """`dez e meia`, `14 e 30 da tarde`, `às nove e quinze`; of days (`dias vinte e um e vinte e dois`) it is none."""
    for match in patterns.HALVES.finditer(plain):
        if not match["prep"] and patterns.OF_DAYS.search(plain, 0, match.start()):
            continue
        minutes = _minutes(match["more"])
        hour = day_in(match["hour"]) or 0
        told = patterns.is_written(match["hour"]) and patterns.is_written(match["more"])
        if (
            match["prep"]
            or match["part"]
            or match["more"] in patterns.PARTS_OF_AN_HOUR
            or (hour > MORNING_ENDS and patterns.AFTER_A_WEEKDAY.search(plain, 0, match.start()))
            or (told and (minutes == patterns.HALF or hour > 12))
        ):
            yield _found(match, hour * 60 + minutes, match["part"], exact=False)


def _after_a_preposition(page: Folded) -> Iterator[FoundTime]:
    """`às 10`, `at 10`, `a las diez`; without its accent, `as 10` counts only where no noun follows."""
    for match in patterns.AT.finditer(page.text):
        start, end = page.span(*match.span("prep"))
        accented = "à" in page.original[start:end].lower()
        if not accented and match["prep"].strip() in patterns.ARTICLE_TOO and patterns.NOUN.match(page.text, match.end()):
            continue
        yield _found(match, (day_in(match["hour"]) or 0) * 60, match["part"], exact=False)


def _before_the_hour(plain: str) -> Iterator[FoundTime]:
    """`quinze para as dez`, `half past ten`, `quarter to ten`."""
    for match in patterns.TO_THE_HOUR.finditer(plain) if patterns.TO_SIGN.search(plain) else ():
        yield _found(match, (day_in(match["hour"]) or 0) * 60 - _minutes(match["less"]), match["part"], exact=False)
    for match in patterns.PAST_THE_HOUR.finditer(plain):
        yield _found(match, (day_in(match["hour"]) or 0) * 60 + _minutes(match["more"]), match["part"], exact=False)


def _minutes(written: str | None) -> int:
    if not written:
        return 0
    if written in patterns.PARTS_OF_AN_HOUR:
        return patterns.PARTS_OF_AN_HOUR[written]
    return day_in(written) or 0


def _found(match: re.Match[str], minutes: int, part: str | None, *, exact: bool) -> FoundTime:
    hour = minutes // 60
    if not 0 <= minutes < 24 * 60 or minutes % 60 > 59:
        return FoundTime(*match.span(), None, impossible=True)
    period = patterns.period_in(part)
    relation = patterns.relation_before(match.string, match.start())
    if period is not None and hour <= 12:
        reading = _in_period(minutes, period)
        return FoundTime(*match.span(), _clock(reading), period, (_clock(reading),), relation=relation)
    if exact or hour == 0 or hour > 12:
        return FoundTime(*match.span(), _clock(minutes), None, (_clock(minutes),), relation=relation)
    other = minutes + 12 * 60 if hour < 12 else minutes - 12 * 60
    likely = [_clock(minutes), _clock(other)] if patterns.OPENING <= hour <= 12 else [_clock(other), _clock(minutes)]
    return FoundTime(*match.span(), likely[0], None, tuple(likely), exact=False, relation=relation)


def _in_period(minutes: int, period: Period) -> int:
    hour = minutes // 60
    if period == "manha":
        return minutes - 12 * 60 if hour == 12 else minutes
    if period == "noite" and hour == 12:
        return minutes - 12 * 60
    return minutes if hour == 12 else minutes + 12 * 60


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _placed(page: Folded, found: FoundTime) -> FoundTime:
    if page.positions is None:
        return found
    start, end = page.span(found.start, found.end)
    return msgspec.structs.replace(found, start=start, end=end)
