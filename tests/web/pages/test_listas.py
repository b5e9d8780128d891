"""Long lists: which page, in what order, and the addresses of the others."""

from __future__ import annotations

import pytest

from crivo.web.pages.listas import Coluna, cut, head, heads, numbers, order

COLUNAS: tuple[Coluna[str], ...] = (Coluna("nome", "Nome", lambda one: one), Coluna("letras", "Letras", len, numero=True, desce=True))


@pytest.mark.parametrize(
    ("at", "pages", "named"),
    [
        (1, 1, [1]),
        (1, 2, [1, 2]),
        (1, 5, [1, 2, 0, 5]),
        (3, 5, [1, 2, 3, 4, 5]),
        (1, 40, [1, 2, 0, 40]),
        (20, 40, [1, 0, 19, 20, 21, 0, 40]),
        (4, 40, [1, 2, 3, 4, 5, 0, 40]),
        (40, 40, [1, 0, 39, 40]),
    ],
)
def test_the_first_the_last_and_those_about_it_are_named(at: int, pages: int, named: list[int]) -> None:
    assert numbers(at, pages) == named


def test_a_page_of_a_list_leads_to_the_others_and_keeps_what_was_asked_for() -> None:
    fatia = cut(range(95), str, 2, 10, {"q": "a b", "ordem": "-nome"})
    assert (fatia.linhas, fatia.primeiro, fatia.ultimo, fatia.total) == (tuple(map(str, range(10, 20))), 11, 20, 95)
    assert [(one.numero, one.atual) for one in fatia.folhas] == [(1, False), (2, True), (3, False), (0, False), (10, False)]
    assert fatia.folhas[0].endereco == "?q=a+b&ordem=-nome&pagina=1"
    assert cut(range(5), str, 9, 10, {}).folhas == ()
    assert cut(range(95), str, 99, 10, {}).primeiro == 91  # the last one, where there are fewer


def test_a_head_orders_first_one_way_and_then_the_other() -> None:
    nome, letras = heads(COLUNAS, "", {"q": "x"})
    assert (nome.sentido, nome.endereco, letras.endereco) == ("", "?q=x&ordem=nome", "?q=x&ordem=-letras")
    assert head("nome", "Nome", "nome", {}).endereco == "?ordem=-nome"
    assert head("nome", "Nome", "-nome", {}).endereco == "?ordem=nome"
    assert head("letras", "Letras", "-letras", {}, desce=True).sentido == "descending"
    assert head("letras", "Letras", "letras", {}, desce=True).endereco == "?ordem=-letras"


def test_a_list_is_put_in_the_order_asked_for_and_left_as_it_came_where_there_is_none_such() -> None:
    itens = ["bb", "a", "cc"]
    assert order(itens, COLUNAS, "nome") == ["a", "bb", "cc"]
    assert order(itens, COLUNAS, "-letras") == ["bb", "cc", "a"]  # those that are equal stay as they came
    assert order(itens, COLUNAS, "de-outro-tempo") == itens
