"""Budgets that repeat another's, line by line or scaled. Source: triagem seed, Fluxo 4 ("checagem de orçamentos duplicados").

Candidates come from three indexes: (quantity, price); each line's share of its budget, which scaling leaves as it was; and names, as
folded. What is flagged was compared line by line, names by likeness, or, where quantity and value agree, by a word that they have in
common: whoever copies a budget also renames its lines. A value that many budgets have (R$ 100 × 1) brings nobody together, and never
counts as evidence by itself.

Equal budgets of two lines say less than equal ones of three: two proponentes may write "Cachê: R$ 5.000" by chance, three
hardly, and two hardly where an amount is odd (R$ 1.283,40). What more than half of a call's proponentes have is its own, as where
each gets the same prize.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Final, NamedTuple

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Edital, OrcamentoDetalhado, Projeto
from crivo.triagem.irregularidades.escrita import counted, decimal_pt, percent_pt, reais
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.itens import Item, items_of, renamed, same_names

LINHAS: Final = 3  # that two budgets must have in common, with as many different prices
LINHAS_EM_ESCALA: Final = 4
LINHAS_RARAS: Final = 4  # to the cent, of odd amounts that few have: so many are no chance in budgets of any length
LINHAS_IGUAIS: Final = 2  # of budgets that are the same to the cent, with as many different prices
_TOO_MANY_FOR_CHANCE: Final = 3  # proponentes with the same short budget
_ROUND: Final = Decimal(50)  # reais
_OWN_OF_THE_CALL: Final = 0.5  # of its proponentes
_FEWEST_TO_KNOW: Final = 8  # proponentes, for what most of them have to be the call's own
PARTE: Final = 0.6  # of the lines, and of the money, of the budget that has less
_RATIO_SLACK: Final = 0.005  # what rounding to cents or to whole reais may do to a ratio
_SHARE_STEPS: Final = 400  # to a factor of e: shares within a quarter of a per cent meet
_WIDELY_HAD: Final = 0.05  # of the budgets: what more of them have tells nothing
_WIDELY_LEAST: Final = 6
_MOST_WIDELY: Final = 100
_MEETINGS: Final = 2
_SHOWN: Final = 20
_Pair = tuple[int, int]


_Lines = tuple[Item, Item]


class _Meeting(NamedTuple):
    """A line of each of two budgets, and the logarithm of the second's total to the first's."""

    log_ratio: float
    one: Item
    other: Item


@dataclass(frozen=True, slots=True)
class _Repeated:
    """The lines that two budgets share, at one ratio of the second's totals to the first's; `renomeadas`, how many by other names."""

    linhas: tuple[_Lines, ...]
    parte: float
    razao: float
    renomeadas: int


def find_orcamento_duplicado(edital: Edital, projetos: Sequence[Projeto]) -> tuple[Irregularidade, ...]:
    """A sign for each two budgets with the same lines, or one the other scaled; one alone for all that are the same to the cent.

    `valor` is the share of lines in common where they are the same, else the ratio. None where the edital asks for no itemised budget.
    """
    if edital.orcamento_detalhado == "nao":
        return ()
    itemised = {at: itens for at, projeto in enumerate(projetos) if len(itens := items_of(projeto)) >= LINHAS_IGUAIS}
    groups = _identical(itemised)
    everybody = len({proponente_of(projetos[at]) for at in itemised})
    budgets = {same[0]: itens for same, itens in groups if len(itens) >= LINHAS}
    told = [
        _same_sign([projetos[at] for at in same], itens, edital.orcamento_detalhado)
        for same, itens in groups
        if _is_telling(itens, len({proponente_of(projetos[at]) for at in same}), everybody)
    ]
    usual = _widely_had({at: _value_keys(itens) for at, itens in budgets.items()})
    for first, second in _candidates(budgets):
        if proponente_of(projetos[first]) != proponente_of(projetos[second]):
            repeated = find_repeated(budgets[first], budgets[second], usual)
            if repeated is not None:
                told.append(_pair_sign(projetos[first], projetos[second], repeated, edital.orcamento_detalhado))
    return tuple(told)


def find_repeated(first: Sequence[Item], second: Sequence[Item], usual: Container[Hashable] = ()) -> _Repeated | None:
    """What two budgets repeat of each other: most of them at one ratio, or some lines to the cent that can hardly be chance.

    Lines go by the same name, or are renamed. `usual` are the quantities and values that many budgets have.
    """
    alike = list(same_names(first, second))
    met = [_Meeting(math.log(float(other.total / one.total)), one, other) for one, other in (*alike, *renamed(first, second))]
    if not met:
        return None
    met.sort(key=lambda pair: pair.log_ratio)
    linhas, razao = _largest_run(met)
    if abs(math.log(razao)) > _RATIO_SLACK:
        linhas = _each_once(linhas, alike)
        if _telling(linhas, alike) >= LINHAS_EM_ESCALA and _is_most(linhas, first, second):
            return _repeated(linhas, alike, first, second, razao)
    equal = _each_once([(one, other) for _, one, other in met if _value_key(one) == _value_key(other)], alike)
    rare = sum(one.valor % _ROUND != 0 and _value_key(one) not in usual for one, _ in equal)
    if rare >= LINHAS_RARAS or (_telling(equal, alike) >= LINHAS and _is_most(equal, first, second)):
        return _repeated(equal, alike, first, second, 1.0)
    return None


def _repeated(linhas: Sequence[_Lines], alike: Sequence[_Lines], first: Sequence[Item], second: Sequence[Item], razao: float) -> _Repeated:
    return _Repeated(tuple(linhas), len(linhas) / min(len(first), len(second)), razao, len(set(linhas) - set(alike)))


def _is_most(linhas: Sequence[_Lines], first: Sequence[Item], second: Sequence[Item]) -> bool:
    """Whether lines of enough different prices are most of the shorter budget, and of the money of both."""
    ones, others = [one for one, _ in linhas], [other for _, other in linhas]
    money = min(_money(ones, first), _money(others, second))
    return _distinct_prices(ones) >= LINHAS and len(linhas) / min(len(first), len(second)) >= PARTE and money >= PARTE


def _telling(linhas: Sequence[_Lines], alike: Sequence[_Lines]) -> int:
    """How many lines speak for a copy: those of the same name, and of the others those of odd amounts, which chance does not bring."""
    named = set(alike)
    return sum(pair in named or any(item.valor % _ROUND for item in pair) for pair in linhas)


def _each_once(linhas: Sequence[_Lines], alike: Sequence[_Lines]) -> list[_Lines]:
    """Each line in one pair, with the one that goes by its name where there is such a one."""
    named = set(alike)
    taken: set[int] = set()
    kept = []
    for one, other in sorted(linhas, key=lambda pair: pair not in named):
        if id(one) not in taken and id(other) not in taken:
            taken |= {id(one), id(other)}
            kept.append((one, other))
    return kept


def _is_telling(itens: Sequence[Item], proponentes: int, everybody: int) -> bool:
    """Whether `proponentes` people with the same budget, out of `everybody`, are worth a look."""
    distinct = _distinct_prices(itens)
    if proponentes < 2 or distinct < LINHAS_IGUAIS:
        return False
    if distinct >= LINHAS:
        return True
    if everybody >= _FEWEST_TO_KNOW and proponentes > _OWN_OF_THE_CALL * everybody:
        return False
    return proponentes >= _TOO_MANY_FOR_CHANCE or any(item.valor % _ROUND for item in itens)


def _largest_run(pairs: Sequence[_Meeting]) -> tuple[list[_Lines], float]:
    """Of lines by ascending logarithm of their ratio, the run within the slack that has most of them, and its middle ratio; of equals,
    nearest to 1.
    """
    best, start = (0, 0.0, 0, 0), 0
    firsts, seconds = Counter[int](), Counter[int]()
    for end, met in enumerate(pairs):
        _count(firsts, seconds, met, 1)
        while met.log_ratio - pairs[start].log_ratio > 2 * _RATIO_SLACK:
            _count(firsts, seconds, pairs[start], -1)
            start += 1
        best = max(best, (min(len(firsts), len(seconds)), -abs(pairs[(start + end) // 2].log_ratio), -start, end + 1))
    run = pairs[-best[2] : best[3]]
    return [(met.one, met.other) for met in run], math.exp(run[len(run) // 2].log_ratio)


def _count(firsts: Counter[int], seconds: Counter[int], met: _Meeting, by: int) -> None:
    for counter, line in ((firsts, id(met.one)), (seconds, id(met.other))):
        counter[line] += by
        if not counter[line]:
            del counter[line]


def _money(part: Sequence[Item], whole: Sequence[Item]) -> float:
    return float(sum((item.total for item in part), Decimal(0)) / sum((item.total for item in whole), Decimal(0)))


def _distinct_prices(itens: Sequence[Item]) -> int:
    return len({item.valor for item in itens})


def _identical(budgets: Mapping[int, tuple[Item, ...]]) -> list[tuple[list[int], tuple[Item, ...]]]:
    """The budgets that are the same to the cent, whatever their order, together."""
    groups: dict[frozenset[tuple[tuple[str, Decimal, Decimal], int]], list[int]] = defaultdict(list)
    for at, itens in budgets.items():
        groups[frozenset(Counter((item.nome, item.quantidade, item.valor) for item in itens).items())].append(at)
    return [(same, budgets[same[0]]) for same in groups.values()]


def _candidates(budgets: Mapping[int, Sequence[Item]]) -> list[_Pair]:
    """The pairs that meet at least twice in one index, in order."""
    by_value = _meetings({at: _value_keys(itens) for at, itens in budgets.items()})
    by_share = _meetings({at: _share_keys(itens) for at, itens in budgets.items()})
    by_name = _meetings({at: {item.nome for item in itens} for at, itens in budgets.items()})
    return sorted({pair for met in (by_value, by_share, by_name) for pair, times in met.items() if times >= _MEETINGS})


def _value_keys(itens: Sequence[Item]) -> set[Hashable]:
    return {_value_key(item) for item in itens}


def _value_key(item: Item) -> Hashable:
    return item.quantidade, item.valor


def _share_keys(itens: Sequence[Item]) -> set[Hashable]:
    """Each line's share of the money, in steps, and the step next to it: two shares that nearly agree have one in common."""
    whole = sum((item.total for item in itens), Decimal(0))
    steps = {math.floor(math.log(float(item.total / whole)) * _SHARE_STEPS) for item in itens}
    return {*steps, *(step + 1 for step in steps)}


