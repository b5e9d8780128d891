from __future__ import annotations

from dataclasses import dataclass

from crivo.clinicas.orquestrador.chama.breaker import Breaker


@dataclass
class Hands:
    """A clock that is moved by hand."""

    at: float = 0.0

    def __call__(self) -> float:
        return self.at


def broken(clock: Hands) -> Breaker:
    breaker = Breaker(clock, tolerance=2, first_pause=1.0, longest_pause=3.0)
    for _ in range(2):
        assert breaker.admits()
        breaker.failed()
    return breaker


def test_failures_in_a_row_open_the_breaker() -> None:
    breaker = broken(Hands())
    assert breaker.state == "aberto"
    assert not breaker.admits()


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = Breaker(Hands(), tolerance=2)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.admits()
    assert breaker.state == "fechado"


def test_after_the_pause_one_probe_goes_out_and_no_more() -> None:
    clock = Hands()
    breaker = broken(clock)
    clock.at = 1.0
    assert breaker.admits()
    assert breaker.state == "meio_aberto"
    assert not breaker.admits()


def test_a_probe_that_is_answered_closes_the_breaker() -> None:
    clock = Hands()
    breaker = broken(clock)
    clock.at = 1.0
    breaker.admits()
    breaker.succeeded()
    assert breaker.state == "fechado"
    assert breaker.admits()


def test_a_probe_that_fails_doubles_the_pause_up_to_the_longest() -> None:
    clock = Hands()
    breaker = broken(clock)
    for pause in (1.0, 2.0, 3.0, 3.0):
        clock.at += pause - 0.01
        assert not breaker.admits()
        clock.at += 0.01
        assert breaker.admits()
        breaker.failed()
