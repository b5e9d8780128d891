"""Timing two things fairly: by turns, in one process, on one core, and by the median; or each by its best turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import perf_counter


def interleaved(rodadas: int, *works: Callable[[], object]) -> tuple[float, ...]:
    """The median seconds of each work, done by turns (A B A B ...) after one turn that is not counted."""
    return tuple(median(seconds) for seconds in _by_turns(rodadas, works))


def best_of(rodadas: int, *works: Callable[[], object]) -> tuple[float, ...]:
    """The fewest seconds of each work, done by turns likewise.

    For works that take every core: whatever else the machine does slows each by as much as it happens to meet, and never speeds one.
    """
    return tuple(min(seconds) for seconds in _by_turns(rodadas, works))


def _by_turns(rodadas: int, works: Sequence[Callable[[], object]]) -> list[list[float]]:
    for work in works:
        work()
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rodadas):
        for seconds, work in zip(taken, works, strict=True):
            start = perf_counter()
            work()
            seconds.append(perf_counter() - start)
    return taken


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core for as long; where the system cannot pin, it stays free."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def percentile(valores: list[float], de_cem: float) -> float:
    """The value that `de_cem` per cent do not exceed, by nearest rank."""
    ordered = sorted(valores)
    return ordered[max(0, -(-len(ordered) * int(de_cem * 100) // 10_000) - 1)]
