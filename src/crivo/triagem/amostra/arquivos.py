"""Draws the sample's documents as files, PDF or DOCX, the same bytes at every run."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from docx import Document
from docx.shared import Pt
from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from crivo.triagem.amostra.papeis import Papel

Truque = Literal["branco", "minusculo"]
_MARGIN: Final = 60.0
_LEADING: Final = 17.0
_BODY: Final = ("Helvetica", 11.0)
_TITLE: Final = ("Helvetica-Bold", 14.0)
_BAND: Final = HexColor("#14375e")
_WHEN: Final = datetime(2026, 9, 1, 9, 0)  # noqa: DTZ001  DOCX properties carry no offset
_ZIP_WHEN: Final = (2026, 9, 1, 9, 0, 0)


def pdf(papel: Papel, escondido: tuple[Truque, str] | None = None, *, senha: str | None = None) -> bytes:
    """A one-page PDF; `escondido` is text that is in it and that nobody sees, `senha` what it asks for to open."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1, encrypt=None if senha is None else StandardEncryption(senha, strength=128))
    width, height = A4
    y = height - 80.0
    title = simpleSplit(papel.titulo, *_TITLE, width - 2 * _MARGIN)
    if papel.faixa:
        canvas.setFillColor(_BAND)
        canvas.rect(0, y - _LEADING * len(title), width, _LEADING * (len(title) + 2), stroke=0, fill=1)
    y = _lines(canvas, title, y, _TITLE, white if papel.faixa else black)
    y -= _LEADING
    for line in papel.linhas:
        y = _lines(canvas, simpleSplit(line, *_BODY, width - 2 * _MARGIN), y, _BODY, black) - 4
    if escondido is not None:
        truque, words = escondido
        size = 11.0 if truque == "branco" else 0.7
        _lines(canvas, [words], y - 2 * _LEADING, ("Helvetica", size), white if truque == "branco" else black)
    canvas.showPage()
    canvas.save()
    return target.getvalue()


def blank_pdf() -> bytes:
    """A PDF with one page and nothing on it."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    canvas.showPage()
    canvas.save()
    return target.getvalue()


def docx(papel: Papel, escondido: str | None = None) -> bytes:
    """A DOCX; `escondido` is marked as hidden text."""
    document = Document()
    document.core_properties.created = document.core_properties.modified = _WHEN
    document.add_heading(papel.titulo, level=1)
    for line in papel.linhas:
        document.add_paragraph(line)
    if escondido is not None:
        run = document.add_paragraph().add_run(escondido)
        run.font.hidden, run.font.size = True, Pt(11)
    target = io.BytesIO()
    document.save(target)
    return _same_bytes(target.getvalue())


def _lines(canvas: Canvas, lines: Sequence[str], y: float, font: tuple[str, float], colour: object) -> float:
    canvas.setFont(*font)
    canvas.setFillColor(colour)
    for line in lines:
        canvas.drawString(_MARGIN, y, line)
        y -= _LEADING
    return y


def _same_bytes(package: bytes) -> bytes:
    """The package with every entry dated alike: a zip remembers when it was made."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            copy.writestr(zipfile.ZipInfo(name, _ZIP_WHEN), source.read(name), zipfile.ZIP_DEFLATED)
    return target.getvalue()
