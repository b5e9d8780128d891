"""A workbook read row by row. The one owner of openpyxl: nothing else in the product knows what reads an XLSX."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import openpyxl

from crivo.kernel.errors import CrivoError
from crivo.kernel.planilha.arquivo import Aberto
from crivo.kernel.planilha.celulas import Celula, Estranho, Folha, Linha
from crivo.kernel.planilha.erros import PlanilhaIlegivel

COLUNAS_MAXIMO: Final = 300
_DAMAGED: Final = (
    "A planilha está danificada, ou foi escrita por um programa que não segue o formato. Abra-a no Excel, salve de novo e envie outra vez."
)
_DIGITS: Final = 10  # what a sum in a spreadsheet leaves beyond these is its own rounding


@contextmanager
def reading(content: bytes, aberto: Aberto, mais_linhas: int) -> Iterator[Sequence[Folha]]:
    """The sheets of a workbook that was looked through, open for as long as the block lasts; of each, one row beyond `mais_linhas` at most.

    Raises PlanilhaIlegivel, also while rows are read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what it leaves out, none of which is read here
        with _damaged():
            book: Any = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
        try:
            yield [_folha(sheet, aberto, mais_linhas) for sheet in book.worksheets]
        finally:
            book.close()


def _folha(sheet: Any, aberto: Aberto, mais_linhas: int) -> Folha:
    part = str(sheet._worksheet_path).lstrip("/")  # noqa: SLF001 - no public name tells which part a sheet is

    def rows() -> Iterator[Linha]:
        with _damaged():
            sheet.reset_dimensions()  # what the file says of its own size may be anything
            for number, row in enumerate(sheet.iter_rows(min_row=1, max_row=mais_linhas + 1, max_col=COLUNAS_MAXIMO), start=1):
                yield number, _trimmed([_celula(cell) for cell in row])

    return Folha(str(sheet.title), rows, sheet.sheet_state != "visible", aberto.mescladas.get(part, ()))


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
