"""Limits by period: how much of them the history leaves, and from which day there is room again. Record 0076."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import date
from typing import Final

from crivo.autorizacoes.contracts import Limite, PedidoNormalizado, Regra, Uso
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id, normalize_padrao

_LAST_DAY: Final = date.max.toordinal()


def is_complete(pedido: PedidoNormalizado, regra: Regra) -> bool:
    """Whether every use of the history that may count says its code, day and quantity."""
    usos = pedido.historico or ()
    return not any(
        None in (uso.codigo, uso.data, uso.quantidade) and _may_count(uso, limite, pedido, regra)
        for limite in regra.limites or ()
        for uso in usos
    )


def sobra(pedido: PedidoNormalizado, regra: Regra) -> int | float:
    """The units that every limit of the regra still leaves on the day of the pedido; never below 0. Only of a complete history."""
    hoje = _ordinal(pedido.data_pedido)
    return max(0, min(_whole(limite.quantidade - _used(hoje, limite, pedido, regra)) for limite in regra.limites or ()))


def mais_apertado(pedido: PedidoNormalizado, regra: Regra) -> tuple[Limite, int | float]:
    """The limit that leaves least, the first of equals, and what was used of it."""
    hoje = _ordinal(pedido.data_pedido)
    used = [(limite, _used(hoje, limite, pedido, regra)) for limite in regra.limites or ()]
    return min(used, key=lambda one: one[0].quantidade - one[1])


def dia_com_lugar(pedido: PedidoNormalizado, regra: Regra) -> str | None:
    """The first ISO date, from that of the pedido on, on which the limits leave all that may be approved of what is asked.

    None where they never do: a limit of 0, or no day in the calendar.
    """
    limites = regra.limites or ()
    tetos = [limite.quantidade for limite in limites] + ([] if regra.limite_quantidade is None else [regra.limite_quantidade])
    cabe = min(pedido.procedimento.quantidade or 0, *tetos)
    if cabe <= 0:
        return None
    hoje = _ordinal(pedido.data_pedido)
    usados = [(limite, _by_day(limite, pedido, regra)) for limite in limites]
    leaving = {dia + limite.periodo_dias for limite, (dias, _) in usados for dia in dias}
    for dia in sorted({hoje, *[one for one in leaving if one > hoje]}):
        if all(_within(dia, limite, *by_day) + cabe <= limite.quantidade for limite, by_day in usados):
            return date.fromordinal(dia).isoformat() if dia <= _LAST_DAY else None
    return None


def _by_day(limite: Limite, pedido: PedidoNormalizado, regra: Regra) -> tuple[list[int], list[int | float]]:
    """The days of the uses that count against a limit, in order, and how many units each is of."""
    usos = [
        (_ordinal(uso.data), uso.quantidade or 0)
        for uso in pedido.historico or ()
        if uso.data is not None and _counts(uso, limite, pedido, regra)
    ]
    usos.sort(key=lambda one: one[0])
    return [dia for dia, _ in usos], [quantidade for _, quantidade in usos]


def _within(dia: int, limite: Limite, dias: list[int], quantidades: list[int | float]) -> int | float:
    """`_used`, of uses in the order of their days: a long history is looked through for many days."""
    return sum(quantidades[bisect_right(dias, dia - limite.periodo_dias) : bisect_left(dias, dia + limite.periodo_dias)])


def _used(dia: int, limite: Limite, pedido: PedidoNormalizado, regra: Regra) -> int | float:
    """The units used in the days of the limit that end on `dia`; two halves are 1, and not 1.0.

    What lies after it counts too, since it was granted already, as far as any days of the limit hold both.
    """
    used = sum(
        uso.quantidade or 0
        for uso in pedido.historico or ()
        if uso.data is not None and _is_near(uso.data, dia, limite) and _counts(uso, limite, pedido, regra)
    )
    return _whole(used)


def _whole(units: int | float) -> int | float:
    return int(units) if type(units) is float and units.is_integer() else units


def _is_near(data: str, dia: int, limite: Limite) -> bool:
    """Whether some days of the limit, as many as it has, hold both a use and the day."""
    return -limite.periodo_dias < _ordinal(data) - dia < limite.periodo_dias


def _may_count(uso: Uso, limite: Limite, pedido: PedidoNormalizado, regra: Regra) -> bool:
    within = uso.data is None or _is_near(uso.data, _ordinal(pedido.data_pedido), limite)
    return within and (uso.codigo is None or _counts(uso, limite, pedido, regra))


def _counts(uso: Uso, limite: Limite, pedido: PedidoNormalizado, regra: Regra) -> bool:
    """Whether a use is of what the limit counts: the code asked for, or any that the regra is about; of this pedido's own none is."""
    if uso.codigo is None or uso.substituido is True:
        return False
    codigo = fold_id(uso.codigo)
    if codigo == fold_id(pedido.procedimento.codigo or ""):
        return True
    if limite.por == "CODIGO":
        return False
    padrao = fold_id(normalize_padrao(regra.codigo))
    return codigo.startswith(padrao[:-1]) if padrao.endswith(CURINGA) else codigo == padrao


def _ordinal(iso: str | None) -> int:
    return date.fromisoformat(iso).toordinal() if iso is not None else 0
