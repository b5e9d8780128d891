"""The product beside the independent statement of the rules that its tests keep, over pedidos and políticas drawn at random."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the statement lives, outside the product

from oraculo.comparacao import claimed_efeito
from oraculo.rodar import Placar, run

__all__ = ["Contagem", "claimed_efeito", "compare_generated"]

_CASES_A_PART: Final = 5_000


@dataclass(frozen=True, slots=True)
class Contagem:
    """How many cases were drawn, in how many the two disagree, how often each decision came up, and a few disagreements whole."""

    casos: int
    divergentes: int
    decisoes: dict[str, int]
    exemplos: list[dict[str, Any]]


def compare_generated(casos: int, semente: int, processos: int, on_progress: Callable[[int], None] = lambda _: None) -> Contagem:
    """Draw and compare so many cases, in parts side by side; the same seed draws the same cases, however many the processes.

    `on_progress(cases)` hears of each part that is done.
    """
    sizes = [min(_CASES_A_PART, casos - done) for done in range(0, casos, _CASES_A_PART)]
    partes: dict[int, Placar] = {}
    with ProcessPoolExecutor(processos, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(_part, size, semente * 10_000 + number): number for number, size in enumerate(sizes)}
        for done in as_completed(futures):
            partes[futures[done]] = done.result()
            on_progress(partes[futures[done]].casos)
    return _sum([partes[number] for number in sorted(partes)])


def _part(casos: int, semente: int) -> Placar:
    placar = Placar()
    for caso, dito, divergencias in run(casos, semente):
        placar.count(caso, dito, divergencias)
    return placar


def _sum(partes: list[Placar]) -> Contagem:
    decisoes: dict[str, int] = {}
    for parte in partes:
        for decisao, vezes in parte.contagens["decisao_final"].items():
            decisoes[decisao] = decisoes.get(decisao, 0) + vezes
    return Contagem(
        sum(parte.casos for parte in partes),
        sum(parte.divergentes for parte in partes),
        decisoes,
        [exemplo for parte in partes for exemplo in parte.exemplos],
    )
