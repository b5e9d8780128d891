"""Values of an edital as people type and read them: numbers with a comma, days in Brazilian order, one thing a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import Nivel
from crivo.web.pages.formatos import dia, numero

_NUMBER: Final = re.compile(r"^(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,15})(?:,[0-9]{1,10})?$|^[0-9]{1,15}\.[0-9]{1,2}$")
_DAY: Final = re.compile(r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})$")
_LEVEL: Final = re.compile(r"^\s*([0-9][0-9.,]*)\s*[:–—-]\s*(.*)$")
_SEPARATOR: Final = ";"
_NO: Final = "nao"


def read_number(typed: str) -> Decimal | None:
    """A number as Brazilians write it, or with a point before one or two decimals; None where it is none."""
    text = typed.strip().removeprefix("R$").strip()
    if not _NUMBER.match(text):
        return None
    if "," in text or re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3})+", text):
        text = text.replace(".", "").replace(",", ".")
    return Decimal(text)


def read_day(typed: str) -> str:
    """A day as the import has it, out of one in Brazilian order; anything else as it was typed."""
    found = _DAY.match(typed.strip())
    return f"{found[3]}-{found[2]:0>2}-{found[1]:0>2}" if found else typed.strip()


def read_lines(typed: str) -> list[str]:
    """What stands in each line that is not blank."""
    return [line.strip() for line in typed.split("\n") if line.strip()]


def read_levels(typed: str) -> tuple[list[dict[str, Any]], int | None]:
    """The levels, one a line that begins with its nota; others go on with the one before. And the line, from 1, that cannot be read."""
    levels: list[dict[str, Any]] = []
    for at, line in enumerate(typed.split("\n"), 1):
        found = _LEVEL.match(line)
        nota = read_number(found[1]) if found else None
        if found and nota is not None:
            levels.append({"nota": nota, "descricao": found[2].strip()})
        elif levels:
            levels[-1]["descricao"] += f"\n{line}"
        elif line.strip():
            return levels, at
    for level in levels:
        level["descricao"] = level["descricao"].strip()
    return levels, None


def read_valor(typed: str, operador: str) -> Any:
    """What a condition compares with, of the kind that its operador takes; None where nothing was typed."""
    text = typed.strip()
    if not text:
        return None
    if operador == "existe":
        return False if fold(text) == _NO else None
    if operador == "em":
        return [part.strip() for part in text.split(_SEPARATOR) if part.strip()]
    if operador in ("minimo", "maximo"):
        number = read_number(text)
        if number is None:
            return read_day(text)
        return int(number) if number == number.to_integral_value() else number
    return text


def show_valor(valor: Any) -> str:
    """A value as people type it."""
    if valor is None:
        return ""
    if isinstance(valor, bool):
        return "sim" if valor else "não"
    if isinstance(valor, int | float | Decimal):
        return numero(valor)
    if isinstance(valor, list | tuple):
        return f"{_SEPARATOR} ".join(show_valor(one) for one in valor)
    if isinstance(valor, date):
        return dia(valor)
    text = str(valor)
    try:
        return dia(date.fromisoformat(text)) if len(text) == 10 else text
    except ValueError:
        return text


def show_levels(niveis: Sequence[Nivel]) -> str:
    """The levels, one a line."""
    return "\n".join(f"{numero(one.nota)}: {one.descricao}" for one in niveis)
