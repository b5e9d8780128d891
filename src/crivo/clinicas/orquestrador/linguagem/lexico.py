"""The words of time and quantity in the three languages, read from `lexico.json`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec


class Lexico(msgspec.Struct, frozen=True):
    """Folded words and what they stand for; weekdays count from Monday = 0."""

    unidades: dict[str, int]
    unidades_so_em_espanhol: dict[str, int]
    dezenas: dict[str, int]
    centenas: dict[str, int]
    vezes: dict[str, int]
    fracoes: dict[str, float]
    ordinais: dict[str, int]
    dias_da_semana: dict[str, int]
    dias_da_semana_abreviados: dict[str, int]
    meses: dict[str, int]
    meses_abreviados: dict[str, int]
    relativos: dict[str, int]
    palavras_de_idioma: dict[str, tuple[str, ...]]


LEXICO: Final = msgspec.json.decode(Path(__file__).with_name("lexico.json").read_bytes(), type=Lexico)


def any_of(words: Iterable[str]) -> str:
    """A regular expression that matches any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
