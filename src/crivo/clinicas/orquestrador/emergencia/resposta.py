"""What is said in an emergency: where help is, warmly, and that the booking waits. Texts, numbers and their sources are data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.feicoes import plain
from crivo.clinicas.orquestrador.planner.lexico import compiled

Momento = Literal["ainda", "nao_atende", "lembrete"]
"""What is said after an alarm: once more whom to call, whom where nobody answers, and one line beside what else is asked."""


class Telefone(Value, frozen=True):
    """A number to call, and whose it is in the person's language."""

    numero: str
    nome: str


class _Numero(Value, frozen=True):
    nome: str
    en: str
    es: str
    fonte: str


class _Tipo(Value, frozen=True):
    telefones: tuple[str, ...]
    texto: str


class _Textos(Value, frozen=True):
    telefones: dict[str, _Numero]
    tipos: dict[TipoDeEmergencia, _Tipo]
    textos: dict[str, dict[Idioma, str]]
    seguem: dict[str, dict[Momento, dict[Idioma, str]]]
    nao_atende: tuple[str, ...]
    aflige: tuple[str, ...]
    pedido: tuple[str, ...]
    desmentido: dict[Idioma, str]
    desmente: tuple[str, ...]


def answer(tipo: TipoDeEmergencia, idioma: Idioma) -> str:
    """What is said: first where help is; no diagnosis and no slot."""
    return _textos().textos[_textos().tipos[tipo].texto][idioma]


def after_alarm(tipo: TipoDeEmergencia, momento: Momento, idioma: Idioma) -> str:
    """What is said after an alarm of a kind, in short: no medicine, and no slot."""
    return _textos().seguem[_textos().tipos[tipo].texto][momento][idioma]


def phones_of(tipo: TipoDeEmergencia, idioma: Idioma = "pt") -> tuple[Telefone, ...]:
    """The numbers for a kind of emergency, the one to call first first."""
    known = _textos().telefones
    names = {"pt": lambda one: one.nome, "en": lambda one: one.en, "es": lambda one: one.es}
    return tuple(Telefone(numero, names[idioma](known[numero])) for numero in _textos().tipos[tipo].telefones)


def is_desmentido(text: str) -> bool:
    """Whether a message says, and says little else, that it was no emergency."""
    return bool(_pattern("desmente").search(plain(text)))


def is_unanswered(text: str) -> bool:
    """Whether a message says that nobody answers the call for help."""
    return bool(_pattern("nao_atende").search(plain(text)))


def is_distressed(text: str) -> bool:
    """Whether a message, right after an alarm, still asks for help with it."""
    return bool(_pattern("aflige").search(plain(text)))


def is_calm_request(text: str) -> bool:
    """Whether a message speaks of appointments, and of no distress."""
    return bool(_pattern("pedido").search(plain(text))) and not is_distressed(text) and not is_unanswered(text)


def desmentido(idioma: Idioma) -> str:
    """What is said to that."""
    return _textos().desmentido[idioma]


@cache
def _pattern(name: Literal["desmente", "nao_atende", "aflige", "pedido"]) -> re.Pattern[str]:
    words: dict[str, tuple[str, ...]] = {
        "desmente": _textos().desmente,
        "nao_atende": _textos().nao_atende,
        "aflige": _textos().aflige,
        "pedido": _textos().pedido,
    }
    return compiled(words[name])


@cache
def _textos() -> _Textos:
    return msgspec.json.decode(files(__package__).joinpath("textos.json").read_bytes(), type=_Textos)
