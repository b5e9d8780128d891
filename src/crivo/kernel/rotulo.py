"""How an outcome is shown, on a page as on a terminal."""

from __future__ import annotations

from typing import NamedTuple


class Rotulo(NamedTuple):
    """A word, a mark and the name of a style: no meaning rests on the colour alone."""

    palavra: str
    marca: str
    estilo: str
