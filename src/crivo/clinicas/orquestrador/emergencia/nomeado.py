"""Whether a message only names somebody, says whose neighbour they are, or says yes or no: that is never a sign of anything."""

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
    """The words that stand around a name (`moldura`), who somebody is to whoever writes, a bare answer, and names."""

    moldura: frozenset[str]
    relacao: frozenset[str]
    resposta: frozenset[str]
    nomes: frozenset[str]


def only_names(stretch: str) -> bool:
    """Whether a plain stretch is a name, a relation or a bare answer and nothing else: `acho que era helio`, `ela e minha vizinha`."""
    words = frozenset(_WORD.findall(_CALLED.sub("", stretch.rstrip(" .!?"))))
    who = _nomeado().relacao | _nomeado().nomes | _nomeado().resposta
    return not words.isdisjoint(who) and words <= who | _nomeado().moldura


@cache
def _nomeado() -> _Nomeado:
    return msgspec.json.decode(files(__package__).joinpath("nomeado.json").read_bytes(), type=_Nomeado)
