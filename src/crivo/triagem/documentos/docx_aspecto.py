"""How a stretch of a DOCX looks: what its run, its styles and what lies behind it say of being seen."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Final

from crivo.triagem.documentos.lido import TruqueOculto
from crivo.triagem.documentos.marcacao import Node

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
PAPER: Final = "FFFFFF"

_SMALLEST_HALF_POINTS: Final = 5
_NARROWEST_PERCENT: Final = 5  # of a letter's width
_SAME_COLOR: Final = 32  # of 255, in the channel that differs most
_NEARLY_CLEAR: Final = 90_000  # of 100,000
_FARTHEST_HALF_POINTS: Final = 400  # that a run is raised or lowered from its line
_FARTHEST_TWIPS: Final = 7_200  # that a paragraph starts left of its margin: five inches
_WIDEST_TWIPS: Final = 20_000  # that one starts right of it
_FARTHEST_POINTS: Final = 1_400  # of a drawing from where it is anchored: half a metre
_OFF: Final = {"0", "false", "off", "none"}
_LIGHT_THEMES: Final = {"background1", "light1", "bg1", "lt1"}
_WHOLE: Final = re.compile(r"-?\d{1,9}")
_LENGTH: Final = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(pt|in|cm|mm|px)")  # without a unit it is measured by the group it stands in
_UNITS: Final = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75}
_HIGHLIGHTS: Final = {
    "black": "000000",
    "blue": "0000FF",
    "cyan": "00FFFF",
    "darkBlue": "000080",
    "darkCyan": "008080",
    "darkGray": "808080",
    "darkGreen": "008000",
    "darkMagenta": "800080",
    "darkRed": "800000",
    "darkYellow": "808000",
    "green": "00FF00",
    "lightGray": "C0C0C0",
    "magenta": "FF00FF",
    "red": "FF0000",
    "white": "FFFFFF",
    "yellow": "FFFF00",
}


@dataclass(frozen=True, slots=True)
class Aspecto:
    """What is said of a run; None where nothing is. Colours are six hexadecimal digits, or `auto`, which always contrasts."""

    vanish: bool | None = None
    clear: bool | None = None  # painted with nothing
    color: str | None = None
    half_points: float | None = None
    width_percent: float | None = None
    shade: str | None = None
    away: bool | None = None  # raised or lowered out of its line, off the sheet

    def over(self, other: Aspecto) -> Aspecto:
        """This, where it says something, else the other."""
        said = {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}
        return replace(other, **said)

    def trick(self, behind: str | None) -> TruqueOculto | None:
        """What keeps such text from being seen on a colour (None: on something that cannot be told), or None."""
        if self.vanish:
            return "vanish"
        if self.clear:
            return "invisivel"
        if self.away:
            return "fora_da_pagina"
        if self.half_points is not None and self.half_points <= _SMALLEST_HALF_POINTS:
            return "minusculo"
        if self.width_percent is not None and self.width_percent <= _NARROWEST_PERCENT:
            return "minusculo"
        return "sem_cor" if _alike(self.color, self.shade or behind) else None


NOTHING: Final = Aspecto()


class Estilos:
    """The styles of a document, each with what it is based on."""

    def __init__(self, root: Node | None) -> None:
        self._own: dict[str, tuple[Aspecto, str | None]] = {}
        self._shaded: set[str] = set()
        self.default = NOTHING
        self._default_paragraph: str | None = None
        if root is None:
            return
        self.default = run_aspecto(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))
        for style in root.iter(f"{W}style"):
            self._take(style)

    def of(self, name: str | None, *, paragraph: bool = False) -> Aspecto:
        """What a style says with all that it is based on; a paragraph without one has the document's default."""
        aspecto, seen = NOTHING, set()
        name = name or (self._default_paragraph if paragraph else None)
        while name in self._own and name not in seen:
            seen.add(name)
            own, name = self._own[name]
            aspecto = aspecto.over(own)
        return aspecto

    def shades(self, name: str | None) -> bool:
        """Whether a table style paints cells, which ones being its own affair."""
        seen = set()
        while name in self._own and name not in seen:
            if name in self._shaded:
                return True
            seen.add(name)
            name = self._own[name][1]
        return False

    def _take(self, style: Node) -> None:
        name = style.get(f"{W}styleId")
        if name is None:
            return
        based = style.find(f"{W}basedOn")
        aspecto = run_aspecto(style.find(f"{W}rPr"))
        shade = shading(style.find(f"{W}pPr"))
        self._own[name] = (replace(aspecto, shade=aspecto.shade or shade), value(based) if based is not None else None)
        if any(shading_of(shd) for shd in style.iter(f"{W}shd")):
            self._shaded.add(name)
        if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in {"1", "true"}:
            self._default_paragraph = name


