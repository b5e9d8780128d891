"""Two recordings as a picture: each figure of both with its interval, one under the other. Drawn here, with no library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from crivo.gravadas.comparacao import Comparacao
from crivo.gravadas.medidas import Parte

_LEFT, _RIGHT, _TOP, _WIDTH = 420, 150, 84, 1060
_ROW, _GAP = 16, 14
_INK, _FAINT = "#1b1b1b", "#d6d6d6"
_COLOURS: Final = ("#1351b4", "#b45309")


def svg(found: Comparacao) -> str:
    """The picture as a whole SVG document, readable on its own."""
    body: list[str] = []
    y = _TOP + 8
    for par in found.medidas:
        sides = [(at, parte) for at, parte in enumerate((par.primeira, par.segunda)) if parte is not None and parte.total]
        if sides:
            body.append(_text(_LEFT - 14, y + 4, par.nome, anchor="end"))
            for row, (at, parte) in enumerate(sides):
                body += _mark(y + _ROW * row, parte, found.modelos[at], _COLOURS[at])
            y += _ROW * len(sides) + _GAP
    return "\n".join([*_head(found, y + 8), *_grid(y), *body, "</svg>", ""])


def _head(found: Comparacao, height: int) -> Iterator[str]:
    names = " e ".join(found.modelos)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        'aria-labelledby="titulo descricao" font-family="system-ui, sans-serif" font-size="12">'
    )
    yield f'<title id="titulo">{escape(names)}</title>'
    yield '<desc id="descricao">Cada medida das duas gravações; a linha é o intervalo de Wilson a 95 %.</desc>'
    yield '<rect width="100%" height="100%" fill="#ffffff"/>'
    for at, nome in enumerate(found.modelos):
        yield f'<circle cx="18" cy="{22 + 20 * at}" r="5" fill="{_COLOURS[at]}"/>'
        yield _text(32, 26 + 20 * at, nome)


def _grid(bottom: int) -> Iterator[str]:
    for percent in range(0, 101, 20):
        x = _x(percent / 100)
        yield f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="{_FAINT}"/>'
        yield _text(x, _TOP - 12, f"{percent} %", anchor="middle")


def _mark(y: int, parte: Parte, nome: str, colour: str) -> Iterator[str]:
    taxa = parte.taxa
    value, low, high = taxa.valor or 0.0, taxa.de or 0.0, taxa.ate or 0.0
    shown = f"{100 * value:.1f} % ({parte.certos}/{parte.total})".replace(".", ",")
    yield f'<line x1="{_x(low):.1f}" y1="{y}" x2="{_x(high):.1f}" y2="{y}" stroke="{colour}" stroke-width="3"/>'
    yield f'<circle cx="{_x(value):.1f}" cy="{y}" r="4" fill="{colour}"><title>{escape(f"{nome}: {shown}")}</title></circle>'
    yield _text(_WIDTH - _RIGHT + 14, y + 4, shown)


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _text(x: float, y: float, words: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y}" fill="{_INK}" text-anchor="{anchor}">{escape(words)}</text>'
