from __future__ import annotations

from math import isclose

from crivo.kernel.linguagem.pesos import Pesos, char_ngrams

PESOS = Pesos(-1.0, {"a": 2.0, "b": -1.0})


def test_a_text_weighs_what_its_features_do_each_group_at_unit_length() -> None:
    assert isclose(PESOS.soma({"one": frozenset({"a", "b", "c", "d"}), "other": frozenset({"a"})}), -1.0 + (2.0 - 1.0) / 2 + 2.0)


def test_a_text_without_features_weighs_the_intercept() -> None:
    assert PESOS.soma({"one": frozenset()}) == -1.0


def test_certainty_goes_from_0_to_1_and_is_half_at_no_margin() -> None:
    assert Pesos(0.0, {}).certeza({}) == 0.5
    assert Pesos(1e9, {}).certeza({}) <= 1
    assert Pesos(-1e9, {}).certeza({}) >= 0


def test_the_runs_of_a_word_mark_its_ends() -> None:
    assert char_ngrams(["oi"]) == {"_oi", "oi_", "_oi_"}
