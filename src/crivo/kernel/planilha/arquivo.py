"""A file that is said to be a spreadsheet: what it is by its bytes, and whether it is safe to open. Its name is never asked."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from crivo.kernel.planilha.erros import PlanilhaGrandeDemais, PlanilhaIlegivel

PLANILHA_MAXIMO: Final = 10_000_000  # bytes as it comes in
DESCOMPACTADA_MAXIMO: Final = 200_000_000
_TEXTOS_MAXIMO: Final = 80_000_000  # of the part of which all texts are held at once
_ENTRADAS_MAXIMO: Final = 2_000
_CHUNK: Final = 1 << 18
_OVERLAP: Final = 256  # more than a mark that is looked for may have
_ENCRYPTED: Final = 0x1
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_OTHERS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"%PDF-", "Este é um PDF"),
    (b"\x89PNG", "Esta é uma imagem"),
    (b"\xff\xd8\xff", "Esta é uma imagem"),
    (b"{\\rtf", "Este é um documento de texto"),
    (b"Rar!", "Este é um arquivo compactado"),
    (b"7z\xbc\xaf", "Este é um arquivo compactado"),
    (b"\x1f\x8b", "Este é um arquivo compactado"),
    (b"MZ", "Este é um programa"),
)
_MARKUP: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<")
_JSON: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*[{\[]")
_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_NOT_IN_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_INSTEAD: Final = "Envie uma planilha .xlsx ou .csv."
# A document type is where an entity could grow without end, or fetch something; no spreadsheet needs one.
_DOCTYPE: Final = (b"<!DOCTYPE", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))
_MERGED: Final = re.compile(rb'<(?:[\w.-]+:)?mergeCell\s[^>]*?ref="([A-Z0-9:]{2,40})"')
_ROW_HIDDEN: Final = re.compile(rb'<(?:[\w.-]+:)?row\s(?=[^>]*?\shidden="(?:1|true)")[^>]*?\br="([0-9]{1,7})"')
_COLS_HIDDEN: Final = re.compile(rb'<(?:[\w.-]+:)?col\s(?=[^>]*?\bhidden="(?:1|true)")[^>]*>')
_COL_BOUND: Final = re.compile(rb'\b(min|max)="([0-9]{1,5})"')
_COLS_MAXIMO: Final = 16_384
_HAS_FORMULA: Final = re.compile(rb"<(?:[\w.-]+:)?f[\s>/]")
_MOST_MARKED: Final = 50_000  # ranges or rows of one sheet
_OUTSIDE: Final = ("xl/externalLinks/", "xl/connections", "xl/queryTables/")
_MACROS: Final = ("vbaProject", "xl/macrosheets/", "xl/activeX/")


@dataclass(frozen=True, slots=True)
class Aberto:
    """What a file is; of a workbook also what its sheets merge and hide, and which calculate, by the part they are.

    Rows count from 1, columns from 0.
    """

    formato: Literal["xlsx", "csv"]
    mescladas: Mapping[str, tuple[str, ...]]
    ocultas: Mapping[str, frozenset[int]]
    calculam: frozenset[str]
    colunas_ocultas: Mapping[str, frozenset[int]] = field(default_factory=dict)


def open_arquivo(content: bytes) -> Aberto:
    """What the file is, looked through to its end. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    if len(content) > PLANILHA_MAXIMO:
        raise PlanilhaGrandeDemais(f"O arquivo passa de {PLANILHA_MAXIMO // 1_000_000} MB, o limite. Divida a planilha em duas.")
    if not content.strip():
        raise PlanilhaIlegivel(f"O arquivo está vazio. {_INSTEAD}")
    if content.startswith(_ZIP):
        return _workbook(content)
    if content.startswith(_OLE):
        if _OLE_ENCRYPTED in content:
            raise PlanilhaIlegivel("A planilha pede senha. Abra-a, tire a senha, salve e envie de novo.")
        raise PlanilhaIlegivel("Este é um .xls, o formato antigo do Excel. Abra-o, salve como Pasta de Trabalho do Excel (.xlsx) e envie.")
    _refuse_what_is_no_table(content)
    return Aberto("csv", {}, {}, frozenset())


def _refuse_what_is_no_table(content: bytes) -> None:
    for mark, what in _OTHERS:
        if content.startswith(mark):
            raise PlanilhaIlegivel(f"{what}, e não uma planilha. {_INSTEAD}")
    if _JSON.match(content):
        raise PlanilhaIlegivel(f"Este é um JSON, e não uma planilha. {_INSTEAD}")
    if _MARKUP.match(content):
        raise PlanilhaIlegivel(f"Esta é uma página com o nome de planilha. Abra-a no Excel, salve como .xlsx e envie. {_INSTEAD}")
    if not content.startswith(_BOMS) and _NOT_IN_TEXT.search(content):
        raise PlanilhaIlegivel(f"O arquivo não é uma planilha que se leia aqui. {_INSTEAD}")


