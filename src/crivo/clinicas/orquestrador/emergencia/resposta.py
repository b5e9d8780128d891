"""What is said in an emergency: where help is, warmly, and that the booking waits. Texts, numbers and their sources are data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.depois import Cuidado, Quem, falas, is_taken_back, statements
from crivo.clinicas.orquestrador.emergencia.feicoes import plain
from crivo.clinicas.orquestrador.entende.lexico import compiled

Momento = Literal["ainda", "nao_atende", "lembrete"]
"""What is said after an alarm: once more whom to call, whom where nobody answers, and one line beside what else is asked."""

_IN_WORDS: Final = frozenset({"suicidio", "violencia"})  # where a calm talk goes on with a number that listens


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


def after_alarm(tipo: TipoDeEmergencia, momento: Momento, idioma: Idioma, quem: Quem = "nao_se_sabe") -> str:
    """What is said after an alarm of a kind, in short, to or of whoever is ill: no medicine, and no slot."""
    said, known = _textos().seguem[_textos().tipos[tipo].texto][momento][idioma], falas()
    return said.replace("{junto}", known.junto[quem][idioma]).replace("{pessoa}", known.pessoa[quem][idioma])


def in_care(tipo: TipoDeEmergencia, cuidado: Cuidado, idioma: Idioma, quem: Quem = "nao_se_sabe") -> str:
    """What is said where help was called, is there, or the signs went away."""
    texts = _by_care()[cuidado]
    said = texts.get(_textos().tipos[tipo].texto, texts["geral"])[idioma]
    return said.replace("{junto}", falas().junto[quem][idioma])


def _by_care() -> dict[Cuidado, dict[str, dict[Idioma, str]]]:
    known = falas()
    return {"atendido": known.atendido, "chamou": known.chamou, "a_caminho": known.a_caminho, "passou": known.passou}


def cannot_wait(tipo: TipoDeEmergencia) -> bool:
    """Whether it is of a kind where minutes count, so that no appointment is an answer to it."""
    return _textos().tipos[tipo].texto not in _IN_WORDS


def phones_of(tipo: TipoDeEmergencia, idioma: Idioma = "pt") -> tuple[Telefone, ...]:
    """The numbers for a kind of emergency, the one to call first first."""
    known = _textos().telefones
    names = {"pt": lambda one: one.nome, "en": lambda one: one.en, "es": lambda one: one.es}
    return tuple(Telefone(numero, names[idioma](known[numero])) for numero in _textos().tipos[tipo].telefones)


def is_desmentido(text: str) -> bool:
    """Whether a message says, and says little else, that it was no emergency."""
    return bool(_pattern("desmente").search(statements(plain(text)))) and is_taken_back(text)


def is_unanswered(text: str) -> bool:
    """Whether a message says that nobody answers the call for help."""
    return bool(_pattern("nao_atende").search(plain(text)))


def is_distressed(text: str) -> bool:
    """Whether a message, right after an alarm, still asks for help with it."""
    return bool(_pattern("aflige").search(plain(text)))


def is_calm_request(text: str) -> bool:
    """Whether a message speaks of appointments, and of no distress."""
    return bool(_pattern("pedido").search(plain(text))) and not is_distressed(text) and not is_unanswered(text)


def desmentido(idioma: Idioma, tipo: TipoDeEmergencia = "coracao") -> str:
    """What is said where an alarm of a kind is said to be none."""
    return falas().desmentido.get(_textos().tipos[tipo].texto, _textos().desmentido)[idioma]


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
