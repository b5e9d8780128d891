"""A call that counts as spent, as the ledger has it counted while it is under way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from decimal import Decimal

from crivo.kernel.llm.orcamento import Orcamento
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


@asynccontextmanager
async def held(orcamento: Orcamento, database: Database, scope: Scope, custo: Decimal) -> AsyncIterator[None]:
    """The call is counted until the end of the block."""
    with ExitStack() as until:
        async with database.unit_of_work(scope) as uow:
            await orcamento.hold(uow, until, custo)
        yield
