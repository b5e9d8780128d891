"""What a model may be shown of what people and clinics write: names of people and personal data are left out, doctors' names stay.

Source: design, Session ("Identity is held in memory alone").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Paciente
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.medicos import find_doctors, name_parts
from crivo.clinicas.orquestrador.entende.mencoes import context_of
from crivo.clinicas.orquestrador.entende.pessoas import identificadores, nomes
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.nomes import PARTICLES

NAME: Final = "[nome]"
PERSONAL: Final = "[dado pessoal]"
IDENTITY: Final = frozenset({"patient_name", "cpf"})

_WORD: Final = re.compile(r"[^\W\d_]+")
_LONG_NUMBER: Final = re.compile(r"\d(?:[\s.\-/]?\d){8,}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d|\d\d/\d\d(?:/\d{2,4})?")
_BETWEEN: Final = r"[\W_]*"
_SHORTEST_SPELLED: Final = 4  # a shorter name, letter by letter, would be found in everyday words

Span = tuple[int, int, str]


def masked(text: str, dialogue: Dialogue) -> str:
    """A text without names of people, CPFs, phones and the like, each in the place of its own mark."""
    found = [*_personal(text), *_own(text, dialogue.paciente), *_others(text, dialogue), *_people(text, dialogue)]
    pieces, last = [], 0
    for start, end, mark in sorted(found, key=lambda span: (span[0], -span[1])):
        if start >= last:
            pieces += [text[last:start], mark]
        last = max(last, end)
    return "".join([*pieces, text[last:]])


def masked_value(value: Any, dialogue: Dialogue) -> Any:
    """The same of every text within an answer of a clinic, who an appointment is for left out."""
    if isinstance(value, str):
        return masked(value, dialogue)
    if isinstance(value, Mapping):
        return {key: masked_value(inner, dialogue) for key, inner in value.items() if key not in IDENTITY}
    if isinstance(value, list | tuple):
        return [masked_value(inner, dialogue) for inner in value]
    return value


def is_of_appointments(replies: Sequence[ClinicReply]) -> bool:
    """Whether the answers are of the agenda alone; patients' records and conditions are shown to no model."""
    return not any(reply.ferramenta.reads_patients for reply in replies)


def _personal(text: str) -> Iterator[Span]:
    yield from ((*span, PERSONAL) for span in identificadores.spans(Page(text)))
    for match in _LONG_NUMBER.finditer(text):
        if not _MOMENT.search(match.group()):
            yield (*match.span(), PERSONAL)


def _own(text: str, paciente: Paciente | None) -> Iterator[Span]:
    """What belongs to the person who is served, however it is parted."""
    if paciente is None:
        return
    digits = [char for char in paciente.cpf if char.isdigit()]
    if digits:
        yield from ((*match.span(), PERSONAL) for match in re.finditer(r"\D{0,3}".join(digits), text))
    folded = Page(text).folded
    for word in _own_words(paciente):
        if len(word) >= _SHORTEST_SPELLED:
            parted = _BETWEEN.join(word)
            spelled = re.finditer(rf"(?<![^\W_]){parted}(?![^\W_])", folded.text)
            yield from ((*folded.span(*match.span()), NAME) for match in spelled)


def _others(text: str, dialogue: Dialogue) -> Iterator[Span]:
    """The names and CPFs of those whom the person books for."""
    named = [Paciente(dialogue.para.nome, dialogue.para.cpf)] if dialogue.para is not None and dialogue.para.nome else []
    for one in (*dialogue.pessoas, *named):
        yield from _own(text, one)


def _own_words(paciente: Paciente) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(fold(paciente.nome)) if word not in PARTICLES)


def _people(text: str, dialogue: Dialogue) -> Iterator[Span]:
    """The person's own names, and first names with surnames of anybody; those of doctors that are known are passed over."""
    own = _own_words(dialogue.paciente) if dialogue.paciente is not None else frozenset[str]()
    words = list(_WORD.finditer(text))
    mine = [fold(match.group()) in own for match in words]
    doctors = _doctors(text, dialogue)
    for index, match in enumerate(words):
        beside = any(mine[max(0, index - 1) : index] + mine[index + 1 : index + 2])
        if mine[index] and (beside or match.start() not in doctors):
            yield (*match.span(), NAME)
    others = [match for match in words if match.start() not in doctors]
    for start, end in nomes.full_names([fold(match.group()) for match in others]):
        yield others[start].start(), others[end - 1].end(), NAME


def _doctors(text: str, dialogue: Dialogue) -> frozenset[int]:
    """Where the words begin by which doctors are named; a misspelt one may be the name of somebody else."""
    sentence, directory = read_sentence(text), context_of(dialogue).directory
    places, at = {}, 0
    for word in sentence.words:
        at = text.index(word.original, at)
        places[word.start] = at
        at += len(word.original)
    named = [found for found in find_doctors(sentence, directory) if found.names]
    words = [(word, one.names) for one in named for word in sentence.words_in(one.start, one.end)]
    return frozenset(places[word.start] for word, names in words if any(word.text in name_parts(name) for name in names))
