"""Names of people in a text, and whether each is one that may be said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.nomes import PARTICLES


class Nomes(msgspec.Struct, frozen=True):
    """First names, surnames, those of both that are everyday words too, and words that stand capitalised beside names."""

    nomes: frozenset[str]
    sobrenomes: frozenset[str]
    comuns: frozenset[str]
    palavras: frozenset[str]


_LEXICO: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/nomes", Nomes)
_JOINS: Final = PARTICLES | {"del", "la"}
_CAPITAL: Final = r"[A-ZÀ-ÖØ-Þ]"
_RUN: Final = re.compile(
    rf"(?<![\w.@])(?:{_CAPITAL}\.|{_CAPITAL}[\w'’-]*)(?:[^\S\n]+(?:(?:d[aeo]s?|del?|e)[^\S\n]+)?(?:{_CAPITAL}\.|{_CAPITAL}[\w'’*-]*))*"
)
_TITLED: Final = re.compile(
    rf"\b(?:[Dd](?:r|ra|R|RA)\b\.?|[Dd]outora?|[Dd]octora?|[Mm][ée]dic[oa]|"
    rf"Prof(?:a)?\.)\s+{_CAPITAL}[\w'’-]*\.?(?:[^\S\n]+(?:(?:d[aeo]s?|del?)[^\S\n]+)?{_CAPITAL}[\w'’-]*)*"
)
_TITLE: Final = re.compile(
    r"\b(?:dra?|doutora?|doctora?|doc|medic[oa]s?|doctors?|prof[a]?|especialistas?|cardiologistas?|ortopedistas?|dermatologistas?)\.?\s+$"
)
_PERSON: Final = re.compile(
    r"\b(?:pacientes?|senhora?|sra?|dona|d\.|seu|patient|mr|mrs|ms|miss|sr(?:ta)?|senora?|em nome d[aeo]|no nome d[aeo]|nome d[aeo]|"
    r"chamad[oa]|reservad[oa] (?:por|para|pela|pelo)|marcad[oa] (?:por|pela|pelo)|under the name)\.?\s+(?:a |o |de )?$|"
    r"\b(?:filh[oa]s?|mae|pai|irma|irmao|marido|mulher|espos[oa]|net[oa]|av[oa]|sobrinh[oa]|tia|tio|vizinh[oa]|acompanhante) "
    r"(?:del[ae]s?|d[oa] (?:outr[oa] )?paciente|d[ao] (?:senhora?|dona) \w+),?\s+$"
)
_PLACE: Final = re.compile(
    r"\b(?:clinica|hospital|clinic|rua|avenida|av|praca|edificio|bairro|cidade|predio|shopping|unidade|santa|sao|"
    r"santo)\.?\s+(?:d[aeo]s?\s+)?$"
)
_PERSON_TITLES: Final = frozenset({"dona", "sr", "sra", "srta", "senhor", "senhora", "paciente", "mr", "mrs", "ms", "seu"})
_WORDS: Final = re.compile(r"[a-z]+")
_MASKED: Final = re.compile(
    rf"(?<![\w@]){_CAPITAL}[\w]*\*+[\w*]*(?:\s+(?:d[aeo]s?\s+)?{_CAPITAL}[\w]*[\w*]*)+|"
    rf"(?<![\w@]){_CAPITAL}\w+(?:\s+(?:d[aeo]s?\s+)?{_CAPITAL}?\w*\*{{2,}}\w*)+"
)


class _Allowed:
    """The names that may be said: one's own and the doctors', and to an operator all that the data holds."""

    def __init__(self, fatos: Fatos) -> None:
        names = [*fatos.doctors, *fatos.known.people]
        if fatos.paciente:
            names.append(fatos.paciente.nome)
        if fatos.papel == "operador":
            names += [text for key, text in fatos.strings if key in _NAME_KEYS]
        self.sets = tuple(frozenset(_tokens(name)) for name in names)
        self.tokens = frozenset(token for tokens in self.sets for token in tokens)
        own = frozenset(_tokens(fatos.paciente.nome)) if fatos.paciente else frozenset[str]()
        everyone = [text for key, text in fatos.strings if key in _NAME_KEYS]
        self.others = tuple(
            tokens
            for text in everyone
            if fatos.papel == "paciente" and (tokens := frozenset(_tokens(text))) and tokens != own and tokens not in self.sets
        )

    def holds(self, tokens: frozenset[str]) -> bool:
        """Whether all of a name belongs to one who may be named; an initial stands for any name it begins."""
        return any(all(_in(token, known) for token in tokens) for known in self.sets)


_NAME_KEYS: Final = frozenset({"patient_name", "name", "nome", "patient"})


def _in(token: str, known: frozenset[str]) -> bool:
    return token in known or (token.endswith(".") and any(name.startswith(token[0]) for name in known))


@lru_cache(maxsize=256)
def _tokens(name: str) -> tuple[str, ...]:
    return tuple([token for token in _WORDS.findall(fold(name)) if token not in _JOINS and token not in {"dr", "dra"}])


def someone_else(page: Page, fatos: Fatos) -> bool:
    """Whether the text names a person who is neither the one who speaks nor a doctor."""
    allowed = _Allowed(fatos)
    if any(_says(page.text, other) for other in allowed.others):
        return True
    if all(segment.refused is not None for segment in page.segments):
        return False
    if any(_is_name(run, before, allowed) for run, before in _runs(page)):
        return True
    if any(_masked(match.group(), allowed) for match in _MASKED.finditer(_without_doctors(page))):
        return True
    return _plain_pair(page, allowed) or _spelled(page, allowed)


def _says(plain: str, other: frozenset[str]) -> bool:
    """Whether two names of one person of the data stand side by side, in any case of letters."""
    words = _WORDS.findall(plain)
    near = [(index, word) for index, word in enumerate(words) if word in other]
    return any(second - first <= 3 and one != two for (first, one), (second, two) in pairwise(near))


def _runs(page: Page) -> Iterator[tuple[tuple[str, ...], str]]:
    """Stretches of capitalised words, cut where one may not belong to a name, each with the folded words before it."""
    text = _without_doctors(page)
    refusals = [page.folded.span(segment.start, segment.end) for segment in page.segments if segment.refused is not None]
    for match in _RUN.finditer(text):
        if any(start <= match.start() < end for start, end in refusals):  # which may repeat the name that was asked about
            continue
        before = fold(text[max(0, match.start() - 30) : match.start()])
        words = match.group().split()
        yield tuple(token for word in words for token in _parts(word)), before


def full_names(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The stretches of folded words, by their places, that are a first name with a surname; particles join them."""
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and (words[end] in _LEXICO.nomes | _LEXICO.sobrenomes or (end > start and words[end] in _JOINS)):
            end += 1
        while end > start and words[end - 1] in _JOINS:
            end -= 1
        kept = [word for word in words[start:end] if word not in _JOINS]
        if len(kept) > 1 and kept[0] in _LEXICO.nomes:
            yield start, end
        start = max(end, start + 1)


