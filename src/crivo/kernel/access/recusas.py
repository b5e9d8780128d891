"""Whom the door refused, in the audit: so many an hour are told one by one, and the rest are counted, so that nobody fills the disk.

What was typed stands under a keyed digest: the audit shows that the same account is tried again and again, not whose it is.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Final

from crivo.kernel import audit
from crivo.kernel.access.tokens import read_token
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

ATOR: Final = "entrada"
_KEY_OF_DIGESTS: Final = "select valor from segredos where nome = 'tentativas_de_entrada'"
_IS_KNOWN: Final = "select exists (select from chaves_api where tenant_id = %s and id = %s)"
# The row's lock orders those who are refused at once; a row of an hour ago begins anew. The clock is the one all processes share.
_COUNT: Final = """
    insert into recusas as r (tenant_id, chave, desde, vezes) values (%(tenant)s, %(chave)s, now(), 1)
    on conflict (tenant_id, chave) do update set
        vezes = case when r.desde > now() - interval '1 hour' then least(r.vezes, 1000000000) + 1 else 1 end,
        desde = case when r.desde > now() - interval '1 hour' then r.desde else now() end
    returning vezes"""
# What was only counted is told with the next that is told. Of rows that nobody else holds: whoever sweeps waits for nobody.
_SWEEP: Final = """
    with velhas as (
        select chave from recusas where tenant_id = %(tenant)s and desde <= now() - interval '1 hour'
        limit 200 for update skip locked
    ), idas as (
        delete from recusas r using velhas v where r.tenant_id = %(tenant)s and r.chave = v.chave returning r.vezes
    ) select coalesce(sum(greatest(vezes - %(limite)s, 0)), 0) as omitidas from idas"""
_DIGITS: Final = 16
_KEY_SECONDS: Final = 3_600.0
_MOST_KEYS: Final = 10_000


class Recusas:
    """Notes refusals: `per_pair` of an account from an address within an hour, `of_all` of a tenant; a key that is refused once an hour."""

    def __init__(
        self, database: Database, clock: Clock, *, per_pair: int = 5, of_all: int = 500, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._clock = clock
        self._per_pair = per_pair
        self._of_all = of_all
        self._ticks = ticks
        self._keys: dict[str, tuple[float, int]] = {}

    async def senha(self, scope: Scope, email: str, address: str) -> None:
        """A password that was not taken, or not looked at any more. What cannot be noted is told in the log, and hinders nobody."""
        try:
            async with self._database.unit_of_work(Scope(scope.tenant_id, ATOR)) as uow:
                await self._note(uow, email.strip().lower(), address)
        except CrivoError as error:
            logger.warning("recusa_sem_registro", extra={"codigo": error.codigo})

    async def chave(self, text: str) -> None:
        """A key of the tenant's that was refused: revoked, past its end, or with another secret. A key that never was is nobody's."""
        token = read_token(text, "crv")
        if token is None:
            return
        until, many = self._keys.get(token.id, (0.0, 0))
        if self._ticks() < until:
            self._keys[token.id] = (until, many + 1)
            return
        if len(self._keys) >= _MOST_KEYS:
            self._keys.clear()
        self._keys[token.id] = (self._ticks() + _KEY_SECONDS, 0)
        try:
            async with self._database.unit_of_work(Scope(token.tenant_id, ATOR)) as uow:
                known = (await uow.connection.exec_driver_sql(_IS_KNOWN, (token.tenant_id, token.id))).scalar_one()
                if known:
                    dados = {"omitidas": many} if many else {}
                    await audit.append(
                        uow, self._clock.now(), [audit.NewEntry(acao="chave_recusada", alvo=f"chave:{token.id}", dados=dados)]
                    )
        except CrivoError as error:
            logger.warning("recusa_sem_registro", extra={"codigo": error.codigo})

    async def _note(self, uow: UnitOfWork, conta: str, address: str) -> None:
        secret = bytes((await uow.connection.exec_driver_sql(_KEY_OF_DIGESTS)).scalar_one())
        tenant = uow.scope.tenant_id
        of_account, of_address = _digest(secret, "conta", tenant, conta), _digest(secret, "endereco", address)
        if await _count(uow, _digest(secret, "par", tenant, conta, address)) > self._per_pair:
            return
        if await _count(uow, _digest(secret, "todas", tenant)) > self._of_all:
            return
        swept = await uow.connection.exec_driver_sql(_SWEEP, {"tenant": tenant, "limite": self._per_pair})
        omitted = int(swept.scalar_one())
        dados = {"de": of_address.hex()[:_DIGITS], **({"omitidas": omitted} if omitted else {})}
        entry = audit.NewEntry(acao="entrada_recusada", alvo=f"conta:{of_account.hex()[:_DIGITS]}", dados=dados)
        await audit.append(uow, self._clock.now(), [entry])


async def _count(uow: UnitOfWork, chave: bytes) -> int:
    return int((await uow.connection.exec_driver_sql(_COUNT, {"tenant": uow.scope.tenant_id, "chave": chave})).scalar_one())


def _digest(secret: bytes, *told: str) -> bytes:
    return hmac.digest(secret, "\0".join(("recusa", *told)).encode("utf-8", "surrogatepass"), "sha256")
