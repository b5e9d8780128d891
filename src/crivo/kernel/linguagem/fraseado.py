"""Phrases that a text is searched for, kept as data in one notation that needs no knowledge of any other.

    aprovado            the word, whatever its case and accents
    aprov*, *logista    any word that begins so, or ends so
    aprovad~            the word in any gender and number: ending in o, a, os, as
    falta[m|ndo]        with one of these endings, or without; of words: [muito] bom
    (envie|mande) o     one of these
    uma _ parte         any one word
    artigo #            a number in figures
    cobre ... exame     up to 40 characters of the same clause, or none
    {quem} aprovou      a phrase of another entry
    <que> aprovou       not right after that word, nor `<pré-> natal` after that part of one; `aprovou <só>`: not right before it

Whole words are meant throughout. Nothing else in the product makes expressions of words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Final

import msgspec

from crivo.kernel.linguagem.dobra import fold_letters

_TOKEN: Final = re.compile(r"\.\.\.|\{(?P<entry>\w+)\}|<(?P<without>[^>]*)>|[\[\]()|*~#]|(?P<space>\s+)|(?<!\w)_(?!\w)|[^\W_]+|.")
_SIGNS: Final = {"*": r"[\w-]*", "~": "(?:[oa]s?)", "_": r"\w[\w-]*", "#": r"\d+(?:[.,/-]\d+)*"}
_GAP: Final = r"(?:(?<!\w)|(?!\w))[^.;,:!?()\n]{0,40}?(?<!\w)"
_MARKS: Final = "%,.:"  # with which a phrase may begin right after a word
_OPEN: Final = {"(": ")", "[": "]"}


class LexicoInvalido(ValueError):
    """A phrase of the product's own data that is not in the notation; its argument is the phrase."""


class Lexico:
    """Named lists of phrases over folded text; a list becomes an expression when it is first asked for."""

    def __init__(self, entradas: Mapping[str, Sequence[str]]) -> None:
        self._entradas = entradas
        self._compiled: dict[tuple[str, str], re.Pattern[str]] = {}

    @classmethod
    def of_package(cls, package: str, arquivo: str = "lexico.json") -> Lexico:
        """The lists that come with a package, as a JSON object of lists."""
        raw = resources.files(package).joinpath(arquivo).read_bytes()
        return cls(msgspec.json.decode(raw, type=dict[str, tuple[str, ...]]))

    def __getitem__(self, nome: str) -> Sequence[str]:
        """The phrases of an entry as they are written."""
        return self._entradas[nome]

    def __iter__(self) -> Iterator[str]:
        """The names of the entries."""
        return iter(self._entradas)

    def __contains__(self, nome: object) -> bool:
        """Whether there is an entry of that name."""
        return nome in self._entradas

    def find(self, nome: str, folded: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Each place where a phrase of the entry stands, in order."""
        return self.expression(nome).finditer(folded, start, len(folded) if end is None else end)

    def has(self, nome: str, folded: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a phrase of the entry stands there."""
        return next(self.find(nome, folded, start, end), None) is not None

    def ends(self, nome: str, folded: str) -> bool:
        """Whether a phrase of the entry is the last that is said, but for blanks."""
        return self.expression(nome, r"{}\s*$").search(folded) is not None

    def begins(self, nome: str, folded: str, start: int = 0, *, past: str = "") -> re.Match[str] | None:
        """The phrase of the entry that stands right there, but for blanks and the marks to get past."""
        return self.expression(nome, rf"[\s{re.escape(past)}]*{{}}").match(folded, start)

    def expression(self, nome: str, frame: str = "{}") -> re.Pattern[str]:
        """What the phrases of an entry become; `frame` says what stands around them."""
        if (nome, frame) not in self._compiled:
            self._compiled[nome, frame] = re.compile(frame.format(self._any_of(nome)))
        return self._compiled[nome, frame]

    def _any_of(self, nome: str) -> str:
        phrases = self._entradas[nome]
        spelled = [_Leitor(phrase, self._any_of).read() for phrase in phrases]
        if any(phrase[0] in _MARKS for phrase in phrases):
            spelled = [one if phrase[0] in _MARKS else rf"(?<!\w){one}" for one, phrase in zip(spelled, phrases, strict=True)]
            return f"(?:{'|'.join(spelled)})(?!\\w)"
        return f"(?<!\\w)(?:{'|'.join(spelled)})(?!\\w)"  # one look around for all of them


class _Leitor:
    """Reads one phrase, from the left to the right."""

    def __init__(self, phrase: str, entry: Callable[[str], str]) -> None:
        self._phrase, self._entry = phrase, entry
        self._tokens = list(_TOKEN.finditer(fold_letters(phrase).strip()))
        self._at = 0

    def read(self) -> str:
        """The expression of the phrase."""
        found = self._words()
        if self._at < len(self._tokens):
            raise LexicoInvalido(self._phrase)
        return found

    def _words(self) -> str:
        """Words with blanks between, up to what closes them; what may be left out takes its blank with it."""
        found, spoken, gap = "", False, True  # `gap`: what comes needs no blank before it
        while self._at < len(self._tokens) and self._tokens[self._at].group() not in ("|", ")", "]"):
            if self._tokens[self._at]["space"]:
                self._at += 1
                continue
            word, kind = self._word()
            if kind == "gap":
                found, gap = found + word, True
            elif kind == "without":
                found += word
            elif kind == "optional" and not spoken:
                found += rf"(?:{word}\s+)?"
            elif kind == "optional":
                found += f"(?:{word})?" if gap else rf"(?:\s+{word})?"
            else:
                found, spoken, gap = found + ("" if gap else r"\s+") + word, True, False
        return found

    def _word(self) -> tuple[str, str]:
        """The next word, and whether it is a `word`, an `optional` one, a `gap`, or one that must be `without`."""
        token = self._tokens[self._at]
        if token.group() == "...":
            self._at += 1
            return _GAP, "gap"
        if token["without"] is not None:
            self._at += 1
            return _without(token["without"].split("|"), before=self._at == 1), "without"
        pieces: list[tuple[str, str]] = []
        while self._at < len(self._tokens) and not (
            self._tokens[self._at]["space"] or self._tokens[self._at].group() in ("|", ")", "]", "...")
        ):
            pieces.append(self._piece())
        if len(pieces) == 1 and pieces[0][1] == "[":
            return pieces[0][0], "optional"
        return "".join(f"{spelled}?" if opened == "[" else spelled for spelled, opened in pieces), "word"

    def _piece(self) -> tuple[str, str]:
        """The next piece of a word, and the bracket that opened it."""
        token = self._tokens[self._at]
        self._at += 1
        if token.group() in _OPEN:
            return self._choice(_OPEN[token.group()]), token.group()
        if token["entry"]:
            return self._entry(token["entry"]), ""
        return _SIGNS.get(token.group()) or re.escape(token.group()), ""

    def _choice(self, closing: str) -> str:
        options = [self._words()]
        while self._at < len(self._tokens) and self._tokens[self._at].group() == "|":
            self._at += 1
            options.append(self._words())
        if self._at == len(self._tokens) or self._tokens[self._at].group() != closing:
            raise LexicoInvalido(self._phrase)
        self._at += 1
        return f"(?:{'|'.join(options)})"


def _without(words: Sequence[str], *, before: bool) -> str:
    """That none of these words stands right before, or right after."""
    if before:
        return "".join(rf"(?<!(?<!\w){re.escape(word)}{'' if word.endswith('-') else ' '})" for word in words)
    return rf"(?!\s+(?:{'|'.join(map(re.escape, words))})(?!\w))"
