"""A clock that was never set, and one that is behind what the audit has noted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crivo.kernel.atos import NewEntry
from crivo.kernel.audit.ledger import append
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.relogio import FIRST_DAY, RelogioErrado, behind, require_sane
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def test_a_clock_of_1970_is_refused_before_anything_is_dated_with_it() -> None:
    with pytest.raises(RelogioErrado, match=r"Ele marca 31/12/1969 21:00"):
        require_sane(FixedClock(datetime(1970, 1, 1, tzinfo=UTC)))
    require_sane(FixedClock(FIRST_DAY))


async def test_a_clock_behind_what_was_noted_is_told_and_one_that_is_right_is_not(database: Database, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        assert await behind(uow, FixedClock(NOW)) is None
        await append(uow, NOW, [NewEntry("chave_criada", "chave:1")])
        await append(uow, NOW - timedelta(hours=2), [NewEntry("chave_criada", "chave:2")])  # by a clock that was behind already
        told = await behind(uow, FixedClock(NOW - timedelta(hours=1)))
        assert await behind(uow, FixedClock(NOW - timedelta(seconds=30))) is None
        assert await behind(uow, FixedClock(NOW + timedelta(days=1))) is None
    assert told is not None
    assert "marca 27/11/2026 08:00, antes do último registro da auditoria, de 27/11/2026 09:00" in told


def test_ids_go_on_in_order_under_a_clock_that_jumps_back() -> None:
    class Jumping:
        at = NOW

        def now(self) -> datetime:
            return self.at

    clock = Jumping()
    ids = Uuid7(clock)
    before = ids.new()
    clock.at = NOW - timedelta(hours=1)
    assert ids.new() > before
