"""Lines of budgets as they are compared: only those with a finite, positive price and quantity, named by their words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rapidfuzz import fuzz, process

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import OrcamentoItem, Projeto

MESMO_NOME: Final = 80.0  # of 100, by `token_sort_ratio`: names that differ in order, plural or a slip
_LARGEST: Final = Decimal(10) ** 12  # reais; more than any call has, and small enough for exact arithmetic
_SMALLEST: Final = Decimal("0.0001")
_MOST_ITEMS: Final = 300  # of one budget, the dearest: matching names is quadratic
_ROOT: Final = 5  # letters, by which "impressão" and "impressa" are one
_OF_MEANING: Final = 4  # letters of a word that tells of what a line is
_WORD: Final = re.compile(r"[a-z0-9²³]+")
_EMPTY: Final = frozenset(["de", "da", "do", "das", "dos", "para", "por", "com", "em", "no", "na", "nos", "nas", "um", "uma", "ao"])


@dataclass(frozen=True, slots=True)
class Item:
    """A line: its name as written and folded, quantity, unit price in reais; `raizes`, the beginnings of the words of its name."""

    descricao: str
    nome: str
    quantidade: Decimal
    valor: Decimal
    raizes: frozenset[str]

    @property
    def total(self) -> Decimal:
        """Quantity times unit price, in reais."""
        return self.quantidade * self.valor


def items_of(projeto: Projeto) -> tuple[Item, ...]:
    """The lines that can be compared, in their order; of a budget of more than 300, the dearest."""
    itens = [item for item in map(_item, projeto.orcamento_itens) if item is not None]
    if len(itens) > _MOST_ITEMS:
        itens = sorted(itens, key=lambda item: (-item.total, item.nome))[:_MOST_ITEMS]
    return tuple(itens)


def same_names(first: Sequence[Item], second: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """The lines of two budgets that go by the same name, each once, the nearest names and then the nearest order first."""
    scores = process.cdist(
        [item.nome for item in first], [item.nome for item in second], scorer=fuzz.token_sort_ratio, score_cutoff=MESMO_NOME
    )
    near = sorted(
        ((-float(scores[row, column]), abs(row - column), row, column) for row, column in zip(*scores.nonzero(), strict=True)),
    )
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    for _, _, row, column in near:
        if row not in taken_first and column not in taken_second:
            taken_first.add(row)
            taken_second.add(column)
            yield first[row], second[column]


def renamed(first: Sequence[Item], second: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """The lines of two budgets in the same quantity whose names have a word in common ("gasolina, litro", "combustível (litro)").

    A line may be in several; what goes by the same name is not among them.
    """
    by_quantity: dict[Decimal, list[Item]] = defaultdict(list)
    for item in second:
        by_quantity[item.quantidade].append(item)
    for one in first:
        for other in by_quantity[one.quantidade]:
            if not one.raizes.isdisjoint(other.raizes) and fuzz.token_sort_ratio(one.nome, other.nome) < MESMO_NOME:
                yield one, other


def _item(linha: OrcamentoItem) -> Item | None:
    for number in (linha.quantidade, linha.valor_unitario):
        if not number.is_finite() or not _SMALLEST <= number < _LARGEST:
            return None
    nome = " ".join(_singular(word) for word in _WORD.findall(fold(linha.descricao)) if word not in _EMPTY)
    if not nome:
        return None
    raizes = frozenset(word[:_ROOT] for word in nome.split() if len(word) >= _OF_MEANING and word.isalpha())
    return Item(linha.descricao.strip(), nome, linha.quantidade.normalize(), linha.valor_unitario.normalize(), raizes)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