def _parts(word: str) -> Iterator[str]:
    """The folded parts of a written word; a letter with a point is an initial and keeps it, one without is a word of its own."""
    for token in _WORDS.findall(fold(word)):
        if len(token) > 1:
            yield token
        elif "." in word:
            yield f"{token}."


def _without_doctors(page: Page) -> str:
    """The original text with every name after a doctor's title made blank."""
    return _TITLED.sub(lambda match: " " * (match.end() - match.start()), page.original)


def _is_name(run: tuple[str, ...], before: str, allowed: _Allowed) -> bool:
    if (
        _TITLE.search(before)
        or _PLACE.search(before)
        or run[:1] in {("dr",), ("dra",), ("doutor",), ("doutora",), ("clinica",), ("rua",), ("avenida",)}
    ):
        return False
    named = bool(_PERSON.search(before)) or any(token in _PERSON_TITLES for token in run[:-1])
    run = tuple(token for token in run if token not in _PERSON_TITLES)
    for tokens in _name_parts(run):
        if "dr" in tokens or "dra" in tokens or allowed.holds(frozenset(tokens)):
            continue
        if _looks_like_name(tokens, named=named and tokens[0] == run[0]):
            return True
    return False


def _name_parts(run: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The stretches of a run that the lexicon knows as names; other capitalised words cut it."""
    part: list[str] = []
    for token in run:
        if token in _JOINS:
            continue
        if (
            token in _LEXICO.nomes
            or token in _LEXICO.sobrenomes
            or token.endswith(".")
            or (part and part[0] in _LEXICO.nomes and not is_word(token))
        ):
            part.append(token)
        else:
            if part:
                yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def is_word(token: str) -> bool:
    """Whether a capitalised word is no part of a name ("Clínica", "Segunda")."""
    return token in _LEXICO.palavras


def _looks_like_name(tokens: tuple[str, ...], *, named: bool) -> bool:
    """Two parts of a name, or one that is no everyday word and is said as a name."""
    whole = [token for token in tokens if not token.endswith(".")]
    if len(tokens) >= 2 and whole:
        telling = [token for token in whole if token not in _LEXICO.comuns]
        return ((tokens[0] in _LEXICO.nomes or tokens[0].endswith(".")) and bool(telling)) or (named and bool(whole))
    if not whole:
        return False
    return named or (whole[0] in _LEXICO.nomes and whole[0] not in _LEXICO.comuns)


def _masked(written: str, allowed: _Allowed) -> bool:
    parts = [re.sub(r"[^a-z]", "", fold(part)) for part in written.split() if part.lower() not in _JOINS]
    known = _LEXICO.nomes | _LEXICO.sobrenomes
    if not any(part in known or (len(part) == 1 and "*" in written.split()[0]) for part in parts[:2]):
        return False
    return not any(all(any(name.startswith(part[:1]) for name in known) for part in parts if part) for known in allowed.sets)


def _plain_pair(page: Page, allowed: _Allowed) -> bool:
    """A first name and a surname side by side without capitals."""
    words = _WORDS.findall(fold(_without_doctors(page)))
    for index, word in enumerate(words[:-1]):
        if word not in _LEXICO.nomes or word in _LEXICO.comuns or len(word) < 4:
            continue
        following = [token for token in words[index + 1 : index + 3] if token not in _JOINS][:1]
        before = words[max(0, index - 1) : index]
        if (
            following
            and following[0] in _LEXICO.sobrenomes
            and following[0] not in _LEXICO.comuns
            and before not in (["dr"], ["dra"], ["doutor"], ["doutora"])
        ):
            pair = frozenset({word, following[0]})
            if not allowed.holds(pair):
                return True
    return False


def _spelled(page: Page, allowed: _Allowed) -> bool:
    """A name told letter by letter."""
    spelled = _WORDS.findall(page.undisguised)
    return any(word in _LEXICO.nomes and word not in _LEXICO.comuns and word not in allowed.tokens for word in spelled)
