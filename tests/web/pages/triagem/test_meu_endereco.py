"""The address of the mesa of whoever judges: what it asks for is kept in every other address, and what is no more is told."""

from __future__ import annotations

import pytest
from starlette.datastructures import QueryParams

from crivo.web.pages.triagem.meu_endereco import MeuEndereco, read


def asked(query: str) -> MeuEndereco:
    return read(QueryParams(query), "ED-1")


@pytest.mark.parametrize(
    "query",
    ["", "situacao=a-fazer&situacao=rascunho", "do_edital=ED-1&categoria=M%C3%BAsica&caso=com&ordem=-caso", "ordem=titulo&q=samba+de+roda"],
)
def test_what_an_address_asks_of_the_queue_is_in_every_address_of_it(query: str) -> None:
    endereco = asked(query)
    rest = f"?{query}" if query else ""
    assert endereco.fila() == f"/avaliacao{rest}"
    after = f"&{query}" if query else ""
    assert endereco.projeto("P1") == f"/avaliacao/P1?edital=ED-1{after}"
    assert endereco.enviar("P1") == f"/avaliacao/P1/enviar?edital=ED-1{after}"
    assert endereco.dada(("ED-2", "P7"), vista="analise") == f"/avaliacao/P7?edital=ED-2{after}&vista=analise"
    assert asked(query).avisos == ()


def test_what_is_read_stays_where_only_the_part_of_the_mesa_changes() -> None:
    endereco = asked("doc=2&pag=3&crit=C1&caso=com")
    assert endereco.aqui("P1", vista="analise") == "/avaliacao/P1?edital=ED-1&caso=com&doc=2&pag=3&crit=C1&vista=analise"
    assert asked("").aqui("P1") == "/avaliacao/P1?edital=ED-1"


def test_the_text_is_read_first() -> None:
    assert asked("").doc == "formulario"


def test_other_filters_keep_the_order_and_the_words() -> None:
    assert asked("situacao=enviada&ordem=-titulo&q=samba").mantidos() == [("ordem", "-titulo"), ("q", "samba")]


@pytest.mark.parametrize(
    ("query", "told"),
    [("cor=azul", "O filtro “cor” não existe mais"), ("ordem=codigo", "Esta ordem não existe mais")],
)
def test_what_an_old_address_names_is_told(query: str, told: str) -> None:
    endereco = asked(query)
    assert [one.startswith(told) for one in endereco.avisos] == [True]
    assert endereco.fila() == "/avaliacao"


@pytest.mark.parametrize("query", ["pagina=abc", "pagina=0", "pagina=-1", "pagina=9999999999", "vista=tudo", "pag=²"])
def test_numbers_and_parts_that_are_none_ask_for_nothing(query: str) -> None:
    endereco = asked(query)
    assert (endereco.pagina, endereco.pag, endereco.vista) == (None, None, None)
