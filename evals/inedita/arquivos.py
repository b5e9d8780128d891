"""Papers as files: PDF, DOCX, ODT, text and image, and what befalls them on the way."""

from __future__ import annotations

import io
import textwrap
import zipfile
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import reportlab
from docx import Document
from docx.enum.text import WD_BREAK
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from evals.inedita.escrita import draw

PAGINA: Final = "\f"
_COLUNAS: Final = 88
_LETRA: Final = str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
"""Has the accents that Pillow's own letters lack."""
_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>'
_ODT_NS: Final = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def write_file(texto: str, formato: str, variante: int) -> bytes:
    """The text as a file of this format; `variante` changes how it looks."""
    match formato:
        case "pdf":
            return _pdf(texto, variante)
        case "docx":
            return _docx(texto)
        case "odt":
            return _odt(texto)
        case "png" | "jpg":
            return _image(texto, formato)
        case _:
            return texto.replace(PAGINA, "\n\n").encode("utf-8" if variante % 3 else "cp1252")


def blank(formato: str) -> bytes:
    """A paper with nothing on it."""
    return b"" if formato == "txt" else write_file("", formato, 0)


def broken(formato: str) -> bytes:
    """What is left of a file after a bad upload."""
    inicio = {"pdf": b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "docx": b"PK\x03\x04\x14\x00\x06\x00", "odt": b"PK\x03\x04\x14\x00\x00\x08"}[formato]
    return inicio + draw(formato).randbytes(900)


def locked(pdf: bytes) -> bytes:
    """The same PDF behind a password."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.encrypt("so-eu-sei", algorithm="AES-256")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def picture(semente: int) -> bytes:
    """A photograph with no word on it: fields and sky."""
    sorte = draw(f"foto {semente}")
    image = Image.new("RGB", (640, 480), (150, 190, 230))
    pincel = ImageDraw.Draw(image)
    for _ in range(60):
        x, y, raio = sorte.randrange(640), 240 + sorte.randrange(240), sorte.randrange(15, 70)
        pincel.ellipse((x - raio, y - raio, x + raio, y + raio), fill=(sorte.randrange(60), 90 + sorte.randrange(90), sorte.randrange(60)))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=82)
    return buffer.getvalue()


def _lines(pagina: str, colunas: int = _COLUNAS) -> list[str]:
    return [parte for linha in pagina.splitlines() for parte in (textwrap.wrap(linha, colunas) or [""])]


def _pdf(texto: str, variante: int) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    fonte = ("Helvetica", "Times-Roman", "Courier")[variante % 3]
    for pagina in texto.split(PAGINA):
        canvas.setFont(fonte, 10)
        for indice, linha in enumerate(_lines(pagina)):
            y = A4[1] - 70 - 16 * indice
            if variante % 2 and indice < 3:
                canvas.drawCentredString(A4[0] / 2, y, linha)
            else:
                canvas.drawString(45, y, linha)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _docx(texto: str) -> bytes:
    document = Document()
    for indice, pagina in enumerate(texto.split(PAGINA)):
        if indice:
            document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
        for linha in pagina.splitlines():
            document.add_paragraph(linha)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _odt(texto: str) -> bytes:
    linhas = "".join(f"<text:p>{escape(linha)}</text:p>" for linha in texto.replace(PAGINA, "\n").splitlines())
    corpo = f"<office:body><office:text>{linhas}</office:text></office:body>"
    conteudo = f'{_XML}<office:document-content {_ODT_NS} office:version="1.2">{corpo}</office:document-content>'
    manifesto = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as arquivo:
        arquivo.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        arquivo.writestr("content.xml", conteudo)
        arquivo.writestr("META-INF/manifest.xml", _XML + manifesto)
    return buffer.getvalue()


def _image(texto: str, formato: str) -> bytes:
    image = Image.new("L", (1240, 1000), 250)
    pincel = ImageDraw.Draw(image)
    for indice, linha in enumerate(_lines(texto, 68)):
        pincel.text((60, 60 + 40 * indice), linha, fill=20, font=ImageFont.truetype(_LETRA, 26))
    buffer = io.BytesIO()
    image.save(buffer, "PNG" if formato == "png" else "JPEG")
    return buffer.getvalue()
