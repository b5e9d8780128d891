"""What a message after an alarm tells of it: that help was called, is there, that it went away; and who is ill. Words are data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, Value
from crivo.clinicas.orquestrador.emergencia.feicoes import lexico, plain, spoken_of, stretches
from crivo.clinicas.orquestrador.entende.lexico import compiled

Quem = Literal["eu", "outro", "nao_se_sabe"]
"""Who is ill: whoever writes, somebody else, or what the message does not tell."""

Cuidado = Literal["atendido", "chamou", "a_caminho", "passou"]
"""What takes the hurry away: somebody takes care of it, help was called, they are on their way to it, the signs went away."""

_UNDER_WAY: Final[tuple[Cuidado, ...]] = ("atendido", "chamou", "a_caminho")
_CLAUSE: Final = re.compile(r"[^.,;!?]+[.,;!?]*")
_IN_DOUBT: Final = "hipotese"


class _Falas(Value, frozen=True):
    junto: dict[Quem, dict[Idioma, str]]
    pessoa: dict[Quem, dict[Idioma, str]]
    medo: dict[Idioma, str]
    chamou: dict[str, dict[Idioma, str]]
    a_caminho: dict[str, dict[Idioma, str]]
    atendido: dict[str, dict[Idioma, str]]
    passou: dict[str, dict[Idioma, str]]
    desmentido: dict[str, dict[Idioma, str]]
    sigo: dict[Idioma, str]
    acolhida: dict[Idioma, str]
    onde: dict[Idioma, str]


class _Depois(Value, frozen=True):
    outro: tuple[str, ...]
    parente: tuple[str, ...]
    eu: tuple[str, ...]
    mas: tuple[str, ...]
    nega: tuple[str, ...]
    nao_passou: tuple[str, ...]
    chamou: tuple[str, ...]
    a_caminho: tuple[str, ...]
    atendido: tuple[str, ...]
    passou: tuple[str, ...]
    assente: tuple[str, ...]
    retoma: tuple[str, ...]
    medo: tuple[str, ...]
    onde: tuple[str, ...]
    grave: tuple[str, ...]
    atendem: tuple[str, ...]
    supostos: tuple[tuple[str, ...], ...]
    acolhe: tuple[str, ...]
    acidente: tuple[str, ...]
    falas: _Falas


def who_is_ill(text: str) -> Quem:
    """Who a message says is ill; not known where it speaks of both."""
    told = plain(text)
    other, own = _told("outro", told), _told("eu", told)
    return "nao_se_sabe" if other == own else "outro" if other else "eu"


def cared_for(text: str) -> Cuidado | None:
    """What a message tells that takes the hurry away; None where it denies it, doubts it, or tells nothing of it."""
    told = plain(text)
    if _told("nega", told) or is_bare_yes(text):
        return None
    for kind in _UNDER_WAY:
        if _told(kind, statements(told)):
            return kind
    gone = _told("passou", statements(told)) and not _told("nao_passou", told) and not _told("mas", told)
    return "passou" if gone else None


def statements(told: str) -> str:
    """A plain text without the clauses that ask: `o samu já vem?` tells nothing."""
    return "".join(clause for clause in _CLAUSE.findall(told) if "?" not in clause)


def is_taken_back(text: str) -> bool:
    """Whether what a message takes back is not itself denied: `não é brincadeira` takes nothing back."""
    return not _told("nega", plain(text))


def is_bare_yes(text: str) -> bool:
    """Whether a message is a yes and nothing else."""
    return _is_all("assente", text)


def only_goes_on(text: str) -> bool:
    """Whether a message asks to go on, and tells nothing else."""
    return _is_all("retoma", text)


def is_afraid(text: str) -> bool:
    """Whether a message tells that whoever writes is afraid."""
    return _told("medo", plain(text))


def asks_where(text: str) -> bool:
    """Whether a message asks, of an emergency that may come, whom to call or where to go."""
    told = plain(text)
    if _told("atendem", told):
        return True
    return _told("onde", told) and (_told("grave", told) or any(_supposed(one) for one in stretches(told)))


def tells_of_self_harm(text: str) -> bool:
    """Whether a message tells, calmly, of a wound or a scar that whoever writes made on themselves, and of no accident."""
    told = plain(text)
    return _told("acolhe", told) and not _told("acidente", told)


def _supposed(stretch: str) -> bool:
    """Whether what is spoken of would be an emergency, though it is only supposed."""
    named = spoken_of(stretch)
    others = (named & set(lexico().afastam)) - {_IN_DOUBT}
    return not others and any(named.issuperset(one) for one in _depois().supostos)


def falas() -> _Falas:
    """The texts."""
    return _depois().falas


def _is_all(name: str, text: str) -> bool:
    return _pattern(name).fullmatch(" ".join(re.findall(r"\w+", plain(text)))) is not None


def _told(name: str, told: str) -> bool:
    return _pattern(name).search(told) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words: tuple[str, ...] = getattr(_depois(), name)
    return compiled(one.replace("<parente>", "|".join(_depois().parente)) for one in words)


@cache
def _depois() -> _Depois:
    return msgspec.json.decode(files(__package__).joinpath("depois.json").read_bytes(), type=_Depois)
