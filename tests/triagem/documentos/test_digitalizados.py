"""Papers as scanners and telephones give them, read by the real program. Source: design, From the text of the edital to the call."""

from __future__ import annotations

import os
from typing import Final

import numpy as np
import pytest
from PIL import Image, ImageDraw

from crivo.triagem.documentos.duvida import DUVIDOSA
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.documentos.tesseract import find_tesseract
from digitalizados import as_jpeg, as_pdf, askew, cat, drawn, handwritten, noisy, photographed, shaded, side_by_side
from documentos import CERTIDAO, image_bytes, text_pdf

PAPER: Final = (*CERTIDAO, *(f"Linha {numero} do primeiro papel, que diz o bastante" for numero in range(11, 19)))
SAYS: Final = ("Certidão Negativa de Débitos Municipais", "Associação Cultural Mandacaru", "30/11/2026")


@pytest.fixture(autouse=True)
def tesseract(monkeypatch: pytest.MonkeyPatch, sem_tesseract: None) -> None:
    """The program itself, without which nothing here can be shown: where all is required, that is a failure."""
    del sem_tesseract  # undone here
    found = find_tesseract()
    if found is None:
        if os.environ.get("CRIVO_TEST_REQUIRE_ALL") == "1":
            pytest.fail("tesseract with Portuguese is not installed", pytrace=False)
        pytest.skip("tesseract with Portuguese is not installed")
    for owner in ("pdf", "imagem"):
        monkeypatch.setattr(f"crivo.triagem.documentos.{owner}.find_tesseract", lambda: found)


def paper(*linhas: str) -> Image.Image:
    return drawn(text_pdf(linhas or PAPER), dpi=150)


def read(content: bytes) -> DocumentoLido:
    return read_document("papel", content)


def says_it_all(lido: DocumentoLido) -> bool:
    return lido.leitura == "lido" and all(said in lido.texto for said in SAYS)


def test_a_scan_is_read_with_its_accents_and_how_sure_each_word_is() -> None:
    lido = read(as_pdf(paper()))
    assert says_it_all(lido)
    (pagina,) = lido.paginas
    assert pagina.por_ocr
    (validade,) = [palavra for palavra in pagina.palavras if palavra.texto == "30/11/2026"]
    assert validade.confianca > 0.8
    left, top, right, bottom = validade.caixa
    assert 0.1 < left < right < 0.4  # where the fourth line has it
    assert 0.1 < top < bottom < 0.2


@pytest.mark.parametrize("angle", [pytest.param(90, marks=pytest.mark.slow), 180, 270])
def test_a_page_upside_down_or_on_its_side_is_read(angle: int) -> None:
    assert says_it_all(read(as_jpeg(paper().rotate(angle, expand=True))))


def test_a_telephone_s_photograph_with_shadow_noise_and_seen_from_the_side_is_read() -> None:
    sorte = np.random.default_rng(11)
    image = drawn(text_pdf(PAPER))
    for spoil in (shaded(0.5), photographed(0.04, 0.8), noisy(8, 0.0)):
        image = spoil(image, sorte)
    lido = read(as_jpeg(image))
    assert says_it_all(lido)
    boxes = [palavra.caixa for palavra in lido.paginas[0].palavras if palavra.texto == "30/11/2026"]
    assert boxes
    assert 0.1 < boxes[0][1] < 0.32  # on the photograph, not on the sheet cut out of it


def test_a_scan_laid_askew_with_grain_and_specks_is_read() -> None:
    sorte = np.random.default_rng(12)
    assert says_it_all(read(as_pdf(noisy(20, 0.006)(askew(6)(drawn(text_pdf(PAPER)), sorte), sorte))))


def test_what_is_printed_under_a_stamp_is_read_and_left_to_a_person_and_the_stamp_is_told() -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    x, y = 275, 262  # around the date of validade
    for size in (92, 78):
        draw.ellipse((x - size, y - size, x + size, y + size), outline=(40, 60, 175), width=4)
    (pagina,) = read(as_jpeg(image, 80)).paginas
    assert [regiao.tipo for regiao in pagina.regioes] == ["carimbo"]
    under = [palavra for palavra in pagina.palavras if palavra.texto == "30/11/2026"]
    assert under
    assert under[0].confianca < DUVIDOSA
    assert [palavra.confianca > DUVIDOSA for palavra in pagina.palavras if palavra.texto == "PREFEITURA"] == [True]


@pytest.mark.slow
def test_two_pages_in_one_picture_are_read_one_after_the_other() -> None:
    other = paper("CARTA DE ANUÊNCIA", *(f"Frase {numero} do segundo papel, que é outro" for numero in range(20, 36)))
    for image in (side_by_side(paper(), other), side_by_side(paper(), other).rotate(180)):
        lido = read(as_jpeg(image))
        assert says_it_all(lido)
        assert lido.texto.index("Linha 18 do primeiro papel") < lido.texto.index("CARTA DE ANUÊNCIA") < lido.texto.index("Frase 35")


@pytest.mark.slow
def test_a_blank_scan_is_blank_and_a_cat_and_a_hand_are_for_people_to_look_at() -> None:
    blank = noisy(6, 0.0005)(Image.new("RGB", (1240, 1754), "white"), np.random.default_rng(1))
    assert read(as_pdf(blank)).leitura == "vazio"
    for image in (cat(), handwritten(3), handwritten(4)):
        lido = read(as_jpeg(image))
        assert (lido.leitura, lido.texto, lido.paginas[0].nao_lida) == ("ilegivel", "", True)


@pytest.mark.slow
def test_a_picture_of_ten_thousand_pixels_is_read() -> None:
    large = paper().resize((7_070, 10_000), Image.Resampling.LANCZOS)
    assert says_it_all(read(image_bytes("JPEG", large)))


def test_a_scan_of_several_pages_keeps_them_apart() -> None:
    lido = read(as_pdf(paper(), paper("CARTA DE ANUÊNCIA", "Eu, Ana Braga, concordo em participar do projeto desta página")))
    assert [pagina.numero for pagina in lido.paginas] == [1, 2]
    assert "Mandacaru" in lido.paginas[0].texto
    assert "concordo em participar" in lido.paginas[1].texto
