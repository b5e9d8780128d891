"""What is kept in memory up to so many bytes."""

from __future__ import annotations

from crivo.triagem.lembradas import Lembradas


def test_what_was_looked_at_longest_ago_is_forgotten_first() -> None:
    kept: Lembradas[str, str] = Lembradas(100)
    for name in "abc":
        kept.keep(name, name.upper(), 30)
    assert kept.find("a") == "A"
    kept.keep("d", "D", 30)
    assert [kept.find(name) for name in "abcd"] == ["A", None, "C", "D"]
    assert kept.held_bytes == 90


def test_what_is_larger_than_all_together_is_not_kept_and_pushes_nothing_out() -> None:
    kept: Lembradas[str, str] = Lembradas(100)
    kept.keep("a", "A", 60)
    kept.keep("b", "B", 101)
    assert (kept.find("a"), kept.find("b"), kept.held_bytes) == ("A", None, 60)


def test_a_value_takes_the_place_of_the_one_before_it() -> None:
    kept: Lembradas[str, str] = Lembradas(100)
    kept.keep("a", "A", 60)
    kept.keep("a", "B", 20)
    assert (kept.find("a"), kept.held_bytes) == ("B", 20)


def test_all_of_one_file_are_forgotten_together() -> None:
    kept: Lembradas[tuple[str, int], str] = Lembradas(100)
    for which in (("x", 1), ("x", 2), ("y", 1)):
        kept.keep(which, "v", 10)
    kept.forget_where(lambda key: key[0] == "x")
    assert (kept.find(("x", 1)), kept.find(("x", 2)), kept.find(("y", 1)), kept.held_bytes) == (None, None, "v", 10)
