"""Days and hours that only belong to what a person tells beside a request: no part of what is asked."""

from __future__ import annotations

import itertools
import re
from typing import Final

from crivo.clinicas.orquestrador.planner.cortes import SCOPE, Head
from crivo.clinicas.orquestrador.planner.frase import Frase
from crivo.clinicas.orquestrador.planner.leitura import Mencao
from crivo.clinicas.orquestrador.planner.lexico import accord, intention, reference

_CLAUSE: Final = re.compile(r"(?<!\d)[,.;!?]|\b(?:e|mas|entao|and|but|so|y|pero|por isso)\b")
_STORY: Final = re.compile(
    r"\b(?:desde|tinha|falei|falado|liguei|disse|disseram|vim|estive|doer|estou|estava|tive|tenho|cai|ca[ií]|bati|torci|machuquei|quebrei|senti|sinto|fiquei|comecou|apareceu|"
    r"acordei|doi|doendo|dor|dores|desde|faz|fui|ando|passei|i fell|hurt\w*|since|me duele|desde hace)\b"
)
MOMENTS: Final = frozenset({"dias", "horas", "numeros", "falha"})


PLACES: Final = MOMENTS | {"ordinais", "extremo"}


def without_stories(sentence: Frase, mentions: list[Mencao], heads: list[tuple[Head, int, int]]) -> list[Mencao]:
    """The mentions without the days and hours of a story told beside a request: `torci o pé ontem e preciso de um médico`."""
    reasons = {match.start() for match in reference("motivo").finditer(sentence.text)}
    bounds = sorted({0, *(match.end() for match in _CLAUSE.finditer(sentence.text)), *reasons, len(sentence.text)})
    stories = [] if not heads else [(one.start, one.end) for one in mentions if _is_memory(sentence.text, one)]
    for start, end in itertools.pairwise(bounds):
        is_request = any(start <= at < end for _, at, _ in heads)
        is_all = all(start <= one.start < end for one in mentions if one.field in PLACES)
        if accord("tem_consulta").search(sentence.text, start, end):
            continue  # which appointment it is about
        if not is_request and (heads or not is_all) and (start in reasons or _STORY.search(sentence.text, start, end)):
            stories.append((start, end))
    told = MOMENTS | {"ausente"} if any(one.field in PLACES | SCOPE and not _within(one, stories) for one in mentions) else MOMENTS
    kept = [one for one in mentions if one.field not in told or not _within(one, stories)]
    return kept if intention("acrescentar").search(sentence.text) else _without_parts_of_the_body(kept, stories)


def _without_parts_of_the_body(mentions: list[Mencao], stories: list[tuple[int, int]]) -> list[Mencao]:
    """The mentions without another specialty that only a story leads to: `apareceu uma bolinha no braço, quero dermato`."""
    named = [one for one in mentions if one.field == "especialidades"]
    asked = {one.value for one in named if not _within(one, stories)}
    other = [(one.start, one.end) for one in named if asked and _within(one, stories) and one.value not in asked]
    return [one for one in mentions if one.field not in {"especialidades", "ramos"} or not _within(one, other)]


_AGO: Final = re.compile(r"(?:ante)?ontem|yesterday|ayer|semana passada|last week")


def _is_memory(text: str, mention: Mencao) -> bool:
    """Whether a day gone by is told of what happened, even where no comma parts it from what is asked."""
    if mention.field != "falha" or not _AGO.match(text[mention.start : mention.end]):
        return False
    before = [match.end() for match in _CLAUSE.finditer(text, 0, mention.start)]
    return bool(_STORY.search(text, before[-1] if before else 0, mention.start))


def _within(mention: Mencao, stretches: list[tuple[int, int]]) -> bool:
    return any(start <= mention.start < end for start, end in stretches)
