from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import msgspec
import openpyxl
import pytest

from crivo.triagem.achados import Resultado
from crivo.triagem.edital import Chamada, Projeto, Proponente
from crivo.triagem.exportacao import para_xlsx, to_xlsx
from crivo.triagem.palavras import DECISAO_HUMANA

GERADA_EM = datetime(2026, 11, 20, 14, 5, tzinfo=UTC)


def opened(resultado: Resultado, chamada: Chamada) -> Any:
    return openpyxl.load_workbook(io.BytesIO(to_xlsx(resultado, chamada, GERADA_EM)))


def without_notas(resultado: Resultado) -> Resultado:
    return msgspec.structs.replace(resultado, projetos=tuple(msgspec.structs.replace(projeto, notas=()) for projeto in resultado.projetos))


def column(sheet: Any, titulo: str) -> list[Any]:
    (at,) = [cell.column for cell in sheet[1] if cell.value == titulo]
    return [row[at - 1].value for row in sheet.iter_rows(min_row=2)]


def test_the_sheets_are_the_summary_and_the_three_tables(resultado: Resultado, chamada: Chamada) -> None:
    """Design, Reading: export XLSX."""
    assert opened(resultado, chamada).sheetnames == ["Resumo", "Habilitação", "Avaliação", "Irregularidades"]


def test_without_notas_the_table_is_one_of_assisted_reading(resultado: Resultado, chamada: Chamada) -> None:
    """Design, Avaliação: with no model there are no notas; the passages are shown as assisted reading."""
    book = opened(without_notas(resultado), chamada)
    assert book.sheetnames[2] == "Leitura assistida"
    assert column(book["Leitura assistida"], "Nota sugerida") == [None]
    assert column(book["Leitura assistida"], "Passagens do projeto") == ["[resumo] “fala de alcance”"]


def test_every_table_keeps_its_headings_in_sight_and_can_be_filtered(resultado: Resultado, chamada: Chamada) -> None:
    book = opened(resultado, chamada)
    for sheet in book.worksheets[1:]:
        assert sheet.freeze_panes == "B2"
        assert sheet.auto_filter.ref == f"A1:{openpyxl.utils.get_column_letter(sheet.max_column)}{sheet.max_row}"
        assert sheet.print_title_rows == "$1:$1"
        assert "ColumnTitle" in sheet.defined_names
        assert all(cell.value and cell.font.bold for cell in sheet[1])
        assert min(sheet.column_dimensions[cell.column_letter].width for cell in sheet[1]) >= 8


def test_it_says_that_people_decide(resultado: Resultado, chamada: Chamada) -> None:
    """Design: it suggests; people decide."""
    book = opened(resultado, chamada)
    assert DECISAO_HUMANA in book["Resumo"]["B2"].value
    assert "decisão final é humana" in DECISAO_HUMANA
    assert all(DECISAO_HUMANA in sheet.oddFooter.left.text for sheet in book.worksheets)
    assert "Habilitação sugerida" in [cell.value for cell in book["Habilitação"][1]]


def test_the_summary_counts_what_the_tables_hold(resultado: Resultado, chamada: Chamada) -> None:
    resumo = {row[0].value: row[1].value for row in opened(resultado, chamada)["Resumo"].iter_rows()}
    assert resumo["Edital"] == "Edital nº 1: ações & ofícios (ED-1)"
    assert resumo["Gerada em"] == "20/11/2026 às 14h05"
    assert (resumo["Projetos triados"], resumo["Projetos que não puderam ser triados"]) == (2, 1)
    assert (resumo["Sugestão de habilitação: inabilitado"], resumo["Sugestão de habilitação: habilitado"]) == (1, 0)
    assert (resumo["Sinais: texto reutilizado"], resumo["Sinais: projetos parecidos"]) == (1, 0)
    assert resumo["Notas sugeridas"] == 1


def test_numbers_are_numbers_with_their_format(resultado: Resultado, chamada: Chamada) -> None:
    sheet = opened(resultado, chamada)["Avaliação"]
    by_title = {cell.value: sheet.cell(2, cell.column) for cell in sheet[1]}
    assert (by_title["Nota sugerida"].value, by_title["Nota sugerida"].number_format) == (7.25, "#,##0.00")
    assert (by_title["Confiança"].value, by_title["Confiança"].number_format) == (0.8, "0%")


@pytest.mark.parametrize(
    "texto", ["=1+1", '=HYPERLINK("http://x","y")', "+1", "-2", "@a", "http://exemplo.org", "mailto:a@b", "1234", "{=A1}"]
)
def test_text_is_text_whatever_it_looks_like(resultado: Resultado, chamada: Chamada, texto: str) -> None:
    hostile = msgspec.structs.replace(chamada, projetos=(Projeto("P001", texto, Proponente(texto)),))
    raw = to_xlsx(resultado, hostile, GERADA_EM)
    sheet = openpyxl.load_workbook(io.BytesIO(raw))["Habilitação"]
    assert column(sheet, "Título")[0] == texto
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)} == {"s"}
    with zipfile.ZipFile(io.BytesIO(raw)) as parts:
        inside = {name: parts.read(name) for name in parts.namelist()}
    assert not [name for name in inside if "externalLink" in name]
    assert not [
        name for name, content in inside.items() if b"<f>" in content or b"<hyperlink" in content or b'TargetMode="External"' in content
    ]


def test_a_text_longer_than_a_cell_is_cut_and_says_so(resultado: Resultado, chamada: Chamada) -> None:
    hostile = msgspec.structs.replace(chamada, projetos=(Projeto("P001", "x" * 40_000, Proponente("a")),))
    titulo = column(opened(resultado, hostile)["Habilitação"], "Título")[0]
    assert len(titulo) == para_xlsx.CELULA_MAXIMO
    assert titulo.endswith("(texto cortado: passa do que uma célula comporta)")


def test_control_characters_and_half_characters_break_nothing(resultado: Resultado, chamada: Chamada) -> None:
    hostile = msgspec.structs.replace(chamada, projetos=(Projeto("P001", "a\x00b\x0b\ud800c\ufffe", Proponente("a")),))
    assert column(opened(resultado, hostile)["Habilitação"], "Título")[0].startswith("a")


def test_no_cpf_is_in_clear(resultado: Resultado, chamada: Chamada) -> None:
    with zipfile.ZipFile(io.BytesIO(to_xlsx(resultado, chamada, GERADA_EM))) as parts:
        inside = b"".join(parts.read(name) for name in parts.namelist())
    assert b"529.982.247-25" not in inside
    assert b"52998224725" not in inside
    assert b"Joana Prado" in inside


def test_rows_beyond_what_a_sheet_holds_go_on_in_another(resultado: Resultado, chamada: Chamada, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(para_xlsx, "LINHAS_MAXIMO", 2)
    book = opened(resultado, chamada)
    assert book.sheetnames[1:3] == ["Habilitação", "Habilitação (2)"]
    assert [column(book[name], "Requisito") for name in book.sheetnames[1:3]] == [["REQ-1", "REQ-2"], [None]]


def test_an_empty_result_opens_too(chamada: Chamada) -> None:
    book = opened(Resultado("E", "X", (), ()), chamada)
    assert [sheet.max_row for sheet in book.worksheets[1:]] == [1, 1, 1]


def test_the_same_result_gives_the_same_bytes(resultado: Resultado, chamada: Chamada) -> None:
    assert to_xlsx(resultado, chamada, GERADA_EM) == to_xlsx(resultado, chamada, GERADA_EM)
