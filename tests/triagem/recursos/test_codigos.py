"""Codes are read however people write them, and say nothing by themselves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.recursos.codigos import code_of, read_code, resumo_of, shown


@given(st.binary(min_size=10, max_size=32))
def test_a_code_is_read_back_as_it_is_shown_however_it_is_typed(digest: bytes) -> None:
    code = code_of(digest)
    assert len(code) == 16
    assert not set(code) & set("ILOU")
    taken_for = code.replace("1", "l").replace("0", "o")
    for typed in (code, shown(code), code.lower(), f" {shown(code).replace('-', ' ')} ", taken_for):
        assert read_code(typed) == code


@given(st.text(max_size=120))
def test_what_is_no_code_is_none_and_nothing_fails(text: str) -> None:
    found = read_code(text)
    assert found is None or len(found) == 16


def test_what_is_kept_of_a_code_is_not_the_code() -> None:
    code = code_of(bytes(range(10)))
    assert code.encode() not in resumo_of(code)
    assert resumo_of(code) != resumo_of(code_of(bytes(10)))
