"""What people say for a specialty and its branches, held against a registry: the words are data, shipped and of the installation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.lexico import ESPECIALIDADES, Especialidade, compiled
from crivo.clinicas.registro import CadastroComDefeito, Registro, practises
from crivo.kernel.linguagem.fala import fold

_UNKNOWN: Final = Especialidade()
_SHORTEST_WITH_ENDING: Final = 6


class Entrada(msgspec.Struct, frozen=True):
    """A specialty with the names under which the registry's clinics practise it, what finds it, and what finds each branch."""

    nome: str
    proprias: tuple[str, ...]
    pattern: re.Pattern[str]
    ramos: tuple[tuple[str, re.Pattern[str]], ...]

    @property
    def offered(self) -> bool:
        """Whether some clinic practises it."""
        return bool(self.proprias)


@lru_cache(maxsize=8)
def catalogue(registro: Registro) -> tuple[Entrada, ...]:
    """Every specialty that has words: those of the lexicon, and those of the registry that the lexicon has not."""
    own = tuple(dict.fromkeys(clinica.especialidade for clinica in registro))
    entries = []
    covered: set[str] = set()
    for name, words in ESPECIALIDADES.items():
        practised = tuple(one for one in own if any(practises(one, known) for known in (name, *words.outros_nomes)))
        covered.update(practised)
        entries.append(_entry(name, practised, words, registro))
    entries += [_entry(name, (name,), _UNKNOWN, registro) for name in own if name not in covered]
    return tuple(entries)


def _entry(name: str, practised: tuple[str, ...], words: Especialidade, registro: Registro) -> Entrada:
    terms = [*words.termos, *(_plain(said) for said, meant in registro.vocabulario.items() if _specialty_of(meant) in (name, *practised))]
    terms += [term for one in practised for term in _of_the_name(one)]
    branches = {branch: list(said) for branch, said in words.ramos.items()}
    for said, meant in registro.vocabulario.items():
        branch = _branch_of(meant)
        if branch and _specialty_of(meant) in (name, *practised):
            branches.setdefault(branch, []).append(_plain(said))
    return Entrada(name, practised, compiled(terms or [_plain(name)]), tuple((branch, compiled(said)) for branch, said in branches.items()))


def _of_the_name(name: str) -> tuple[str, ...]:
    """What a specialty that the lexicon need not know is called by: its name, and the same word with another ending."""
    plain = _plain(name)
    if " " in plain or len(plain) < _SHORTEST_WITH_ENDING:
        return (plain,)
    return plain, f"{plain[:-2]}ist*", f"{plain[:-1]}*"


def _plain(words: str) -> str:
    """Words of the installation as a pattern that finds just them."""
    return " ".join(re.findall(r"\w+", fold(words)))


def _specialty_of(meant: str) -> str:
    """The specialty that a value of the installation's words leads to; empty for one that leads nowhere."""
    named = meant.split("/")[0].strip()
    if "/" in meant or named in ESPECIALIDADES:
        return named
    return next((name for name, words in ESPECIALIDADES.items() if named in words.ramos), named)


def _branch_of(meant: str) -> str:
    """The branch that a value leads to; empty for one that is a specialty."""
    named = meant.split("/")[-1].strip()
    return named if "/" in meant or any(named in words.ramos for words in ESPECIALIDADES.values()) else ""


def check_vocabulary(registro: Registro) -> None:
    """Raises `CadastroComDefeito` for the installation's words that lead to no specialty of its clinics and to no branch that is known."""
    own = {clinica.especialidade for clinica in registro}
    for said, meant in registro.vocabulario.items():
        if not _plain(said):
            message = "em vocabulario: há uma palavra vazia"
            raise CadastroComDefeito(message)
        named = _specialty_of(meant)
        if not any(practises(one, named) for one in own):
            message = (
                f"em vocabulario[{said}]: {meant} não é especialidade de nenhuma clínica nem ramo conhecido; "
                "escreva a especialidade, ou Especialidade/Ramo"
            )
            raise CadastroComDefeito(message)


def belongs(registro: Registro, own: str, filed: str) -> bool:
    """Whether what a doctor is filed under is a clinic's own specialty, by any of its names, or a branch of it that is known."""
    if practises(filed, own) or practises(own, filed):
        return True
    said = _plain(filed)
    return any(
        said in {_plain(name) for name in (entry.nome, *ESPECIALIDADES.get(entry.nome, _UNKNOWN).outros_nomes, *dict(entry.ramos))}
        for entry in catalogue(registro)
        if own in entry.proprias
    )


class Dito(msgspec.Struct, frozen=True):
    """Words of a sentence that stand for a specialty, or for a branch of it; `offered` tells whether some clinic practises it."""

    start: int
    end: int
    value: str
    entrada: str
    offered: bool


def find_specialties(text: str, registro: Registro) -> list[Dito]:
    """The specialties named in a folded text, in the order said; one that clinics practise under several names is there for each."""
    found = [
        Dito(*match.span(), value, entry.nome, entry.offered)
        for entry in catalogue(registro)
        for match in entry.pattern.finditer(text)
        for value in (entry.proprias or (entry.nome,))
    ]
    told = sorted((one for one in found if not _within_another(one, found)), key=lambda one: (one.start, -one.end))
    return [one for one in told if not _is_seat(text, one, told)]


def _within_another(one: Dito, found: list[Dito]) -> bool:
    """Whether it is a part of longer words for something else: the eye in `olho de peixe`."""
    return any(
        other.entrada != one.entrada and other.start <= one.start and one.end <= other.end and other.end - other.start > one.end - one.start
        for other in found
    )


_SEAT: Final = re.compile(r"\b(?:n[ao]s?|em|d[ao]s?|on|in|en)\s+(?:(?:meus?|minhas?|todo|toda|my|the|mis?|los|las|el|la)\s+)*$")
_NEW_CLAUSE: Final = re.compile(r"[,.;!?]|\b(?:e|and|y|mas|but|pero|tambem)\b")


def _is_seat(text: str, one: Dito, told: list[Dito]) -> bool:
    """Whether a part of the body only tells where the complaint sits that was told before it: `manchas na mão`."""
    if not _SEAT.search(text[: one.start]):
        return False
    before = [other for other in told if other.end <= one.start and other.entrada != one.entrada]
    return bool(before) and not _NEW_CLAUSE.search(text, before[-1].end, one.start)


def find_branches(text: str, registro: Registro) -> Iterator[Dito]:
    """The branches named in a folded text: knee, hair, children's; only of the specialties named with them, where some are."""
    named = {one.entrada for one in find_specialties(text, registro)}
    for entry in catalogue(registro):
        if not named or entry.nome in named:
            for branch, pattern in entry.ramos:
                for match in pattern.finditer(text):
                    yield Dito(*match.span(), branch, entry.nome, entry.offered)
