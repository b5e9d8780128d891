"""A row of figures cannot claim what it did not measure."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from bench.linhas import Linha, Meta, measured, show, write
from rich.console import Console


def row(nosso: float, par: float | None, meta: Meta | None) -> Linha:
    return measured("uma linha de nome tão comprido que não cabe inteira", "linhas/s", nosso, par, meta=meta, execucoes=5)


def shown(*linhas: Linha) -> str:
    output = io.StringIO()
    show(Console(file=output, width=80), "Título", linhas)
    return output.getvalue()


@pytest.mark.parametrize(
    ("nosso", "par", "meta", "alcancada"),
    [
        (300.0, 100.0, Meta(">=", 3), True),
        (299.0, 100.0, Meta(">=", 3), False),
        (1.5, 1.0, Meta("<=", 1.5), True),
        (1.51, 1.0, Meta("<=", 1.5), False),
        (0.3, 0.01, Meta("<=", 0.3, "nosso"), True),
        (0.31, 0.01, Meta("<=", 0.3, "nosso"), False),
        (3.0, None, Meta("<=", 3, "nosso"), True),
    ],
)
def test_a_target_is_held_against_the_figures(nosso: float, par: float | None, meta: Meta, alcancada: bool) -> None:
    assert row(nosso, par, meta).alcancada is alcancada


def test_a_ratio_to_nothing_reaches_no_target() -> None:
    assert row(0.0, 0.0, Meta(">=", 1)).alcancada is False
    assert row(10.0, None, Meta(">=", 1)).alcancada is False


def test_one_case_lost_of_a_hundred_thousand_is_not_rounded_away() -> None:
    lost = row(99_999, 100_000, Meta(">=", 1))
    assert lost.alcancada is False
    assert lost.razao is not None
    assert lost.razao < 1
    assert "0,99999×" in shown(lost)


def test_a_missed_target_is_said_on_a_screen_of_80_columns() -> None:
    missed, met = row(123_456.0, 234_567.0, Meta(">=", 1)), row(234_567.0, 123_456.0, Meta(">=", 1))
    assert [line.split()[0] for line in shown(missed, met).splitlines() if "≥" in line] == ["não", "sim"]


def test_a_row_for_information_claims_nothing() -> None:
    linha = row(2.0, 1.0, None)
    assert (linha.meta, linha.alcancada) == (None, None)


def test_rows_are_written_as_machines_read_them(tmp_path: Path) -> None:
    write([row(300.0, 100.0, Meta(">=", 3))], tmp_path / "novo" / "bench.json")
    (written,) = json.loads((tmp_path / "novo" / "bench.json").read_bytes())
    assert {"linha", "nosso", "par", "razao", "meta", "alcancada", "execucoes"} <= written.keys()
    assert (written["razao"], written["meta"], written["alcancada"], written["execucoes"]) == (3, "≥ 3×", True, 5)
