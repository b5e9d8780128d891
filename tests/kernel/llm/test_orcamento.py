"""No tenant spends beyond its limit, whatever is under way at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from contado import held
from crivo.kernel.clock import FixedClock
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.llm.orcamento import Orcamento, month_start
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from relogio_que_anda import RelogioQueAnda

_NOW = FixedClock(datetime(2026, 3, 10, 12, tzinfo=UTC))
_ONE = Decimal(1)


@pytest.mark.parametrize(
    ("now", "start"),
    [
        (datetime(2026, 3, 1, 2, 59, tzinfo=UTC), datetime(2026, 2, 1, 3, tzinfo=UTC)),
        (datetime(2026, 3, 1, 3, tzinfo=UTC), datetime(2026, 3, 1, 3, tzinfo=UTC)),
        (datetime(2027, 1, 1, 2, tzinfo=UTC), datetime(2026, 12, 1, 3, tzinfo=UTC)),
    ],
)
def test_a_month_begins_where_people_are(now: datetime, start: datetime) -> None:
    assert month_start(FixedClock(now)) == start


async def pay(ledger: Ledger, scope: Scope, number: int) -> None:
    await ledger.note(scope, Call("m", b"p", number.to_bytes(4, "big")), "teste:1", Answer(b"", 1, 1, _ONE))


async def test_of_many_calls_at_once_as_many_are_made_as_the_limit_has_room_for(database: Database, scope: Scope) -> None:
    """Each writes what it cost before it is let go, as the ledger does."""
    orcamento, ledger = Orcamento(_NOW, Decimal(5)), Ledger(database, _NOW)

    async def spend(number: int) -> bool:
        try:
            async with held(orcamento, database, scope, _ONE):
                await pay(ledger, scope, number)
        except ModeloIndisponivel:
            return False
        return True

    made = await asyncio.gather(*(spend(number) for number in range(40)))
    assert 0 < sum(made) <= 5
    later = [await spend(number) for number in range(100, 110)]
    assert sum(made) + sum(later) == 5


async def test_a_call_that_came_to_nothing_is_let_go(database: Database, scope: Scope) -> None:
    orcamento = Orcamento(_NOW, _ONE)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            async with held(orcamento, database, scope, _ONE):
                raise RuntimeError
    async with held(orcamento, database, scope, _ONE):
        with pytest.raises(ModeloIndisponivel) as refused:
            await held(orcamento, database, scope, _ONE).__aenter__()
    assert refused.value.falha == "orcamento"


async def test_one_tenant_does_not_take_anothers_room(database: Database, new_tenant: Callable[[], Scope]) -> None:
    orcamento = Orcamento(_NOW, _ONE)
    one, other = new_tenant(), new_tenant()
    counted = []
    async with held(orcamento, database, one, _ONE):
        counted.append(one)
        async with held(orcamento, database, other, _ONE):
            counted.append(other)
    assert counted == [one, other]


async def test_what_was_spent_long_ago_and_just_now_by_whomever_counts_once_each(database: Database, scope: Scope) -> None:
    """As time goes by, what was just spent is what was spent long ago: at no moment is it left out, or counted twice."""
    clock = RelogioQueAnda(_NOW.now())
    orcamento, of_others = Orcamento(clock, Decimal(12)), Ledger(database, clock)
    for number in range(12):
        async with held(orcamento, database, scope, 12 - Decimal(number)):
            await pay(of_others, scope, number)
        with pytest.raises(ModeloIndisponivel):
            await held(orcamento, database, scope, 12 - Decimal(number)).__aenter__()
        clock.passa(minutes=7)
    clock.passa(days=30)
    async with held(orcamento, database, scope, Decimal(12)):
        pass  # another month has all of it again


async def test_a_limit_of_nothing_refuses_whatever_may_cost_something(database: Database, scope: Scope) -> None:
    orcamento = Orcamento(_NOW, Decimal(0))
    with pytest.raises(ModeloIndisponivel):
        await held(orcamento, database, scope, Decimal("0.000001")).__aenter__()
