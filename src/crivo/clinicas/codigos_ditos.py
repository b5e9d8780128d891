"""Codes as people say them: in any case, in pieces, letter by letter, with `traço` between the halves; and what was meant for one.

Ordinary words are none: a code has no vowel, and what is in pieces is one where `código` stands beside it, or nothing else does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from crivo.clinicas.codigos import ALPHABET, LETTERS, read_code

_LENGTH: Final = 10
_HALVES: Final = ([5, 5], [10])
_NEARLY: Final = range(8, 13)  # how long what was meant for a code is, where figures are among its letters
_NEARLY_IN_LETTERS: Final = range(9, 12)
_FEWEST_LETTERS: Final = 3
_LONG_PIECE: Final = 4
_LABEL_REACH: Final = 60  # characters
_WORD: Final = re.compile(r"[^\W_]+")
_JOINT: Final = re.compile(r"[\s_./\\|,·*–—−-]{0,5}")
_HYPHEN: Final = re.compile(r"\s?[_./–—−-]\s?")
_SPOKEN: Final = frozenset(
    [
        "e",
        "y",
        "and",
        "depois",
        "traço",
        "traco",
        "tracinho",
        "hífen",
        "hifen",
        "barra",
        "ponto",
        "underline",
        "sublinhado",
        "espaço",
        "espaco",
        "dash",
        "hyphen",
        "guion",
        "guión",
    ]
)
_LABEL: Final = re.compile(r"\b(?:c[oó]d(?:igo)?s?|codes?)\b", re.IGNORECASE)
_BESIDE: Final = frozenset(
    [
        "oi",
        "olá",
        "ola",
        "bom",
        "boa",
        "dia",
        "tarde",
        "noite",
        "é",
        "eh",
        "e",
        "o",
        "a",
        "meu",
        "minha",
        "seu",
        "esse",
        "este",
        "aqui",
        "segue",
        "vai",
        "tá",
        "ta",
        "está",
        "pronto",
        "ok",
        "sim",
        "certo",
        "claro",
        "isso",
        "toma",
        "hi",
        "hello",
        "my",
        "is",
        "the",
        "it",
        "hola",
        "mi",
        "es",
        "el",
    ]
)
_LEADS: Final = re.compile(
    r"[\s,;:(-]*(?:\b(?:com\s+|usando\s+|por\s+|with\s+|con\s+)?(?:(?:o|the|el|meu|my|mi|esse|este)\s+)?(?:c[oó]d(?:igo)?|code)\b"
    r"(?:\s+(?:d[aeo]s?|dela|dele|of|de\s+la)\b(?:\s+[^\W\d_]+){0,3}?)?\s*(?:é|e|eh|is|es|:|=)?)?[\s,;:(-]*$",
    re.IGNORECASE,
)
_VOWELS: Final = frozenset("AEIOU")
_OF_CODES: Final = frozenset(LETTERS + ALPHABET)
# Of one vowel or none, and between the word and what it names: `o código do dr`.
_LIKE_CODES: Final = frozenset(
    [
        "O",
        "A",
        "E",
        "É",
        "EH",
        "DA",
        "DO",
        "DE",
        "DR",
        "DRA",
        "SR",
        "SRA",
        "COM",
        "PRA",
        "PRO",
        "POR",
        "MEU",
        "SEU",
        "THE",
        "IS",
        "MY",
        "OF",
        "EL",
        "ES",
        "MI",
        "QUE",
        "NO",
        "NA",
        "EM",
        "UM",
    ]
)
_COURTESIES: Final = frozenset(["PF", "PFV", "PFVR", "PLS", "PLZ", "DR", "SR", "VC", "TB", "TKS", "THX", "BJ", "BJS"])
_Fits = Callable[[str], bool]


class Dito(NamedTuple):
    """A message without the codes that it told; `codigo` is empty where what was told can be none."""

    codigo: str
    resto: str


class _Piece(NamedTuple):
    text: str
    start: int
    end: int


class _Span(NamedTuple):
    start: int
    end: int
    codigo: str


def told_code(text: str) -> Dito | None:
    """The code that a message tells, and the message without any and without what leads to it; None where it tells none."""
    spans = _spans(text)
    if not spans:
        return None
    codigo = next((span.codigo for span in spans if span.codigo), "")
    rest, at = "", 0
    for span in spans:
        rest += f"{_LEADS.sub('', text[at : span.start])} "
        at = span.end
    return Dito(codigo, " ".join(f"{rest}{text[at:]}".split()).strip(" ,;:.!-"))


def concealed(text: str) -> str:
    """A message with `[código]` in the place of every code, and of what was meant for one."""
    for span in reversed(_spans(text)):
        text = f"{text[: span.start]}[código]{text[span.end :]}"
    return text


def _spans(text: str) -> list[_Span]:
    """Where codes are told, in order; `codigo` is empty for what was only meant for one."""
    pieces = [_Piece(found[0].upper(), found.start(), found.end()) for found in _WORD.finditer(text)]
    found: list[_Span] = []
    for run in _runs(text, pieces, _is_of_code):
        span = _whole(text, pieces, run)
        if span is not None:
            found.append(span)
    for run in _runs(text, pieces, _may_be_meant):
        span = _meant(text, run)
        if span is not None and not any(span.start < other.end and other.start < span.end for other in found):
            found.append(span)
    return sorted(found)


def _runs(text: str, pieces: Sequence[_Piece], fits: _Fits) -> Iterator[list[_Piece]]:
    """The longest stretches of pieces that fit, with nothing between them but what stands between the parts of a code."""
    run: list[_Piece] = []
    last: _Piece | None = None
    for piece in pieces:
        joined = last is not None and _JOINT.fullmatch(text, last.end, piece.start) is not None
        if run and joined and piece.text.lower() in _SPOKEN:
            last = piece
            continue
        if not fits(piece.text):
            yield from ([run] if run else [])
            run, last = [], None
            continue
        if run and not joined:
            yield run
            run = []
        run.append(piece)
        last = piece
    yield from ([run] if run else [])


def _whole(text: str, pieces: Sequence[_Piece], run: list[_Piece]) -> _Span | None:
    """The code in a run of pieces that could be of one."""
    labelled, alone = _is_labelled(text, run), _without_courtesies(run)
    for first in range(len(run)):
        for last in range(first + 1, len(run) + 1):
            some = run[first:last]
            code = read_code("".join(piece.text for piece in some))
            if code is not None and (labelled or _is_plain(text, some) or (some in (run, alone) and _is_clear(pieces, some))):
                return _Span(some[0].start, some[-1].end, code)
    return None


def _is_plain(text: str, some: Sequence[_Piece]) -> bool:
    """Whether a code is written as it was given: in one piece or two halves, and not as letters before a number."""
    if [len(piece.text) for piece in some] not in _HALVES:
        return False
    return not _is_numbered(some) or (len(some) > 1 and _HYPHEN.fullmatch(text, some[0].end, some[1].start) is not None)


def _is_numbered(some: Sequence[_Piece]) -> bool:
    """Whether it is two letters and a number: `RG 23456789`."""
    return "".join(piece.text for piece in some)[2:].isdigit()


def _is_clear(pieces: Sequence[_Piece], run: Sequence[_Piece]) -> bool:
    """Whether pieces are a code without being called so: letter by letter, a long piece of letters and figures, or all that is said."""
    if all(len(piece.text) == 1 for piece in run):
        return True
    if _is_numbered(run):
        return False
    if any(len(piece.text) >= _LONG_PIECE and _is_mixed(piece.text) for piece in run):
        return True
    beside = [piece.text.lower() for piece in pieces if not run[0].start <= piece.start < run[-1].end]
    unlike_words = any(len(piece.text) >= _LONG_PIECE or not piece.text.isalpha() for piece in run)
    return unlike_words and _BESIDE.issuperset(beside)


def _without_courtesies(run: list[_Piece]) -> list[_Piece]:
    """A run of pieces without what people write before and after: `pf`, `dr`."""
    first, last = 0, len(run)
    while first < last and run[first].text in _COURTESIES:
        first += 1
    while last > first and run[last - 1].text in _COURTESIES:
        last -= 1
    return run[first:last]


def _meant(text: str, run: Sequence[_Piece]) -> _Span | None:
    """What was meant for a code and is none: after the word, or two halves with a hyphen and a figure; nearly as long, unlike any word."""
    for first in range(len(run) - 1):
        halves = run[first : first + 2]
        joined = text[halves[0].end : halves[1].start]
        said = "".join(piece.text for piece in halves)
        if [len(piece.text) for piece in halves] == [5, 5] and joined in {"-", "–"} and not said.isdigit() and not said.isalpha():
            return _Span(halves[0].start, halves[1].end, "")
    said = "".join(piece.text for piece in run)
    if not _is_labelled(text, run) or sum(char.isalpha() for char in said) < _FEWEST_LETTERS:
        return None
    if any(_is_mixed(piece.text) for piece in run):
        return _Span(run[0].start, run[-1].end, "") if len(said) in _NEARLY else None
    nearly = len(said) in _NEARLY_IN_LETTERS and _VOWELS.isdisjoint(said)
    return _Span(run[0].start, run[-1].end, "") if nearly else None


def _is_labelled(text: str, run: Sequence[_Piece]) -> bool:
    """Whether the word stands before them, or right after."""
    around = (text[max(0, run[0].start - _LABEL_REACH) : run[0].start], text[run[-1].end : run[-1].end + _LABEL_REACH // 3])
    return any(_LABEL.search(one) for one in around)


def _is_of_code(piece: str) -> bool:
    return len(piece) <= _LENGTH and set(piece) <= _OF_CODES


def _may_be_meant(piece: str) -> bool:
    """Whether a piece is like no word: figures alone or among letters, or letters with one vowel at the most."""
    if not piece.isascii() or not piece.isalnum() or len(piece) > _NEARLY[-1]:
        return False
    return any(char.isdigit() for char in piece) or (piece not in _LIKE_CODES and sum(char in _VOWELS for char in piece) <= 1)


def _is_mixed(piece: str) -> bool:
    return not piece.isdigit() and not piece.isalpha()
