"""How papers of an unseen call are drawn: town halls with tables, identity cards with photographs, bills in columns, letters with
letterheads, stamps and signatures, pages of pictures. Other fonts and layouts than the sample's; nothing was ever adjusted to them.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import reportlab
from PIL import Image, ImageFilter
from reportlab.graphics.barcode.code128 import Code128
from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

_FONTS: Final = Path(reportlab.__file__).parent / "fonts"
SEM_SERIFA, GROSSA, INCLINADA = "Vera", "VeraBd", "VeraIt"
SERIFA, SERIFA_GROSSA, MAQUINA, MAQUINA_GROSSA = "Times-Roman", "Times-Bold", "Courier", "Courier-Bold"
MAO: Final = "CalligraphyRegular"
_TINTA: Final = HexColor("#1b2a6b")


def _register() -> None:
    for name in (SEM_SERIFA, GROSSA, INCLINADA):
        pdfmetrics.registerFont(TTFont(name, str(_FONTS / f"{name}.ttf")))
    face = pdfmetrics.EmbeddedType1Face(str(_FONTS / "callig15.afm"), str(_FONTS / "callig15.pfb"))
    pdfmetrics.registerTypeFace(face)
    pdfmetrics.registerFont(pdfmetrics.Font(MAO, face.name, "WinAnsiEncoding"))


_register()


@dataclass(frozen=True, slots=True)
class Pessoa:
    """Whose paper it is; everyone is made up."""

    nome: str
    cpf: str
    endereco: str
    nascida: str = "09/05/1984"


class Prancheta:
    """A sheet that is being drawn, from the top down, in points from its left and its top."""

    def __init__(self, semente: int, size: tuple[float, float] = A4) -> None:
        self._out = io.BytesIO()
        self.wide, self.high = size
        self.canvas = Canvas(self._out, pagesize=size, invariant=1)
        self.sorte = np.random.default_rng(semente)
        self.carimbos = self.manuscritos = 0

    def done(self) -> bytes:
        """The PDF."""
        self.canvas.showPage()
        self.canvas.save()
        return self._out.getvalue()

    def say(self, x: float, y: float, text: str, font: str = SERIFA, size: float = 11, colour: Color = black, wide: float = 0) -> float:
        """Words from a place on, broken at `wide` points; where the next line would stand."""
        self.canvas.setFont(font, size)
        self.canvas.setFillColor(colour)
        for line in simpleSplit(text, font, size, wide) if wide else [text]:
            self.canvas.drawString(x, self.high - y, line)
            y += size * 1.35
        return y

    def centred(self, y: float, text: str, font: str = SERIFA_GROSSA, size: float = 13, colour: Color = black) -> float:
        self.canvas.setFont(font, size)
        self.canvas.setFillColor(colour)
        self.canvas.drawCentredString(self.wide / 2, self.high - y, text)
        return y + size * 1.4

    def box(self, x: float, y: float, wide: float, high: float, fill: Color | None = None, line: Color = black, thick: float = 0.7) -> None:
        self.canvas.setLineWidth(thick)
        self.canvas.setStrokeColor(line)
        if fill is not None:
            self.canvas.setFillColor(fill)
        self.canvas.rect(x, self.high - y - high, wide, high, stroke=1 if thick else 0, fill=0 if fill is None else 1)

    def crest(self, x: float, y: float, colour: Color) -> None:
        """A coat of arms, as far as a reader of text can tell."""
        self.canvas.setStrokeColor(black)
        self.canvas.setFillColor(colour)
        path = self.canvas.beginPath()
        top = self.high - y
        path.moveTo(x, top)
        path.lineTo(x + 44, top)
        path.curveTo(x + 44, top - 40, x + 30, top - 50, x + 22, top - 56)
        path.curveTo(x + 14, top - 50, x, top - 40, x, top)
        self.canvas.drawPath(path, stroke=1, fill=1)
        self.canvas.setFillColor(white)
        self.canvas.circle(x + 22, top - 22, 9, stroke=1, fill=1)

    def picture(self, x: float, y: float, wide: float, high: float) -> None:
        """A photograph of something: large soft blobs and a texture."""
        small = self.sorte.integers(40, 225, (7, 9, 3), np.uint8)
        image = Image.fromarray(small).resize((450, int(450 * high / wide)), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(3))
        grain = np.asarray(image, np.int16) + self.sorte.integers(-14, 15, (image.height, image.width, 1))
        self._paste(Image.fromarray(grain.clip(0, 255).astype(np.uint8)), x, y, wide, high)

    def face(self, x: float, y: float, wide: float, high: float) -> None:
        """A portrait as on a card."""
        down, across = np.mgrid[0:1:200j, 0:1:160j]
        image = np.full((200, 160, 3), (196, 204, 214), np.float64)
        image[((across - 0.5) / 0.44) ** 2 + ((down - 1.08) / 0.36) ** 2 < 1] = (70, 82, 110)
        image[((across - 0.5) / 0.24) ** 2 + ((down - 0.42) / 0.28) ** 2 < 1] = (172, 128, 102)
        image[((across - 0.5) / 0.25) ** 2 + ((down - 0.26) / 0.17) ** 2 < 1] = (52, 40, 34)
        for eye in (0.41, 0.59):
            image[((across - eye) / 0.035) ** 2 + ((down - 0.42) / 0.02) ** 2 < 1] = (30, 24, 22)
        noisy = (image + self.sorte.normal(0, 7, image.shape)).clip(0, 255).astype(np.uint8)
        self._paste(Image.fromarray(noisy).filter(ImageFilter.GaussianBlur(1.2)), x, y, wide, high)

    def _paste(self, image: Image.Image, x: float, y: float, wide: float, high: float) -> None:
        self.canvas.drawImage(ImageReader(image), x, self.high - y - high, wide, high)

    def guilloche(self, x: float, y: float, wide: float, high: float, colour: Color) -> None:
        """The fine waves under the words of a card."""
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(0.35)
        for at in range(int(high / 5)):
            path = self.canvas.beginPath()
            base = self.high - y - 3 - at * 5
            path.moveTo(x, base)
            for step in range(1, int(wide / 6) + 1):
                path.lineTo(x + step * 6, base + 2.2 * math.sin(step / 2 + at))
            self.canvas.drawPath(path)

    def bars(self, x: float, y: float, text: str, high: float = 34) -> None:
        Code128(text, barHeight=high, barWidth=1.05).drawOn(self.canvas, x, self.high - y - high)

    def square_code(self, x: float, y: float, side: float = 74) -> None:
        """As a QR code looks."""
        cell = side / 25
        self.canvas.setFillColor(black)
        for row, column in zip(*np.nonzero(self.sorte.random((25, 25)) < 0.5), strict=True):
            self.canvas.rect(x + float(column) * cell, self.high - y - float(row) * cell, cell, cell, stroke=0, fill=1)

    def stamp(self, x: float, y: float, words: Sequence[str], colour: Color, turn: float = 0.0, size: float = 44) -> None:
        """A round stamp of rubber, words along its edge and across it."""
        self.carimbos += 1
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x, self.high - y)
        canvas.rotate(turn)
        canvas.setStrokeColor(colour)
        canvas.setFillColor(colour)
        canvas.setLineWidth(1.9)
        canvas.circle(0, 0, size)
        canvas.setLineWidth(0.9)
        canvas.circle(0, 0, size * 0.68)
        canvas.setFont("Helvetica-Bold", size * 0.19)
        for at, letter in enumerate(words[0]):
            angle = math.pi * (1.1 - 1.2 * at / max(1, len(words[0]) - 1))
            canvas.saveState()
            canvas.translate(size * 0.77 * math.cos(angle), size * 0.77 * math.sin(angle))
            canvas.rotate(math.degrees(angle) - 90)
            canvas.drawCentredString(0, 0, letter)
            canvas.restoreState()
        for at, line in enumerate(words[1:]):
            canvas.drawCentredString(0, size * (0.18 - 0.3 * at), line)
        canvas.restoreState()

    def received(self, x: float, y: float, words: Sequence[str], colour: Color, turn: float = 0.0) -> None:
        """A stamp with straight edges, as protocols have."""
        self.carimbos += 1
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x, self.high - y)
        canvas.rotate(turn)
        canvas.setStrokeColor(colour)
        canvas.setFillColor(colour)
        canvas.setLineWidth(2)
        canvas.roundRect(0, -16 * len(words) - 8, 128, 16 * len(words) + 12, 5)
        canvas.setFont("Helvetica-Bold", 11)
        for at, line in enumerate(words):
            canvas.drawCentredString(64, -14 - 16 * at, line)
        canvas.restoreState()

    def sign(self, x: float, y: float, wide: float = 130, colour: Color = _TINTA) -> None:
        """A signature that nobody can read."""
        self.manuscritos += 1
        canvas = self.canvas
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(1.4)
        path = canvas.beginPath()
        at, base = x, self.high - y
        path.moveTo(at, base)
        while at < x + wide:
            rise, step = float(self.sorte.uniform(8, 26)), float(self.sorte.uniform(9, 19))
            path.curveTo(at + step * 0.1, base + rise, at + step * 1.5, base + rise * 0.7, at + step * 0.5, base - rise * 0.4)
            path.curveTo(at + step * 0.3, base - rise * 0.6, at + step * 0.8, base - 2, at + step, base)
            at += step
        path.curveTo(at + 10, base + 18, x + wide * 0.3, base - 26, x - 12, base - 9)
        canvas.drawPath(path)

    def by_hand(self, x: float, y: float, text: str, size: float = 17, colour: Color = _TINTA) -> None:
        """Words in a hand."""
        self.manuscritos += 1
        self.say(x, y, text, MAO, size, colour)
