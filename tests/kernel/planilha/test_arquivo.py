"""What is no spreadsheet, or none that is safe, is refused with what to do about it, and nothing of it is opened."""

from __future__ import annotations

import io
import zipfile

import pytest

from crivo.kernel.planilha import arquivo
from crivo.kernel.planilha.erros import PlanilhaGrandeDemais, PlanilhaIlegivel
from crivo.triagem.planilha.leitura import read_planilha
from planilhas import QUADRO, livro, with_part

GOOD = livro(("P0001", "Rita Melo", 8, 4, None))
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refusal(content: bytes) -> str:
    with pytest.raises((PlanilhaIlegivel, PlanilhaGrandeDemais)) as refused:
        read_planilha(content, QUADRO)
    return refused.value.mensagem


def other_zip(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, b"x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "palavras"),
    [
        (b"", "está vazio"),
        (OLE + b"\0" * 600, "formato antigo do Excel"),
        (OLE + b"\0" * 64 + "EncryptedPackage".encode("utf-16-le"), "pede senha"),
        (b"%PDF-1.7 ...", "Este é um PDF"),
        (b"\x89PNG\r\n", "Esta é uma imagem"),
        (b'{"avaliacoes": []}', "Este é um JSON"),
        (b"<html><table><tr><td>1", "uma página com o nome de planilha"),
        (b"\x00\x01\x02\x03", "não é uma planilha"),
        (other_zip("word/document.xml"), "documento do Word"),
        (other_zip("mimetype"), "LibreOffice"),
        (other_zip("a.txt"), "arquivo compactado"),
        (other_zip("xl/workbook.bin"), ".xlsb"),
        (GOOD[:900], "danificada"),
        (with_part(GOOD, "xl/vbaProject.bin", b"x"), "tem macros"),
        (with_part(GOOD, "xl/externalLinks/externalLink1.xml", b"<x/>"), "outros arquivos"),
        (with_part(GOOD, "xl/connections.xml", b"<x/>"), "outros arquivos"),
        (with_part(GOOD, "xl/workbook.xml", b"<no"), "danificada"),
        (with_part(GOOD, "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row r='x'"), "danificada"),
        (with_part(GOOD, "xl/theme/theme1.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "uma parte que nenhuma planilha tem"),
    ],
)
def test_each_file_that_will_not_do_says_what_to_do(content: bytes, palavras: str) -> None:
    assert palavras in refusal(content)


def test_a_file_that_grows_beyond_all_measure_is_stopped_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arquivo, "DESCOMPACTADA_MAXIMO", 2_000_000)
    assert "passa de 2 MB" in refusal(with_part(GOOD, "xl/media/a.bin", b"\0" * 3_000_000))


def test_a_file_over_the_limit_is_refused_unopened() -> None:
    assert "passa de 10 MB" in refusal(b"x" * (arquivo.PLANILHA_MAXIMO + 1))


def test_a_part_that_asks_for_a_password_is_told_as_that() -> None:
    raw = bytearray(GOOD)
    at = raw.find(b"PK\x01\x02")
    while at >= 0:
        raw[at + 8] |= 1
        at = raw.find(b"PK\x01\x02", at + 4)
    assert "pede senha" in refusal(bytes(raw))
