"""What is said in an emergency: where help is, warmly, and that the booking waits. Texts, numbers and their sources are data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.feicoes import plain
from crivo.clinicas.orquestrador.planner.lexico import compiled


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
    desmentido: dict[Idioma, str]
    desmente: tuple[str, ...]


def answer(tipo: TipoDeEmergencia, idioma: Idioma) -> str:
    """What is said: first where help is; no diagnosis and no slot."""
    return _textos().textos[_textos().tipos[tipo].texto][idioma]


def phones_of(tipo: TipoDeEmergencia, idioma: Idioma = "pt") -> tuple[Telefone, ...]:
    """The numbers for a kind of emergency, the one to call first first."""
    known = _textos().telefones
    names = {"pt": lambda one: one.nome, "en": lambda one: one.en, "es": lambda one: one.es}
    return tuple(Telefone(numero, names[idioma](known[numero])) for numero in _textos().tipos[tipo].telefones)


def is_desmentido(text: str) -> bool:
    """Whether a message says, and says little else, that it was no emergency."""
    return bool(_desmente().search(plain(text)))


def desmentido(idioma: Idioma) -> str:
    """What is said to that."""
    return _textos().desmentido[idioma]


@cache
def _desmente() -> re.Pattern[str]:
    return compiled(_textos().desmente)


@cache
def _textos() -> _Textos:
    return msgspec.json.decode(files(__package__).joinpath("textos.json").read_bytes(), type=_Textos)
