"""Runs agents in order: each gets the answers its contract names, and nothing of any other agent beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from time import perf_counter_ns
from typing import Any

import msgspec

from crivo.kernel.agents.contract import AgentContract


def _always(*_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Stage:
    """A contract and the pure function that fulfils it; `when` says, from the same arguments, whether it runs at all."""

    contract: AgentContract
    run: Callable[..., msgspec.Struct]
    when: Callable[..., bool] = _always


class Execution(msgspec.Struct, frozen=True, gc=False):
    """What each stage answered (None: it did not run) and how long it took, in microseconds."""

    answers: Mapping[str, Any]
    tempos_us: Mapping[str, int]


class Pipeline:
    """Stages in a fixed order.

    A stage function is called with answers only. Contracts, and so prompts, stay here: there is no argument by which
    one agent's prompt could reach another. Source: PRD 1.3.5, 2.3.5, 3.3.5, 4.3.5, 5.3.5, 6.3.5.
    """

    def __init__(self, given: str, stages: tuple[Stage, ...], ticks: Callable[[], int] = perf_counter_ns) -> None:
        _check_order(given, stages)
        self._given = given
        self._plan = tuple((s.contract.stage, _chooser(s.contract.sees), s.run, None if s.when is _always else s.when) for s in stages)
        self._ticks = ticks

    def run(self, given: object) -> Execution:
        """Run every stage on what was given; answers and times by stage name."""
        answers: dict[str, Any] = {self._given: given}
        tempos: dict[str, int] = {}
        ticks = self._ticks
        start = ticks()
        for name, choose, run, when in self._plan:
            visible = choose(answers)
            answers[name] = run(*visible) if when is None or when(*visible) else None
            end = ticks()
            tempos[name] = (end - start) // 1000
            start = end
        return Execution(answers, tempos)

    def run_each(self, givens: Sequence[object]) -> Mapping[str, Sequence[Any]]:
        """What each stage answered of each of the `givens`, in their order: as `run` does, untimed and stage by stage.

        One stage's code over many is far faster than all stages' code over one after another: it stays in the processor's caches.
        """
        answers: dict[str, Sequence[Any]] = {self._given: givens}
        for name, choose, run, when in self._plan:
            visible = choose(answers)
            if when is None:
                answers[name] = list(map(run, *visible))
            else:
                answers[name] = [run(*one) if when(*one) else None for one in zip(*visible, strict=True)]
        return answers


def _chooser(sees: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """What takes from all answers, as a tuple in order, those that a contract names."""
    if len(sees) == 1:
        (only,) = sees
        return lambda answers: (answers[only],)
    return itemgetter(*sees)


def _check_order(given: str, stages: tuple[Stage, ...]) -> None:
    known = {given}
    for stage in stages:
        unseen = [name for name in stage.contract.sees if name not in known]
        if unseen:
            raise ValueError(f"{stage.contract.name} would see what no earlier stage answers: {', '.join(unseen)}")
        known.add(stage.contract.stage)
