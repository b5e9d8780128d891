"""An answer that was paid for is never paid for again. Source: design, An execução ("no call that had finished is paid twice")."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from chaves_de_teste import cofre_de_teste
from crivo.kernel.clock import FixedClock, SystemClock
from crivo.kernel.llm.ledger import Answer, Call, Gasto, Ledger, cost_of, spent_since
from crivo.kernel.sigilo import DadosViolados
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_CALL = Call("modelo", b"p" * 32, b"c" * 32)
_ANSWER = Answer(b'{"nota": 7}', 2000, 500, Decimal("0.0125"))


class Modelo:
    """Answers, and counts how often it was asked."""

    def __init__(self, answer: Answer = _ANSWER, until: asyncio.Event | None = None) -> None:
        self.asked = 0
        self._answer = answer
        self._until = until

    async def __call__(self) -> Answer:
        self.asked += 1
        if self._until is not None:
            await self._until.wait()
        return self._answer


@pytest.fixture
def ledger(database: Database) -> Ledger:
    return Ledger(database, SystemClock())


async def test_the_same_call_is_asked_once_and_its_answer_comes_back_as_it_was(ledger: Ledger, scope: Scope) -> None:
    modelo = Modelo()
    kept = [await ledger.answer(scope, _CALL, "execucao:1", modelo) for _ in range(3)]
    assert [one.answer for one in kept] == [_ANSWER] * 3
    assert [one.repetida for one in kept] == [False, True, True]
    assert modelo.asked == 1


@pytest.mark.parametrize(
    "other",
    [
        Call("outro", b"p" * 32, b"c" * 32),
        Call("modelo", b"q" * 32, b"c" * 32),
        Call("modelo", b"p" * 32, b"d" * 32),
        Call("modelo", b"p" * 32, b"c" * 32, 1),
    ],
)
async def test_another_model_prompt_content_or_sample_is_another_call(ledger: Ledger, scope: Scope, other: Call) -> None:
    modelo = Modelo()
    for call in (_CALL, other):
        await ledger.answer(scope, call, "execucao:1", modelo)
    assert modelo.asked == 2


async def test_another_tenant_pays_for_its_own(ledger: Ledger, new_tenant: Callable[[], Scope]) -> None:
    modelo = Modelo()
    for scope in (new_tenant(), new_tenant()):
        assert not (await ledger.answer(scope, _CALL, "execucao:1", modelo)).repetida
    assert modelo.asked == 2


async def test_many_who_want_the_same_at_once_ask_once(ledger: Ledger, scope: Scope) -> None:
    arrived = asyncio.Event()
    modelo = Modelo(until=arrived)
    waiting = [asyncio.create_task(ledger.answer(scope, _CALL, "execucao:1", modelo)) for _ in range(8)]
    await _until_asked(modelo)
    arrived.set()
    kept = await asyncio.gather(*waiting)
    assert modelo.asked == 1
    assert sorted(one.repetida for one in kept) == [False] + [True] * 7


async def test_an_answer_is_kept_although_whoever_asked_is_gone(ledger: Ledger, database: Database, scope: Scope) -> None:
    arrived = asyncio.Event()
    modelo = Modelo(until=arrived)
    asking = asyncio.create_task(ledger.answer(scope, _CALL, "execucao:1", modelo))
    await _until_asked(modelo)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    arrived.set()
    again = Modelo()
    async with asyncio.timeout(10):
        kept = await ledger.answer(scope, _CALL, "execucao:1", again)
    assert (kept.repetida, again.asked) == (True, 0)


async def test_a_call_that_fails_after_whoever_asked_is_gone_complains_to_nobody(ledger: Ledger, scope: Scope) -> None:
    arrived, complaints = asyncio.Event(), list[dict[str, object]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    asked = asyncio.Event()

    async def fail() -> Answer:
        asked.set()
        await arrived.wait()
        raise RuntimeError("sem resposta")

    asking = asyncio.create_task(ledger.answer(scope, _CALL, "execucao:1", fail))
    async with asyncio.timeout(10):
        await asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    arrived.set()
    await ledger.settle(10)
    del asking
    gc.collect()
    assert complaints == []
    assert not (await ledger.answer(scope, _CALL, "execucao:1", Modelo())).repetida


async def test_what_a_model_refuses_is_not_kept_and_may_be_asked_again(ledger: Ledger, scope: Scope) -> None:
    async def fail() -> Answer:
        raise RuntimeError("sem resposta")

    with pytest.raises(RuntimeError):
        await ledger.answer(scope, _CALL, "execucao:1", fail)
    assert not (await ledger.answer(scope, _CALL, "execucao:1", Modelo())).repetida


async def test_a_database_that_is_away_for_a_moment_loses_no_paid_answer(database: Database, scope: Scope) -> None:
    class Faltosa(Database):
        """Is away right after the answer came."""

        away = 0

        @asynccontextmanager
        async def unit_of_work(self, scope: Scope) -> AsyncIterator[UnitOfWork]:
            if self.away:
                self.away -= 1
                raise BancoIndisponivel("Fora do ar.")
            async with super().unit_of_work(scope) as uow:
                yield uow

    pauses: list[float] = []
    faltosa = Faltosa(database.url, cofre=cofre_de_teste())

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def ask() -> Answer:
        faltosa.away = 2
        return _ANSWER

    ledger = Ledger(faltosa, SystemClock(), sleep)
    try:
        await ledger.answer(scope, _CALL, "execucao:1", ask)
        assert (await ledger.answer(scope, _CALL, "execucao:1", Modelo())).repetida
    finally:
        await faltosa.close()
    assert len(pauses) == 2


async def test_what_calls_cost_is_summed_by_what_they_were_paid_for(ledger: Ledger, database: Database, scope: Scope) -> None:
    for amostra, origem in ((0, "execucao:1"), (1, "execucao:1"), (2, "execucao:2"), (0, "execucao:2")):
        await ledger.answer(scope, replace(_CALL, amostra=amostra), origem, Modelo())
    await ledger.answer(scope, replace(_CALL, amostra=3), "execucao:2", Modelo(replace(_ANSWER, custo=None)))
    async with database.unit_of_work(scope) as uow:
        costs = [await cost_of(uow, origem) for origem in ("execucao:1", "execucao:2", "execucao:3")]
    # The last call that has a price was paid for by the first execução.
    assert costs == [Gasto(Decimal("0.0250"), 0), Gasto(Decimal("0.0125"), 1), Gasto(Decimal(0), 0)]


async def test_what_a_tenant_spends_is_counted_from_a_moment_on_and_apart_from_others(
    database: Database, new_tenant: Callable[[], Scope]
) -> None:
    february, march = datetime(2026, 2, 28, 23, tzinfo=UTC), datetime(2026, 3, 1, 12, tzinfo=UTC)
    one, other = new_tenant(), new_tenant()
    for scope, when in ((one, february), (one, march), (other, march), (other, march + timedelta(days=1))):
        call = replace(_CALL, conteudo_digest=bytes([when.day]) * 32)
        await Ledger(database, FixedClock(when)).answer(scope, call, "execucao:1", Modelo())
    spent = []
    for scope in (one, other):
        async with database.unit_of_work(scope) as uow:
            spent.append(await spent_since(uow, datetime(2026, 3, 1, tzinfo=UTC)))
    assert spent == [Gasto(Decimal("0.0125"), 0), Gasto(Decimal("0.0250"), 0)]


async def test_an_answer_that_cannot_be_used_counts_as_spent_and_is_never_served(ledger: Ledger, database: Database, scope: Scope) -> None:
    await ledger.note(scope, replace(_CALL, conteudo_digest=b"n" * 32), "execucao:1", _ANSWER, "agente")
    modelo = Modelo()
    assert not (await ledger.answer(scope, _CALL, "execucao:1", modelo)).repetida
    async with database.unit_of_work(scope) as uow:
        assert await cost_of(uow, "execucao:1") == Gasto(_ANSWER.custo * 2 if _ANSWER.custo else Decimal(-1), 0)


async def test_a_provisional_answer_is_served_to_who_waits_and_kept_for_nobody(ledger: Ledger, database: Database, scope: Scope) -> None:
    until = asyncio.Event()
    modelo = Modelo(replace(_ANSWER, provisoria=True), until)
    waiting = [asyncio.create_task(ledger.answer(scope, _CALL, "execucao:1", modelo)) for _ in range(3)]
    await asyncio.sleep(0)
    until.set()
    assert [one.answer.provisoria for one in await asyncio.gather(*waiting)] == [True] * 3
    assert modelo.asked == 1
    assert (await ledger.answer(scope, _CALL, "execucao:1", Modelo())).answer == _ANSWER
    async with database.unit_of_work(scope) as uow:
        assert (await cost_of(uow, "execucao:1")).custo == Decimal("0.0250")
        kept = await uow.connection.exec_driver_sql("select count(*) from modelo_chamadas where conteudo_digest = %s", (b"c" * 32,))
        assert kept.scalar_one() == 1


async def test_who_asked_is_written_down(ledger: Ledger, database: Database, scope: Scope) -> None:
    await ledger.answer(scope, _CALL, "execucao:1", Modelo(), "triagem.criterio")
    async with database.unit_of_work(scope) as uow:
        rows = await uow.connection.exec_driver_sql("select agente from modelo_chamadas where tenant_id = %s", (scope.tenant_id,))
        assert [row.agente for row in rows] == ["triagem.criterio"]


async def test_what_is_under_way_is_waited_for_and_given_up_when_it_takes_too_long(ledger: Ledger, scope: Scope) -> None:
    arrived, never = asyncio.Event(), asyncio.Event()
    quick, slow = Modelo(until=arrived), Modelo(until=never)
    waiting = [asyncio.create_task(ledger.answer(scope, _CALL, "execucao:1", quick))]
    await _until_asked(quick)
    arrived.set()
    await ledger.settle(10)
    assert (await waiting[0]).answer == _ANSWER
    late = asyncio.create_task(ledger.answer(scope, replace(_CALL, amostra=1), "execucao:1", slow))
    await _until_asked(slow)
    await ledger.settle(0)
    with pytest.raises(asyncio.CancelledError):
        await late


async def _until_asked(modelo: Modelo) -> None:
    async with asyncio.timeout(10):
        while True:
            if modelo.asked:
                return
            await asyncio.sleep(0.005)


async def test_an_answer_is_sealed_under_what_only_whoever_has_the_content_knows(ledger: Ledger, database: Database, scope: Scope) -> None:
    """With the content erased nobody reads the answer. Source: design/sujeito.md, Erasure."""
    call = replace(_CALL, segredo=b"s" * 32)
    await ledger.answer(scope, call, "execucao:1", Modelo())
    async with database.unit_of_work(scope) as uow:
        stored = (await uow.connection.exec_driver_sql("select resposta from modelo_chamadas")).scalar_one()
    assert b"nota" not in bytes(stored)
    assert (await ledger.answer(scope, call, "execucao:1", Modelo())).answer == _ANSWER
    with pytest.raises(DadosViolados):
        await ledger.answer(scope, replace(call, segredo=b"t" * 32), "execucao:1", Modelo())
