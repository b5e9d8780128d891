"""PDF papers in several layouts. A line `rótulo|valor` is a field; `##` begins a page; `||` the second column."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import reportlab
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.lib.colors import Color, black
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from edital_rotulado.valores import without_accents

WIDTH, HEIGHT = A4
pdfmetrics.registerFont(TTFont("Vera", str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")))


def render(layout: str, linhas: list[str], mark: Callable[[Canvas], None] | None = None, **about: str) -> bytes:
    """The bytes of a PDF; `mark` draws on its first page after the text; `about`: title, subject, keywords, author."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for name, value in about.items():
        getattr(canvas, f"set{name.capitalize()}")(value)
    pages = "\x00".join(linhas).split("\x00##\x00")
    for index, page in enumerate(pages):
        _LAYOUTS[layout](canvas, page.split("\x00"), (index + 1, len(pages)))
        if index == 0 and mark is not None:
            canvas.setFillColor(black)
            canvas.setFont("Helvetica", 8.5)
            canvas.saveState()
            mark(canvas)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def protected(content: bytes) -> bytes:
    """The same, asking for a password."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.encrypt("segredo", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@cache
def photograph(seed: int) -> Image.Image:
    """A picture of coloured bands."""
    image = Image.new("RGB", (160, 100))
    image.putdata([((x * seed) % 256, (y * 2 + seed) % 256, (x + y) % 256) for y in range(100) for x in range(160)])
    return image


def of_picture(image: Image.Image) -> bytes:
    """A page that is one picture, as a scanner makes it."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    canvas.drawImage(ImageReader(image), 0, 0, WIDTH, HEIGHT)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _write(canvas: Canvas, linhas: list[str], font: str, size: float, x: float, top: float, step: float) -> None:
    canvas.setFillColor(black)
    canvas.setFont(font, size)
    wrapped = [part for linha in linhas for part in simpleSplit(linha.replace("|", ": "), font, size, WIDTH - x - 30) or [""]]
    for index, linha in enumerate(wrapped):
        canvas.drawString(x, top - step * index, linha)


def _simple(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    _write(canvas, linhas, "Times-Roman", 11, 60, HEIGHT - 90, 18)


def _typewriter(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    _write(canvas, [without_accents(linha) for linha in linhas], "Courier", 9.5, 50, HEIGHT - 70, 13)


def _vera(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    _write(canvas, linhas, "Vera", 9, 45, HEIGHT - 110, 21)


def _letterhead(canvas: Canvas, linhas: list[str], page: tuple[int, int]) -> None:
    canvas.setFillColor(Color(0.1, 0.2, 0.45))
    canvas.circle(80, HEIGHT - 60, 22, fill=1)
    canvas.setFillColor(black)
    for index, linha in enumerate(linhas[:3]):
        canvas.setFont("Helvetica-Bold", 12 - index)
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 50 - 17 * index, linha)
    _write(canvas, linhas[3:], "Helvetica", 10.5, 60, HEIGHT - 130, 17)
    canvas.setFont("Helvetica", 7)
    canvas.drawCentredString(WIDTH / 2, 30, f"Documento gerado eletronicamente - página {page[0]} de {page[1]}")


def _columns(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    cut = linhas.index("||")
    _write(canvas, linhas[:cut], "Helvetica", 10, 50, HEIGHT - 90, 18)
    _write(canvas, linhas[cut + 1 :], "Helvetica", 10, 330, HEIGHT - 90, 18)


def _table(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    y = HEIGHT - 80
    for linha in linhas:
        label, _bar, value = linha.partition("|")
        canvas.setFont("Helvetica-Bold" if not value else "Helvetica", 10)
        canvas.drawString(56, y, label)
        if value:
            canvas.drawString(216, y, value)
            canvas.rect(50, y - 6, 155, 20, fill=0)
            canvas.rect(205, y - 6, 340, 20, fill=0)
        y -= 20


def _form(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    y = HEIGHT - 80
    for linha in linhas:
        label, _bar, value = linha.partition("|")
        if not value:
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawCentredString(WIDTH / 2, y, label)
            y -= 22
            continue
        canvas.rect(50, y - 26, WIDTH - 100, 30, fill=0)
        canvas.setFont("Helvetica", 6.5)
        canvas.drawString(54, y - 4, label)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(54, y - 19, value)
        y -= 34


def _card(canvas: Canvas, linhas: list[str], _: tuple[int, int]) -> None:
    canvas.setFillColor(Color(0.86, 0.93, 0.86))
    canvas.roundRect(50, HEIGHT - 360, 330, 300, 10, fill=1)
    canvas.setFillColor(black)
    canvas.drawImage(ImageReader(photograph(7)), 60, HEIGHT - 180, 60, 80)
    y = HEIGHT - 80
    for linha in linhas:
        label, _bar, value = linha.partition("|")
        canvas.setFont("Helvetica", 6 if value else 8)
        canvas.drawString(140, y, label)
        if value:
            canvas.setFont("Helvetica-Bold", 9)
            canvas.drawString(140, y - 10, value)
            y -= 12
        y -= 15


def _photos(canvas: Canvas, linhas: list[str], page: tuple[int, int]) -> None:
    _write(canvas, linhas, "Helvetica", 13, 60, HEIGHT - 80, 24)
    canvas.drawImage(ImageReader(photograph(page[0] * 3)), 80, 300, 400, 250)


_LAYOUTS: Final[Mapping[str, Callable[[Canvas, list[str], tuple[int, int]], Any]]] = {
    "simples": _simple,
    "duas_paginas": _simple,
    "maquina": _typewriter,
    "vera": _vera,
    "timbre": _letterhead,
    "colunas": _columns,
    "tabela": _table,
    "formulario": _form,
    "cracha": _card,
    "fotos": _photos,
}
