"""Any bytes are an object that can be held, or a clear refusal."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.leitura import MAX_DEPTH, JsonInvalido, PedidoIlegivel, read_pedido
from crivo.kernel.errors import Kind


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nada",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b"\xff\xfe",
        b'{"a":"\\ud800"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":1,}',
    ],
)
def test_what_is_no_json_is_told_so(raw: bytes) -> None:
    with pytest.raises(JsonInvalido) as refused:
        read_pedido(raw)
    assert refused.value.kind is Kind.MALFORMED


@pytest.mark.parametrize(
    "raw", ['{"a":"é"}'.encode("utf-8-sig"), '{"a":"é"}'.encode("utf-16"), b"\xfe\xff" + '{"a":"é"}'.encode("utf-16-be")]
)
def test_a_mark_of_the_order_of_bytes_is_read_past(raw: bytes) -> None:
    assert read_pedido(raw) == {"a": "é"}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"a": 1,\n "b": {"c": 2', "acaba antes da hora na linha 2, coluna 14"),
        (b'{"a": 1,\n "b" 2}', "quebrada na linha 2, coluna 6"),
        ('{"a": 1,\n "b": "São"}'.encode("latin-1"), "não está em UTF-8 na linha 2, coluna 9"),
    ],
)
def test_broken_text_is_told_by_line_and_column(raw: bytes, said: str) -> None:
    with pytest.raises(JsonInvalido, match=said):
        read_pedido(raw)


@pytest.mark.parametrize("raw", [b"[]", b"1", b'"texto"', b"null", b"[{}]"])
def test_json_that_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(PedidoIlegivel, match="objeto JSON"):
        read_pedido(raw)


def test_nesting_has_a_limit_however_deep_it_goes() -> None:
    deep = b'{"a":' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH
    assert read_pedido(deep)
    for levels in (MAX_DEPTH + 1, 500, 10_000, 200_000):
        with pytest.raises(PedidoIlegivel, match="64 níveis"):
            read_pedido(b'{"a":' * levels + b"1" + b"}" * levels)


def test_many_shallow_objects_are_no_depth() -> None:
    assert len(read_pedido(b'{"a":[' + b",".join([b"{}"] * 500) + b"]}")["a"]) == 500


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a":1,"a":2}',
        b'{"x":{"b":1,"b":1}}',
        b'{"a":1,"a":"\\u003a"}',
        b'{"a":"\\u003A","b":{"c":0,"c":":"}}',
        b'{"x":[{"c" : 1, "\\u0063":2}]}',
        b'{"a":{"x":{"y":1}},"a":{"x":1}}',
        b'{"x":{"y":{"z":[{"c":1,"c":{}}]}}}',
        b'{"a":[{"x":":"}],"a":[{"x":1,"y":2}]}',
    ],
)
def test_a_field_given_twice_is_refused_by_name(raw: bytes) -> None:
    with pytest.raises(PedidoIlegivel, match="mais de uma vez") as refused:
        read_pedido(raw)
    assert refused.value.problemas[0].caminho in {"a", "b", "c"}


def test_a_field_given_twice_among_very_many_is_found_without_holding_each_against_all() -> None:
    raw = b"{" + b",".join(b'"k%d":1' % at for at in range(30_000)) + b',"k5":2}'
    began = process_time()
    with pytest.raises(PedidoIlegivel, match="mais de uma vez"):
        read_pedido(raw)
    assert process_time() - began < 3  # a square of them takes a minute


def test_colons_in_texts_repeat_no_field() -> None:
    assert read_pedido(b'{"hora":"10:30:00","nota":{"a":":::"}}') == {"hora": "10:30:00", "nota": {"a": ":::"}}


def test_a_null_character_is_refused_and_its_spelling_in_a_text_is_not() -> None:
    with pytest.raises(PedidoIlegivel, match="caractere nulo"):
        read_pedido(b'{"a":{"b":["x\\u0000"]}}')
    with pytest.raises(PedidoIlegivel, match="caractere nulo"):
        read_pedido(b'{"\\u0000":1}')
    assert read_pedido(b'{"a":"\\\\u0000"}') == {"a": "\\u0000"}


def test_integers_of_any_size_are_read_as_they_were_written() -> None:
    large = 10**25
    sent = {"a": large, "b": [-large, {"c": 7}], "d": "1" * 30}
    assert read_pedido(json.dumps(sent).encode()) == sent


@pytest.mark.parametrize("raw", [b'{"a":1e400}', b'{"a":1' + b"0" * 5000 + b"}"])
def test_a_number_beyond_reading_is_refused(raw: bytes) -> None:
    with pytest.raises(PedidoIlegivel, match="número grande demais"):
        read_pedido(raw)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        read_pedido(raw)
    except PedidoIlegivel as refused:
        told = refused.mensagem
    else:
        told = "."
    assert told.endswith(".")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), json_values))
def test_any_object_is_read_as_python_reads_it_or_refused(value: dict[str, object]) -> None:
    try:
        found = read_pedido(json.dumps(value).encode())
    except PedidoIlegivel:
        assert "\\u0000" in json.dumps(value) or "\\ud" in json.dumps(value)
    else:
        assert found.keys() == value.keys()


def test_a_table_that_lost_its_line_breaks_is_told_as_one() -> None:
    with pytest.raises(JsonInvalido, match="--data-binary"):
        read_pedido(b"guia;op;plano;q1;ACME;OURO;12;ACME;PRATA;2")
