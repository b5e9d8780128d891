"""Days and hours that only belong to what a person tells beside a request: no part of what is asked."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from typing import Final

from crivo.clinicas.orquestrador.entende.cortes import SCOPE, Head
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, reference
from crivo.clinicas.orquestrador.entende.mencoes import Mencao

_CLAUSE: Final = re.compile(r"(?<!\d)(?<!\bdr)(?<!\bdra)[,.;!?]|(?<=\d)[,.;!?](?!\d)|\b(?:e|mas|entao|and|but|so|y|pero|por isso)\b")
_STORY: Final = re.compile(
    r"\b(?:desde|tinha|falei|falado|liguei|disse|disseram|vim|estive|doer|estou|estava|tive|tenho|cai|ca[ií]|bati|torci|machuquei|quebrei|senti|sinto|fiquei|comecou|apareceu|"
    r"acordei|doi|doendo|dor|dores|desde|(?<!tanto )faz|fui|ando|passei|i fell|hurt\w*|since|me duele|desde hace)\b"
)
MOMENTS: Final = frozenset({"dias", "horas", "numeros", "falha"})


PLACES: Final = MOMENTS | {"ordinais", "extremo"}


def without_stories(sentence: Frase, mentions: list[Mencao], heads: list[tuple[Head, int, int]]) -> list[Mencao]:
    """The mentions without the days and hours of a story told beside a request: `torci o pé ontem e preciso de um médico`."""
    reasons = {match.start() for match in reference("motivo").finditer(sentence.text)}
    bounds = sorted({0, *(match.end() for match in _CLAUSE.finditer(sentence.text)), *reasons, len(sentence.text)})
    stories = [(one.start, one.end) for one in mentions if _is_memory(sentence, one, heads)]
    for start, end in itertools.pairwise(bounds):
        is_request = any(start <= at < end for _, at, _ in heads)
        is_all = all(start <= one.start < end for one in mentions if one.field in PLACES)
        if accord("tem_consulta").search(sentence.text, start, end):
            continue  # which appointment it is about
        if not is_request and (heads or not is_all) and (start in reasons or _STORY.search(sentence.text, start, end)):
            stories.append((start, end))
    told = MOMENTS | {"ausente"} if any(one.field in PLACES | SCOPE and not _within(one, stories) for one in mentions) else MOMENTS
    kept = [one for one in mentions if one.field not in told or not _within(one, stories) or _cannot_be(sentence.text, one, reasons)]
    return kept if intention("acrescentar").search(sentence.text) else _without_parts_of_the_body(kept, stories)


def _without_parts_of_the_body(mentions: list[Mencao], stories: list[tuple[int, int]]) -> list[Mencao]:
    """The mentions without another specialty that only a story leads to: `apareceu uma bolinha no braço, quero dermato`."""
    named = [one for one in mentions if one.field == "especialidades"]
    asked = {one.value for one in named if not _within(one, stories)}
    other = [(one.start, one.end) for one in named if asked and _within(one, stories) and one.value not in asked]
    return [one for one in mentions if one.field not in {"especialidades", "ramos"} or not _within(one, other)]


def _is_memory(sentence: Frase, mention: Mencao, heads: list[tuple[Head, int, int]]) -> bool:
    """Whether a day gone by is told of what happened, before or after it in its clause, even where no comma parts it from what is asked.

    A day of the calendar that is over, or one that is asked for (`tem vaga ontem?`), is a slip to be asked about.
    """
    text = sentence.text
    if mention.field != "falha" or not accord("tempo_ido").match(text, mention.start):
        return False
    begin = max((match.end() for match in _CLAUSE.finditer(text, 0, mention.start)), default=0)
    parted = _CLAUSE.search(text, mention.end)
    end = parted.start() if parted else len(text)
    if _STORY.search(text, begin, end) or accord("aconteceu").search(text, begin, end):
        return True
    return bool(heads) and not any(begin <= at < end for _, at, _ in heads)


def _cannot_be(text: str, mention: Mencao, reasons: Collection[int]) -> bool:
    """Whether it is told right after a day or an hour why it cannot be: `sexta tenho faculdade`; no reason given for a choice is that."""
    begin = max((match.end() for match in _CLAUSE.finditer(text, 0, mention.start)), default=0)
    if mention.field not in {"dias", "horas"} or any(begin <= start <= mention.start for start in reasons):
        return False
    return reference("nao_serve").match(text[mention.end :].lstrip()) is not None


def _within(mention: Mencao, stretches: list[tuple[int, int]]) -> bool:
    return any(start <= mention.start < end for start, end in stretches)
