"""Hours that one message tells for two people (`eu às 9 e ele às 10`), parted so that nobody is booked what is the other's.

Source: design, "Who the appointment is for".
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import names_listed
from crivo.clinicas.orquestrador.entende.uma_frase import written as _written

_JOINT: Final = re.compile(r"\s*(?:[,;.]\s*)?(?:\b(?:e|and|y|mas|but|pero)\b)?\s*(?:(?:at|as|las|o|a|the|el|la|d[aeo]s?)\b\s*){0,3}$")
_LED: Final = re.compile(r"(?:\bpara|\bfor|\bd[ao])(?: (?:o|a|el|la|the))? ?$")
_BETWEEN: Final = 24
_MIND: Final = "para mim"


class Par(msgspec.Struct, frozen=True):
    """An hour with whom it is told for: the span of both, that of the person, and who, `eu` being the speaker."""

    start: int
    end: int
    pessoa: tuple[int, int]
    quem: str


def hours_of_each(sentence: Frase, dialogue: Dialogue) -> tuple[str, ...]:
    """The message as one for each of two people; one text alone where they cannot be parted, empty where it is not of two."""
    pairs = _pairs(sentence, dialogue)
    if len({one.quem for one in pairs}) < 2:
        return ()
    if len(pairs) != 2:
        return (sentence.original,)
    first, second = pairs
    joint = _JOINT.search(sentence.text, first.end, second.start)
    cut = joint.start() if joint is not None else second.start
    before, spans = _written(sentence, 0, first.start), ((first.start, cut), (second.start, len(sentence.text)))
    each = (_of(sentence, pair, span) for pair, span in zip(pairs, spans, strict=True))
    return tuple(f"{before} {one}".strip(" ,;") for one in each)


def _of(sentence: Frase, pair: Par, span: tuple[int, int]) -> str:
    """What is told for one person, with the person led to by `para`."""
    start, end = pair.pessoa
    led = _LED.search(sentence.text[:start]) is not None or accord("leva_a_gente").match(sentence.text, start) is not None
    who = _written(sentence, start, end)
    named = _MIND if pair.quem == "eu" else who if led else f"para {_pronoun(who)}"
    return f"{_written(sentence, span[0], start)} {named} {_written(sentence, end, span[1])}".strip()


def _pronoun(who: str) -> str:
    last = who.split()[-1].lower()
    return {"dele": "ele", "dela": "ela", "his": "him", "hers": "her", "he": "him", "she": "her"}.get(last, who)


def _pairs(sentence: Frase, dialogue: Dialogue) -> list[Par]:
    """The hours that a person stands right beside, before or after."""
    text = sentence.text
    mentions = find_mentions(sentence, context_of(dialogue))
    if len({one.value for one in mentions if one.field == "especialidades"}) > 1:
        return []  # each wish stands by itself: `dermato às 11h pra mim e cardio às 9h pra minha mãe`
    hours = [(one.start, one.end) for one in mentions if one.field == "horas"]
    people = _people(sentence, dialogue)
    if len(hours) < 2 or len(people) < 2:
        return []
    before = [_paired(text, person, hour) for hour in hours for person in people if _touch(text, person[1], hour[0])]
    after = [_paired(text, person, hour) for hour in hours for person in people if _touch(text, hour[1], person[0])]
    return sorted(before if len(before) >= len(after) else after, key=lambda one: one.start)


def _paired(text: str, person: tuple[int, int, str], hour: tuple[int, int]) -> Par:
    return Par(min(person[0], hour[0]), max(person[1], hour[1]), person[:2], person[2])


def _touch(text: str, end: int, start: int) -> bool:
    """Whether nothing stands between but words that lead from a person to an hour."""
    between = text[end:start].strip(" ,")
    return 0 <= start - end <= _BETWEEN and all(accord("leva_a_hora").fullmatch(word) for word in between.split())


def _people(sentence: Frase, dialogue: Dialogue) -> list[tuple[int, int, str]]:
    text = sentence.text
    others = [(*one.span(), one.group()) for one in accord("ele_na_hora").finditer(text)]
    mine = [(*one.span(), "eu") for one in accord("eu_na_hora").finditer(text)]
    names = [(start, end, name) for start, end, name in names_listed(sentence, dialogue)]
    told: list[tuple[int, int, str]] = []
    for one in sorted((*others, *mine, *names)):
        if not told or one[0] >= told[-1][1]:
            told.append(one)
    return told