def run_aspecto(properties: Node | None) -> Aspecto:
    """What the properties of a run say."""
    if properties is None:
        return NOTHING
    highlight = properties.find(f"{W}highlight")
    return Aspecto(
        vanish=_switch(properties.find(f"{W}vanish")),
        clear=_is_clear(properties.find(f"{W14}textFill")),
        color=_color(properties.find(f"{W}color")),
        half_points=_number(properties.find(f"{W}sz")),
        width_percent=_number(properties.find(f"{W}w")),
        shade=(_HIGHLIGHTS.get(value(highlight) or "") if highlight is not None else None) or shading(properties),
        away=_is_away(properties.find(f"{W}position")),
    )


def shading(properties: Node | None) -> str | None:
    """The colour that a run, a paragraph or a cell is filled with."""
    shd = properties.find(f"{W}shd") if properties is not None else None
    return shading_of(shd) if shd is not None else None


def shading_of(shd: Node) -> str | None:
    """The colour of a shading, None where it has none."""
    color = shd.get(f"{W}color") if value(shd) == "solid" else shd.get(f"{W}fill")
    return color if color and _channels(color) else None


def value(node: Node) -> str | None:
    """The `w:val` of an element."""
    return node.get(f"{W}val")


def _switch(node: Node | None) -> bool | None:
    return None if node is None else (value(node) or "1").lower() not in _OFF


def _number(node: Node | None) -> float | None:
    text = (value(node) or "").strip().removesuffix("%") if node is not None else ""
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _color(node: Node | None) -> str | None:
    if node is None:
        return None
    color = value(node) or "auto"
    return PAPER if color == "auto" and node.get(f"{W}themeColor") in _LIGHT_THEMES else color


def _is_clear(fill: Node | None) -> bool | None:
    if fill is None:
        return None
    alphas = [node.get(f"{W14}val") or "0" for node in fill.iter(f"{W14}alpha")]
    return fill.find(f"{W14}noFill") is not None or any(alpha.isdecimal() and int(alpha) >= _NEARLY_CLEAR for alpha in alphas)


def _alike(color: str | None, behind: str | None) -> bool:
    one, other = _channels(color or ""), _channels(behind or "")
    return bool(one and other) and max(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True)) < _SAME_COLOR


def paragraph_trick(properties: Node | None) -> TruqueOculto | None:
    """What keeps a whole paragraph from being seen: an indent that puts it off the sheet."""
    indent = None if properties is None else properties.find(f"{W}ind")
    if indent is None:
        return None
    starts = [_whole_number(indent.get(f"{W}{side}")) for side in ("left", "start", "firstLine")]
    return "fora_da_pagina" if any(not -_FARTHEST_TWIPS < start < _WIDEST_TWIPS for start in starts) else None


def shape_trick(shape: Node) -> TruqueOculto | None:
    """What keeps a drawing of the older markup (VML) from being seen, by its style."""
    said = dict(part.strip().split(":", 1) for part in (shape.get("style") or "").lower().split(";") if ":" in part)
    style = {name.strip(): told.strip() for name, told in said.items()}
    if style.get("visibility") == "hidden" or style.get("display") == "none":
        return "vanish"
    if any(abs(_points(style.get(side))) > _FARTHEST_POINTS for side in ("left", "top", "margin-left", "margin-top")):
        return "fora_da_pagina"
    sizes = [style[side] for side in ("width", "height") if side in style]
    return "encoberto" if any(_is_nothing(size) for size in sizes) else None


def _is_away(position: Node | None) -> bool | None:
    return None if position is None else abs(_whole_number(value(position))) > _FARTHEST_HALF_POINTS


def _points(length: str | None) -> float:
    match = _LENGTH.fullmatch(length or "")
    return float(match[1]) * _UNITS[match[2]] if match else 0.0


def _is_nothing(length: str) -> bool:
    return _LENGTH.fullmatch(length) is not None and _points(length) < 1


def _whole_number(number: str | None) -> int:
    return int(number) if number is not None and _WHOLE.fullmatch(number) else 0


def _channels(color: str) -> tuple[int, ...]:
    try:
        return tuple(bytes.fromhex(color)) if len(color) == 6 else ()
    except ValueError:
        return ()
