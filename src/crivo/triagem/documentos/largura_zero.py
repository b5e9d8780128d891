"""Characters that take no room on a page: payloads written in them, words broken by them, and text whose order they turn around."""

from __future__ import annotations

import re
from typing import Final

# Tags (U+E0000 on) repeat ASCII unseen; a flag of a region is the one honest use of theirs.
_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f")
_TAGS: Final = re.compile("[\U000e0000-\U000e007f]+")
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_ZERO: Final = "\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e\u115f\u1160\u3164\uffa0"
_ZEROS: Final = re.compile(f"[{_ZERO}]+")
_BITS: Final = re.compile(f"[{_ZERO}]{{16,}}")
_BROKEN_WORD: Final = re.compile(rf"\w+(?:[{_ZERO}\u00ad]+\w+)+")
_OVERRIDE: Final = re.compile("[\u202d\u202e]([^\u202c\n]{1,2000})(?:\u202c|\n|$)")
_MARKS: Final = re.compile("[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ANY: Final = re.compile(f"[{_ZERO}\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e01ef]")
_JOINED_EMOJI: Final = re.compile("(?<=[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2600-\u27bf\U0001f000-\U0001faff])")
_FEWEST_BROKEN: Final = 3  # words; one or two come along when text is copied from a page
_FEWEST_SIGNS: Final = 3


def split_unseen(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as it is seen, and what its characters of no width say or do."""
    if not _ANY.search(text):
        return text, ()
    flags = _FLAG.findall(text)
    rest = _FLAG.sub("\U0001f3f4", text) if flags else text
    unseen = [_from_tags(match.group()) for match in _TAGS.finditer(rest)]
    unseen += [_from_selectors(match.group()) for match in _SELECTORS.finditer(rest)]
    rest = _SELECTORS.sub("", _TAGS.sub("", _JOINED_EMOJI.sub("", rest)))
    unseen += [_from_bits(match.group()) for match in _BITS.finditer(rest)]
    unseen += [match.group(1)[::-1] for match in _OVERRIDE.finditer(rest)]
    broken = [_MARKS.sub("", _ZEROS.sub("", match.group())) for match in _BROKEN_WORD.finditer(rest) if _ZEROS.search(match.group())]
    if len(broken) >= _FEWEST_BROKEN:
        unseen.append(" ".join(broken))
    seen = _MARKS.sub("", _ZEROS.sub("", rest))
    return seen, tuple(said for said in unseen if len(said.strip()) >= _FEWEST_SIGNS)


def _from_tags(tags: str) -> str:
    return "".join(chr(code) for tag in tags if 0x20 <= (code := ord(tag) - 0xE0000) < 0x7F)


def _from_selectors(selectors: str) -> str:
    """Bytes written one to a variation selector, which a program reads and nobody sees."""
    values = [code - 0xFE00 if (code := ord(sign)) < 0xE0100 else code - 0xE0100 + 16 for sign in selectors]
    return "".join(filter(str.isprintable, bytes(value & 0xFF for value in values).decode("utf-8", "ignore")))


def _from_bits(signs: str) -> str:
    """Letters of eight signs of two kinds, whichever of the two is the one; empty where that gives no text."""
    kinds = sorted(set(signs))
    if len(kinds) != 2:
        return ""
    for one in kinds:
        bits = "".join("1" if sign == one else "0" for sign in signs)
        values = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
        text = values.decode("utf-8", "ignore")
        if len(text) >= len(values) / 2 and text.isprintable():
            return text
    return ""
