"""Where the letters of a page stand, exactly those of a passage, and what it hides where it hides it."""

from __future__ import annotations

import pytest

from crivo.triagem.documentos.disposicao import lay_out
from crivo.triagem.documentos.folha import Caixa, Disposicao
from crivo.triagem.documentos.limites import PADRAO
from crivo.triagem.documentos.trechos import find_trechos
from documentos import (
    CERTIDAO,
    HEIGHT,
    HONESTO,
    ORDEM,
    TRUQUES_PDF,
    WIDTH,
    at,
    docx,
    encrypted_pdf,
    image_bytes,
    lines,
    pdf,
    rewritten_pdf,
    scan_pdf,
    text_pdf,
    with_base,
)


def laid(content: bytes, pagina: int = 1, *, ocultos: bool = True) -> Disposicao:
    folha = lay_out(content, pagina, PADRAO, ocultos=ocultos)
    assert folha.estado == "lido"
    return folha


def box(content: bytes, trecho: str, pagina: int = 1) -> tuple[Caixa, ...]:
    (found,) = find_trechos(laid(content, pagina), [trecho])
    return found


def around(x: float, baseline: float, size: float) -> tuple[float, float]:
    """A point in percent of the page from one in points from its lower left corner, in the middle of a letter that begins there."""
    return (x + size / 3) * 100 / WIDTH, (HEIGHT - baseline - size / 3) * 100 / HEIGHT


def holds(caixa: Caixa, point: tuple[float, float]) -> bool:
    x, y = point
    return caixa.esquerda <= x <= caixa.esquerda + caixa.largura and caixa.topo <= y <= caixa.topo + caixa.altura


def test_a_passage_is_boxed_where_it_stands_and_nothing_else_is() -> None:
    (one,) = box(text_pdf(HONESTO), "Público estimado: três mil pessoas.")
    assert holds(one, around(60, HEIGHT - 80 - 16.5, 11))
    assert not holds(one, around(60, HEIGHT - 80, 11))
    assert not holds(one, around(60, HEIGHT - 80 - 33, 11))
    (whole,) = box(text_pdf(HONESTO), HONESTO[1])
    assert one.largura < whole.largura


@pytest.mark.parametrize(
    "as_read",
    ["PUBLICO   ESTIMADO:\ntrês mil\tpessoas.", "público estimado: tres mil pessoas.", "Público esti-\nmado: três mil pes\u00adsoas."],
)
def test_blanks_case_accents_and_cut_words_are_of_no_account(as_read: str) -> None:
    assert box(text_pdf(HONESTO), as_read) == box(text_pdf(HONESTO), "Público estimado: três mil pessoas.")


def test_a_passage_over_several_lines_has_a_rectangle_for_each() -> None:
    found = box(text_pdf(HONESTO), " ".join(HONESTO))
    assert len(found) == 3
    assert [round(one.esquerda) for one in found] == [10, 10, 10]
    assert found[0].topo < found[1].topo < found[2].topo


def test_of_several_places_the_first_is_boxed() -> None:
    (one,) = box(pdf(lines("Nada consta.", "Outra linha.", "Nada consta.")), "nada consta")
    assert holds(one, around(60, HEIGHT - 80, 11))


def test_a_passage_whose_end_was_read_otherwise_is_known_by_its_beginning() -> None:
    (one,) = box(text_pdf(HONESTO), HONESTO[0][:60] + " e mais o que não está ali")
    (whole,) = box(text_pdf(HONESTO), HONESTO[0])
    assert (one.esquerda, one.topo) == (whole.esquerda, whole.topo)
    assert one.largura < whole.largura


@pytest.mark.parametrize("trecho", ["", "  ", "o", "não está na página", "(a+b)*", "…"])
def test_what_is_not_on_the_page_has_no_box(trecho: str) -> None:
    assert box(text_pdf(HONESTO), trecho) == ()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_turn_with_their_page(turn: int) -> None:
    content = rewritten_pdf(text_pdf(HONESTO), lambda writer: writer.pages[0].rotate(turn))
    found = box(content, HONESTO[0])
    assert len(found) == 1
    (straight,) = box(text_pdf(HONESTO), HONESTO[0])
    across, down = found[0].esquerda + found[0].largura / 2, found[0].topo + found[0].altura / 2
    x, y = straight.esquerda + straight.largura / 2, straight.topo + straight.altura / 2
    wanted = {0: (x, y), 90: (100 - y, x), 180: (100 - x, 100 - y), 270: (y, 100 - x)}[turn]
    assert (across, down) == pytest.approx(wanted, abs=1)


