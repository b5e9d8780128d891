"""A chart of a run as SVG: each metric over all cases and in each class, with its interval. Drawn here, with no library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from crivo.clinicas.avaliacao.pontuacao import Resultado
from crivo.clinicas.avaliacao.relatorio import CLASSES, NOMES, rate, share
from crivo.kernel.taxas import Taxa

_SHOWN: Final = ("tsr", "tca", "mcra", "plan_accuracy", "estado", "hr", "pvr")
_LEFT, _RIGHT, _TOP, _WIDTH = 300, 150, 56, 950
_ROW, _GAP = 18, 14
_INK, _FAINT, _ALL, _CLASS = "#1b1b1b", "#d6d6d6", "#1351b4", "#5d6b7a"


def svg(resultado: Resultado) -> str:
    """The chart as a whole SVG document, readable on its own."""
    body: list[str] = []
    y = _TOP
    for key in _SHOWN:
        rows = [("geral", rate(resultado.geral, key)), *((CLASSES[name], rate(one, key)) for name, one in resultado.classes.items())]
        counted = [(label, taxa) for label, taxa in rows if taxa.valor is not None]
        if not counted:
            continue
        body.append(_text(12, y + 4, NOMES[key], weight="bold"))
        for index, (label, taxa) in enumerate(counted):
            body += _row(y + _ROW * index, label, taxa, is_all=index == 0)
        y += _ROW * len(counted) + _GAP
    return "\n".join([_head(y + 12), *_grid(y), *body, "</svg>", ""])


def _head(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-labelledby="titulo descricao" font-family="system-ui, sans-serif" font-size="12">\n'
        '<title id="titulo">Avaliação das clínicas</title>\n'
        '<desc id="descricao">Cada métrica no conjunto todo e por classe; a linha é o intervalo de Wilson a 95 %.</desc>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
        + _text(12, 24, "Avaliação das clínicas: proporções com intervalo de Wilson a 95 %", size=15, weight="bold")
    )


def _grid(bottom: int) -> Iterator[str]:
    for percent in range(0, 101, 20):
        x = _x(percent / 100)
        yield f'<line x1="{x:.1f}" y1="{_TOP - 10}" x2="{x:.1f}" y2="{bottom}" stroke="{_FAINT}"/>'
        yield _text(x, _TOP - 14, f"{percent} %", anchor="middle")


def _row(y: int, label: str, taxa: Taxa, *, is_all: bool) -> Iterator[str]:
    colour = _ALL if is_all else _CLASS
    value, low, high = taxa.valor or 0.0, taxa.de or 0.0, taxa.ate or 0.0
    yield _text(_LEFT - 10, y + 4, label, anchor="end", weight="bold" if is_all else "normal")
    yield f'<line x1="{_x(low):.1f}" y1="{y}" x2="{_x(high):.1f}" y2="{y}" stroke="{colour}" stroke-width="{3 if is_all else 2}"/>'
    yield f'<circle cx="{_x(value):.1f}" cy="{y}" r="{5 if is_all else 4}" fill="{colour}"><title>{escape(share(taxa))}</title></circle>'
    yield _text(_WIDTH - _RIGHT + 14, y + 4, f"{100 * value:.1f} % ({taxa.certos}/{taxa.total})".replace(".", ","))


def _x(value: float) -> float:
    return _LEFT + value * (_WIDTH - _LEFT - _RIGHT)


def _text(x: float, y: float, words: str, *, anchor: str = "start", weight: str = "normal", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" font-size="{size}" fill="{_INK}">{escape(words)}</text>'
    )
