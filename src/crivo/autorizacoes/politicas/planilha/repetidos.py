"""Faults that many rows have alike, told as one: what somebody mends once by a filter in the spreadsheet is one thing to mend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crivo.autorizacoes.palavras import count
from crivo.kernel.errors import Problem

_CELL: Final = re.compile(r"(?P<coluna>.*![A-Z]+)(?P<linha>\d+)")


@dataclass(frozen=True, slots=True)
class Repetido:
    """A fault at the first of its cells, and the rows of the others of the same column."""

    problem: Problem
    outras: tuple[int, ...] = ()

    @property
    def tambem(self) -> str:
        """Where else it is, in words; empty where nowhere."""
        if not self.outras:
            return ""
        return f"e em mais {count(len(self.outras), 'linha', 'linhas')}, até a {self.outras[-1]}"


def once_each(problems: Sequence[Problem]) -> tuple[Repetido, ...]:
    """The faults in their order, those of one column that say the very same as one."""
    first: dict[tuple[str, str, str], Problem] = {}
    rows: dict[tuple[str, str, str], list[int]] = {}
    for at, problem in enumerate(problems):
        match = _CELL.fullmatch(problem.caminho)
        key = (problem.codigo, problem.mensagem, match["coluna"]) if match else ("", "", str(at))
        if key in first and match:
            rows.setdefault(key, []).append(int(match["linha"]))
        first.setdefault(key, problem)
    return tuple([Repetido(problem, tuple(sorted(rows.get(key, ())))) for key, problem in first.items()])
