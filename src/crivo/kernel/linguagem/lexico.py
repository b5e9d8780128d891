"""One notation of lexicon: lists of folded words and phrases, kept as JSON beside who reads them, and asked for as whole words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final, TypeVar

import msgspec

_Lexico = TypeVar("_Lexico")
_WORD: Final = re.compile(r"[a-z0-9]+")


def read_lexico(package: str, name: str, kind: type[_Lexico]) -> _Lexico:
    """The lexicon `name`.json of a package as a value of that kind."""
    return msgspec.json.decode(resources.files(package).joinpath(f"{name}.json").read_bytes(), type=kind)


def any_of(words: Iterable[str]) -> str:
    """A regular expression that matches any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def beginnings(words: Iterable[str]) -> re.Pattern[str]:
    """What finds any of the words, or phrases, from their beginning in a folded text; whole where they end in `$`."""
    forms = (re.escape(word.removesuffix("$")) + (r"(?!\w)" if word.endswith("$") else "") for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})")


def words(folded: str) -> list[str]:
    """The words and figures of a folded text, in order."""
    return _WORD.findall(folded)


def says(folded: str, phrases: Sequence[str]) -> bool:
    """Whether a folded text has any of the phrases, as whole words."""
    text = f" {' '.join(words(folded))} "
    return any(f" {phrase} " in text for phrase in phrases)


class Palavras(msgspec.Struct, frozen=True):
    """The words of time and quantity in Portuguese, Spanish and English; weekdays count from Monday = 0."""

    unidades: dict[str, int]
    unidades_so_em_espanhol: dict[str, int]
    dezenas: dict[str, int]
    centenas: dict[str, int]
    vezes: dict[str, int]
    fracoes: dict[str, float]
    grupos: dict[str, int]
    partes: dict[str, tuple[int, int]]
    ordinais: dict[str, int]
    dias_da_semana: dict[str, int]
    dias_da_semana_abreviados: dict[str, int]
    meses: dict[str, int]
    meses_abreviados: dict[str, int]
    relativos: dict[str, int]
    palavras_de_idioma: dict[str, tuple[str, ...]]


PALAVRAS: Final = read_lexico("crivo.kernel.linguagem", "palavras", Palavras)
_MONTHS: Final = {**PALAVRAS.meses, **PALAVRAS.meses_abreviados}
_WEEKDAYS: Final = {**PALAVRAS.dias_da_semana, **PALAVRAS.dias_da_semana_abreviados}


def month_in(written: str | None) -> int | None:
    """The number of a month written `julho`, `jul.` or `07`."""
    if not written:
        return None
    if written.isdigit():
        return int(written) if 0 < int(written) < 13 else None
    return _MONTHS.get(written.rstrip("."))


def weekday_in(written: str | None) -> int | None:
    """The number of a weekday, Monday = 0, written `sexta`, `sex` or `6` (as in `6a feira`)."""
    if not written:
        return None
    if written.isdigit():
        return int(written) - 2
    return _WEEKDAYS.get(written)
