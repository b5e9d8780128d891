"""One page of a file drawn as whoever opens it would see it: only that page, upright, no larger than a screen, whatever the file does."""

from __future__ import annotations

import io
import time
from collections.abc import AsyncIterator

import pytest
from PIL import Image

from crivo.triagem.documentos.desenho import draw_page
from crivo.triagem.documentos.folha import Desenho
from crivo.triagem.documentos.leitor import Leitor
from crivo.triagem.documentos.limites import PADRAO, Limites
from documentos import (
    HONESTO,
    deflate_bomb,
    docx,
    encrypted_pdf,
    form_bomb_pdf,
    image_bomb_pdf,
    image_bytes,
    lines,
    one_page_pdf,
    pdf,
    piled_up_pdf,
    png_claiming,
    rewritten_pdf,
    text_pdf,
)

ONE = text_pdf(HONESTO)


def opened(desenho: Desenho) -> Image.Image:
    assert desenho.estado == "lido"
    return Image.open(io.BytesIO(desenho.png), formats=("PNG",)).convert("L")


def ink(image: Image.Image) -> tuple[float, float]:
    """Where the middle of what is dark lies, across and down, each 0 to 1."""
    left, top, right, bottom = image.point(lambda value: 255 * (value < 128)).getbbox() or (0, 0, 0, 0)
    return (left + right) / 2 / image.width, (top + bottom) / 2 / image.height


def dark_corner(orientation: int | None = None, kind: str = "JPEG") -> bytes:
    """A photograph of 800 × 600 whose upper left corner is dark, with what its camera says of how it was held."""
    image = Image.new("L", (800, 600), 255)
    image.paste(0, (0, 0, 200, 150))
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    return image_bytes(kind, image, exif=exif)


@pytest.mark.parametrize("largura", [120, 800, 2400])
def test_a_page_is_as_wide_as_it_was_asked_for(largura: int) -> None:
    image = opened(draw_page(ONE, 1, largura, PADRAO))
    assert abs(image.width - largura) <= 1
    assert abs(image.height / image.width - 842 / 595) < 0.01
    assert ink(image)[1] < 0.3


@pytest.mark.parametrize(("turn", "size"), [(0, (595, 842)), (90, (842, 595)), (180, (595, 842)), (270, (842, 595))])
def test_a_page_that_says_to_be_turned_is_shown_turned(turn: int, size: tuple[int, int]) -> None:
    image = opened(draw_page(rewritten_pdf(ONE, lambda writer: writer.pages[0].rotate(turn)), 1, 600, PADRAO))
    assert abs(image.height / image.width - size[1] / size[0]) < 0.01
    x, y = ink(image)
    upright = {0: (x, y), 90: (y, 1 - x), 180: (1 - x, 1 - y), 270: (1 - y, x)}[turn]
    assert upright[1] < 0.3


@pytest.mark.parametrize(("orientation", "corner"), [(None, (0, 0)), (1, (0, 0)), (3, (1, 1)), (6, (1, 0)), (8, (0, 1))])
def test_a_photograph_is_shown_the_way_up_that_its_camera_says(orientation: int | None, corner: tuple[int, int]) -> None:
    image = opened(draw_page(dark_corner(orientation), 1, 400, PADRAO))
    assert (image.width < image.height) == (orientation in (6, 8))
    assert tuple(round(one) for one in ink(image)) == corner


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("PNG", "I;16"), ("TIFF", "CMYK"), ("TIFF", "1"), ("JPEG", "CMYK")]
)
def test_images_of_any_kind_of_colour_are_drawn(kind: str, mode: str) -> None:
    grey = Image.new("L", (400, 300), 255)
    grey.paste(0, (0, 0, 100, 75))
    made = Image.fromarray(__import__("numpy").asarray(grey, "uint16") * 257) if mode == "I;16" else grey.convert(mode)
    image = opened(draw_page(image_bytes(kind, made), 1, 400, PADRAO))
    assert image.size == (400, 300)
    assert image.getpixel((10, 10)) < 40  # type: ignore[operator]
    assert image.getpixel((390, 290)) > 215  # type: ignore[operator]


def test_a_page_of_ten_thousand_pixels_is_drawn_no_larger_than_was_asked() -> None:
    image = opened(draw_page(image_bytes("PNG", Image.new("L", (10_000, 10_000), 200)), 1, 1200, PADRAO))
    assert image.size == (1200, 1200)


def test_a_page_as_long_as_a_street_is_bounded() -> None:
    image = opened(draw_page(one_page_pdf(b"", media=b"[0 0 200 14400]"), 1, 2400, PADRAO))
    assert image.height <= 16_000
    assert image.width * image.height <= 12_100_000


def test_the_last_of_nine_hundred_pages_is_drawn_without_the_others() -> None:
    long = pdf(*(lines(f"Esta é a página {number}", *HONESTO) for number in range(1, 901)))
    began = time.perf_counter()
    first = draw_page(ONE, 1, 800, PADRAO)
    one = time.perf_counter() - began
    began = time.perf_counter()
    last = draw_page(long, 900, 800, PADRAO)
    assert opened(last).size == opened(first).size
    assert time.perf_counter() - began < 10 * one + 0.5  # drawing all would take nine hundred times as long


@pytest.mark.parametrize(
    ("content", "estado"),
    [
        (encrypted_pdf("senha"), "protegido"),
        (ONE[:300], "corrompido"),
        (b"%PDF-1.7 nada", "corrompido"),
        (image_bytes("JPEG")[:400], "corrompido"),
        (png_claiming(60_000, 60_000), "grande_demais"),
        (docx(), "sem_folha"),
        ("Só texto.\n".encode() * 30, "sem_folha"),
        (b"\x7fELF" + bytes(200), "desconhecido"),
        (b"", "vazio"),
    ],
)
def test_what_cannot_be_drawn_says_why(content: bytes, estado: str) -> None:
    assert draw_page(content, 1, 800, PADRAO) == Desenho(estado)  # type: ignore[arg-type]


@pytest.mark.parametrize("pagina", [0, -1, 2, 1_000_000])
@pytest.mark.parametrize("content", [ONE, image_bytes("PNG")], ids=["pdf", "png"])
def test_a_page_that_is_not_there_is_none(content: bytes, pagina: int) -> None:
    assert draw_page(content, pagina, 800, PADRAO) == Desenho("sem_pagina")


def test_an_image_is_never_blown_up_beyond_its_own_size() -> None:
    assert opened(draw_page(dark_corner(), 1, 2400, PADRAO)).size == (800, 600)


@pytest.fixture
async def leitor() -> AsyncIterator[Leitor]:
    async with Leitor(Limites(memoria=400_000_000, segundos_cpu=4, segundos=40.0), processos=1) as one:
        yield one


@pytest.mark.parametrize("make", [lambda: deflate_bomb(2000), form_bomb_pdf, image_bomb_pdf, lambda: piled_up_pdf(450_000)])
async def test_a_page_that_bursts_harms_nobody(leitor: Leitor, make: object) -> None:
    assert callable(make)
    burst = await leitor.draw(make(), 1, 800)
    assert burst.estado in {"grande_demais", "tempo_esgotado", "corrompido", "lido"}
    assert (await leitor.draw(ONE, 1, 800)).estado == "lido"
    assert (await leitor.lay_out(ONE, 1, ocultos=True)).estado == "lido"
