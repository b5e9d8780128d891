"""Rows as CSV for Brazil: `;`, comma for decimals, UTF-8 with a mark by which Excel knows it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

Celula: TypeAlias = str | int | float | Decimal | None
# What a spreadsheet would take for the beginning of a formula, also in full width and after blanks that it skips.
_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def to_csv(titulos: Sequence[str], linhas: Iterable[Sequence[Celula]]) -> bytes:
    """A table under its headings. Text that a spreadsheet would run as a formula begins with an apostrophe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(titulos)
    writer.writerows([_written(celula) for celula in linha] for linha in linhas)
    return out.getvalue().encode("utf-8-sig", "replace")


def _written(celula: Celula) -> str:
    if celula is None:
        return ""
    if isinstance(celula, str):
        return f"'{celula}" if _FORMULA.match(celula) else celula
    if isinstance(celula, Decimal | float):
        return f"{celula:.10f}".rstrip("0").rstrip(".").replace(".", ",")
    return str(celula)
