"""What a text repeats of the registry: the installation's own words about its clinics, which no rule is held against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from crivo.clinicas.registro import Registro

_SHORTEST: Final = 6  # a fact as short as a time or a price could stand in for one that was made up


def without_registry(texto: str, registro: Registro) -> str:
    """The text with every fact of the registry made blank, and in the line of one the clinics' names too; all else keeps its place.

    A telephone, a street or a convênio that the registry does not have stays, and is checked like any.
    """
    facts, names = _known(registro)
    if not facts or not any(fact in texto for fact in facts):
        return texto
    return "".join(_blanked(line, facts, names) for line in texto.splitlines(keepends=True))


@lru_cache(maxsize=8)
def _known(registro: Registro) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Facts as answers write them, the longest first; and the clinics' names."""
    facts = {text.strip().rstrip(".") for clinica in registro for text in clinica.facts()}
    return tuple(sorted((fact for fact in facts if len(fact) >= _SHORTEST), key=len, reverse=True)), tuple(one.nome for one in registro)


def _blanked(line: str, facts: tuple[str, ...], names: tuple[str, ...]) -> str:
    spans = [span for fact in facts for span in _places(line, fact)]
    if not spans:
        return line
    for start, end in (*spans, *(span for name in names for span in _places(line, name))):
        line = line[:start] + " " * (end - start) + line[end:]
    return line


def _places(line: str, words: str) -> Iterator[tuple[int, int]]:
    """Where words stand whole in a line."""
    if words not in line:
        return
    yield from (match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", line))
