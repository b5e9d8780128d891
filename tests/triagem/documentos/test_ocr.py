"""Words of a picture: turned until they read, the uncertain left out or doubtful, each with its place on the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from crivo.triagem.documentos.duvida import DUVIDOSA
from crivo.triagem.documentos.folha import Cinza
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.ocr import Leitora, Prazo, read_picture
from crivo.triagem.documentos.tesseract import Arranjo, LeituraFalhou, Palavra
from digitalizados import handwritten
from documentos import CERTIDAO, image_bytes, scan_pdf, scanned_page
from tesseract_falso import Lendo, words

PAGE = np.asarray(scanned_page())


class Virada(Lendo):
    """Reads only what stands on its head for everybody else."""

    def read(self, image: bytes, seconds: float = 40.0, arranjo: Arranjo = "pagina") -> tuple[Palavra, ...]:
        super().read(image, seconds, arranjo)
        return words(CERTIDAO) if self.asked % 2 == 0 else words(["xwo :epr w3 ojq" for _ in range(6)], 0.3)


class Falha(Lendo):
    """Takes too long, or breaks, from the second picture on."""

    def __init__(self, *, demorou: bool) -> None:
        super().__init__(CERTIDAO)
        self.error = LeituraFalhou(demorou=demorou)

    def read(self, image: bytes, seconds: float = 40.0, arranjo: Arranjo = "pagina") -> tuple[Palavra, ...]:
        if self.asked:
            raise self.error
        return super().read(image, seconds, arranjo)


class UmaVez(Falha):
    """Reads a page with doubt, and fails at its lines."""

    def __init__(self) -> None:
        super().__init__(demorou=True)
        self.said = words(CERTIDAO, 0.74)


def test_words_come_in_their_lines_with_certainty_and_place_in_shares_of_the_page() -> None:
    read = read_picture(PAGE, Lendo(CERTIDAO, 0.9), Prazo(60))
    assert read.texto.splitlines() == list(CERTIDAO)
    assert len(read.palavras) == sum(len(line.split()) for line in CERTIDAO)
    assert {palavra.confianca for palavra in read.palavras} == {0.9}
    assert all(0 <= edge <= 1 for palavra in read.palavras for edge in palavra.caixa)
    assert all(palavra.caixa[0] < palavra.caixa[2] and palavra.caixa[1] < palavra.caixa[3] for palavra in read.palavras)


def test_a_page_that_reads_badly_is_turned_and_one_that_reads_well_is_read_once() -> None:
    upside_down = Virada()
    assert read_picture(PAGE, upside_down, Prazo(60)).texto.splitlines() == list(CERTIDAO)
    assert upside_down.asked == 2
    upright = Lendo(CERTIDAO)
    read_picture(PAGE, upright, Prazo(60))
    assert upright.asked == 1


def test_noise_is_no_text() -> None:
    noise = Lendo(["~ , i1 |", "e' ;: aa"], 0.2)
    read = read_picture(np.asarray(handwritten(1).convert("L")), noise, Prazo(60))
    assert (read.texto, read.palavras, read.ilegivel) == ("", (), True)


def test_a_word_that_hardly_reads_stays_in_doubt_where_its_line_reads_well_and_is_none_elsewhere() -> None:
    line = [*words(["Certidão Negativa de Débitos"])]
    line[1] = replace(line[1], texto="Ncganva", confianca=0.1)
    stain = replace(words(["a", "Wqxzk"])[1], confianca=0.1)
    reader = Lendo()
    reader.said = (*line, stain)
    read = read_picture(PAGE, reader, Prazo(60))
    assert read.texto == "Certidão Ncganva de Débitos"
    assert read.palavras[1].confianca < DUVIDOSA


def test_a_stamp_s_place_comes_with_the_page_and_the_words_in_it_in_doubt() -> None:
    picture = np.stack([PAGE] * 3, axis=2).copy()
    rows, columns = PAGE.shape
    x, y, size = 0.5 * columns, 0.6 * rows, 0.1 * columns
    image = Image.fromarray(picture)
    ImageDraw.Draw(image).ellipse((x - size, y - size, x + size, y + size), outline=(40, 60, 175), width=8)
    (regiao,) = read_picture(np.asarray(image), Lendo(CERTIDAO), Prazo(60)).regioes
    assert regiao.tipo == "carimbo"
    assert regiao.caixa[0] < 0.5 < regiao.caixa[2]
    assert regiao.caixa[1] < 0.6 < regiao.caixa[3]


def test_where_time_is_short_or_the_second_look_fails_the_first_one_stands() -> None:
    once = Lendo(CERTIDAO, 0.74)
    assert read_picture(PAGE, once, Prazo(9)).texto.splitlines() == list(CERTIDAO)
    assert once.asked == 1
    assert read_picture(PAGE, UmaVez(), Prazo(60)).texto.splitlines() == list(CERTIDAO)


def test_a_blank_page_is_not_even_asked_about_and_is_blank() -> None:
    reader = Lendo(CERTIDAO)
    read = read_picture(np.full((1754, 1240), 255, np.uint8), reader, Prazo(60))
    assert (read.texto, read.ilegivel, reader.asked) == ("", False, 0)


def field() -> Cinza:
    """A photograph of a field, out of focus: soft shapes of many greys, and nothing thin as ink."""
    image = Image.new("L", (640, 480), 185)
    for at in range(40):
        x, y, wide = (at * 97) % 640, 230 + (at * 61) % 250, 20 + (at * 13) % 50
        ImageDraw.Draw(image).ellipse((x - wide, y - wide, x + wide, y + wide), fill=60 + (at * 29) % 80)
    return np.asarray(image.filter(ImageFilter.GaussianBlur(1)))


def test_a_photograph_without_a_word_is_no_blank_page() -> None:
    read = read_picture(field(), Lendo([]), Prazo(60))
    assert (read.texto, read.ilegivel) == ("", True)


def test_a_blank_sheet_in_a_shadow_is_blank() -> None:
    light = np.linspace(150, 235, 1240)[None, :] + np.linspace(-10, 10, 1754)[:, None]
    assert not read_picture(light.astype(np.uint8), Lendo([]), Prazo(60)).ilegivel


def test_when_the_time_for_a_file_is_over_nothing_more_is_read() -> None:
    with pytest.raises(LeituraFalhou) as failed:
        read_picture(PAGE, Lendo(CERTIDAO), Prazo(0))
    assert failed.value.demorou


@pytest.mark.parametrize(("demorou", "leitura"), [(True, "tempo_esgotado"), (False, "ilegivel")])
def test_pages_that_were_read_stay_when_a_later_one_fails(demorou: bool, leitura: str) -> None:
    leitora = Leitora(Falha(demorou=demorou), Limites())
    first, second = (leitora.pagina(number, lambda: PAGE) for number in (1, 2))
    assert (first.por_ocr, first.nao_lida, second.texto, second.nao_lida) == (True, False, "", True)
    assert leitora.leitura == leitura


def test_pages_past_the_limit_are_left_unread_and_their_pictures_are_not_made() -> None:
    def never() -> Cinza:
        raise AssertionError

    leitora = Leitora(Lendo(CERTIDAO), Limites(max_paginas_ocr=1))
    assert leitora.pagina(1, lambda: PAGE).texto
    assert leitora.pagina(2, never).nao_lida
    assert Leitora(None, Limites()).pagina(1, never).nao_lida


def test_a_file_says_that_it_wants_a_reader_of_images_only_where_it_has_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    scan, photograph = read_document("a", scan_pdf()), read_document("a", image_bytes("JPEG"))
    assert [(one.leitura, one.quer_ocr, one.paginas[0].nao_lida) for one in (scan, photograph)] == [("sem_ocr", True, True)] * 2
    assert not read_document("a", b"texto").quer_ocr
    reader = Lendo(CERTIDAO)
    monkeypatch.setattr("crivo.triagem.documentos.pdf.find_tesseract", lambda: reader)
    read = read_document("a", scan_pdf())
    assert (read.leitura, read.quer_ocr, len(read.paginas[0].palavras) > 10) == ("lido", False, True)


def test_a_photograph_is_read_as_its_camera_was_held(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    class Olha(Lendo):
        def read(self, image: bytes, seconds: float = 40.0, arranjo: Arranjo = "pagina") -> tuple[Palavra, ...]:
            columns, rows = (int(number) for number in image.split(b" ", 3)[1:3])
            seen.append((columns, rows))
            return super().read(image, seconds, arranjo)

    monkeypatch.setattr("crivo.triagem.documentos.imagem.find_tesseract", lambda: Olha(CERTIDAO))
    image = scanned_page().rotate(90, expand=True)
    exif = image.getexif()
    exif[0x0112] = 6  # held sideways: to be turned by a quarter with the clock
    read_document("a", image_bytes("JPEG", image, exif=exif.tobytes()))
    assert seen
    assert seen[0][0] < seen[0][1]
