"""Messages as patients might send them, drawn from a seed: wishes, days, hours, names, figures and refusals in three languages, with noise.

They are no measure of anything; they are spread widely enough that a change of how messages are read shows in what is planned for them.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma


class Falas(msgspec.Struct, frozen=True):
    """The pieces of a language."""

    inteiras: tuple[str, ...]
    pedidos: tuple[str, ...]
    quem: tuple[str, ...]
    dias: tuple[str, ...]
    horas: tuple[str, ...]
    restos: tuple[str, ...]
    extenso: tuple[str, ...]


class Pecas(msgspec.Struct, frozen=True):
    """The pieces of all languages, and what is written alike in each."""

    linguas: dict[Idioma, Falas]
    cpfs: tuple[str, ...]
    codigos: tuple[str, ...]
    nomes: tuple[str, ...]


_OFTEN: Final[Mapping[Idioma, int]] = {"pt": 8, "en": 1, "es": 1}
_MINUTES: Final = ("00", "15", "30", "45", "5")
_YEARS: Final = ("", "/2028", "/28", "/1985", "/2027")


@cache
def _pecas() -> Pecas:
    return msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=Pecas)


def draw_messages(quantas: int, semente: int, medicos: Sequence[str]) -> Iterator[str]:
    """So many messages; the same seed and doctors draw the same ones."""
    sorte = random.Random(f"mensagens {semente}")  # noqa: S311  # draws examples, keeps no secret
    for _ in range(quantas):
        idioma = sorte.choices(tuple(_OFTEN), tuple(_OFTEN.values()))[0]
        falas = _pecas().linguas[idioma]
        yield _noisy(_filled(_told(falas, sorte), _fillings(falas, medicos, sorte)), sorte)


def _told(falas: Falas, sorte: random.Random) -> str:
    if sorte.random() < 0.3:
        return sorte.choice(falas.inteiras)
    parts = [sorte.choice(falas.quem), sorte.choice(falas.dias), sorte.choice(falas.horas)]
    sorte.shuffle(parts)
    told = " ".join(part for part in (sorte.choice(falas.pedidos), *parts) if part)
    if sorte.random() < 0.3:
        told += sorte.choice((", ", ". ", " ")) + sorte.choice(falas.restos)
    if sorte.random() < 0.15:
        told += sorte.choice((". ", ", ", " e ", "; ")) + sorte.choice(falas.inteiras)
    return told + sorte.choice(("", "", "", "?", ".", "!"))


def _filled(told: str, fillings: Mapping[str, Callable[[], str]]) -> str:
    while "{" in told:
        start, end = told.index("{"), told.index("}")
        told = told[:start] + fillings[told[start + 1 : end]]() + told[end + 1 :]
    return told


def _fillings(falas: Falas, medicos: Sequence[str], sorte: random.Random) -> Mapping[str, Callable[[], str]]:
    return {
        "n": lambda: str(sorte.randint(1, 9)),
        "d": lambda: str(sorte.randint(1, 31)),
        "h": lambda: str(sorte.randint(7, 19)),
        "m": lambda: sorte.choice(_MINUTES),
        "data": lambda: f"{sorte.randint(1, 31):02}/{sorte.randint(1, 12):02}" + sorte.choice(_YEARS),
        "dia": lambda: sorte.choice(falas.dias),
        "hora": lambda: sorte.choice(falas.horas),
        "medico": lambda: sorte.choice(medicos),
        "sobrenome": lambda: sorte.choice(medicos).split()[-1],
        "letra": lambda: sorte.choice("ABCDEF"),
        "extenso": lambda: sorte.choice(falas.extenso),
        "cpf": lambda: sorte.choice(_pecas().cpfs),
        "codigo": lambda: sorte.choice(_pecas().codigos),
        "nome": lambda: sorte.choice(_pecas().nomes),
    }


def _noisy(told: str, sorte: random.Random) -> str:
    """As people type: half of all messages as they are, the rest without accents, in one case, or with letters lost or swapped."""
    kind = sorte.random()
    if kind < 0.5:
        return told
    if kind < 0.7:
        return "".join(one for one in unicodedata.normalize("NFD", told) if not unicodedata.combining(one))
    if kind < 0.75:
        return told.upper()
    if kind < 0.8:
        return unicodedata.normalize("NFD", told)
    at = sorte.randrange(len(told))
    if kind < 0.9:
        return told[:at] + told[at + 1 :]
    return told[:at] + told[at : at + 2][::-1] + told[at + 2 :]
