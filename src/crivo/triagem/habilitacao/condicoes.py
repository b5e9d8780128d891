"""Whether what a project declares meets a condition of the edital. Source: design, Shapes (`operador`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, assert_never

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.numeros import number_in, number_written
from crivo.triagem.edital import Condicao, Projeto

_YES: Final = frozenset({"sim", "s", "true", "verdadeiro"})
_MONEY: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})*(?:,[0-9]+)?")
_NO: Final = frozenset({"nao", "n", "false", "falso"})

Comparable = Decimal | date | bool | str


def declared(projeto: Projeto, campo: str) -> Any:
    """What a project says of a field: one of its `campos`, its `categoria`, or the sum of its budget; None where it says nothing."""
    if campo in projeto.campos:
        return projeto.campos[campo]
    if campo == "categoria":
        return projeto.categoria or None
    if campo in {"valor_total", "orcamento_total"} and projeto.orcamento_itens:
        return sum((item.total for item in projeto.orcamento_itens), Decimal(0))
    return None


def meets(condicao: Condicao, value: Any) -> bool:
    """Whether a declared value meets the condition; what is not declared meets none but that it is not."""
    if condicao.operador == "existe":
        return _is_blank(value) == (condicao.valor is not None and comparable(condicao.valor) is False)
    if _is_blank(value):
        return False
    match condicao.operador:
        case "igual":
            return _any_same(value, condicao.valor)
        case "diferente":
            return not _any_same(value, condicao.valor)
        case "em":
            return any(_any_same(value, option) for option in _listed(condicao.valor))
        case "minimo":
            return _ordered(condicao.valor, value)
        case "maximo":
            return _ordered(value, condicao.valor)
        case _:
            assert_never(condicao.operador)


def holds(condicao: Condicao | None, projeto: Projeto) -> bool:
    """Whether a condition holds of what a project declares; without one, always."""
    return condicao is None or meets(condicao, declared(projeto, condicao.campo))


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or (isinstance(value, list | dict) and not value)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def _any_same(value: Any, expected: Any) -> bool:
    return any(_same(one, expected) for one in _listed(value))


def _same(left: Any, right: Any) -> bool:
    one, other = comparable(left), comparable(right)
    return one == other if type(one) is type(other) else fold(str(left)) == fold(str(right))


def _ordered(low: Any, high: Any) -> bool:
    """Whether `low` ≤ `high`, for numbers and dates; things that cannot be ordered are in no order."""
    one, other = comparable(low), comparable(high)
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        return one <= other
    if isinstance(one, date) and isinstance(other, date):
        return one <= other
    return False


def comparable(value: Any) -> Comparable:
    """A value as it is compared: numbers in Brazilian or plain form, ISO or Brazilian dates, sim and não, else folded text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value))
    text = fold(str(value))
    if text in _YES or text in _NO:
        return text in _YES
    as_date = _read_date(text)
    if as_date is not None:
        return as_date
    number = _read_number(text)
    return text if number is None else number


def _read_date(text: str) -> date | None:
    parts = text.split("/")
    if len(parts) == 3 and all(part.isdigit() for part in parts):
        text = f"{parts[2]:0>4}-{parts[1]:0>2}-{parts[0]:0>2}"
    try:
        return date.fromisoformat(text[:10]) if len(text) >= 10 and text[4] == "-" else None
    except ValueError:
        return None


def _read_number(text: str) -> Decimal | None:
    bare = text.removeprefix("r$").strip()
    in_reais = bare != text and _MONEY.fullmatch(bare) is not None  # a price has two decimals, and `R$ 1.000` is a thousand
    number = number_in(bare) if in_reais else number_written(bare)
    return None if number is None else Decimal(repr(number))
