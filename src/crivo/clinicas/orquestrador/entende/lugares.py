"""Clinics named in a sentence, by letter, number or name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold

_LETTERS: Final = re.compile(
    r"\b(?:clinicas?|clinics?|unidades?)[ _]+(?:de letra |letra |the )?([a-z])(?![\w])((?:\s*(?:,|e|ou|and|or|y|"
    r"o)\s+(?:n?a\s+|clinica\s+)*(?:[a-z])(?![\w]))*)"
)
_FURTHER: Final = re.compile(r"(?:,|\b(?:e|ou|and|or|y|o))\s+(?:n?a\s+|clinica\s+)*([a-z])(?!\w)")
_LONE: Final = re.compile(
    r"\b(?:na|da|pela|a|para a|la|in|at|the|pra)\s+([b-df-np-z])(?!\w)(?=\s*(?:$|[,.;!?]|mesmo|que|dia|as|e\b|com|ou|"
    r"por))"
)
_ARTICLE: Final = re.compile(r"^\s+(?:partir|mais|tarde|noite|qualquer|que|manha|minha|consulta|clinica|dra?|outra|mesma)\b")
_NUMBERED: Final = re.compile(r"\b(?:clinica|clinic|unidade)\s+(?:numero\s+)?(\d{1,2}|[a-z]{1,2}\d+)\b")
_OWN_LETTER: Final = re.compile(r"^clinic_([a-z])$")


_A_WORD: Final = re.compile(r"\s+(?!ou\b|or\b)[a-z]{2}")


class Lugar(msgspec.Struct, frozen=True):
    """A clinic in a sentence: its id, or an empty value for one that there is not."""

    start: int
    end: int
    value: str
    written: str = ""


def find_clinics(sentence: Frase, registro: Registro) -> list[Lugar]:
    """The clinics named, in the order written; one that the registry has not has an empty value."""
    found = list(_by_name(sentence, registro))
    for place in _by_letter(sentence, registro):
        if not _inside(place, found):
            found.append(place)
    for match in _NUMBERED.finditer(sentence.text):
        place = Lugar(*match.span(), "", match.group())
        if not _inside(place, found):
            found.append(place)
    return sorted(found, key=lambda place: place.start)


def _inside(place: Lugar, others: list[Lugar]) -> bool:
    return any(place.start < other.end and other.start < place.end for other in others)


def _by_name(sentence: Frase, registro: Registro) -> Iterator[Lugar]:
    for clinica in registro:
        for name in {fold(clinica.nome), clinica.id, clinica.id.replace("_", " ")}:
            if name in {"clinica a", "clinica e", "clinica o"}:
                continue
            for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence.text):
                yield Lugar(*match.span(), clinica.id)


def letters(registro: Registro) -> dict[str, str]:
    """The clinic of each letter, by its id or by a name that ends in a letter."""
    known: dict[str, str] = {}
    for clinica in registro:
        own = _OWN_LETTER.match(clinica.id)
        last = fold(clinica.nome).split()[-1]
        if own or len(last) == 1:
            known[own.group(1) if own else last] = clinica.id
    return known


def _by_letter(sentence: Frase, registro: Registro) -> Iterator[Lugar]:
    known = letters(registro)
    for match in _LETTERS.finditer(sentence.text):
        first = match.group(1)
        if first in "aeo" and not _is_letter(sentence, match):
            continue
        yield Lugar(match.start(), match.end(1), known.get(first, ""), f"clínica {first.upper()}")
        for other in _FURTHER.finditer(match.group(2)):
            if other.group(1) in known and _is_further(sentence, match.start(2) + other.start(1)):
                yield Lugar(match.start(2) + other.start(1), match.start(2) + other.end(1), known[other.group(1)])
    for match in _LONE.finditer(sentence.text):
        if match.group(1) in known:
            yield Lugar(*match.span(), known[match.group(1)])
    for word in sentence.words:
        if word.original in {"A", "E"} and word.start > 0 and re.search(r"\b(?:na|da|pela|clinica)\s+$", sentence.text[: word.start]):
            yield Lugar(word.start, word.end, known.get(word.text, ""), word.original)


def _is_letter(sentence: Frase, match: re.Match[str]) -> bool:
    """Whether a lone a, e or o after the word is a clinic's letter and no article or conjunction."""
    word = next((word for word in sentence.words if word.start == match.start(1)), None)
    if word is not None and word.original.isupper():
        return True
    if match.group(1) == "e" and match.group().split(maxsplit=1)[0].endswith("s") and _A_WORD.match(sentence.text, match.end(1)):
        return False  # `clínicas e médicos`
    return match.group(1) != "o" and not _ARTICLE.match(sentence.text[match.end(1) :])


def _is_further(sentence: Frase, start: int) -> bool:
    """Whether a letter after a clinic's is another clinic's, and not the word that begins what is said next: `clínica B, e de manhã`."""
    word = next((word for word in sentence.words if word.start == start), None)
    vowel = word is not None and word.text in {"a", "e", "o", "y"} and not word.original.isupper()
    return not (vowel and _A_WORD.match(sentence.text, start + 1))
