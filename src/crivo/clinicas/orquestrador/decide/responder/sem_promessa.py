"""A list made from a message in which a denial was tied to nothing is not said to be as was asked.

It stands behind every planner: a word that turns the sense of what stands beside it, and no day, hour, doctor or place that it turned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.entende.criterios import Dia, Hora, period
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.momentos.alternativas import FIELD as SO_SE
from crivo.clinicas.orquestrador.entende.negados import refused_in

_CLAUSE: Final = re.compile(r"[^.,;!?\n]+")
_NO_ALONE: Final = re.compile(r"\W*\w+\W*")
_JOINS: Final = frozenset({"but", "sino"})
_PARTS: Final = tuple(period(name) for name in ("manha", "tarde", "noite"))


def unclaimed(plan: Plan, utterance: str, dialogue: Dialogue) -> Plan:
    """A plan that lists, with its searches in doubt where a denial in the message was tied to nothing."""
    if not plan.buscas or not has_loose_denial(utterance, dialogue):
        return plan
    return msgspec.structs.replace(plan, buscas=tuple(msgspec.structs.replace(busca, em_duvida=True) for busca in plan.buscas))


def has_loose_denial(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a word of a message that turns the sense of others has none of them in its clause that was read as turned."""
    sentence = read_sentence(utterance)
    mentions = read(sentence, dialogue).mencoes
    turned = [*refused_in(sentence, mentions), *(one for one in mentions if _bounds(one))]
    pattern = accord(f"vira_o_sentido_{language_of(utterance, dialogue.utterances)}")
    clauses = [match for match in _CLAUSE.finditer(sentence.text) if not _NO_ALONE.fullmatch(match.group())]
    denied = [clause for clause in clauses if _denies(pattern, clause, mentions)]
    return any(not any(one.start < clause.end() and clause.start() < one.end for one in turned) for clause in denied)


def _denies(pattern: re.Pattern[str], clause: re.Match[str], mentions: Sequence[Mencao]) -> bool:
    """Whether a clause holds a word that turns the sense, outside of what is read as something of its own."""
    found = [match for match in pattern.finditer(clause.string, clause.start(), clause.end()) if match.group() not in _JOINS]
    return any(not any(one.start <= match.start() and match.end() <= one.end for one in mentions) for match in found)


def _bounds(mention: Mencao) -> bool:
    """Whether a mention is a bound by itself."""
    value = mention.value
    if isinstance(value, Hora):
        return not value.is_one_time and value not in _PARTS
    return mention.field == SO_SE or (isinstance(value, Dia) and not value.is_one_day)
