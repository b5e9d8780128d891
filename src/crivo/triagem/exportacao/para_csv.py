"""A table of the result as CSV for Brazil: `;`, comma for decimals, UTF-8 with a mark by which Excel knows it."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from typing import Final

from crivo.triagem.achados import Resultado
from crivo.triagem.conclusoes import NADA, Concluido
from crivo.triagem.edital import Chamada
from crivo.triagem.exportacao.celulas import Celula, Tabela
from crivo.triagem.exportacao.tabelas import NomeTabela, tabulate

# What a spreadsheet would take for the beginning of a formula, also in full width and after blanks that it skips.
_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def to_csv(resultado: Resultado, chamada: Chamada, tabela: NomeTabela = "habilitacao", concluido: Concluido = NADA) -> bytes:
    """One table: a line for each projeto and requisito, projeto and critério, sign, nota of a person, case, or place of the ranking.

    Text that a spreadsheet would run as a formula begins with an apostrophe; a CPF is masked.
    """
    return write_csv(tabulate(tabela, resultado, chamada, concluido))


def write_csv(feita: Tabela) -> bytes:
    """A table, in the same way."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([coluna.titulo for coluna in feita.colunas])
    writer.writerows([_write_celula(celula) for celula in linha] for linha in feita.linhas)
    return out.getvalue().encode("utf-8-sig", "replace")


def _write_celula(celula: Celula) -> str:
    if celula is None:
        return ""
    if isinstance(celula, str):
        return f"'{celula}" if _FORMULA.match(celula) else celula
    if isinstance(celula, Decimal | float):
        return f"{celula:.10f}".rstrip("0").rstrip(".").replace(".", ",")
    return str(celula)