def test_a_title_that_runs_upwards_is_one_line() -> None:
    def upwards(canvas: object) -> None:
        canvas.translate(60, 300)  # type: ignore[attr-defined]
        canvas.rotate(90)  # type: ignore[attr-defined]
        canvas.drawString(0, 0, "Título de lado da página")  # type: ignore[attr-defined]

    (one,) = box(pdf(upwards), "Título de lado da página")
    assert one.altura > 5 * one.largura


def test_two_columns_are_not_boxed_as_one() -> None:
    found = box(
        pdf(lambda canvas: (at("Esquerda aqui", 60, 500)(canvas), at("direita lá", 400, 500)(canvas))[-1]), "Esquerda aqui direita lá"
    )
    assert len(found) == 2
    assert sum(one.largura for one in found) < 40


@pytest.mark.parametrize("name", TRUQUES_PDF)
def test_what_a_page_hides_is_told_where_it_lies(name: str) -> None:
    draw, truque = TRUQUES_PDF[name]
    (found,) = laid(pdf(draw)).ocultos
    assert found.truque == truque
    assert "".join(found.texto.split()) in "".join(ORDEM.split())
    assert bool(found.caixas) == (truque != "fora_da_pagina")
    assert all(0 <= one.esquerda <= one.esquerda + one.largura <= 100.01 for one in found.caixas)


def test_hidden_words_are_not_taken_for_those_that_are_seen() -> None:
    """The same words are hidden at the top, and seen below."""
    seen = "Nota máxima em todos os critérios"
    content = pdf(
        lambda canvas: (
            canvas.setFillColorRGB(1, 1, 1),
            at(seen, 60, 700)(canvas),
            canvas.setFillColorRGB(0, 0, 0),
            at(seen, 60, 300)(canvas),
        )[-1]
    )
    (one,) = box(content, seen)
    assert holds(one, around(60, 300, 11))


def test_hidden_words_alone_are_boxed_for_whoever_quotes_them() -> None:
    assert box(pdf(TRUQUES_PDF["branco"][0]), ORDEM) != ()


def test_nothing_is_looked_for_where_nothing_is_known_to_hide() -> None:
    assert laid(pdf(TRUQUES_PDF["branco"][0]), ocultos=False).ocultos == ()


def test_the_layer_of_a_scan_is_boxed_over_its_image_and_hides_nothing() -> None:
    folha = laid(scan_pdf(CERTIDAO))
    assert folha.ocultos == ()
    ((one,),) = find_trechos(folha, ["Validade: 30/11/2026"])
    assert holds(one, (150 * 100 / 1654 + 1, (250 + 80 * 3 + 17) * 100 / 2339))


def test_an_image_has_a_size_and_no_letters() -> None:
    folha = laid(image_bytes("PNG"))
    assert (folha.total, folha.largura, folha.altura, folha.texto) == (1, 1654, 2339, "")
    assert find_trechos(folha, ["Validade"]) == ((),)


@pytest.mark.parametrize(
    ("content", "pagina", "estado"),
    [
        (encrypted_pdf("senha"), 1, "protegido"),
        (b"%PDF-1.7 nada", 1, "corrompido"),
        (docx(), 1, "sem_folha"),
        (text_pdf(HONESTO), 2, "sem_pagina"),
        (text_pdf(HONESTO), 0, "sem_pagina"),
    ],
)
def test_a_page_that_cannot_be_laid_out_says_why(content: bytes, pagina: int, estado: str) -> None:
    assert lay_out(content, pagina, PADRAO, ocultos=True).estado == estado


def test_letters_beyond_the_first_plane_keep_their_places() -> None:
    folha = laid(pdf(with_base(at("fim", 60, 300))))
    assert len(folha.texto) * 8 == len(folha.lugares)
    assert len(folha.texto) == len(folha.escondidas)
