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


@pytest.mark.parametrize("escrito", ["3 de março de 1988", "3 de marzo de 1988", "3 de March de 1988"])
def test_a_pattern_with_the_name_of_the_month_reads_those_of_its_neighbours_too(escrito: str) -> None:
    assert compile_formato("d 'de' MMMM 'de' yyyy").read(escrito, "2026-11-27") == "1988-03-03"


@pytest.mark.parametrize(
    ("escrito", "dia"), [("03-ENE-2026", "2026-01-03"), ("03-sept.-2026", "2026-09-03"), ("03-dez-2026", "2026-12-03")]
)
def test_a_short_name_of_a_month_is_read_in_any_of_them(escrito: str, dia: str) -> None:
    assert compile_formato("dd-MMM-yyyy").read(escrito, "2026-11-27") == dia


@pytest.mark.parametrize(
    ("formato", "valor", "dia"),
    [
        ("epoch", "1773489120", "2026-03-14"),
        ("epoch", 1773489120, "2026-03-14"),
        ("epoch_ms", 1773489120000, "2026-03-14"),
        ("epoch", 1773446400, "2026-03-14"),
        ("epoch", 1773540000, "2026-03-14"),
        ("epoch_ms", -315619200000, "1960-01-01"),
        ("epoch", "amanhã", None),
        ("epoch", 99999999999999, None),
        ("epoch", "14/03/2026", None),
    ],
)
def test_an_instant_counted_since_1970_is_its_day_in_brasilia(formato: str, valor: object, dia: str | None) -> None:
    assert compile_formato(formato).read(valor, "2026-11-27") == dia
