"""XML and CSV come in as documents that paths look into; traps and broken bytes are refused by where they break."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.mapeamento.aplicacao import Leitor
from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
from crivo.autorizacoes.mapeamento.midia import MOST_ROWS, CsvRecusado, XmlRecusado, midia_of, read_csv, read_documentos, read_xml

GUIA = """<?xml version="1.0" encoding="ISO-8859-1"?>
<t:guia xmlns:t="urn:x" versao="2"><numero>77</numero><plano tipo="F">São João</plano><item><cod>1</cod></item><item><cod>2</cod></item>
<vazio/><!-- nada --></t:guia>"""
GUIA_LIDA = {
    "guia": {
        "@versao": "2",
        "numero": "77",
        "plano": {"@tipo": "F", "#text": "São João"},
        "item": [{"cod": "1"}, {"cod": "2"}],
        "vazio": "",
    }
}
BOMB = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'


def test_an_xml_is_its_obvious_json() -> None:
    assert read_xml(GUIA.encode("latin-1")) == GUIA_LIDA
    assert read_documentos(GUIA.encode("latin-1"))[0].valor == GUIA_LIDA


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (BOMB, "DOCTYPE"),
        (b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', "DOCTYPE"),
        (b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', "DOCTYPE"),
        (BOMB.decode().encode("utf-16"), "DOCTYPE"),
        (b"<x>&e;</x>", "linha 1, coluna"),
        (b"<a>\n <b></a>", "linha 2, coluna"),
        (b"<a>", "linha 1"),
        (b"<a>" * 65 + b"</a>" * 65, "64"),
    ],
)
def test_an_xml_that_could_be_a_trap_or_is_broken_is_refused(raw: bytes, said: str) -> None:
    with pytest.raises(XmlRecusado, match=said):
        read_xml(raw)


def test_an_element_has_at_most_five_hundred_attributes() -> None:
    """lxml looks for each of them among all: eighty thousand took twenty seconds."""

    def of(many: int) -> bytes:
        return b"<a " + b" ".join([b'b%d="1"' % at for at in range(many)]) + b"/>"

    assert len(read_xml(of(500))["a"]) == 500
    began = process_time()
    with pytest.raises(XmlRecusado, match="500 atributos"):
        read_xml(of(80_000))
    assert process_time() - began < 3


def test_an_element_that_came_once_is_a_list_where_the_mapping_looks_into_one() -> None:
    document = {
        "mapeamento": "x",
        "administradora": "A",
        "reconhecer": {"$.guia['@versao']": "2"},
        "itens": "$.guia.item[*]",
        "campos": {"pedido_id": "$.guia.numero", "procedimento.codigo": "$item.cod", "documentos_anexos": "$item.doc[*]"},
    }
    leitor = Leitor(read_mapeamento(json.dumps(document).encode()).mapeamento)
    once = read_xml(b'<guia versao="2"><numero>7</numero><item><cod>1</cod><doc>RX</doc></item></guia>')
    lido = leitor.read(leitor.with_lists(once), "2026-11-27")
    assert [pedido.bruto["procedimento"]["codigo"] for pedido in lido.pedidos] == ["1"]
    assert lido.pedidos[0].bruto["documentos_anexos"] == ["RX"]


@pytest.mark.parametrize(
    ("raw", "rows"),
    [
        (b"guia;plano\r\n1;Ouro\r\n2;Prata\r\n", [{"guia": "1", "plano": "Ouro"}, {"guia": "2", "plano": "Prata"}]),
        ("guia,plano\n1,São João\n".encode("utf-8-sig"), [{"guia": "1", "plano": "São João"}]),
        ("guia;plano\n1;São João\n".encode("cp1252"), [{"guia": "1", "plano": "São João"}]),
        ("guia;plano\n1;São João\n".encode("utf-16"), [{"guia": "1", "plano": "São João"}]),
        (b'guia;obs\n1;"a; b\nc"\n', [{"guia": "1", "obs": "a; b\nc"}]),
    ],
)
def test_a_table_is_an_object_a_line(raw: bytes, rows: list[dict[str, str]]) -> None:
    documentos = read_documentos(raw)
    assert [one.valor for one in documentos] == rows
    assert [read_documentos(one.raw)[0].valor for one in documentos] == rows, "a line is read again from its own bytes"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"guia;plano\n1\n", "linha 2 tem 1 colunas"),
        (b"guia;guia\n1;2\n", "repete a coluna `guia`"),
        (b"guia;\n1;2\n", "coluna 2 do cabe"),
        (b"guia;plano\n", "ao menos uma linha"),
        (b'guia;plano\n1;"Ouro\n', "aspas"),
        (b"guia;plano\n" + b"1;2\n" * (MOST_ROWS + 1), "mais de 200 linhas"),
    ],
)
def test_a_table_that_cannot_be_told_apart_is_refused_by_its_line(raw: bytes, said: str) -> None:
    with pytest.raises(CsvRecusado, match=said):
        read_documentos(raw)


@pytest.mark.parametrize(
    ("raw", "midia"),
    [(b" {}", "json"), (b"[]", "json"), (b"\xef\xbb\xbf<a/>", "xml"), (b"a;b\n1;2", "csv"), (b"nada", "json"), (b"", "json")],
)
def test_what_came_is_told_by_how_it_begins(raw: bytes, midia: str) -> None:
    assert midia_of(raw) == midia


@given(raw=st.binary(max_size=60) | st.text(alphabet='<>a/;,"\n&{}[]:1 =', max_size=60).map(str.encode))
def test_any_bytes_are_documents_or_a_clear_refusal(raw: bytes) -> None:
    found: Any = None
    try:
        found = read_documentos(raw)
    except PedidoIlegivel as refused:
        found = refused.mensagem
    assert found


def test_a_header_that_is_not_the_first_line_is_told_with_the_line_that_looks_like_it() -> None:
    raw = b"ACME - SOLICITACOES;;\nGerado em 18/03/2026;;\nNR;DT;QTD\n1;18/03/2026;2\n"
    with pytest.raises(CsvRecusado) as refused:
        list(read_csv(raw))
    assert "coluna 2 do cabeçalho não tem nome (foi lida como cabeçalho a linha 1)" in refused.value.mensagem
    assert "parece estar na linha 3" in refused.value.mensagem
    with pytest.raises(CsvRecusado, match="Dê um nome a cada coluna"):
        list(read_csv(b"a;;b\n1;2;3\n"))
