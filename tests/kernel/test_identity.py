"""Ids sort by the instant they were made at, under any clock, and carry it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import RFC_4122

from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7

_INSTANT = datetime(2026, 3, 10, 12, 0, 0, 123000, tzinfo=UTC)


def test_an_id_is_a_version_7_uuid_that_carries_its_instant() -> None:
    made = Uuid7(FixedClock(_INSTANT)).new()
    assert (made.version, made.variant) == (7, RFC_4122)
    assert made.int >> 80 == int(_INSTANT.timestamp() * 1000)


def test_ids_of_a_clock_that_stands_still_are_in_order_and_all_different() -> None:
    ids = Uuid7(FixedClock(_INSTANT))
    made = [ids.new() for _ in range(10_000)]  # more than the counter holds in one millisecond
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_an_id_made_after_the_clock_went_back_is_still_greater() -> None:
    class Backwards:
        instant = _INSTANT

        def now(self) -> datetime:
            self.instant -= timedelta(seconds=1)
            return self.instant

    ids = Uuid7(Backwards())
    first, second = ids.new(), ids.new()
    assert first < second


def test_two_processes_at_one_instant_differ_by_their_random_part() -> None:
    one = Uuid7(FixedClock(_INSTANT), random_bytes=lambda n: b"\x00" * n).new()
    other = Uuid7(FixedClock(_INSTANT), random_bytes=lambda n: b"\xff" * n).new()
    assert one.int ^ other.int == (1 << 62) - 1
