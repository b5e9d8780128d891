"""Strokes of a pen are told from print, tables and pictures; lines that nobody could read are told as that."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from crivo.triagem.documentos.folha import Cinza
from crivo.triagem.documentos.rabiscos import strokes, unread_lines
from crivo.triagem.documentos.tesseract import Palavra
from papeis_de_fora import Prancheta

WORDS = tuple(Palavra("palavra", 0.95, (90.0 + 90 * at, 100.0, 160.0 + 90 * at, 118.0), (1, 1), 0) for at in range(6))


def sheet() -> Image.Image:
    image = Image.new("L", (850, 1200), 250)
    draw = ImageDraw.Draw(image)
    for one in WORDS:
        left, top, right, bottom = one.caixa
        for letter in range(int(left), int(right), 11):
            draw.rectangle((letter, top, letter + 6, bottom), outline=20, width=2)
    return image


def told(image: Image.Image) -> tuple[tuple[float, float, float, float], ...]:
    pixels: Cinza = np.asarray(image)
    return strokes(pixels, WORDS)


def test_a_signature_is_told_where_it_is() -> None:
    from digitalizados import drawn

    paper = Prancheta(4)
    paper.say(60, 100, "Palavras bem impressas para medir a altura das letras", size=12)
    paper.sign(200, 500, 140)
    image = drawn(paper.done(), dpi=100).convert("L")
    scale = 100 / 72
    ((left, top, right, bottom),) = told(image)
    assert left == pytest.approx(190 * scale, abs=20)
    assert 180 * scale < right - left + 60 < 260 * scale
    assert 460 * scale < top < bottom < 535 * scale


def test_print_the_lines_of_a_table_and_a_picture_are_no_hand() -> None:
    image = sheet()
    draw = ImageDraw.Draw(image)
    for row in range(5):
        draw.line((100, 300 + 40 * row, 700, 300 + 40 * row), fill=10, width=2)
    for column in range(4):
        draw.line((100 + 200 * column, 300, 100 + 200 * column, 460), fill=10, width=2)
    small = np.random.default_rng(3).integers(20, 200, (7, 9), np.uint8)
    image.paste(Image.fromarray(small).resize((300, 200), Image.Resampling.BICUBIC), (100, 700))
    assert told(image) == ()


def test_without_a_word_that_was_surely_read_nothing_tells_a_hand_from_print() -> None:
    assert strokes(np.asarray(sheet()), ()) == ()


def test_a_line_of_which_nothing_was_read_for_certain_is_told_and_one_with_a_sure_word_is_not() -> None:
    doubtful = (Palavra("Gonl", 0.4, (100, 300, 160, 330), (2, 1), 0), Palavra("gosdo", 0.5, (170, 296, 240, 330), (2, 1), 0))
    mixed = (Palavra("Ana", 0.9, (100, 400, 160, 430), (3, 1), 0), Palavra("Brqa", 0.4, (170, 400, 240, 430), (3, 1), 0))
    crumbs = (Palavra("—", 0.3, (100, 500, 160, 530), (4, 1), 0), Palavra("ii", 0.3, (170, 500, 180, 530), (4, 1), 0))
    assert unread_lines((*WORDS, *doubtful, *mixed, *crumbs)) == ((100, 296, 240, 330),)
