"""What each tenant may spend on models in a calendar month: a call that could go beyond it is not made."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal

from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.cotas import own_cotas
from crivo.kernel.llm.ledger import spent_since
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


def month_start(clock: Clock) -> datetime:
    """The first instant of the clock's month in Brasília."""
    return month_of(clock.now())


def month_of(em: datetime) -> datetime:
    """The first instant of an instant's month in Brasília."""
    return em.astimezone(BRASILIA).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


class Orcamento:
    """Holds every tenant to its own quota in dollars, or else to the limit of all; None does not limit. Calls whose price is not known
    count for nothing.

    What other processes have under way is not seen: together they may go beyond the limit by as much.
    """

    def __init__(self, database: Database, clock: Clock, limite: Decimal | None) -> None:
        self._database = database
        self._clock = clock
        self._limite = limite
        self._deciding = asyncio.Lock()
        self._under_way: defaultdict[str, Decimal] = defaultdict(Decimal)

    @asynccontextmanager
    async def hold(self, scope: Scope, estimate: Decimal) -> AsyncIterator[None]:
        """Count a call as spent until the end of the block, by when what it did cost must be in the ledger.

        Raises ModeloIndisponivel (`orcamento`) where the month's calls, those under way and this one would cost more than the limit.
        """
        tenant = scope.tenant_id
        async with self._deciding:
            # Before the ledger is read: what ends in between is then counted twice, and not left out.
            under_way = self._under_way[tenant]
            async with self._database.unit_of_work(scope) as uow:
                limite = (await own_cotas(uow)).get("custo_mes", self._limite)
                spent = Decimal(0) if limite is None else (await spent_since(uow, month_start(self._clock))).custo
            if limite is not None and spent + under_way + estimate > limite:
                raise ModeloIndisponivel("orcamento")
            self._under_way[tenant] += estimate
        try:
            yield
        finally:
            self._under_way[tenant] -= estimate
