"""Ways to put text where no person sees it, and honest looks that resemble them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from reportlab.lib.colors import Color, white
from reportlab.pdfgen.canvas import Canvas

OnPage = Callable[[Canvas, str], None]
InText = Callable[[Any, str], None]
_X, _Y = 60, 210


def _in_color(color: Color) -> OnPage:
    def draw(canvas: Canvas, texto: str) -> None:
        canvas.setFillColor(color)
        canvas.drawString(_X, _Y, texto)

    return draw


def _in_size(size: float) -> OnPage:
    def draw(canvas: Canvas, texto: str) -> None:
        canvas.setFont("Times-Roman", size)
        canvas.drawString(_X, _Y, texto)

    return draw


def _at(x: float, y: float) -> OnPage:
    return lambda canvas, texto: canvas.drawString(x, y, texto)


def _in_mode(mode: int) -> OnPage:
    def draw(canvas: Canvas, texto: str) -> None:
        writing = canvas.beginText(_X, _Y)
        writing.setTextRenderMode(mode)
        writing.textLine(texto)
        writing.setTextRenderMode(0)
        canvas.drawText(writing)

    return draw


def _covered(canvas: Canvas, texto: str) -> None:
    canvas.drawString(_X, _Y, texto)
    canvas.setFillColor(Color(0.9, 0.9, 0.6))
    canvas.rect(_X - 10, _Y - 10, 520, 30, stroke=0, fill=1)


def _transparent(canvas: Canvas, texto: str) -> None:
    canvas.setFillAlpha(0.0)
    canvas.drawString(_X, _Y, texto)


def _clipped(canvas: Canvas, texto: str) -> None:
    path = canvas.beginPath()
    path.rect(580, 820, 4, 4)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.drawString(_X, _Y, texto)


def _on_band(band: Color, ink: Color) -> OnPage:
    def draw(canvas: Canvas, texto: str) -> None:
        canvas.setFillColor(band)
        canvas.rect(_X - 10, _Y - 8, 525, 26, stroke=0, fill=1)
        canvas.setFillColor(ink)
        canvas.setFont("Helvetica-Bold", 9)
        canvas.drawString(_X, _Y, texto)

    return draw


def _shrunk(canvas: Canvas, texto: str) -> None:
    canvas.translate(_X, _Y)
    canvas.scale(0.06, 0.06)
    canvas.drawString(0, 0, texto)


def _watermark(canvas: Canvas, texto: str) -> None:
    canvas.setFillColor(Color(0.8, 0.8, 0.8))
    canvas.setFont("Helvetica-Bold", 48)
    canvas.translate(150, 120)
    canvas.rotate(30)
    canvas.drawString(0, 0, "CÓPIA")


def _printed_twice(canvas: Canvas, texto: str) -> None:
    canvas.drawString(_X, _Y, texto)
    canvas.drawString(_X + 0.3, _Y, texto)


PDF: Final[Mapping[str, OnPage]] = {
    "branco": _in_color(white),
    "quase_branco": _in_color(Color(0.985, 0.98, 0.975)),
    "minusculo": _in_size(0.8),
    "fora": _at(_X, 1200),
    "fora_lado": _at(1400, _Y),
    "tr3": _in_mode(3),
    "coberto": _covered,
    "alfa0": _transparent,
    "recorte": _clipped,
    "mesma_cor": _on_band(Color(0.2, 0.5, 0.3), Color(0.2, 0.5, 0.3)),
    "reduzido": _shrunk,
}
PDF_HONESTO: Final[Mapping[str, OnPage]] = {
    "faixa_escura": _on_band(Color(0.1, 0.1, 0.3), white),
    "faixa_vinho": _on_band(Color(0.45, 0.05, 0.1), Color(1, 0.95, 0.9)),
    "rodape_miudo": _in_size(5.5),
    "marca_dagua": _watermark,
    "cinza": _in_color(Color(0.55, 0.55, 0.55)),
    "negrito_dobrado": _printed_twice,
}


def _run(change: Callable[[Any], Any]) -> InText:
    def write(document: Any, texto: str) -> None:
        change(document.add_paragraph().add_run(texto))

    return write


def _shade(run: Any, fill: str, ink: RGBColor) -> None:
    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), fill)
    run._r.get_or_add_rPr().append(shade)
    run.font.color.rgb = ink


def _zero_width(document: Any, texto: str) -> None:
    bits = "".join(f"{byte:08b}" for byte in texto.encode())
    document.add_paragraph("Agradecemos a leitura." + "".join("\u200c" if bit == "1" else "\u200b" for bit in bits))


def _tags(document: Any, texto: str) -> None:
    document.add_paragraph("Até breve." + "".join(chr(0xE0000 + ord(letter)) for letter in texto if ord(letter) < 128))


def _hidden_mark(document: Any, texto: str) -> None:
    paragraph = document.add_paragraph(texto)
    properties = paragraph._p.get_or_add_pPr()
    look = OxmlElement("w:rPr")
    look.append(OxmlElement("w:vanish"))
    properties.append(look)


DOCX: Final[Mapping[str, InText]] = {
    "vanish": _run(lambda run: setattr(run.font, "hidden", True)),
    "branco": _run(lambda run: setattr(run.font.color, "rgb", RGBColor(255, 255, 255))),
    "quase_branco": _run(lambda run: setattr(run.font.color, "rgb", RGBColor(253, 253, 252))),
    "minusculo": _run(lambda run: setattr(run.font, "size", Pt(1))),
    "sombra_igual": _run(lambda run: _shade(run, "336699", RGBColor(0x33, 0x66, 0x99))),
    "largura_zero": _zero_width,
    "etiquetas": _tags,
}
DOCX_HONESTO: Final[Mapping[str, InText]] = {
    "sombra_escura": _run(lambda run: _shade(run, "1F1F3D", RGBColor(255, 255, 255))),
    "miudo": _run(lambda run: setattr(run.font, "size", Pt(6))),
    "cinza": _run(lambda run: setattr(run.font.color, "rgb", RGBColor(130, 130, 130))),
    "paragrafo_com_marca_oculta": _hidden_mark,
}
