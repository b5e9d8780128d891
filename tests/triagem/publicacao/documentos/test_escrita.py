"""A result goes out in six formats that say the same, whatever its titles try. Source: design, After the notas (Publication)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import time
import zipfile
from decimal import Decimal
from typing import Any

import pytest
from docx import Document
from lxml import html as lxml_html
from msgspec import structs
from openpyxl import load_workbook

from crivo.triagem.classificacao.definicao import TODAS, Vagas
from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.palavras import shown
from crivo.triagem.publicacao.conteudo import Conteudo, RecursoPublicado, digest_of
from crivo.triagem.publicacao.documentos.escrita import write
from crivo.triagem.publicacao.documentos.formatos import FORMATOS, recognise
from crivo.triagem.publicacao.documentos.grupos import arrange
from crivo.triagem.publicacao.documentos.resultado import draw_said
from publicados import EM, HOSTIS, conteudo, hostil, linha, selo_of

CASES = [
    pytest.param(conteudo(), id="no rows"),
    pytest.param(hostil(1), id="one category"),
    pytest.param(hostil(3), id="three categories"),
]
WITHOUT_PDF = ("html", "docx", "xlsx", "csv", "json")


def plain(text: str) -> str:
    return " ".join(shown(text).split())


def titles(de: Conteudo) -> list[str]:
    return [plain(one.projeto.titulo) for one in de.linhas]


def of_html(written: bytes) -> list[list[str]]:
    tree = lxml_html.document_fromstring(written.decode())
    return [[" ".join(str(cell.text_content()).split()) for cell in row] for table in tree.iter("table") for row in table.iter("tr")]


def of_docx(written: bytes) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for table in Document(io.BytesIO(written)).tables for row in table.rows]


def body(rows: list[list[str]], at: int) -> list[str]:
    """The titles of the rows that are of projects."""
    return [row[at] if row[0].endswith("º") else row[1] for row in rows if row[0].endswith("º") or row[0].startswith("X")]


@pytest.mark.parametrize("de", CASES)
@pytest.mark.parametrize("read", [pytest.param((of_html, "html"), id="html"), pytest.param((of_docx, "docx"), id="docx")])
def test_every_row_is_read_back_as_it_was_in_its_order(de: Conteudo, read: Any) -> None:
    reader, formato = read
    rows = reader(write(de, selo_of(de), EM, formato))
    assert body(rows, 2) == titles(de)
    placed = [row for row in rows if row[0].endswith("º")]
    assert all(row[6:11] == ["86,25", "81,25", "5,00", "8,25", "7,00"] for row in placed)
    assert [row[4] for row in placed] == [SITUACAO[one.lugar.situacao] for one in de.linhas if one.lugar.posicao]
    assert all("***.982.247-**" in row[3] for row in placed)


@pytest.mark.parametrize("de", CASES)
def test_a_spreadsheet_holds_numbers_as_numbers_and_no_formula(de: Conteudo) -> None:
    book = load_workbook(io.BytesIO(write(de, selo_of(de), EM, "xlsx")))
    rows = list(book["Resultado"].iter_rows(min_row=2))
    assert [" ".join(str(row[1].value).split()) for row in rows] == titles(de)
    for row, one in zip(rows, de.linhas, strict=True):
        assert row[5].value == one.lugar.posicao
        assert row[12].value == (None if one.lugar.nota_final is None else float(one.lugar.nota_final))
        assert all(cell.data_type != "f" and cell.hyperlink is None for cell in row)
    about = {row[0].value: row[1].value for row in book["Sobre"].iter_rows()}
    assert about["Código de conferência"] == "K3V7QX2MPA4TZ6WB"
    assert about["Semente do sorteio"] == "ED-2026-04"


@pytest.mark.parametrize("de", CASES)
def test_open_data_is_read_by_any_csv_reader_and_runs_nothing(de: Conteudo) -> None:
    written = write(de, selo_of(de), EM, "csv")
    assert written.startswith(b"\xef\xbb\xbfprojeto_id;titulo;")
    rows = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert [row["projeto_id"] for row in rows] == [one.lugar.projeto_id for one in de.linhas]
    for row, one in zip(rows, de.linhas, strict=True):
        assert row["titulo"].removeprefix("'") == shown(one.projeto.titulo)
        assert not row["titulo"].startswith(("=", "+", "-", "@"))
        assert row["nota_final"] == ("" if one.lugar.nota_final is None else "86,25")
        assert (row["codigo"], row["versao"], row["semente"]) == ("K3V7QX2MPA4TZ6WB", "2", "ED-2026-04")
        assert row["sha256"] == digest_of(write(de, None, EM, "json"))
        assert row["publicada_em"] == "2026-11-27T14:05:09-03:00"
    assert "529.982.247" not in written.decode()


def test_the_json_is_what_the_digest_is_of() -> None:
    de = hostil(2)
    written = write(de, selo_of(de), EM, "json")
    assert digest_of(written) == selo_of(de).publicada.sha256
    assert [row["lugar"]["projeto_id"] for row in json.loads(written)["linhas"]] == [one.lugar.projeto_id for one in de.linhas]


@pytest.mark.parametrize("formato", WITHOUT_PDF)
def test_a_version_is_the_same_bytes_whenever_it_is_written(formato: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    de = hostil(2)
    first = write(de, selo_of(de), EM, formato)
    later = time.time() + 90_000
    monkeypatch.setattr(time, "time", lambda: later)
    assert write(de, selo_of(de), EM.replace(year=2030), formato) == first


@pytest.mark.parametrize("formato", WITHOUT_PDF)
def test_a_file_is_known_by_how_it_begins(formato: Any) -> None:
    assert recognise(write(hostil(), selo_of(hostil()), EM, formato)) == formato
    assert recognise(b"\x00\x01 qualquer coisa") is None
    assert recognise(b"PK\x03\x04 quebrado") is None
    assert set(FORMATOS) == {*WITHOUT_PDF, "pdf"}


@pytest.mark.parametrize("formato", ["html", "docx", "xlsx"])
def test_all_of_a_version_says_whose_it_is_and_where_to_check_it(formato: Any) -> None:
    de = hostil()
    text = readable(write(de, selo_of(de), EM, formato))
    for told in (
        "Secretaria de Cultura de Serra Clara",
        "Resultado preliminar",
        "27/11/2026 às 14h05",
        "04/12/2026",
        "Nota corrigida em P102.",
        "K3V7QX2MPA4TZ6WB",
        selo_of(de).publicada.sha256,
        "https://crivo.exemplo/publicacoes/serra-clara/K3V7QX2MPA4TZ6WB",
    ):
        assert told in text, told
    assert "RASCUNHO" not in text


@pytest.mark.parametrize("formato", ["html", "docx", "xlsx", "csv"])
def test_a_draft_says_that_it_is_one(formato: Any) -> None:
    text = readable(write(hostil(), None, EM, formato))
    assert "RASCUNHO" in text
    assert "K3V7QX2MPA4TZ6WB" not in text


def test_the_html_needs_nothing_else_and_runs_nothing() -> None:
    written = write(hostil(3), selo_of(hostil(3)), EM, "html").decode()
    tree = lxml_html.document_fromstring(written)
    assert not tree.xpath("//script | //link | //img | //iframe | //*[@src] | //*[starts-with(name(@*), 'on')]")
    assert tree.get("lang") == "pt-BR"
    assert tree.xpath("//a[@href='#conteudo']")
    for table in tree.iter("table"):
        assert table.find("caption") is not None
        assert {cell.get("scope") for cell in table.xpath(".//th")} == {"col", "row"}


def test_headings_of_a_docx_table_are_repeated_on_each_page() -> None:
    document = Document(io.BytesIO(write(hostil(2), selo_of(hostil(2)), EM, "docx")))
    assert all(table._tbl.tr_lst[0].xpath("./w:trPr/w:tblHeader") for table in document.tables)
    styles = [one.style.name for one in document.paragraphs if one.style is not None]
    assert styles.count("Title") == 1
    assert "Heading 1" in styles
    with zipfile.ZipFile(io.BytesIO(write(hostil(), None, EM, "docx"))) as parts:
        assert "RASCUNHO" in "".join(parts.read(name).decode() for name in parts.namelist() if "header" in name)


def test_those_who_competed_together_stand_together() -> None:
    linhas = [
        linha("P1", "Um", "Música", 1),
        linha("P2", "Dois", "música ", 2),
        linha("P3", "Três", "Cinema", 1),
        linha("P4", "Quatro", "Teatro", 2),
        linha("P5", "Cinco", "Dança", None, "pendente"),
    ]
    found = arrange(conteudo(linhas, (Vagas("Música", 1), Vagas("Circo", 1), Vagas(TODAS, 2))))
    assert [(one.nome, [it.lugar.projeto_id for it in one.linhas]) for one in found.grupos] == [
        ("Música", ["P1", "P2"]),
        ("Circo", []),
        ("Demais categorias", ["P3", "P4"]),
    ]
    assert [one.lugar.projeto_id for one in found.fora] == ["P5"]
    assert found.grupos[0].resumo == "2 projetos, 1 vaga"


def test_the_draw_can_be_repeated_by_what_the_document_says() -> None:
    de = conteudo([linha("P1", "Um", "Música", 1)], (Vagas("Música", 1),))
    assert "printf '%s' 'ED-2026-04:P1' | sha256sum" in readable(write(de, selo_of(de), EM, "html"))


def test_a_quote_in_the_seed_runs_nothing_in_whoevers_shell() -> None:
    de = structs.replace(conteudo([linha("P1", "Um", "Música", 1)]), semente="x'; rm -rf ~ #")
    done = subprocess.run(["sh", "-c", draw_said(de)], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == hashlib.sha256(b"x'; rm -rf ~ #:P1").hexdigest()


def readable(written: bytes) -> str:
    """All text of a file, as far as its container hides it."""
    if not written.startswith(b"PK"):
        return lxml_html.document_fromstring(written.decode("utf-8-sig")).text_content() if written.startswith(b"<") else written.decode()
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        whole = "\n".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist() if name.endswith(".xml"))
    return whole.replace("&amp;", "&")


def test_hostile_titles_are_all_tried() -> None:
    assert len(HOSTIS) >= 10
    assert Decimal("86.25") == hostil().linhas[0].lugar.nota_final


def test_a_final_result_lists_what_became_of_the_recursos() -> None:
    """Neither what was asked nor the reasons: those go to whoever asked."""
    de = structs.replace(
        hostil(1), fase="final", recursos=(RecursoPublicado(1, "P002", "Provido"), RecursoPublicado(2, "P003", "Não provido"))
    )
    for rows in (of_html(write(de, selo_of(de), EM, "html")), of_docx(write(de, selo_of(de), EM, "docx"))):
        assert [row for row in rows if row[-1] in ("Provido", "Não provido")] == [["1", "P002", "Provido"], ["2", "P003", "Não provido"]]
