"""A sentence made ready to be read: folded, short forms written out, misspellings of words that matter mended."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import GRAFIA, mendable, vocabulary
from crivo.kernel.linguagem.fala import calm, fold

LONGEST_UTTERANCE: Final = 1000
_TOKEN: Final = re.compile(r"p/|c/|[^\W_]+(?:-feira)?", re.IGNORECASE)
_STAMP: Final = re.compile(  # of a message pasted from a chat: when that was sent is no wish
    r"^\[\d{1,2}/\d{1,2}(?:/\d{2,4})?,? \d{1,2}:\d{2}(?::\d{2})?\] |^\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}:\d{2} - ", re.MULTILINE
)
_FIRST_LONG: Final = 8
_SHORTEST_MENDED: Final = 6
_ENGLISH_TOO: Final = frozenset({"to"})  # a short form in Portuguese, a word in English


class Palavra(msgspec.Struct, frozen=True):
    """A word of the sentence: its span in the text that is read, and how it was written."""

    text: str
    start: int
    end: int
    original: str

    @property
    def is_capital(self) -> bool:
        """Whether it was written as names are."""
        return self.original[:1].isupper()


class Frase(msgspec.Struct, frozen=True):
    """What was said as it was written, the text that is read, and its words."""

    original: str
    text: str
    words: tuple[Palavra, ...]

    def words_in(self, start: int, end: int) -> tuple[Palavra, ...]:
        """The words that lie within a span."""
        return tuple(word for word in self.words if word.start >= start and word.end <= end)


def blanked(sentence: Frase, start: int, end: int) -> Frase:
    """The sentence with a stretch left out; everything else keeps its place."""
    text = sentence.text[:start] + " " * (end - start) + sentence.text[end:]
    return Frase(sentence.original, text, tuple(word for word in sentence.words if word.end <= start or word.start >= end))


@lru_cache(maxsize=256)
def read_sentence(utterance: str) -> Frase:
    """The sentence that an utterance is; what is over the longest that is read is left out."""
    utterance = _STAMP.sub(" ", calm(utterance)[:LONGEST_UTTERANCE])
    pieces: list[str] = []
    words: list[Palavra] = []
    length, last = 0, 0
    kept = _ENGLISH_TOO if language_of(utterance) == "en" else frozenset()
    for match in _TOKEN.finditer(utterance):
        between = _punctuation(utterance[last : match.start()])
        previous = words[-1].text if words else ""
        read = match.group().lower() if match.group().lower() in kept else _read_word(match, previous)
        words.append(Palavra(read, length + len(between), length + len(between) + len(read), match.group()))
        pieces += [between, read]
        length += len(between) + len(read)
        last = match.end()
    pieces.append(_punctuation(utterance[last:]))
    return Frase(utterance, "".join(pieces), tuple(words))


_BEFORE_A_LETTER: Final = frozenset({"clinica", "clinicas", "clinic", "unidade", "letra", "na", "da", "e", "ou"})
_BEFORE_A_DAY: Final = frozenset({"na", "nessa", "nesta", "essa", "esta", "proxima", "ate", "para", "toda", "ou"})
_WORDS_TOO: Final = frozenset({"ter", "dom"})  # weekdays cut short that are words of their own


_OF_THE_VERB: Final = re.compile(r"\s+(?:uma?s?|mais|que|certeza|no[cç][aã]o|id[eé]ia)\b", re.IGNORECASE)  # `só pra ter uma ideia`


def _read_word(found: re.Match[str], previous: str) -> str:
    """A word as it is read; a lone letter that may be a clinic's is left as it is."""
    written = found.group()
    plain = fold(written)
    if len(written) == 1 and (written.isupper() or previous in _BEFORE_A_LETTER):
        return plain
    is_day = plain not in _WORDS_TOO or (previous in _BEFORE_A_DAY and not _OF_THE_VERB.match(found.string, found.end()))
    if plain in GRAFIA.dias_curtos and is_day:
        return GRAFIA.dias_curtos[plain]
    return mended(plain)


def _punctuation(written: str) -> str:
    """What stands between two words: kept where it parts sentences or belongs to a figure."""
    plain = fold(written)
    return re.sub(r"['\"“”_]+", " ", plain)


def mended(word: str) -> str:
    """A word with its short form written out or its misspelling put right."""
    if word in GRAFIA.abreviaturas:
        return GRAFIA.abreviaturas[word]
    if len(word) < _SHORTEST_MENDED or not word.isalpha() or word in vocabulary():
        return word
    return _nearest(word)


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    most = 1 if len(word) < _FIRST_LONG else 2
    for allowed in range(1, most + 1):
        found = process.extractOne(word, mendable(), scorer=OSA.distance, score_cutoff=allowed)
        if found and found[0][0] == word[0] and len(found[0]) >= _SHORTEST_MENDED - 1 and not _is_inflexion(word, found[0]):
            return found[0]
    return word


def _is_inflexion(word: str, known: str) -> bool:
    """Whether the words differ in their endings alone: another form of the verb or the noun, and no misspelling."""
    stem = min(len(word), len(known)) - 2
    return word[:stem] == known[:stem] and word[-1] in "aeiosmur" and len(word) != len(known)
