"""Stamps are told by coloured ink within a line around it, and what is printed under them is left on the page."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from crivo.triagem.documentos.tinta import Pintura, without_stamps

BLUE, RED = (40, 60, 175), (176, 42, 38)


def page(words: bool = True) -> Image.Image:
    """Lines of black blocks, as words are seen from far."""
    image = Image.new("RGB", (900, 1270), "white")
    draw = ImageDraw.Draw(image)
    for line in range(100, 1100, 40) if words else ():
        for word in range(90, 740, 70):
            draw.rectangle((word, line, word + 10 + (word * line) % 45, line + 12), fill=(20, 20, 20))
    return image


def stamp(image: Image.Image, colour: tuple[int, int, int], box: tuple[int, int, int, int] = (500, 600, 660, 760)) -> Image.Image:
    draw = ImageDraw.Draw(image)
    draw.ellipse(box, outline=colour, width=5)
    draw.ellipse((box[0] + 30, box[1] + 30, box[2] - 30, box[3] - 30), outline=colour, width=3)
    return image


def as_pixels(image: Image.Image) -> Pintura:
    return np.asarray(image)


@pytest.mark.parametrize("colour", [BLUE, RED])
def test_a_round_stamp_is_told_and_its_ink_taken_for_paper_while_print_stays(colour: tuple[int, int, int]) -> None:
    papel = without_stamps(as_pixels(stamp(page(), colour)))
    ((left, top, right, bottom),) = papel.carimbos
    assert (left, top, right, bottom) == pytest.approx((500, 600, 660, 760), abs=12)
    here = papel.cinza[600:760, 500:660]
    plain = np.asarray(page().convert("L"))[600:760, 500:660]
    assert (here[plain < 60] < 90).mean() > 0.7  # print that the ring does not cover
    assert (here[plain > 200] > 180).mean() > 0.97  # no ring any more


def test_a_stamp_with_straight_edges_is_told() -> None:
    image = page(words=False)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((200, 300, 420, 380), 10, outline=RED, width=4)
    draw.text((240, 330), "RECEBIDO EM MARÇO", fill=RED)
    assert len(without_stamps(as_pixels(image)).carimbos) == 1


def test_a_logotype_a_coloured_title_a_frame_around_all_and_a_signature_are_no_stamps() -> None:
    image = page()
    draw = ImageDraw.Draw(image)
    draw.rectangle((60, 20, 160, 80), fill=BLUE)
    draw.text((200, 40), "SECRETARIA DA CULTURA", fill=RED, font_size=26)
    draw.rectangle((40, 10, 860, 1250), outline=BLUE, width=4)
    draw.line([(120, 1180), (160, 1140), (190, 1190), (230, 1130), (260, 1185), (330, 1150)], fill=BLUE, width=4)
    assert without_stamps(as_pixels(image)).carimbos == ()


def test_a_coloured_photograph_is_no_stamp() -> None:
    image = page(words=False)
    small = np.random.default_rng(5).integers(30, 220, (6, 8, 3), np.uint8)
    image.paste(Image.fromarray(small).resize((300, 220), Image.Resampling.BICUBIC), (100, 200))
    assert without_stamps(as_pixels(image)).carimbos == ()


def test_a_picture_in_greys_is_as_it_was() -> None:
    grey = np.asarray(stamp(page(), BLUE).convert("L"))
    for picture in (grey, np.stack([grey] * 3, axis=2)):
        papel = without_stamps(picture)
        assert papel.carimbos == ()
        assert np.abs(papel.cinza.astype(int) - grey).max() <= 1
