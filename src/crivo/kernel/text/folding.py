"""Text as it is compared: without case, accents or runs of blanks."""

from __future__ import annotations

import re
import unicodedata

_BLANKS = re.compile(r"\s+")


def fold(text: str) -> str:
    """The text in lower case, without accents, each run of blanks one space: `São  João` and `SAO JOAO` are the same."""
    folded = text.casefold()
    if not folded.isascii():  # plain letters have nothing to lose, and letter by letter is slow
        folded = "".join(char for char in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(char))
    return _BLANKS.sub(" ", folded).strip()
