"""What a message is weighed by: its words, their letters, and the things that are spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.medidas import measured
from crivo.clinicas.orquestrador.entende.lexico import GRAFIA, compiled
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.pesos import Grupos, char_ngrams, char_runs

LONGEST: Final = 2_000  # characters of a message that are read
_WORD: Final = re.compile(r"[a-z]+|\d+")
_REPEATED: Final = re.compile(r"([a-z])\1{2,}")
_STOP: Final = re.compile(r"(?:[!?;\n]|\.(?!\d))+")  # `39.5` and a CPF are not cut
_FEWEST: Final = 3  # words of a sentence that is weighed by itself
_MOST: Final = 40  # sentences
_AROUND_MEASURES: Final = frozenset({"medida_normal"})  # what is measured and as it should be is weighed, and fires no rule


class Regra(Value, frozen=True):
    """Things that, spoken of together, are an emergency: each of `todos`, and one of `algum` where there are any.

    `apesar` names what pushes other rules away and not this one: who hurts themselves `às vezes` is in danger. `salvo` names what makes
    it something else: a `bolsa` that bursts with its zip is no birth.
    """

    tipo: TipoDeEmergencia
    todos: tuple[str, ...]
    algum: tuple[str, ...] = ()
    apesar: tuple[str, ...] = ()
    salvo: tuple[str, ...] = ()


class Lexico(Value, frozen=True):
    """Things that are spoken of (`conceitos`), what tells that it is not now or not meant (`afastam`), and the rules.

    `contexto` is what stands around them (a booking, a joke, an animal, that it healed, that it grows worse): it is weighed, and fires no
    rule.
    """

    conceitos: dict[str, tuple[str, ...]]
    afastam: dict[str, tuple[str, ...]]
    contexto: dict[str, tuple[str, ...]]
    regras: tuple[Regra, ...]


@cache
def lexico() -> Lexico:
    """The lexicon as it comes with the product."""
    return msgspec.json.decode(files(__package__).joinpath("lexico.json").read_bytes(), type=Lexico)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, compiled(patterns)) for name, patterns in {**lexico().conceitos, **lexico().afastam}.items())


@cache
def _around() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, compiled(patterns)) for name, patterns in lexico().contexto.items())


def plain(text: str) -> str:
    """A message as it is weighed: folded, drawn-out letters cut short, short forms written out."""
    cut = _REPEATED.sub(r"\1", fold(text[:LONGEST]).replace("'", " "))
    return _WORD.sub(lambda word: GRAFIA.abreviaturas.get(word.group(), word.group()), cut)


def stretches(text: str) -> Iterator[str]:
    """A plain message, and each of its sentences that says enough by itself."""
    yield text
    sentences = [one for one in _STOP.split(text) if len(_WORD.findall(one)) >= _FEWEST]
    if len(sentences) > 1:
        yield from sentences[:_MOST]


def spoken_of(text: str) -> frozenset[str]:
    """The names in the lexicon of what a plain text speaks of, and of what it tells that was measured."""
    return frozenset(name for name, pattern in _patterns() if pattern.search(text)) | (measured(text) - _AROUND_MEASURES)


def features(text: str) -> Grupos:
    """The features of a plain text."""
    words = _WORD.findall(text)
    named = sorted(spoken_of(text))
    around = sorted({*(name for name, pattern in _around() if pattern.search(text)), *(measured(text) & _AROUND_MEASURES)})
    return {
        "letras": char_ngrams(words),
        "correntes": char_runs(words),
        "palavras": frozenset((*words, *(f"{one} {other}" for one, other in pairwise(words)))),
        "conceitos": frozenset((*(f"@{name}" for name in named), *(f"@{one}+{other}" for one, other in combinations(named, 2)))),
        "contexto": frozenset(
            (
                *(f"#{name}" for name in around),
                *(f"#{one}+#{other}" for one, other in combinations(around, 2)),
                *(f"@{one}+#{other}" for one in named for other in around),
            )
        ),
    }
