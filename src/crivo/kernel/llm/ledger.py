"""The ledger of calls to models: an answer is kept as soon as there is one, so that no call that had finished is paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final, NamedTuple

from sqlalchemy import Row

from crivo.kernel.clock import Clock
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

Hold = Callable[[UnitOfWork, ExitStack], Awaitable[None]]
"""Counts what a call may cost, in the transaction that did not find its answer, until the stack is left."""

_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # a database that restarts is waited for: the answer in hand was paid for
_KEY: Final = "tenant_id = %s and modelo = %s and prompt_digest = %s and conteudo_digest = %s and amostra = %s"
_FIND: Final = f"select resposta, tokens_entrada, tokens_saida, custo from modelo_chamadas where {_KEY}"  # noqa: S608 - constants alone
_KEEP: Final = (
    "insert into modelo_chamadas (tenant_id, modelo, prompt_digest, conteudo_digest, amostra, resposta, tokens_entrada, tokens_saida, "
    "custo, respondeu, prompt_versao, duracao_ms, desfecho, origem, agente, created_at) "
    "values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing"
)
_RESPOSTA: Final = "modelo_chamadas.resposta"
_SPENT: Final = "select coalesce(sum(custo), 0) as custo, count(*) filter (where custo is null) as sem_preco from modelo_chamadas"
_COST: Final = f"{_SPENT} where tenant_id = %s and origem = %s"
_SINCE: Final = f"{_SPENT} where tenant_id = %s and created_at >= %s"
_HELD: Final = "select coalesce(sum(custo_previsto), 0) from modelo_lotes where tenant_id = %s and encerrado_em is null"
_SINCE_AND_HELD: Final = f"select gasto.custo, lotes.em_lotes from ({_SINCE}) gasto, ({_HELD}) lotes (em_lotes)"  # noqa: S608 - constants alone
_BETWEEN: Final = f"{_SINCE} and created_at < %s"


@dataclass(frozen=True, slots=True)
class Call:
    """What a model is asked: the same call has the same answer. Digests are SHA-256; `amostra` tells repeated readings apart.

    `segredo` is known to whoever has the content, and kept nowhere: the answer is sealed under it. With the content erased, no answer
    to it can be read. `prompt_versao` is noted of it, None where nothing was prompted.
    """

    modelo: str
    prompt_digest: bytes
    conteudo_digest: bytes
    amostra: int = 0
    segredo: bytes = field(default=b"", repr=False, compare=False)
    prompt_versao: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, as it came, and what it took; `custo` in dollars, None where its price is not known.

    `provisoria`: whoever waits for it now gets it, what it took is noted, and nobody is served it afterwards. `duracao_ms` is how long
    it was waited for, None where nobody measured; `falha` why there is none, where there is none; `respondeu` the model that was asked
    in the end, empty where it is the one of the call.
    """

    resposta: bytes
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    provisoria: bool = False
    duracao_ms: int | None = None
    falha: str = ""
    respondeu: str = ""

    @property
    def desfecho(self) -> str:
        """How the call ended, in a word: as it is noted."""
        return self.falha or ("provisoria" if self.provisoria else "respondida")


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer in the ledger; `repetida` where nothing was asked for it this time."""

    answer: Answer
    repetida: bool


class _Razao(NamedTuple):
    """Why a call was made."""

    origem: str
    agente: str


class Ledger:
    """The calls of every tenant, each tenant's its own."""

    def __init__(self, database: Database, clock: Clock, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._database = database
        self._clock = clock
        self._sleep = sleep
        self._asking: dict[tuple[str, Call], asyncio.Task[Kept]] = {}

    async def answer(
        self, scope: Scope, call: Call, origem: str, ask: Callable[[], Awaitable[Answer]], agente: str = "", hold: Hold | None = None
    ) -> Kept:
        """The answer to a call: the one that is kept, or else what `ask` brings, which is kept before it is returned, if it is to stay.

        `origem` names what it is paid for, `agente` who asks; `hold` is called before anything is asked, and let go once it is kept.
        Of many who want the same at once in this process, one asks. Whoever is cancelled while waiting does not stop a call that is
        already on its way: its answer is kept all the same.
        """
        key = (scope.tenant_id, call)
        task = self._asking.get(key)
        if task is not None:
            return Kept((await asyncio.shield(task)).answer, repetida=True)
        task = self._asking[key] = asyncio.create_task(self._find_or_ask(scope, call, _Razao(origem, agente), ask, hold))
        task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: tuple[str, Call], done: asyncio.Task[Kept]) -> None:
        del self._asking[key]
        if not done.cancelled():
            done.exception()  # looked at: where whoever waited was cancelled, nobody else does

    async def settle(self, seconds: float) -> None:
        """Wait so long for what is under way, and give up the rest: an answer that arrives meanwhile is kept."""
        under_way = set(self._asking.values())
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=seconds)
            for task in late:
                task.cancel()

    async def note(self, scope: Scope, call: Call, origem: str, answer: Answer, agente: str = "") -> None:
        """Write down a call that brought nothing to use: what was paid for it counts in what was spent, and it is never served.

        `call` is `of_nobody`.
        """
        await self._keep(scope, call, _Razao(origem, agente), answer)

    async def find(self, scope: Scope, call: Call) -> Kept | None:
        """The answer to a call that is kept, if one is."""
        async with self._database.unit_of_work(scope) as uow:
            found = await _find(uow, call)
        return None if found is None else Kept(found, repetida=True)

    async def _find_or_ask(self, scope: Scope, call: Call, razao: _Razao, ask: Callable[[], Awaitable[Answer]], hold: Hold | None) -> Kept:
        with ExitStack() as under_way:
            async with self._database.unit_of_work(scope) as uow:
                found = await _find(uow, call)
                if found is None and hold is not None:
                    await hold(uow, under_way)
            if found is not None:
                return Kept(found, repetida=True)
            answer = await ask()
            for pause in _PAUSES_SECONDS:
                try:
                    return await self._keep(scope, call, razao, answer)
                except BancoIndisponivel:
                    await self._sleep(pause)
            return await self._keep(scope, call, razao, answer)

    async def _keep(self, scope: Scope, call: Call, razao: _Razao, answer: Answer) -> Kept:
        """Whoever was first is believed: another process may have asked the same meanwhile."""
        if answer.provisoria:
            call, kept = of_nobody(call), replace(answer, resposta=b"")
        else:
            kept = answer
        async with self._database.unit_of_work(scope) as uow:
            sealed = uow.cofre.of_content(scope.tenant_id, call.segredo).seal(_RESPOSTA, kept.resposta)
            another = kept.respondeu if kept.respondeu != call.modelo else ""
            went = another or None, call.prompt_versao, kept.duracao_ms, kept.desfecho
            taken = (sealed, kept.tokens_entrada, kept.tokens_saida, kept.custo, *went, *razao, self._clock.now())
            done = await uow.connection.exec_driver_sql(_KEEP, (*_key(uow, call), *taken))
            first = None if done.rowcount else await _find(uow, call)
        return Kept(first or answer, repetida=False)


