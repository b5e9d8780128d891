"""What each tenant may spend on models in a calendar month: a call that could go beyond it is not made."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.cotas import own_cotas
from crivo.kernel.llm.ledger import spent_or_held_since, spent_since
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import UnitOfWork

# Longer than any transaction takes to end, and than the clocks of machines are apart: what is older is in the ledger, or will never be.
_SETTLED: Final = timedelta(minutes=20)


def month_start(clock: Clock) -> datetime:
    """The first instant of the clock's month in Brasília."""
    return month_of(clock.now())


def month_of(em: datetime) -> datetime:
    """The first instant of an instant's month in Brasília."""
    return em.astimezone(BRASILIA).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


@dataclass(slots=True)
class _Contas:
    """A tenant's calls under way: what they may cost, and what all that ever were may, which only grows."""

    under_way: Decimal = Decimal(0)
    begun: Decimal = Decimal(0)

    def begin(self, estimate: Decimal) -> None:
        self.under_way += estimate
        self.begun += estimate

    def end(self, estimate: Decimal) -> None:
        self.under_way -= estimate


@dataclass(frozen=True, slots=True)
class _Assente:
    """What was spent from the beginning of a month until an instant so long ago that nothing is added to it any more."""

    since: datetime
    until: datetime
    custo: Decimal


class Orcamento:
    """Holds every tenant to its own quota in dollars, or else to the limit of all; None does not limit. Calls whose price is not known
    count for nothing.

    What other processes have under way is not seen: together they may go beyond the limit by as much. What they have spent is.
    """

    def __init__(self, clock: Clock, limite: Decimal | None) -> None:
        self._clock = clock
        self._limite = limite
        self._contas: defaultdict[str, _Contas] = defaultdict(_Contas)
        self._assentes: dict[str, _Assente] = {}

    async def hold(self, uow: UnitOfWork, until: ExitStack, estimate: Decimal) -> None:
        """Count a call as spent until `until` is left, by when what it did cost must be in the ledger.

        Raises ModeloIndisponivel (`orcamento`) where the month's calls, those under way and this one would cost more than the limit.
        """
        contas = self._contas[uow.scope.tenant_id]
        # Before the ledger is read, and with all that begins meanwhile: what ends in between is then counted twice, and not left out.
        earlier = contas.under_way - contas.begun
        limite = (await own_cotas(uow)).get("custo_mes", self._limite)
        if limite is not None and await self._spent(uow) + earlier + contas.begun + estimate > limite:
            raise ModeloIndisponivel("orcamento")
        contas.begin(estimate)
        until.callback(contas.end, estimate)

    async def _spent(self, uow: UnitOfWork) -> Decimal:
        """What the month's calls have cost, and lotes under way may; what is of long ago is summed now and then, the latest each time."""
        tenant, now, since = uow.scope.tenant_id, self._clock.now(), month_start(self._clock)
        known = self._assentes.get(tenant)
        if known is None or known.since != since or not known.until <= now <= known.until + 2 * _SETTLED:
            until = max(since, now - _SETTLED)
            known = self._assentes[tenant] = _Assente(since, until, (await spent_since(uow, since, until)).custo)
        return known.custo + await spent_or_held_since(uow, known.until)
