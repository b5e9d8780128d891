"""Names of people and of organisations: as they are found in a text, compared and shown."""

from __future__ import annotations

import re
from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.frases import Span

PARTICLES: Final = frozenset({"de", "da", "do", "dos", "das", "e"})
"""The small words within a name, which tell nobody from anybody."""
_IN_CAPITALS: Final = re.compile(r"(?<!\w)[A-ZÀ-Ý][\wÀ-ÿ]+(?:\s+(?:d[aeo]s?\s+|e\s+)?[A-ZÀ-Ý][\wÀ-ÿ]+)+")
_NOT_ALNUM: Final = re.compile(r"[\W_]+")


def find_names(text: str) -> tuple[Span, ...]:
    """Where two words or more in capitals stand together, as a name of somebody or something does."""
    return tuple(match.span() for match in _IN_CAPITALS.finditer(text))


def folded_name(nome: str) -> str:
    """A name without case, accents and punctuation."""
    return _NOT_ALNUM.sub(" ", fold(nome)).strip()


def masked_name(nome: str) -> str:
    """The first name and initials: `Maria A. S.`."""
    first, *rest = nome.split() or [""]
    return " ".join((first, *(f"{word[0]}." for word in rest if word[0].isupper())))