def of_nobody(call: Call, once: bytes = b"") -> Call:
    """A call of the same model and prompt that nobody will ever ask: what was paid for and is not to be served is noted under it.

    What is noted `once` is noted under the same each time, and so counted once however often it is read.
    """
    return replace(call, conteudo_digest=sha256(call.conteudo_digest + (once or token_bytes(16))).digest(), segredo=b"")


@dataclass(frozen=True, slots=True)
class Gasto:
    """What some calls have cost, in dollars, and how many of them have a price that is not known."""

    custo: Decimal
    sem_preco: int


async def cost_of(uow: UnitOfWork, origem: str) -> Gasto:
    """What the calls of one origem have cost."""
    row = (await uow.connection.exec_driver_sql(_COST, (uow.scope.tenant_id, origem))).one()
    return Gasto(Decimal(row.custo), row.sem_preco)


async def spent_or_held_since(uow: UnitOfWork, since: datetime) -> Decimal:
    """What the tenant's calls have cost from a moment on, in dollars, and what its lotes under way may."""
    given = (uow.scope.tenant_id, since, uow.scope.tenant_id)
    row = (await uow.connection.exec_driver_sql(_SINCE_AND_HELD, given)).one()
    return Decimal(row.custo) + Decimal(row.em_lotes)


async def spent_since(uow: UnitOfWork, since: datetime, until: datetime | None = None) -> Gasto:
    """What the tenant's calls have cost from a moment on, or until another, which is not of it."""
    given = (uow.scope.tenant_id, since)
    asked = uow.connection.exec_driver_sql(_SINCE, given) if until is None else uow.connection.exec_driver_sql(_BETWEEN, (*given, until))
    row = (await asked).one()
    return Gasto(Decimal(row.custo), row.sem_preco)


async def _find(uow: UnitOfWork, call: Call) -> Answer | None:
    row = (await uow.connection.exec_driver_sql(_FIND, _key(uow, call))).one_or_none()
    return None if row is None else _answer(uow, call, row)


def _answer(uow: UnitOfWork, call: Call, row: Row[Any]) -> Answer:
    """The answer that a row holds; one that was kept before there were keys is as it stands. Raises DadosViolados."""
    resposta = uow.cofre.of_content(uow.scope.tenant_id, call.segredo).open(_RESPOSTA, bytes(row.resposta))
    return Answer(resposta, row.tokens_entrada, row.tokens_saida, row.custo)


def _key(uow: UnitOfWork, call: Call) -> tuple[str, str, bytes, bytes, int]:
    return uow.scope.tenant_id, call.modelo, call.prompt_digest, call.conteudo_digest, call.amostra
