"""No tenant spends beyond its limit, whatever is under way at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from crivo.kernel.clock import FixedClock
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.llm.orcamento import Orcamento, month_start
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

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


async def test_of_many_calls_at_once_as_many_are_made_as_the_limit_has_room_for(database: Database, scope: Scope) -> None:
    """Each writes what it cost before it is let go, as the ledger does."""
    orcamento, ledger = Orcamento(database, _NOW, Decimal(5)), Ledger(database, _NOW)

    async def spend(number: int) -> bool:
        try:
            async with orcamento.hold(scope, _ONE):
                call = Call("m", b"p", number.to_bytes(4, "big"))
                await ledger.note(scope, call, "teste:1", Answer(b"", 1, 1, _ONE))
        except ModeloIndisponivel:
            return False
        return True

    made = await asyncio.gather(*(spend(number) for number in range(40)))
    assert sum(made) <= 5
    later = [await spend(number) for number in range(100, 110)]
    assert sum(made) + sum(later) == 5


async def test_a_call_that_came_to_nothing_is_let_go(database: Database, scope: Scope) -> None:
    orcamento = Orcamento(database, _NOW, _ONE)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            async with orcamento.hold(scope, _ONE):
                raise RuntimeError
    async with orcamento.hold(scope, _ONE):
        with pytest.raises(ModeloIndisponivel) as refused:
            await orcamento.hold(scope, _ONE).__aenter__()
    assert refused.value.falha == "orcamento"


async def test_one_tenant_does_not_take_anothers_room(database: Database, new_tenant: Callable[[], Scope]) -> None:
    orcamento = Orcamento(database, _NOW, _ONE)
    one, other = new_tenant(), new_tenant()
    held = []
    async with orcamento.hold(one, _ONE):
        held.append(one)
        async with orcamento.hold(other, _ONE):
            held.append(other)
    assert held == [one, other]


async def test_a_limit_of_nothing_refuses_whatever_may_cost_something(database: Database, scope: Scope) -> None:
    orcamento = Orcamento(database, _NOW, Decimal(0))
    with pytest.raises(ModeloIndisponivel):
        await orcamento.hold(scope, Decimal("0.000001")).__aenter__()
