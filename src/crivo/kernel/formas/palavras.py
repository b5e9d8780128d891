"""How a complaint names a place in a document, shows what stands there, and offers the word that was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeAlias

from rapidfuzz import fuzz, process

from crivo.kernel.linguagem.dobra import without_accents

Caminho: TypeAlias = tuple[str | int, ...]

SHOWN: Final = 40
_ALIKE: Final = 65.0  # per cent; below it two words are not taken for each other
_SUGGESTED_LENGTH: Final = 64


def cut(escrito: str) -> str:
    """The first 40 characters, with `…` where more were written."""
    return escrito if len(escrito) <= SHOWN else escrito[:SHOWN] + "…"


def format_caminho(caminho: Caminho, cite: Callable[[str], str] = str) -> str:
    """The path as people write it: `regras[3].limite_quantidade`; positions count from 0."""
    texto = ""
    for passo in caminho:
        texto += f"[{passo}]" if isinstance(passo, int) else f"{'.' if texto else ''}{cite(passo)}"
    return texto


def name_of(caminho: Caminho, raiz: str, cite: Callable[[str], str] = str) -> str:
    """The field's own name with its positions, `niveis[2]`; `raiz` where the path is of the whole document, words where it has none."""
    if caminho and isinstance(caminho[-1], str) and not caminho[-1].strip():
        return "O nome de um campo"
    start = max((index for index, passo in enumerate(caminho) if isinstance(passo, str)), default=0)
    return f"`{format_caminho(caminho[start:], cite)}`" if caminho else raiz


def seen(valor: object, cite: Callable[[str], str], *, cita: bool) -> str:
    """What stands where something else was expected; a text only where `cita`, as it may name somebody."""
    match valor:
        case None:
            return "aqui está vazio"
        case bool():
            return f"aqui está `{'true' if valor else 'false'}`"
        case int() | float() | Decimal():
            return f"aqui está `{cite(str(valor))}`"
        case str():
            return f"aqui está `{cite(valor)}`" if cita else "aqui há um texto"
        case Mapping():
            return "aqui há um objeto"
        case Sequence():
            return "aqui há uma lista"
        case _:
            raise TypeError(f"no value of a document: {type(valor)}")


def grouped(inteiro: int) -> str:
    """A count in Brazilian form: `1.000.000`."""
    return f"{inteiro:,}".replace(",", ".")


def nearest(escrito: str, conhecidos: Iterable[str]) -> str | None:
    """The known word most like this one, by letters and digits alone; None where none is like it."""
    if len(escrito) > _SUGGESTED_LENGTH:
        return None
    words = tuple(conhecidos)
    found = process.extractOne(letters(escrito), _letters_of(words), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return words[found[2]] if found else None


@lru_cache(maxsize=32)
def _letters_of(conhecidos: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(letters, conhecidos))


def letters(escrito: str) -> str:
    """The letters and digits alone, in lower case and without accents."""
    return "".join(filter(str.isalnum, without_accents(escrito).casefold()))
