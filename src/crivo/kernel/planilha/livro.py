"""A workbook read row by row. The one owner of openpyxl: nothing else in the product knows what reads an XLSX."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import openpyxl
from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.comments.comment_sheet import CommentSheet
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.xml.constants import COMMENTS_NS
from openpyxl.xml.functions import fromstring

from crivo.kernel.errors import CrivoError
from crivo.kernel.planilha.arquivo import Aberto
from crivo.kernel.planilha.celulas import Celula, Estranho, Folha, FolhaDeValores, Linha, LinhaDeValores, Porcento, Valor
from crivo.kernel.planilha.erros import PlanilhaIlegivel

COLUNAS_MAXIMO: Final = 300
_DAMAGED: Final = (
    "A planilha está danificada, ou foi escrita por um programa que não segue o formato. Abra-a no Excel, salve de novo e envie outra vez."
)
_SHOWN_DIGITS: Final = 15  # what a spreadsheet itself keeps of a number
_ZEROS: Final = re.compile("0{2,40}")
_COMENTARIOS_MAXIMO: Final = 5_000_000  # bytes of the comments of a sheet
_THREADED: Final = re.compile(
    r"^\[[^\]]*\].*?\n\s*(?:Comment|Coment[aá]rio):", re.DOTALL
)  # what stands before a conversation in older programs
_REAIS: Final = "R$"
_ESCAPED: Final = re.compile("_x([0-9A-F]{4})_")  # how a workbook writes what XML cannot
_DIGITS: Final = 10  # what a sum in a spreadsheet leaves beyond these is its own rounding


@contextmanager
def reading(content: bytes, aberto: Aberto, mais_linhas: int) -> Iterator[Sequence[Folha]]:
    """The sheets of a workbook that was looked through, open for as long as the block lasts; of each, one row beyond `mais_linhas` at most.

    Raises PlanilhaIlegivel, also while rows are read.
    """
    with _opened(content, data_only=False) as book:
        yield [_folha(sheet, aberto, mais_linhas) for sheet in book.worksheets]


@contextmanager
def reading_values(content: bytes, aberto: Aberto, mais_linhas: int) -> Iterator[Sequence[FolhaDeValores]]:
    """The sheets as `reading` gives them, with what formulas last gave in their place; without that, the formula is told as one.

    Raises PlanilhaIlegivel, also while rows are read.
    """
    with _opened(content, data_only=True) as values:
        if not aberto.calculam:
            yield [_values(sheet, None, aberto, mais_linhas) for sheet in values.worksheets]
            return
        with _opened(content, data_only=False) as formulas:
            pairs = zip(values.worksheets, formulas.worksheets, strict=True)
            yield [_values(sheet, other if _part(sheet) in aberto.calculam else None, aberto, mais_linhas) for sheet, other in pairs]


@contextmanager
def _opened(content: bytes, *, data_only: bool) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what it leaves out, none of which is read here
        with _damaged():
            book: Any = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=data_only, keep_links=False)
        try:
            yield book
        finally:
            book.close()


def _part(sheet: Any) -> str:
    return str(sheet._worksheet_path).lstrip("/")  # noqa: SLF001 - no public name tells which part a sheet is


def _rows(sheet: Any, mais_linhas: int) -> Iterator[tuple[Any, ...]]:
    """The rows, each up to its last cell: the library fills them up to the last column that may be read."""
    sheet.reset_dimensions()  # what the file says of its own size may be anything
    for row in sheet.iter_rows(min_row=1, max_row=mais_linhas + 1, max_col=COLUNAS_MAXIMO):
        end = len(row)
        while end and row[end - 1] is EMPTY_CELL:
            end -= 1
        yield row[:end]


def _values(sheet: Any, formulas: Any, aberto: Aberto, mais_linhas: int) -> FolhaDeValores:
    """A sheet as values; `formulas` is the same sheet as it was written, where any of its cells is calculated."""
    hidden = aberto.ocultas.get(_part(sheet), frozenset())
    struck = _struck(sheet.parent)

    def rows() -> Iterator[LinhaDeValores]:
        with _damaged():
            others = _rows(formulas, mais_linhas) if formulas is not None else None
            for number, row in enumerate(_rows(sheet, mais_linhas), start=1):
                cells = [_valor(cell) for cell in row]
                calculated: tuple[int, ...] = ()
                if others is not None:
                    calculated = tuple([at for at, cell in enumerate(next(others, ())) if cell.data_type == "f"])
                    for at in calculated:
                        if at < len(cells) and cells[at] is None:
                            cells[at] = Estranho.FORMULA
                while cells and cells[-1] is None:
                    cells.pop()
                crossed = (
                    tuple([at for at, cell in enumerate(row[: len(cells)]) if getattr(cell, "_style_id", -1) in struck]) if struck else ()
                )
                yield LinhaDeValores(number, tuple(cells), calculated, number in hidden, crossed)

    return FolhaDeValores(
        str(sheet.title),
        rows,
        sheet.sheet_state != "visible",
        aberto.mescladas.get(_part(sheet), ()),
        _comments(sheet),
        aberto.colunas_ocultas.get(_part(sheet), frozenset()),
    )


def _struck(book: Any) -> frozenset[int]:
    """The styles of cells whose text is struck through."""
    fonts = {at for at, font in enumerate(book._fonts) if font.strike}  # noqa: SLF001 - as `_part`: no public name lists a book's styles
    return frozenset(at for at, style in enumerate(book._cell_styles) if style.fontId in fonts) if fonts else frozenset()  # noqa: SLF001


def _comments(sheet: Any) -> tuple[tuple[str, str], ...]:
    """What people noted beside cells; of a conversation, what was said first."""
    archive = sheet.parent._archive  # noqa: SLF001 - as `_part`: the library reads no comments where it reads row by row
    rels = get_rels_path(_part(sheet))
    if rels not in archive.namelist():
        return ()
    with _damaged():
        found = []
        for relation in get_dependents(archive, rels).find(COMMENTS_NS):
            if archive.getinfo(relation.target).file_size > _COMENTARIOS_MAXIMO:
                raise PlanilhaIlegivel("A planilha tem comentários demais. Apague os que não são precisos e envie de novo.")
            for where, comment in CommentSheet.from_tree(fromstring(archive.read(relation.target))).comments:
                said = _THREADED.split(str(comment.text), maxsplit=1)[-1].strip()
                found += [(str(where), said)] if said else []
        return tuple(found)


def _valor(cell: Any) -> Valor:
    value = cell.value
    if value is None:
        return None
    if cell.data_type == "e":
        return Estranho.ERRO
    match value:
        case bool():
            return value
        case int() | float():
            return _as_shown(value, cell.number_format)
        case datetime():
            return value.date()
        case date():
            return value
        case time() | timedelta():
            return Estranho.DATA
        case _:
            return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), str(value))


def _as_shown(value: float, formato: str) -> Valor:
    """A number with what its format makes of it for whoever looks: a percentage, reais, or figures filled up with zeros."""
    try:
        exact = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.{_SHOWN_DIGITS}g}")
    except (InvalidOperation, OverflowError):
        return Estranho.ERRO
    if not exact.is_finite():
        return Estranho.ERRO
    if "%" in formato:
        return Porcento(exact)
    if _REAIS in formato:
        return f"{_REAIS} {exact:f}".replace(".", ",")
    if _ZEROS.fullmatch(formato) and exact == exact.to_integral_value() and exact >= 0:
        return f"{int(exact):0{len(formato)}d}"
    return exact


def _folha(sheet: Any, aberto: Aberto, mais_linhas: int) -> Folha:
    def rows() -> Iterator[Linha]:
        with _damaged():
            for number, row in enumerate(_rows(sheet, mais_linhas), start=1):
                yield number, _trimmed([_celula(cell) for cell in row])

    return Folha(str(sheet.title), rows, sheet.sheet_state != "visible", aberto.mescladas.get(_part(sheet), ()))


def _trimmed(cells: list[Celula]) -> tuple[Celula, ...]:
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


def _celula(cell: Any) -> Celula:
    value = cell.value
    if value is None:
        return None
    if cell.data_type == "f":
        return Estranho.FORMULA
    if cell.data_type == "e":
        return Estranho.ERRO
    match value:
        case bool():
            return Estranho.LOGICO
        case int() | float():
            return _number(value)
        case datetime() | date() | time() | timedelta():
            return Estranho.DATA
        case _:
            return str(value)


def _number(value: float) -> Celula:
    try:
        exact = Decimal(f"{value:.{_DIGITS}g}")
    except (InvalidOperation, OverflowError):
        return Estranho.ERRO
    return exact if exact.is_finite() else Estranho.ERRO


@contextmanager
def _damaged() -> Iterator[None]:
    """Whatever the library meets in a file that is no right workbook, as one error of ours."""
    try:
        yield
    except (CrivoError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - it raises what its own code stumbles over: KeyError, TypeError, ParseError and others
        raise PlanilhaIlegivel(_DAMAGED) from None
