"""An item priced far from what the edital's other projects pay for the same thing. Source: design, Irregularidades ("Budgets").

"The same thing" is the same words, whatever their order, number or accents: `diária de hotel` and `hotel por mês` are compared with
nothing of each other, so units are alike. Prices are compared by their logarithm, against median and median absolute deviation.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import median
from typing import Final, NamedTuple

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Edital, Projeto
from crivo.triagem.irregularidades.escrita import decimal_pt, reais
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.itens import Item, items_of
from crivo.triagem.irregularidades.orcamento import told_as, written

PROPONENTES: Final = 5  # that must price a thing before one of them can be far from the rest
VEZES: Final = 2.5  # times the median, or that part of it: less is bargaining
_DEVIATIONS: Final = 3.5  # the usual bound of the modified z-score
_TO_SIGMA: Final = 1.4826  # from the median absolute deviation
_LEAST_SPREAD: Final = 0.15  # where all others ask the same price, some 15% either way is still no surprise
_SHOWN: Final = 3


class _Priced(NamedTuple):
    projeto: int
    item: Item
    log_price: float
    log_total: float


class _Typical(NamedTuple):
    log_price: float
    spread: float
    log_total: float


def find_preco_discrepante(edital: Edital, projetos: Sequence[Projeto]) -> tuple[Irregularidade, ...]:
    """A sign for each line far from the median of at least five proponentes; `valor` is how many times the median its unit price is.

    A line whose total is ordinary is not flagged: it was asked for as a whole (1 × the stay) where others count (30 × a night).
    """
    if edital.orcamento_detalhado == "nao":
        return ()
    return tuple(
        _sign(projetos, priced, typical, lines, edital)
        for lines in _comparable(projetos).values()
        for typical in (_typical(projetos, lines),)
        if typical is not None
        for priced in lines
        if is_far(priced.log_price - typical.log_price, priced.log_total - typical.log_total, typical.spread)
    )


def is_far(log_price: float, log_total: float, spread: float) -> bool:
    """Whether a line is far off: by its unit price, in deviations and in times, with a total that is off the same way."""
    beyond = abs(log_price) >= math.log(VEZES) and abs(log_price) > _DEVIATIONS * spread
    return beyond and log_total * math.copysign(1, log_price) >= math.log(VEZES) / 2


def _comparable(projetos: Sequence[Projeto]) -> Mapping[str, list[_Priced]]:
    things: dict[str, list[_Priced]] = defaultdict(list)
    for at, projeto in enumerate(projetos):
        for item in items_of(projeto):
            thing = " ".join(sorted(item.nome.split()))
            things[thing].append(_Priced(at, item, math.log(float(item.valor)), math.log(float(item.total))))
    return things


def _typical(projetos: Sequence[Projeto], lines: Sequence[_Priced]) -> _Typical | None:
    """The middle of what each proponente asks, one voice each; None where too few do."""
    voices: dict[str, list[_Priced]] = defaultdict(list)
    for priced in lines:
        voices[proponente_of(projetos[priced.projeto])].append(priced)
    if len(voices) < PROPONENTES:
        return None
    prices = [median(priced.log_price for priced in own) for own in voices.values()]
    middle = median(prices)
    spread = max(_TO_SIGMA * median(abs(price - middle) for price in prices), _LEAST_SPREAD)
    return _Typical(middle, spread, median(median(priced.log_total for priced in own) for own in voices.values()))


def _sign(projetos: Sequence[Projeto], priced: _Priced, typical: _Typical, lines: Sequence[_Priced], edital: Edital) -> Irregularidade:
    times = math.exp(priced.log_price - typical.log_price)
    middle = reais(Decimal(math.exp(typical.log_price)))
    how = f"{decimal_pt(times, 1)} vezes" if times >= 1 else f"{decimal_pt(100 * times, 0)}% de"
    projeto = projetos[priced.projeto]
    said = f"“{priced.item.descricao}” custa {reais(priced.item.valor)} neste projeto"
    return Irregularidade(
        tipo="preco_discrepante",
        projetos=(projeto.id,),
        campo="orcamento_itens",
        valor=round(times, 4),
        evidencia=tuple(_beside(projetos, priced, lines, typical.log_price)),
        achado=told_as(f"{said}, {how} a mediana deste edital para o mesmo item ({middle}).", edital.orcamento_detalhado),
    )


def _beside(projetos: Sequence[Projeto], priced: _Priced, lines: Sequence[_Priced], log_price: float) -> Iterator[Evidencia]:
    """The line, and those of other projects nearest to the median."""
    others = sorted(
        (line for line in lines if line.projeto != priced.projeto), key=lambda line: (abs(line.log_price - log_price), line.projeto)
    )
    for line in (priced, *others[:_SHOWN]):
        yield Evidencia(projeto=projetos[line.projeto].id, campo="orcamento_itens", trecho=written(line.item))