def _workbook(content: bytes) -> Aberto:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _check_names([one.filename for one in entries])
            if any(one.flag_bits & _ENCRYPTED for one in entries):
                raise PlanilhaIlegivel("A planilha pede senha. Abra-a, tire a senha, salve e envie de novo.")
            if any(one.compress_type not in _METHODS for one in entries):
                raise PlanilhaIlegivel("A planilha foi compactada de um jeito que não se lê aqui. Abra-a no Excel, salve de novo e envie.")
            return _look_through(archive, entries)
    except _BROKEN:
        raise PlanilhaIlegivel("A planilha está danificada. Abra-a no Excel, salve de novo e envie outra vez.") from None


def _check_names(names: list[str]) -> None:
    if len(names) > _ENTRADAS_MAXIMO or len(set(names)) < len(names):
        raise PlanilhaIlegivel("A planilha está danificada. Abra-a no Excel, salve de novo e envie outra vez.")
    if "xl/workbook.bin" in names:
        raise PlanilhaIlegivel("Este é um .xlsb. Abra-o, salve como Pasta de Trabalho do Excel (.xlsx) e envie.")
    if "xl/workbook.xml" not in names:
        what = (
            "Este é um documento do Word"
            if any(one.startswith("word/") for one in names)
            else "Este é um arquivo do LibreOffice"
            if "mimetype" in names
            else "Este é um arquivo compactado"
        )
        raise PlanilhaIlegivel(f"{what}, e não uma planilha do Excel. Salve a planilha como .xlsx e envie.")
    if any(mark in one for one in names for mark in _MACROS):
        raise PlanilhaIlegivel(
            "A planilha tem macros, que são programas. Salve-a como Pasta de Trabalho do Excel (.xlsx), sem macros, e envie."
        )
    if any(one.startswith(_OUTSIDE) for one in names):
        raise PlanilhaIlegivel(
            "A planilha busca dados em outros arquivos. Copie as células, cole só os valores em uma planilha nova e envie essa."
        )


def _look_through(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> Aberto:
    """What the sheets merge, hide and calculate; every part is read to its end, whatever its header claims."""
    left = DESCOMPACTADA_MAXIMO
    merged: dict[str, tuple[str, ...]] = {}
    hidden: dict[str, frozenset[int]] = {}
    columns: dict[str, frozenset[int]] = {}
    calculated: set[str] = set()
    for entry in entries:
        most = min(left, _TEXTOS_MAXIMO) if entry.filename.endswith("sharedStrings.xml") else left
        ranges: dict[str, None] = {}
        rows: set[int] = set()
        cols: set[int] = set()
        for chunk, size in _windows(archive, entry, most):
            left -= size
            if any(mark in chunk for mark in _DOCTYPE):
                raise PlanilhaIlegivel("A planilha tem uma parte que nenhuma planilha tem. Abra-a no Excel, salve de novo e envie.")
            if "worksheets/" in entry.filename and len(ranges) + len(rows) < _MOST_MARKED:
                ranges |= dict.fromkeys(one.decode() for one in _MERGED.findall(chunk))
                rows.update(map(int, _ROW_HIDDEN.findall(chunk)))
                for one in _COLS_HIDDEN.findall(chunk):
                    bounds = {nome: int(number) for nome, number in _COL_BOUND.findall(one)}
                    cols.update(range(bounds.get(b"min", 1) - 1, min(bounds.get(b"max", 0), _COLS_MAXIMO)))
                if entry.filename not in calculated and _HAS_FORMULA.search(chunk):
                    calculated.add(entry.filename)
        merged[entry.filename], hidden[entry.filename], columns[entry.filename] = tuple(ranges), frozenset(rows), frozenset(cols)
    return Aberto("xlsx", merged, hidden, frozenset(calculated), columns)


def _windows(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> Iterator[tuple[bytes, int]]:
    """The content piece by piece, each after the end of the one before, with how much of it is new."""
    before, read = b"", 0
    with archive.open(entry) as part:
        while chunk := part.read(_CHUNK):
            read += len(chunk)
            if read > most:
                raise PlanilhaGrandeDemais(
                    f"Aberta, a planilha passa de {DESCOMPACTADA_MAXIMO // 1_000_000} MB, o limite. Apague as folhas que sobram."
                )
            yield before + chunk, len(chunk)
            before = chunk[-_OVERLAP:]
