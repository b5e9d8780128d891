"""How a doctor is spoken of by the title before the name: `a Dra.`, `o Dr.`, `a Fga.`; of one that tells nothing no article is guessed."""

from __future__ import annotations

from typing import Final, Literal

Genero = Literal["a", "o", ""]
_MASCULINE: Final = frozenset({"dr", "prof", "sr"})
_FEMININE_ENDS, _MASCULINE_ENDS = ("a", "ª"), ("o", "º")


def gender_of(doctor: str) -> Genero:
    """The article that agrees with the title of a name; empty where there is no title, or one for both (`Enf.`, `Psic.`, `Nutric.`)."""
    first, *names = doctor.split()
    if not (names and first.endswith((".", "ª", "º"))):
        return ""
    title = first.rstrip(".").lower()
    if title in _MASCULINE or title.endswith(_MASCULINE_ENDS):
        return "o"
    return "a" if title.endswith(_FEMININE_ENDS) else ""
