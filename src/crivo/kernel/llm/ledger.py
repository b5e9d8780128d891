"""The ledger of calls to models: an answer is kept as soon as there is one, so that no call that had finished is paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import Clock
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # a database that restarts is waited for: the answer in hand was paid for
_KEY: Final = "tenant_id = %s and modelo = %s and prompt_digest = %s and conteudo_digest = %s and amostra = %s"
_FIND: Final = f"select resposta, tokens_entrada, tokens_saida, custo from modelo_chamadas where {_KEY}"  # noqa: S608 - constants alone
_KEEP: Final = (
    "insert into modelo_chamadas (tenant_id, modelo, prompt_digest, conteudo_digest, amostra, resposta, tokens_entrada, tokens_saida, "
    "custo, origem, created_at) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing"
)
_COST: Final = "select coalesce(sum(custo), 0) from modelo_chamadas where tenant_id = %s and origem = %s"


@dataclass(frozen=True, slots=True)
class Call:
    """What a model is asked: the same call has the same answer. Digests are SHA-256; `amostra` tells repeated readings apart."""

    modelo: str
    prompt_digest: bytes
    conteudo_digest: bytes
    amostra: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, as it came, and what it took; `custo` in dollars."""

    resposta: bytes
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer in the ledger; `repetida` where nothing was asked for it this time."""

    answer: Answer
    repetida: bool


class Ledger:
    """The calls of every tenant, each tenant's its own."""

    def __init__(self, database: Database, clock: Clock, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._database = database
        self._clock = clock
        self._sleep = sleep
        self._asking: dict[tuple[str, Call], asyncio.Task[Kept]] = {}

    async def answer(self, scope: Scope, call: Call, origem: str, ask: Callable[[], Awaitable[Answer]]) -> Kept:
        """The answer to a call: the one that is kept, or else what `ask` brings, which is kept before it is returned.

        `origem` names what it is paid for. Of many who want the same at once in this process, one asks. Whoever is cancelled
        while waiting does not stop a call that is already on its way: its answer is kept all the same.
        """
        key = (scope.tenant_id, call)
        task = self._asking.get(key)
        if task is not None:
            return Kept((await asyncio.shield(task)).answer, repetida=True)
        task = self._asking[key] = asyncio.create_task(self._find_or_ask(scope, call, origem, ask))
        task.add_done_callback(lambda _: self._asking.pop(key, None))
        return await asyncio.shield(task)

    async def _find_or_ask(self, scope: Scope, call: Call, origem: str, ask: Callable[[], Awaitable[Answer]]) -> Kept:
        async with self._database.unit_of_work(scope) as uow:
            found = await _find(uow, call)
        if found is not None:
            return Kept(found, repetida=True)
        answer = await ask()
        for pause in _PAUSES_SECONDS:
            try:
                return await self._keep(scope, call, origem, answer)
            except BancoIndisponivel:
                await self._sleep(pause)
        return await self._keep(scope, call, origem, answer)

    async def _keep(self, scope: Scope, call: Call, origem: str, answer: Answer) -> Kept:
        """Whoever was first is believed: another process may have asked the same meanwhile."""
        taken = (answer.resposta, answer.tokens_entrada, answer.tokens_saida, answer.custo, origem, self._clock.now())
        async with self._database.unit_of_work(scope) as uow:
            done = await uow.connection.exec_driver_sql(_KEEP, (*_key(uow, call), *taken))
            first = None if done.rowcount else await _find(uow, call)
        return Kept(first or answer, repetida=False)


async def cost_of(uow: UnitOfWork, origem: str) -> Decimal:
    """What the calls of one origem have cost, in dollars."""
    return Decimal((await uow.connection.exec_driver_sql(_COST, (uow.scope.tenant_id, origem))).scalar_one())


async def _find(uow: UnitOfWork, call: Call) -> Answer | None:
    row = (await uow.connection.exec_driver_sql(_FIND, _key(uow, call))).one_or_none()
    return None if row is None else Answer(bytes(row.resposta), row.tokens_entrada, row.tokens_saida, row.custo)


def _key(uow: UnitOfWork, call: Call) -> tuple[str, str, bytes, bytes, int]:
    return uow.scope.tenant_id, call.modelo, call.prompt_digest, call.conteudo_digest, call.amostra
