"""Rows that sum up a table and are no regra."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from crivo.autorizacoes.politicas.planilha.celulas import is_blank, text
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.planilha.celulas import Estranho, LinhaDeValores

_SAYS: Final = re.compile("tota|soma", re.IGNORECASE)
_TOTAL: Final = re.compile(
    r"(?:(?:sub)?tota(?:l|is)|soma|quantidade total)(?:\s+(?:geral|parcial))?"
    r"(?:\s+d[eo]s?\s+(?:\w+\s+)?(?:itens|linhas|regras|codigos|procedimentos|exames|registros))?\s*[:=.]*\s*[\d.,]*"
)


def is_total(linha: LinhaDeValores, campos: Sequence[tuple[int, str]]) -> bool:
    """Whether a row has no code and says that it is a total, or is but numbers of which some are calculated.

    `campos` are the columns that are read, from 0 on, each with what it says.
    """
    if not linha.calculadas and not any(one is Estranho.FORMULA or (isinstance(one, str) and _SAYS.search(one)) for one in linha.celulas):
        return False
    at_code = [column for column, campo in campos if campo == "codigo"]
    filled = {column: one for column, one in enumerate(linha.celulas) if not (is_blank(one) or (isinstance(one, str) and not one.strip()))}
    told = any(isinstance(one, str) and _TOTAL.fullmatch(fold(text(one)).strip()) for one in filled.values())
    calculated = {column for column, one in filled.items() if column in linha.calculadas or one is Estranho.FORMULA}
    coded = [column for column in at_code if column in filled and column not in calculated]
    if told:
        return all(isinstance(filled[column], str) and _TOTAL.fullmatch(fold(text(filled[column])).strip()) for column in coded)
    return bool(calculated) and not coded and all(column in calculated or isinstance(one, Decimal) for column, one in filled.items())
