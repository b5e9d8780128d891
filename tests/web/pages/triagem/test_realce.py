"""Quotes found in a page, and two passages held word against word."""

from __future__ import annotations

from crivo.web.pages.triagem.realce import Marca, Pedaco, align, mark


def test_a_quote_is_marked_where_it_stands_whatever_its_blanks_and_case() -> None:
    text = "Certidão.\nVálida  até\n20/12/2026. Fim."
    assert mark(text, [Marca("válida até 20/12/2026.", "REQ-1")]) == (
        Pedaco("Certidão.\n"),
        Pedaco("Válida  até\n20/12/2026.", "REQ-1"),
        Pedaco(" Fim."),
    )


def test_quotes_that_overlap_are_marked_as_one_that_tells_both() -> None:
    marked = mark("um dois três quatro", [Marca("um dois", "A"), Marca("dois três", "B"), Marca("um dois", "A")])
    assert marked == (Pedaco("um dois três", "A · B"), Pedaco(" quatro"))


def test_a_quote_between_two_that_it_touches_joins_them() -> None:
    marked = mark("a b c d e", [Marca("a b", "A"), Marca("d e", "B"), Marca("b c d", "C")])
    assert "".join(one.texto for one in marked) == "a b c d e"
    assert len(marked) == 1
    assert set(marked[0].sobre.split(" · ")) == {"A", "B", "C"}


def test_a_quote_that_is_not_there_and_an_empty_one_mark_nothing() -> None:
    assert mark("um texto (a+b)*", [Marca("outro", "A"), Marca("  ", "B")]) == (Pedaco("um texto (a+b)*"),)
    assert mark("", [Marca("x", "A")]) == ()


def test_a_quote_of_marks_is_found_to_the_letter() -> None:
    assert mark("custa (a+b)* [x] mais", [Marca("(a+b)* [x]", "A")]) == (Pedaco("custa "), Pedaco("(a+b)* [x]", "A"), Pedaco(" mais"))
    assert mark("custa ab x", [Marca(".*", "A"), Marca("(a|b)+", "B")]) == (Pedaco("custa ab x"),)


def test_words_that_two_passages_share_in_a_row_are_marked_in_both() -> None:
    a, b = align("Formação de um reisado com quarenta crianças", "Criação de outro folguedo COM quarenta crianças")
    assert ("".join(text for text, _ in a), "".join(text for text, _ in b)) == (
        "Formação de um reisado com quarenta crianças",
        "Criação de outro folguedo COM quarenta crianças",
    )
    assert [text.strip() for text, sign in a if sign == "igual"] == ["com quarenta crianças"]
    assert [text.strip() for text, sign in b if sign == "igual"] == ["COM quarenta crianças"]


def test_equal_passages_are_marked_whole_however_short() -> None:
    assert align("banco 1", "banco 1") == ((("banco 1", "igual"),), (("banco 1", "igual"),))


def test_passages_too_long_to_be_compared_are_shown_as_they_are() -> None:
    long = "palavra " * 5_000
    assert align(long, long) == (((long, ""),), ((long, ""),))
