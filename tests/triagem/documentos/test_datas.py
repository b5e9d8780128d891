"""Dates as Brazilian documents write them, and what they are dates of."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.documentos.datas import Papel, find_datas

DAY = date(2026, 9, 5)
OTHER = date(2026, 11, 30)


def told(texto: str) -> list[tuple[date, Papel | None]]:
    return [(lida.data, lida.papel) for lida in find_datas(texto)]


@pytest.mark.parametrize(
    "written",
    [
        "05/09/2026",
        "5/9/2026",
        "05.09.2026",
        "05.09.26",
        "05-09-2026",
        "5/9/26",
        "05 / 09 / 2026",
        "2026-09-05",
        "2026/09/05",
        "5 de setembro de 2026",
        "05 de SETEMBRO de 2026",
        "5 de setembro, 2026",
        "5 set. 2026",
        "05/set/2026",
        "05-SET-2026",
        "5 de set de 2026",
        "aos 5 (cinco) dias do mês de setembro de 2026",
        "5 de setembro do ano de 2026",
        "5 de\nsetembro de 2026",
        "aos cinco dias do mês de setembro de dois mil e vinte e seis",
        "Cinco de setembro de 2026",
        "5 de setembro de dois mil e vinte e seis",
        "2026-09-05T10:00:00-03:00",
    ],
)
def test_a_date_is_read_in_every_form_it_is_written_in(written: str) -> None:
    assert [day for day, _ in told(f"Documento: {written}.")] == [DAY]


@pytest.mark.parametrize(
    "written", ["1º de março de 2026", "1o de março de 2026", "1° de março de 2026", "primeiro de março de 2026", "1 de marco de 2026"]
)
def test_the_first_of_a_month_has_forms_of_its_own(written: str) -> None:
    assert told(written) == [(date(2026, 3, 1), None)]


@pytest.mark.parametrize(
    "written",
    [
        "31/02/2026",
        "00/10/2026",
        "32 de maio de 2026",
        "10/13/2026",
        "29/02/2025",
        "1/1/0001",
        "item 4.1.12",
        "10.10.20.26",
        "12.345.678/0001-95",
        "1º de março",
    ],
)
def test_what_is_no_date_is_passed_over(written: str) -> None:
    assert told(f"Conforme {written} do edital") == []


@pytest.mark.parametrize(
    ("texto", "papel"),
    [
        ("emitida em {}", "emissao"),
        ("Emitida às 10:15:30 do dia {} <hora e data de Brasília>.", "emissao"),
        ("Data de emissão: {}", "emissao"),
        ("Data da Expedição {}", "emissao"),
        ("Certidão expedida gratuitamente em {}, com base na portaria", "emissao"),
        ("Assinado eletronicamente por Fulana em {}", "emissao"),
        ("Fortaleza, {}", "emissao"),
        ("São José do Rio Preto - SP, {}.", "emissao"),
        ("Caucaia/CE, em {}", "emissao"),
        ("{} (data de emissão)", "emissao"),
        ("Data de emissão\n{}", "emissao"),
        ("válida até {}", "validade"),
        ("Válido até o dia {}.", "validade"),
        ("VALIDADE: {}", "validade"),
        ("Esta certidão é válida até o dia\n{}", "validade"),
        ("Vencimento {}", "validade"),
        ("com vigência até {}", "validade"),
        ("Data de validade: {}", "validade"),
        ("Data de nascimento: {}", None),
        ("Data de abertura {}", None),
        ("Lei nº 14.903, de {}", None),
        ("As oficinas começam em {} na praça", None),
        ("O festival ocorrerá em Sobral, {}, com entrada franca", None),
    ],
)
def test_the_words_around_a_date_say_what_it_is(texto: str, papel: Papel | None) -> None:
    for written in ("05/09/2026", "5 de setembro de 2026"):
        assert told(texto.format(written)) == [(DAY, papel)]


@pytest.mark.parametrize(
    "texto",
    [
        "Emissão: 05/09/2026 - Validade: 30/11/2026",
        "Data de emissão   Validade\n05/09/2026   30/11/2026",
        "Emitida em 05/09/2026, válida até 30.11.26.",
    ],
)
def test_two_dates_side_by_side_keep_their_own_roles(texto: str) -> None:
    assert told(texto) == [(DAY, "emissao"), (OTHER, "validade")]


@pytest.mark.parametrize(
    ("texto", "papel"),
    [
        ("Página gerada em 05/09/2026", "emissao"),
        ("Esta certidão vale até: 05/09/2026", "validade"),
        ("valendo até 05/09/2026", "validade"),
        ("Data da vistoria: 05/09/2026", "emissao"),
    ],
)
def test_a_page_says_when_it_was_made_and_a_paper_until_when_it_holds(texto: str, papel: Papel) -> None:
    assert told(texto) == [(DAY, papel)]


def test_of_a_stretch_of_validity_only_its_end_is_the_validity() -> None:
    assert told("Validade: 05/09/2026 a 30/11/2026") == [(DAY, None), (OTHER, "validade")]
    assert told("Vigência do certificado: 5 de setembro de 2026 até 30/11/2026.") == [(DAY, None), (OTHER, "validade")]
    assert told("Vigência a partir de 05/09/2026") == [(DAY, None)]


@pytest.mark.parametrize(
    ("term", "last"),
    [
        ("Validade: 180 dias", date(2027, 3, 4)),
        ("prazo de validade de 90 (noventa) dias contados da emissão", date(2026, 12, 4)),
        ("válida por 30 dias a contar da data de sua expedição", date(2026, 10, 5)),
        ("validade de 6 (seis) meses", date(2027, 3, 5)),
        ("Válida por um ano", date(2027, 9, 5)),
        ("validade de noventa dias", date(2026, 12, 4)),
        ("Esta certidão vale por 365 (trezentos e sessenta e cinco) dias", date(2027, 9, 5)),
    ],
)
def test_a_validity_told_as_a_time_counts_from_the_day_of_issue(term: str, last: date) -> None:
    found = find_datas(f"{term}.\nFortaleza, 5 de setembro de 2026.")
    assert {(lida.data, lida.papel) for lida in found} == {(last, "validade"), (DAY, "emissao")}
    assert next(lida for lida in found if lida.papel == "validade").trecho.startswith(term)


def test_a_month_more_ends_on_the_last_day_where_there_is_no_such_day() -> None:
    assert (date(2026, 2, 28), "validade") in told("validade de seis meses. Emitido em 31/08/2025")


def test_a_time_of_validity_without_a_day_of_issue_says_no_date() -> None:
    assert told("válida por 30 dias") == []
    assert told("emitida em 05/09/2026, válida por 9999 anos") == [(DAY, "emissao")]


def test_the_passage_is_verbatim() -> None:
    texto = "Prefeitura de Caucaia\nCERTIDÃO – Emissão: 05/09/2026 às 10h\nFim"
    assert [lida.trecho for lida in find_datas(texto)] == ["CERTIDÃO – Emissão: 05/09/2026 às 10h"]


@given(st.dates(date(1950, 1, 1), date(2059, 12, 31)))
def test_every_day_is_read_back(day: date) -> None:
    assert (
        told(f"emitida em {day:%d/%m/%Y}")
        == told(f"emitida em {day:%d.%m.%Y}")
        == told(f"emitida em {day.isoformat()}")
        == [(day, "emissao")]
    )


@given(st.text(max_size=300))
def test_any_text_can_be_looked_through(texto: str) -> None:
    assert all(lida.trecho in texto for lida in find_datas(texto))
