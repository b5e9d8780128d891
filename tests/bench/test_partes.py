"""Parts of the bench that need a peer ask for it; the others are measured without it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import pytest
from bench.__main__ import PARTES, find_missing_peer, main


@pytest.mark.parametrize(
    ("partes", "lacking"), [(PARTES, ["decisao", "lote", "simulacao"]), (["paginas", "triagem"], []), (["lote"], ["lote"])]
)
def test_only_the_parts_that_are_timed_beside_a_peer_ask_for_it(
    monkeypatch: pytest.MonkeyPatch, partes: Sequence[str], lacking: list[str]
) -> None:
    monkeypatch.setattr("bench.__main__.find_spec", lambda _: None)
    assert find_missing_peer(partes) == lacking


def test_an_absent_peer_is_told_with_the_parts_that_need_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("bench.__main__.find_spec", lambda _: None)
    assert main(["--so", "lote", "paginas"]) == 2
    assert "Precisa dele: lote." in capsys.readouterr().err


def test_what_needs_no_peer_brings_none_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zen", None)
    for parte in set(PARTES) - {"decisao", "lote", "simulacao"}:
        monkeypatch.delitem(sys.modules, f"bench.{parte}", raising=False)
        assert callable(import_module(f"bench.{parte}").run)
