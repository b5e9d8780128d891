"""Numbers of a text with their units, as they are read. Nothing here judges."""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

import msgspec

from crivo.autorizacoes.redacao.fatos import stem
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.kernel.linguagem.frases import Span
from crivo.kernel.linguagem.numeros import Numero, find_numeros

Unidade = Literal[
    "uteis",
    "dias",
    "semanas",
    "meses",
    "anos",
    "horas",
    "percentual",
    "dinheiro",
    "documentos",
    "passos",
    "contagem",
    "procedimento",
    "nenhuma",
]
_UNITS: Final[tuple[Unidade, ...]] = get_args(Unidade)[:-2]
_COUNTED: Final = frozenset(stem(word) for word in LEXICO["contados"])
_NOUN: Final = re.compile(r"\s+(?:(?:outr|nov|demais|primeir|ultim|restant)\w*\s+)?(?P<noun>[a-z]{3,})")
_SHARED_UNIT: Final = re.compile(r"\s*(?:a|ate|e|ou|aos|as|-|–)\s*(?:os\s+|as\s+)?")
_MONEY: Final = re.compile(r"(?:r\$|rs\$|brl)\s*(?:\d[\d.,]*\d|\d)?(?!\w)|(?<!\w)(?:\d+|mil|cem|cinquenta|vinte|dez)\s+(?:mil\s+)?reais\b")
_TIME: Final = re.compile(
    r"(?<![\w:])(?:[01]?\d|2[0-3])(?::|h)[0-5]\d(?:min)?(?!\w)|(?:as|das|ate as|a partir das)\s+(?:[01]?\d|2[0-3])\s?h(?:oras)?\b"
)


class Quantia(msgspec.Struct, frozen=True):
    """A number with its unit, and where both stand."""

    start: int
    end: int
    value: float
    unidade: Unidade
    fracao: bool = False
    artigo: bool = False


def find_quantias(folded: str) -> tuple[Quantia, ...]:
    """Every number of a folded text with its unit; "de 18 a 60 anos" gives both the same."""
    found: list[Quantia] = []
    for numero in reversed(find_numeros(folded)):
        quantia = _with_unit(folded, numero)
        shares = found and quantia.unidade == "nenhuma" and not quantia.fracao
        if shares and _SHARED_UNIT.fullmatch(folded, quantia.end, found[-1].start):
            quantia = msgspec.structs.replace(quantia, unidade=found[-1].unidade)
        found.append(quantia)
    return tuple(reversed(found))


def find_valores(folded: str) -> tuple[Span, ...]:
    """Where sums of money and times of day stand."""
    return tuple(match.span() for pattern in (_MONEY, _TIME) for match in pattern.finditer(folded))


def _with_unit(folded: str, numero: Numero) -> Quantia:
    def of(end: int, unidade: Unidade, value: float = numero.value) -> Quantia:
        return Quantia(numero.start, end, value, unidade, numero.fracao, numero.artigo)

    for unidade in _UNITS:
        match = LEXICO.begins(f"unidade_{unidade}", folded, numero.end)
        if match:
            half = LEXICO.begins("e_meio", folded, match.end())
            return of(half.end(), unidade, numero.value + 0.5) if half else of(match.end(), unidade)
    noun = _NOUN.match(folded, numero.end)
    return of(noun.end(), "procedimento") if noun and stem(noun["noun"]) in _COUNTED else of(numero.end, "nenhuma")