def _meetings(keys: Mapping[int, set[Hashable]]) -> Counter[_Pair]:
    """How often each two budgets have a key that few have."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    for at, own in keys.items():
        for key in own:
            having[key].append(at)
    most = _few(len(keys))
    return Counter(pair for budgets in having.values() if len(budgets) <= most for pair in combinations(sorted(budgets), 2))


def _widely_had(keys: Mapping[int, set[Hashable]]) -> frozenset[Hashable]:
    """The keys that more than a few budgets have."""
    having = Counter(key for own in keys.values() for key in own)
    return frozenset(key for key, times in having.items() if times > _few(len(keys)))


def _few(budgets: int) -> float:
    return min(max(_WIDELY_HAD * budgets, _WIDELY_LEAST), _MOST_WIDELY)


def _same_sign(projetos: Sequence[Projeto], itens: Sequence[Item], detalhe: OrcamentoDetalhado) -> Irregularidade:
    ids = tuple(projeto.id for projeto in projetos)
    said = f"Os orçamentos de {counted(len(ids), 'projeto', 'projetos')} são iguais, linha por linha: mesmos itens, quantidades e valores."
    evidencia = tuple(passage for at, item in enumerate(itens[:_SHOWN], 1) for passage in _lines((ids[0], item), (ids[1], item), at))
    return Irregularidade(
        tipo="orcamento_duplicado", projetos=ids, campo="orcamento_itens", valor=1.0, evidencia=evidencia, achado=told_as(said, detalhe)
    )


def _pair_sign(first: Projeto, second: Projeto, repeated: _Repeated, detalhe: OrcamentoDetalhado) -> Irregularidade:
    lines = counted(len(repeated.linhas), "item", "itens")
    if repeated.razao == 1.0:
        what = "mesma quantidade e valor" if repeated.renomeadas else "mesmo nome, quantidade e valor"
        said = f"Os dois orçamentos têm {lines} com {what}{_by_other_names(repeated)}: {percent_pt(100 * repeated.parte)} do menor deles."
    else:
        times = decimal_pt(max(repeated.razao, 1 / repeated.razao))
        what = "" if repeated.renomeadas else " de mesmo nome"
        of_one = f"os valores de um são {times} vezes os do outro"
        said = f"Os dois orçamentos têm {lines}{what} na mesma proporção{_by_other_names(repeated)}: {of_one}."
    evidencia = tuple(
        passage
        for at, (one, other) in enumerate(repeated.linhas[:_SHOWN], 1)
        for passage in _lines((first.id, one), (second.id, other), at)
    )
    return Irregularidade(
        tipo="orcamento_duplicado",
        projetos=(first.id, second.id),
        campo="orcamento_itens",
        valor=round(repeated.parte if repeated.razao == 1.0 else repeated.razao, 4),
        evidencia=evidencia,
        achado=told_as(said, detalhe),
    )


def _by_other_names(repeated: _Repeated) -> str:
    return f" ({repeated.renomeadas} com outras palavras no nome)" if repeated.renomeadas else ""


def _lines(one: tuple[str, Item], other: tuple[str, Item], par: int) -> Iterator[Evidencia]:
    for projeto, item in (one, other):
        yield Evidencia(projeto=projeto, campo="orcamento_itens", trecho=written(item), par=par)


def written(item: Item) -> str:
    """A line of a budget as a person reads it."""
    return f"{item.descricao}: {f'{item.quantidade:f}'.replace('.', ',')} × {reais(item.valor)}"


def told_as(said: str, detalhe: OrcamentoDetalhado) -> str:
    """What is found, and that it is no more than a warning where the edital does not insist on itemised budgets."""
    return f"{said} Este edital não exige orçamento detalhado: vale como aviso." if detalhe == "avisar" else said
