"""Text as it is compared: without case, accents or runs of blanks."""

from __future__ import annotations

import re
import unicodedata

_BLANKS = re.compile(r"\s+")


def fold(text: str) -> str:
    """The text in lower case, without accents, each run of blanks one space: `São  João` and `SAO JOAO` are the same."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return _BLANKS.sub(" ", "".join(char for char in decomposed if not unicodedata.combining(char))).strip()
