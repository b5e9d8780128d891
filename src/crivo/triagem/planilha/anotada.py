"""A spreadsheet written anew with what is wrong in it: a column that says so beside each row, and the cells marked."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import xlsxwriter

from crivo.kernel.planilha.celulas import Celula, Estranho, Folha
from crivo.triagem.planilha.achados import NaCelula
from crivo.triagem.planilha.colunas import PROBLEMAS
from crivo.triagem.planilha.conferencia import Lida
from crivo.triagem.planilha.leitura import folhas_of

_CELULA_MAXIMO: Final = 32_767
_NOME_MAXIMO: Final = 31
_SHOWN: Final[Mapping[Estranho, str]] = {
    Estranho.FORMULA: "(fórmula)",
    Estranho.DATA: "(data)",
    Estranho.ERRO: "(erro)",
    Estranho.LOGICO: "(verdadeiro ou falso)",
}
_WRONG: Final = {"bg_color": "#FFD9D6", "font_color": "#8A0F00", "valign": "top"}


def annotate(content: bytes, lida: Lida) -> bytes:
    """The visible sheets of a file as values, with their faults. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    out = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    by_row: dict[tuple[str, int], list[NaCelula]] = {}
    for one in lida.problemas.listados:
        if one.linha is not None:
            by_row.setdefault((one.folha, one.linha), []).append(one)
    with xlsxwriter.Workbook(out, options) as book, folhas_of(content) as folhas:
        wrong = book.add_format(_WRONG)
        said = book.add_format({"text_wrap": True, "valign": "top", "font_color": "#8A0F00"})
        for folha in folhas:
            if not folha.oculta:
                _write(book.add_worksheet(folha.nome[:_NOME_MAXIMO]), folha, by_row, wrong, said)
    return out.getvalue()


def _write(sheet: Any, folha: Folha, by_row: Mapping[tuple[str, int], Sequence[NaCelula]], wrong: Any, said: Any) -> None:
    at = None
    for numero, celulas in folha.linhas():
        if at is None and any(one is not None for one in celulas):
            at = _place(celulas)
            sheet.write_string(numero - 1, at, PROBLEMAS, said)
            sheet.set_column(at, at, 70)
        faults = by_row.get((folha.nome, numero), ())
        marked = {one.coluna for one in faults}
        for coluna, celula in enumerate(celulas):
            if coluna != at:
                _put(sheet, numero - 1, coluna, celula, wrong if coluna in marked else None)
        for coluna in sorted(marked):
            if coluna >= len(celulas) or celulas[coluna] is None:
                sheet.write_blank(numero - 1, coluna, None, wrong)
        if faults and at is not None:
            words = "\n".join(f"{one.onde}: {one.mensagem}" for one in faults)
            first = f"{PROBLEMAS}\n{words}" if numero == 1 else words
            sheet.write_string(numero - 1, at, first[:_CELULA_MAXIMO], said)


def _place(cabecalho: Sequence[Celula]) -> int:
    """Where the faults go: their column of an earlier copy, or after the last one."""
    known = [coluna for coluna, celula in enumerate(cabecalho) if celula == PROBLEMAS]
    return known[0] if known else len(cabecalho)


def _put(sheet: Any, row: int, column: int, celula: Celula, marked: Any) -> None:
    match celula:
        case Decimal():
            sheet.write_number(row, column, float(celula), marked)
        case str():
            sheet.write_string(row, column, celula[:_CELULA_MAXIMO], marked)
        case Estranho():
            sheet.write_string(row, column, _SHOWN[celula], marked)
