"""Services are asked again after as long as they say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crivo.kernel.llm.ritmo import pause_before, retry_after

_NOW = datetime(2026, 3, 10, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Tue, 10 Mar 2026 12:00:20 GMT"}, 20.0),
        ({"retry-after": "Tue, 10 Mar 2026 15:00:20 GMT", "date": "Tue, 10 Mar 2026 15:00:05 GMT"}, 15.0),
        ({"retry-after": "Tue, 10 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "logo"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "Tue, 99 Mar 2026 99:00:00 GMT"}, None),
        ({}, None),
    ],
)
def test_what_a_service_asks_for_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, _NOW) == seconds


def test_pauses_grow_and_are_spread_over_all_that_they_may_be() -> None:
    assert [pause_before(tentativa, None, 0.5) for tentativa in range(4)] == [0.25, 0.5, 1.0, 2.0]
    assert [pause_before(3, None, sample) for sample in (0.0, 0.25, 1.0)] == [0.0, 1.0, 4.0]
    assert pause_before(30, None, 1.0) == 30.0


def test_nobody_comes_back_before_the_service_said() -> None:
    assert pause_before(0, 7.0, 0.0) == 7.0
    assert 7.0 < pause_before(3, 7.0, 0.9) <= 8.0
