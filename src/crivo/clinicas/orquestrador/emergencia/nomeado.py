"""Whether a message only names somebody, says yes or no, or that somebody is ill and will not come: that is never a sign of anything."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Value

_WORD: Final = re.compile("[a-z]+")
_CALLED: Final = re.compile(r"\bse (?:chama|chamava|llama) [a-z]+$")  # whatever follows is a name: `minha irma se chama socorro`


class _Nomeado(Value, frozen=True):
    """The words that stand around a name (`moldura`), who somebody is to whoever writes, a bare answer, and names.

    `adoecido` are the words for being ill that tell of no danger, `ausente` those that call off, `vinda` those for coming, beside a no.
    """

    moldura: frozenset[str]
    relacao: frozenset[str]
    resposta: frozenset[str]
    nomes: frozenset[str]
    adoecido: frozenset[str]
    ausente: frozenset[str]
    vinda: frozenset[str]
    em_volta_da_ausencia: frozenset[str]


def only_names(stretch: str) -> bool:
    """Whether a plain stretch is a name, a relation or a bare answer and nothing else: `acho que era helio`, `ela e minha vizinha`."""
    words = frozenset(_WORD.findall(_CALLED.sub("", stretch.rstrip(" .!?"))))
    who = _nomeado().relacao | _nomeado().nomes | _nomeado().resposta
    return not words.isdisjoint(who) and words <= who | _nomeado().moldura


def only_stays_away(stretch: str) -> bool:
    """Whether a plain stretch says that somebody is ill and will not come, and has no other word in it: `ela esta doente e nao vai`."""
    words = frozenset(_WORD.findall(stretch))
    known = _nomeado()
    around = known.em_volta_da_ausencia | known.moldura | known.relacao | known.nomes
    away = not words.isdisjoint(known.ausente) or ("nao" in words and not words.isdisjoint(known.vinda))
    return away and not words.isdisjoint(known.adoecido) and words <= known.adoecido | known.ausente | known.vinda | around


@cache
def _nomeado() -> _Nomeado:
    return msgspec.json.decode(files(__package__).joinpath("nomeado.json").read_bytes(), type=_Nomeado)
