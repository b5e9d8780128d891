"""Passages that a model quotes, held against the project."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.avaliacao.citacoes import find_citacoes, is_long_enough, read_citacao
from crivo.triagem.avaliacao.dobra import fold_quote
from crivo.triagem.avaliacao.material import OMITIDO, Material, Secao

RESUMO = "O grupo “Mar de Dentro” faz doze\nrodas de coco, com apresen-\ntação em praças – sempre de graça."
PAGINA = "Desde 2014 o coletivo se apresenta em feiras e escolas públicas."
MATERIAL = Material(
    "P1",
    (Secao("projeto: resumo", RESUMO, campo="resumo"), Secao("documento 1, página 2", PAGINA, arquivo="a.pdf", pagina=2)),
    (),
    Decimal(1),
)


@pytest.mark.parametrize(
    "quote",
    [
        "faz doze rodas de coco",
        "FAZ DOZE   RODAS DE COCO",
        'o grupo "mar de dentro" faz doze rodas',
        "com apresentação em praças - sempre de graça",
        "“faz doze rodas de coco,”",
    ],
)
def test_a_passage_is_found_whatever_its_blanks_case_and_quotation_marks(quote: str) -> None:
    """Avaliação: "quotes that code finds verbatim in the project (whitespace and case folded)"."""
    (found,) = find_citacoes([quote], MATERIAL)
    assert (found.campo, found.arquivo, found.projeto) == ("resumo", None, "P1")
    assert found.trecho in RESUMO


def test_a_passage_of_a_document_is_found_with_file_and_page() -> None:
    (found,) = find_citacoes([PAGINA], MATERIAL)
    assert (found.arquivo, found.pagina, found.campo, found.trecho) == ("a.pdf", 2, None, PAGINA.rstrip("."))


@pytest.mark.parametrize(
    "quote",
    [
        "faz treze rodas de coco na praia",  # one word changed
        "faz doze rodas de coco ... sempre de graça",  # joined
        "doze rodas",
        "de",
        "",
        "…",
        "O grupo faz doze rodas de coco",  # a word left out
        "com apresentacao em pracas sempre de graca",  # without its accents it is not letter by letter
    ],
)
def test_what_is_not_there_letter_by_letter_or_is_too_short_does_not_count(quote: str) -> None:
    assert find_citacoes([quote], MATERIAL) == ()


def test_to_repeat_the_criterio_or_the_edital_shows_nothing() -> None:
    rubric = "Equipe nomeada por função, com experiência e formação no que vai fazer."
    material = Material(
        "P1", (Secao("projeto: resumo", f"{rubric} Ana toca pandeiro há vinte anos.", campo="resumo"),), (), MATERIAL.completude
    )
    assert find_citacoes([rubric], material, ["Nível 10: " + rubric]) == ()
    assert len(find_citacoes(["Ana toca pandeiro há vinte anos."], material, ["Nível 10: " + rubric])) == 1


@pytest.mark.parametrize(
    "said", ["Declaro para os devidos fins que as informações são verdadeiras.", f"Falar com Ana pelo telefone {OMITIDO}."]
)
def test_formulas_of_every_form_and_what_was_left_out_do_not_count(said: str) -> None:
    assert find_citacoes([said], Material("P1", (Secao("projeto: resumo", said, campo="resumo"),), (), MATERIAL.completude)) == ()


LINHAS = "Oficineiro (hora): 60 × R$ 107,06 = R$ 6.423,60\nTotal: R$ 6.423,60"
TABELAS = Material(
    "P1",
    (
        Secao("projeto: orçamento", LINHAS, campo="orcamento_itens", por_linha=True),
        Secao("projeto: cronograma", "Ensaios: 07/03/2027 a 21/04/2027", campo="cronograma_etapas", por_linha=True),
    ),
    (),
    Decimal(1),
)


@pytest.mark.parametrize(
    "quote",
    [
        "Oficineiro (hora): 60 × R$ 107,06 = R$ 6.423,60",
        "60 x R$ 107,06 = R$ 6.423,60",  # by another sign for times
        "Total: R$ 6.423,60",
        "Ensaios: 07/03/2027 a 21/04/2027",
        "07/03/2027 a 21/04/2027",
    ],
)
def test_a_line_of_money_or_of_dates_says_what_it_says_in_figures(quote: str) -> None:
    """Triagem 4/2: "considerando resumo, descrição técnica, orçamento e cronograma"."""
    assert len(find_citacoes([quote], TABELAS)) == 1


@pytest.mark.parametrize(
    ("quote", "falta"), [("× R$ 107", "curta"), ("isto ninguém escreveu aqui", "ausente"), ("R$ 107,07 = R$", "ausente")]
)
def test_why_a_passage_does_not_count_is_known_of_each(quote: str, falta: str) -> None:
    assert read_citacao(quote, TABELAS) == falta


def test_the_same_passage_counts_once() -> None:
    assert len(find_citacoes(["faz doze rodas de coco", "Faz doze rodas de coco."], MATERIAL)) == 1


TEXTS = st.text(alphabet=st.sampled_from("abçÃé \n\t\"“”'’–-.…ßİ1ﬁ"), max_size=60)


@given(TEXTS)
def test_every_place_of_a_folded_text_is_one_of_its_own_in_order(texto: str) -> None:
    folded = fold_quote(texto)
    assert len(folded.texto) == len(folded.lugares)
    assert list(folded.lugares) == sorted(folded.lugares)
    assert all(0 <= place < len(texto) for place in folded.lugares)
    assert "  " not in folded.texto


@given(TEXTS, st.data())
def test_any_run_of_a_text_is_found_in_it_in_other_case_and_blanks(texto: str, data: st.DataObject) -> None:
    words = texto.replace("-", "").split()
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    wanted = fold_quote(" \n ".join(words[start:end]))
    span = fold_quote(" ".join(words)).find(wanted.texto)
    assert span is not None
    assert wanted.texto in fold_quote(" ".join(words)[span[0] : span[1]]).texto  # a run may begin within the dots of one "…"


@given(st.text(max_size=30))
def test_nothing_of_two_words_is_long_enough(texto: str) -> None:
    assert not is_long_enough(" ".join(re.findall(r"\w+", texto)[:1]))
