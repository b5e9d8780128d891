"""A sheet is cut out, straightened and lit, and every point of it knows where it came from."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from crivo.triagem.documentos.folha import Cinza, Folha, has_ink, sheets
from digitalizados import askew, cat, noisy, photographed, shaded, side_by_side

MARK = (400, 300, 460, 340)  # a block in an otherwise regular page


def page(width: int = 900, height: int = 1200) -> Image.Image:
    """Lines of blocks like words, one of them black and large."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    for line in range(100, height - 100, 40):
        for word in range(90, width - 160, 70):
            draw.rectangle((word, line, word + 10 + (word * line) % 45, line + 12), fill=(20, 20, 20))
    draw.rectangle(MARK, fill=(0, 0, 0))
    return image


def grey(image: Image.Image) -> Cinza:
    return np.asarray(image.convert("L"))


def levelness(pixels: Cinza) -> float:
    """How sharply lines part from blanks."""
    dark = (pixels < 128).sum(1).astype(float)
    return float((np.diff(dark) ** 2).mean() / max(dark.mean(), 1))


@pytest.mark.parametrize("angle", [-11.0, -3.0, 6.5])
def test_a_page_laid_askew_is_laid_straight(angle: float) -> None:
    tilted = page().rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255))
    (folha,) = sheets(grey(tilted))
    assert levelness(folha.pixels) > 3 * levelness(grey(tilted))


def test_a_word_of_what_was_made_is_found_in_the_picture_as_it_came() -> None:
    image = Image.new("RGB", (900, 1200), "white")
    draw = ImageDraw.Draw(image)
    for line in range(100, 1100, 40):
        draw.rectangle((90, line, 700, line + 3), fill=(20, 20, 20))
    draw.rectangle((300, 200, 420, 320), fill=(0, 0, 0))
    tilted = grey(image.rotate(7, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255)))
    wanted = middle_of_the_block(tilted)
    (folha,) = sheets(tilted)
    for quarters in range(4):
        turned = folha.turned(quarters)
        x, y = middle_of_the_block(turned.pixels)
        left, top, right, bottom = turned.place((x - 5, y - 5, x + 5, y + 5))
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(wanted, abs=12)


def middle_of_the_block(pixels: Cinza) -> tuple[float, float]:
    """Where the one thing thicker than a line stands."""
    solid = np.asarray(Image.fromarray((pixels < 90).astype(np.uint8) * 255).reduce(16)) > 250
    ys, xs = np.nonzero(solid)
    return 16 * float(xs.mean()) + 8, 16 * float(ys.mean()) + 8


def test_a_sheet_on_a_desk_is_cut_out_and_seen_from_above() -> None:
    sorte = np.random.default_rng(4)
    seen = photographed(0.05, 0.5)(shaded(0.6)(page(), sorte), sorte)
    (folha,) = sheets(grey(seen))
    rows, columns = folha.pixels.shape
    assert abs(rows / columns - 1200 / 900) < 0.12
    edge = np.concatenate((folha.pixels[5], folha.pixels[-6], folha.pixels[:, 5], folha.pixels[:, -6]))
    assert np.median(edge) > 200  # paper, no desk


def test_a_shadow_over_a_scan_is_no_edge_of_a_sheet_and_is_taken_away() -> None:
    dark = grey(shaded(0.35)(page(), np.random.default_rng(2)))
    (folha,) = sheets(dark)
    assert folha.pixels.size > 0.9 * dark.size
    assert np.percentile(folha.pixels, 40) > 215
    assert np.percentile(dark, 40) < 190


def test_an_open_folder_is_two_pages_and_a_table_across_is_one() -> None:
    assert len(list(sheets(grey(side_by_side(page(600, 850), page(600, 850)))))) == 2
    table = Image.new("RGB", (1400, 900), "white")
    draw = ImageDraw.Draw(table)
    for line in range(80, 820, 40):
        draw.rectangle((60, line, 60 + 300 + line % 200, line + 12), fill=(0, 0, 0))
        draw.rectangle((1000, line, 1000 + 100 + line % 90, line + 12), fill=(0, 0, 0))
    assert len(list(sheets(grey(table)))) == 1


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (40, 40), (2000, 5)])
def test_a_picture_of_any_size_is_one_sheet(size: tuple[int, int]) -> None:
    assert len(list(sheets(np.full(size, 255, np.uint8)))) == 1


def test_dust_is_no_ink() -> None:
    sorte = np.random.default_rng(1)
    blank = noisy(6, 0.0005)(Image.new("RGB", (1240, 1754), "white"), sorte)
    assert not any(map(has_ink, sheets(grey(askew(2)(blank, sorte)))))
    assert any(map(has_ink, sheets(grey(page()))))
    assert any(map(has_ink, sheets(grey(cat()))))


def test_four_quarters_of_a_turn_are_none() -> None:
    folha = Folha(np.arange(12, dtype=np.uint8).reshape(3, 4), np.eye(3))
    again = folha.turned(4)
    assert np.array_equal(again.pixels, folha.pixels)
    assert folha.turned(2).turned(2).place((1, 1, 2, 2)) == pytest.approx((1, 1, 2, 2))
