"""A row of figures: what was measured, beside what, against which target; whether it is met is worked out here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

Sinal = Literal[">=", "<="]
Figura = Literal["razao", "nosso"]


@dataclass(frozen=True, slots=True)
class Meta:
    """A bound on the ratio or, where it is stated so, on the figure itself."""

    sinal: Sinal
    valor: float
    figura: Figura = "razao"

    def is_met(self, valor: float) -> bool:
        """Whether a figure keeps to the bound."""
        return valor >= self.valor if self.sinal == ">=" else valor <= self.valor


class Linha(msgspec.Struct, frozen=True, kw_only=True):
    """One row as it is written to JSON; `meta` and `alcancada` are null where a figure is for information alone."""

    linha: str
    unidade: str
    nosso: int | float
    par: int | float | None
    razao: int | float | None
    meta: str | None
    alcancada: bool | None
    execucoes: int
    nota: str


def measured(linha: str, unidade: str, nosso: float, par: float | None, *, meta: Meta | None, execucoes: int, nota: str = "") -> Linha:
    """A row of two figures in one unit; the ratio is ours to the peer's, and the target is held against it."""
    razao = nosso / par if par else None
    figure = nosso if meta is not None and meta.figura == "nosso" else razao
    return Linha(
        linha=linha,
        unidade=unidade,
        nosso=_rounded(nosso),
        par=None if par is None else _rounded(par),
        razao=None if razao is None else _rounded(razao),
        meta=None if meta is None else _written(meta, unidade),
        alcancada=None if meta is None else figure is not None and meta.is_met(figure),
        execucoes=execucoes,
        nota=nota,
    )


def show(console: Console, titulo: str, linhas: Sequence[Linha]) -> None:
    """The rows as a table that fits 80 columns, the verdict first, and the notes underneath."""
    table = Table(title=titulo, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("meta?", no_wrap=True)
    table.add_column("linha", overflow="fold", min_width=24)
    for column in ("nosso", "par", "razão", "meta"):
        table.add_column(column, justify="right", no_wrap=True)
    for linha in linhas:
        table.add_row(
            _VERDICT[linha.alcancada],
            f"{linha.linha} ({linha.unidade})",
            _figure(linha.nosso),
            "—" if linha.par is None else _figure(linha.par),
            "—" if linha.razao is None else f"{_figure(linha.razao)}×",
            linha.meta or "—",
        )
    console.print(table)
    for linha in linhas:
        if linha.nota:
            console.print(f"[bold]{linha.linha}[/bold]: {linha.nota}", highlight=False)


def write(linhas: Iterable[Linha], path: Path) -> None:
    """The rows as a JSON array, in place of what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(list(linhas)), indent=1) + b"\n")


_VERDICT = {None: "—", True: "[green]sim[/green]", False: "[bold red]não[/bold red]"}


def _written(meta: Meta, unidade: str) -> str:
    sinal = "≥" if meta.sinal == ">=" else "≤"
    return f"{sinal} {_figure(meta.valor)}{f' {unidade}' if meta.figura == 'nosso' else '×'}"


def _rounded(valor: float) -> int | float:
    """Five significant digits, so that one case lost of a hundred thousand still shows."""
    return round(valor) if abs(valor) >= 10_000 or valor == int(valor) else float(f"{valor:.5g}")


def _figure(valor: float) -> str:
    """The number as Brazilians write it."""
    return f"{valor:,.10g}".translate(str.maketrans(",.", ".,"))
