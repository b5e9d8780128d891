"""Whether a message sounds like an emergency: by the lexicon's rules or by learned weights, either is enough.

A rule is not heard where the weights are as sure of the contrary as of the calmest messages ("desmaiei quando vi a conta de luz"); of
suicide and violence it always is. The weights (`pesos.json`) are written by `python -m evals.emergencia`, out of messages of many hands.
Source: design, "Nobody is harmed".
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.feicoes import Regra, features, lexico, plain, spoken_of, stretches
from crivo.clinicas.orquestrador.emergencia.nomeado import only_names, only_stays_away
from crivo.kernel.linguagem.pesos import Grupos, Pesos

Origem = Literal["lexico", "aprendido", "modelo"]
_ALWAYS_HEARD: Final[frozenset[TipoDeEmergencia]] = frozenset({"suicidio", "violencia"})


class Alarme(Value, frozen=True):
    """What kind of emergency a message sounds like, and what said so; never its words.

    `certo`: a rule names its signs and the weights hear it too.
    """

    tipo: TipoDeEmergencia
    origem: Origem
    certo: bool = False


class _Aprendido(Value, frozen=True):
    """The weights of an alarm, from which margin on it is raised, below which no rule is heard, and the weights of each kind."""

    limiar: float
    surdez: float
    alarme: Pesos
    tipos: dict[TipoDeEmergencia, Pesos]


def find_alarme(text: str) -> Alarme | None:
    """The alarm that a message raises; None where it sounds like none."""
    told = tuple(stretches(plain(text)))
    rule = next((found for found in map(_rule, told) if found is not None), None)
    if rule is not None and rule.tipo in _ALWAYS_HEARD:
        return Alarme(rule.tipo, "lexico", certo=margin(text) >= _aprendido().limiar)
    weighed = [
        (_aprendido().alarme.soma(grupos), grupos)
        for grupos in map(features, (one for one in told if not (only_names(one) or only_stays_away(one))))
    ]
    if not weighed:
        return None
    soma, grupos = max(weighed, key=lambda one: one[0])
    if rule is not None and soma >= _aprendido().surdez:
        return Alarme(rule.tipo, "lexico", certo=soma >= _aprendido().limiar)
    return Alarme(_kind(grupos), "aprendido") if soma >= _aprendido().limiar else None


def has_no_sign(text: str) -> bool:
    """Whether the weights are as sure as of the calmest messages that this is none, and no rule hears anything."""
    return margin(text) < _aprendido().surdez and all(_rule(stretch) is None for stretch in stretches(plain(text)))


def margin(text: str) -> float:
    """The highest learned margin of a message's stretches."""
    return max(_aprendido().alarme.soma(features(stretch)) for stretch in stretches(plain(text)))


def _rule(stretch: str) -> Regra | None:
    named = spoken_of(stretch)
    averts = named & set(lexico().afastam)
    return next((rule for rule in lexico().regras if averts.issubset(rule.apesar) and _is_told(rule, named)), None)


def _is_told(rule: Regra, named: frozenset[str]) -> bool:
    return named.issuperset(rule.todos) and named.isdisjoint(rule.salvo) and (not rule.algum or bool(named & set(rule.algum)))


def _kind(grupos: Grupos) -> TipoDeEmergencia:
    tipos = _aprendido().tipos
    return max(tipos, key=lambda tipo: tipos[tipo].soma(grupos))


@cache
def _aprendido() -> _Aprendido:
    return msgspec.json.decode(files(__package__).joinpath("pesos.json").read_bytes(), type=_Aprendido)
