"""A CSV as the sheet of a workbook: of Brazil or of elsewhere, in UTF-8 or as Excel writes it."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from typing import Final

from crivo.kernel.planilha.celulas import Celula, Estranho, Folha, Linha
from crivo.kernel.planilha.erros import PlanilhaIlegivel
from crivo.triagem.planilha.colunas import Assunto, subject_of
from crivo.triagem.planilha.quadro import heading

_DELIMITERS: Final = (";", "\t", ",")
_PARECER: Final = "parecer"
_NOMES: Final[dict[Assunto, str]] = {"notas": "Notas", "habilitacao": "Habilitação"}


def read_csv(content: bytes, mais_linhas: int) -> Folha:
    """The table as one sheet, named by what it is about, of which one row beyond `mais_linhas` is read at most.

    Raises PlanilhaIlegivel, also while rows are read.
    """
    text = _decoded(content)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    heads = [heading(one) for one in first.replace('"', "").split(delimiter)]
    parecer = heads.index(_PARECER) if delimiter == "," and _PARECER in heads else -1

    def rows() -> Iterator[Linha]:
        try:
            for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), start=1):
                yield number, tuple([_cell(cell, parted=at == parecer) for at, cell in enumerate(row)])
                if number > mais_linhas:
                    return
        except csv.Error:
            raise PlanilhaIlegivel(
                "O CSV tem aspas que não fecham, ou uma célula longa demais. Salve-o de novo, ou envie em .xlsx."
            ) from None

    return Folha(_NOMES[subject_of(first.replace('"', "").split(delimiter))], rows)


def _cell(written: str, *, parted: bool) -> Celula:
    """A cell; `parted` where a comma that was meant for a nota would have put a part of it."""
    if not written.strip():
        return None
    return Estranho.PARTIDO if parted and written.strip().isdecimal() else written


def _decoded(content: bytes) -> str:
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
