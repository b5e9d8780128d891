"""A second look at doubtful lines: what both readings say is surer, and what they differ in is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crivo.triagem.documentos.duvida import DUVIDOSA
from crivo.triagem.documentos.folha import Cinza
from crivo.triagem.documentos.releitura import read_again, settled
from crivo.triagem.documentos.tesseract import Palavra

SHEET = np.full((400, 1000), 240, np.uint8)


def word(texto: str, confianca: float, at: int = 0, linha: int = 0) -> Palavra:
    return Palavra(texto, confianca, (100.0 + 120 * at, 100.0 + 60 * linha, 200.0 + 120 * at, 128.0 + 60 * linha), (1, 1), linha)


class SegundaVez:
    """Sees these words, one after the other, over the line of the picture that it is given; `zoom` is how much larger lines come."""

    def __init__(self, *vistas: tuple[str, float], zoom: float = 2.0) -> None:
        self.vistas = vistas
        self.zoom = zoom
        self.pages: list[Cinza] = []

    def __call__(self, page: Cinza) -> Sequence[Palavra]:
        self.pages.append(page)
        margin, left = 28 * self.zoom, 36
        return [
            Palavra(texto, sure, (left + margin + 240 * at, 50, left + margin + 240 * at + 200, 100), (1, 1), 0)
            for at, (texto, sure) in enumerate(self.vistas)
        ]


def again(first: Sequence[Palavra], *vistas: tuple[str, float]) -> list[tuple[str, float]]:
    return [(one.texto, round(one.confianca, 2)) for one in read_again(SHEET, first, SegundaVez(*vistas))]


def test_what_both_readings_say_is_surer_than_either() -> None:
    assert again([word("30/11/2026", 0.6)], ("30/11/2026", 0.7)) == [("30/11/2026", 0.88)]
    assert again([word("Válida", 0.55)], ("válida", 0.0)) == [("Válida", 0.8)]  # a long word, whatever its case


def test_a_surer_reading_takes_the_place_of_a_doubtful_one() -> None:
    assert again([word("N4utico", 0.4), word("até", 0.95, 1)], ("Náutico", 0.93), ("até", 0.9))[0] == ("Náutico", 0.93)


def test_two_readings_that_differ_in_a_figure_leave_it_in_doubt() -> None:
    assert again([word("30/11/2026", 0.6)], ("30/11/2028", 0.95))[0][1] < DUVIDOSA
    first = [word("e", 0.4), word("xx", 0.5), word("30/11/2026", 0.9, 1)]
    (_, _, date) = read_again(SHEET, first, SegundaVez(("zz", 0.2), ("30/11/2028", 0.95)))
    assert (date.texto, date.confianca < DUVIDOSA) == ("30/11/2026", True)


def test_a_second_reading_that_is_no_surer_changes_nothing() -> None:
    assert again([word("Braga", 0.6)], ("Brega", 0.7)) == [("Braga", 0.6)]
    assert again([word("Braga", 0.6)]) == [("Braga", 0.6)]


def test_only_lines_in_doubt_are_read_again_and_all_of_them_at_once() -> None:
    reader = SegundaVez()
    sure = [word("Certidão", 0.95), word("negativa", 0.9, 1)]
    assert read_again(SHEET, sure, reader) == tuple(sure)
    assert reader.pages == []
    read_again(SHEET, [*sure, word("Ana", 0.5, linha=1), word("Braga", 0.5, linha=2)], reader)
    assert len(reader.pages) == 1


def test_a_word_read_again_stays_where_it_is_on_the_sheet() -> None:
    (read,) = read_again(SHEET, [word("N4utico", 0.4)], SegundaVez(("Náutico", 0.95)))
    assert read.caixa[0] == pytest.approx(100, abs=15)
    assert read.caixa[2] == pytest.approx(200, abs=25)
    assert read.caixa[1] == pytest.approx(104, abs=15)


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("3O/11/2O26", "30/11/2026"),
        ("l5/O2/2027.", "15/02/2027."),
        ("529.982.247-2S", "529.982.247-25"),
        ("Vátida", "Valida"),
        ("EMISSAU:", "EMISSAO:"),
        ("45/lO/2026", "45/lO/2026"),  # no calendar has it
        ("529.982.247-2B", "529.982.247-2B"),  # check digits do not hold
        ("Válida", "Válida"),
        ("Pálida", "Pálida"),
        ("omissão", "omissão"),
        ("Valide", "Valide"),  # as near to válida as to válido
    ],
)
def test_letters_that_can_only_be_figures_are_told_and_others_are_left(read: str, meant: str) -> None:
    assert settled(word(read, 0.8)).texto == meant


def test_a_cpf_whose_check_digits_hold_is_sure_and_a_date_is_not_for_being_one() -> None:
    assert settled(word("529.982.247-25", 0.5)).confianca >= DUVIDOSA
    assert settled(word("30/11/2026", 0.5)).confianca == 0.5
