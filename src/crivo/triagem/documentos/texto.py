"""Text as it may be kept: no character that a database or a page cannot hold, and blanks put in order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_HYPHEN_AT_LINE_END: Final = re.compile("[\x02\ufffe]\r?\n?")
_BLANKS: Final = re.compile(r"[ \t\u00a0]+")
_BLANKS_AT_LINE_END: Final = re.compile(r" *\n *")
_MANY_LINES: Final = re.compile(r"\n{3,}")


def clean(text: str) -> str:
    """The text without control characters, lone surrogates and blanks nobody needs; lines end with a line feed."""
    text = _HYPHEN_AT_LINE_END.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    text = _BLANKS.sub(" ", _UNFIT.sub("", text))
    return _MANY_LINES.sub("\n\n", _BLANKS_AT_LINE_END.sub("\n", text)).strip()


def from_codes(codes: Iterable[int]) -> str:
    """The text of code points, in which a pair of surrogates is one character."""
    text = "".join(map(chr, codes))
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
