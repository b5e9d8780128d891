"""Dates are read by the pattern that says how they are written, and by no other."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.mapeamento.datas import FormatoRecusado, compile_formato


@pytest.mark.parametrize(
    ("formato", "escrita", "lida"),
    [
        ("dd/MM/yyyy HH:mm", "05/11/2026 10:30", "2026-11-05"),
        ("dd/MM/yyyy", "5/1/2026", "2026-01-05"),
        ("MM/dd/yyyy", "11/05/2026", "2026-11-05"),
        ("MM/dd/yyyy", "13/05/2026", None),
        ("dd/MM/yy", "05/11/26", "2026-11-05"),
        ("dd/MM/yy", "05/11/76", "1976-11-05"),
        ("d 'de' MMMM 'de' yyyy", "5 de Março de 2026", "2026-03-05"),
        ("d 'de' MMMM 'de' yyyy", "5  de marco de 2026", "2026-03-05"),
        ("d 'de' MMMM 'de' yyyy", "5 de brumário de 2026", None),
        ("EEEE, d 'de' MMMM 'de' y", "terça-feira, 3 de março de 2026", "2026-03-03"),
        ("dd-MMM-yyyy", "05-nov-2026", "2026-11-05"),
        ("yyyyMMdd", "20261105", "2026-11-05"),
        ("yyyyMMdd", 20261105, "2026-11-05"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2026-11-05T10:11:12.123Z", "2026-11-05"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-11-05T23:11:12-03:00", "2026-11-05"),
        ("MM/dd/yyyy hh:mm a", "11/05/2026 10:30 PM", "2026-11-05"),
        ("dd/MM/yyyy", "31/02/2026", None),
        ("dd/MM/yyyy", "05/11/2026 10:30", None),
        ("dd/MM/yyyy", True, None),
        ("dd/MM/yyyy", ["05/11/2026"], None),
        ("dd/MM/yyyy", "٠٥/١١/٢٠٢٦", None),
    ],
)
def test_a_date_is_read_as_its_pattern_says(formato: str, escrita: object, lida: str | None) -> None:
    assert compile_formato(formato).read(escrita, "2026-12-31") == lida


@pytest.mark.parametrize(
    ("formato", "posicao"),
    [("dd/MM", 1), ("", 1), ("dd/MM/yyyy qq", 12), ("d 'de", 3), ("yyyy/yyyy/dd/MM", 6), ("DD/MM/AAAA", 1), ("dd/MM/yyyyy", 7)],
)
def test_a_pattern_that_is_none_is_told_by_its_character(formato: str, posicao: int) -> None:
    with pytest.raises(FormatoRecusado) as refused:
        compile_formato(formato)
    assert refused.value.posicao == posicao


@given(formato=st.text(alphabet="dMyHm'/:- eq", max_size=20), value=st.text(max_size=30))
def test_any_pattern_reads_a_date_or_nothing_or_is_refused(formato: str, value: str) -> None:
    try:
        read = compile_formato(formato).read(value, "2026-12-31")
    except FormatoRecusado:
        return
    assert read is None or date.fromisoformat(read)
