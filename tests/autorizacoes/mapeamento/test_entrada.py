"""A table that comes in: rows that are no pedido are passed over where the mapping says so, and what is refused says which row."""

from __future__ import annotations

import json
import unicodedata
from datetime import date
from typing import Any

import pytest

from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.lote import decide_line
from crivo.autorizacoes.mapeamento.entrada import FormatoNaoReconhecido, Formatos, MapeamentoPublicado
from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
from crivo.autorizacoes.mapeamento.midia import LinhasIgnoradas
from crivo.autorizacoes.mapeamento.prova import provar
from crivo.autorizacoes.politicas.catalogo import Catalogo

CAMPOS = {"pedido_id": "$.guia", "plano_id": "$.plano", "procedimento.quantidade": "$.q"}
TABELA = b"guia;op;plano;q\n1;ACME;OURO;1\n;;;\n\n2;ACME;PRATA;2\nTOTAL;;;3\n"


def publicados(**changes: Any) -> tuple[MapeamentoPublicado, ...]:
    head = {"mapeamento": "acme", "administradora": "090417", "reconhecer": {"$.op": "ACME"}, "campos": CAMPOS}
    return (MapeamentoPublicado("1", 1, read_mapeamento(json.dumps({**head, **changes}).encode()).mapeamento),)


def test_a_row_that_no_mapping_recognises_is_told_by_its_number() -> None:
    with pytest.raises(FormatoNaoReconhecido) as refused:
        Formatos(publicados()).read(TABELA, None, "2026-11-27")
    assert refused.value.mensagem.startswith("A linha 6 da planilha não pôde ser lida.")
    assert [problem.linha for problem in refused.value.problemas] == [6]


def test_rows_without_anything_and_those_that_the_mapping_passes_over_are_no_pedidos() -> None:
    formatos = Formatos(publicados(ignorar={"$.guia": "total"}))
    assert [parte.bruto["pedido_id"] for parte in formatos.read(TABELA, None, "2026-11-27")] == ["1", "2"]
    with pytest.raises(LinhasIgnoradas):
        formatos.read(b"guia;op\nTOTAL;\n", None, "2026-11-27")


def test_a_row_that_is_passed_over_in_a_lote_has_no_decision_and_is_no_error() -> None:
    fluxo = Fluxo(Catalogo.of(()), formatos=publicados(ignorar={"$.guia": "TOTAL"}))
    for row in (b"TOTAL;;;3", b";;;"):
        line = decide_line(fluxo, b"guia;op;plano;q\n" + row, 7, date(2026, 11, 27))
        assert json.loads(line) == {"linha": 7, "decisoes": []}


def test_rows_of_one_number_are_numbered_and_told_and_read_again_as_they_were() -> None:
    tabela = b"guia;op;plano;q\n7;ACME;OURO;1\n8;ACME;OURO;1\n7;ACME;OURO;2\n"
    formatos = Formatos(publicados())
    partes = formatos.read(tabela, None, "2026-11-27")
    assert [parte.bruto["pedido_id"] for parte in partes] == ["7-1", "8", "7-2"]
    assert [parte.formato.problemas for parte in partes if parte.formato] == [("numero_repetido:$.guia",), (), ("numero_repetido:$.guia",)]
    for parte in partes:
        assert parte.formato is not None
        assert formatos.read_again(parte.raw, parte.formato, "2026-11-27") == parte.bruto


def test_items_that_repeat_their_own_number_are_numbered_and_told() -> None:
    mapa = publicados(itens="$.g[*]", campos={**CAMPOS, "pedido_id": "$item.n", "procedimento.quantidade": "$item.q"})
    formatos = Formatos(mapa)
    raw = json.dumps({"op": "ACME", "plano": "OURO", "g": [{"n": 7, "q": 1}, {"n": 8, "q": 1}, {"n": 7, "q": 2}]}).encode()
    partes = formatos.read(raw, None, "2026-11-27")
    assert [parte.bruto["pedido_id"] for parte in partes] == ["7-1", 8, "7-2"]
    assert [parte.formato.sufixo for parte in partes if parte.formato] == [1, None, 2]
    for parte in partes:
        assert parte.formato is not None
        assert formatos.read_again(parte.raw, parte.formato, "2026-11-27") == parte.bruto
    prova = provar(mapa[0].mapeamento, raw, Fluxo(Catalogo.of(())), date(2026, 11, 27))
    assert [pedido.normalizado["pedido_id"] for pedido in prova.pedidos] == ["7-1", "8", "7-2"]
    assert "numero_repetido" in [problema.codigo for problema in prova.problemas]


def test_names_with_accents_apart_are_found_and_what_nobody_maps_stays_as_it_came() -> None:
    campos = {**CAMPOS, "plano_id": "$['código']", "pedido_id": unicodedata.normalize("NFD", "$['número']")}
    formatos = Formatos(publicados(campos=campos))
    for forma in ("NFC", "NFD"):
        raw = unicodedata.normalize(forma, json.dumps({"op": "ACME", "código": "OURO", "número": 7, "q": 1}, ensure_ascii=False)).encode()
        (parte,) = formatos.read(raw, None, "2026-11-27")
        assert (parte.bruto["plano_id"], parte.bruto["pedido_id"]) == ("OURO", 7)
        assert parte.formato is not None
        assert formatos.read_again(parte.raw, parte.formato, "2026-11-27") == parte.bruto
    native = {unicodedata.normalize("NFD", "código"): 1}
    assert formatos.read(json.dumps(native).encode(), native, "2026-11-27")[0].bruto is native


def test_an_object_that_its_mapping_expects_in_a_list_is_refused_with_that_said() -> None:
    fluxo = Fluxo(Catalogo.of(()), formatos=publicados(reconhecer={"$[*].op": "ACME"}, itens="$[*]", campos={"pedido_id": "$[*].n"}))
    (parte,) = fluxo.partes(b'{"op": "ACME", "n": 1, "documentos": {"a": 1}}', date(2026, 11, 27))
    with pytest.raises(PedidoIlegivel, match="formato `acme`, que vem em uma lista"):
        fluxo.decide_parte(parte, date(2026, 11, 27))
    (other,) = fluxo.partes(b'{"op": "OUTRA", "documentos": {"a": 1}}', date(2026, 11, 27))
    with pytest.raises(PedidoIlegivel) as refused:
        fluxo.decide_parte(other, date(2026, 11, 27))
    assert "lista: mande" not in refused.value.mensagem
