"""How often one may try to sign in, counted in the database by all processes together.

What is counted stands under a keyed digest: the rows tell nobody who tried, nor from where. Whether an account exists changes nothing.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import ClassVar, Final

from crivo.kernel.access.sessoes import EntradaRecusada
from crivo.kernel.enderecos import site_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

_DOORKEEPER: Final = Scope(LOCAL_TENANT, "porteiro")  # the counts are outside every tenant: an address may try at many
_WINDOW_SECONDS: Final = 300
_DAY_SECONDS: Final = 86_400
# Whoever is asked for a code has given the password: here the account itself may be closed to guessing, and is. With three codes of a
# million right at any moment, 50 tries a day find one in some 18 years.
_CODES_PER_PLACE: Final = 5
_CODES_PER_ACCOUNT: Final = 10
_CODES_PER_DAY: Final = 50
_KEY_OF_DIGESTS: Final = "select valor from segredos where nome = 'tentativas_de_entrada'"
# The row's lock orders those who try at once. A try that is refused is not counted: waiting always helps. The clock is the one
# that all processes share.
_COUNT: Final = """
    insert into tentativas_de_entrada as t (chave, feitas, vence_em)
    values (%(chave)s, array[now()], now() + make_interval(secs => %(janela)s))
    on conflict (chave) do update set
        feitas = array(select f from unnest(t.feitas) f where f > now() - make_interval(secs => %(janela)s)) || now(),
        vence_em = excluded.vence_em
    where (select count(*) from unnest(t.feitas) f where f > now() - make_interval(secs => %(janela)s)) < %(limite)s"""
_WAIT: Final = """
    select extract(epoch from f + make_interval(secs => %(janela)s) - now()) as segundos
    from tentativas_de_entrada t, unnest(t.feitas) f
    where t.chave = %(chave)s and f > now() - make_interval(secs => %(janela)s) order by f desc offset %(limite)s - 1 limit 1"""
# Last in its transaction, and of rows that nobody else holds: whoever sweeps waits for nobody.
_SWEEP: Final = """
    delete from tentativas_de_entrada where chave in (
        select chave from tentativas_de_entrada where vence_em <= now() limit 100 for update skip locked)"""


class TentativasDemais(CrivoError):
    """Tried too often; `retry_after_seconds` is when one may try again. Where it was one account, a link is still a way in."""

    codigo: ClassVar[str] = "tentativas_demais"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Muitas tentativas"

    def __init__(self, retry_after_seconds: int, *, por_link: bool, de: str = "de entrar") -> None:
        minutes = -(-retry_after_seconds // 60)
        plural = "minuto" if minutes == 1 else "minutos"
        other = ", ou peça um link de entrada" if por_link else ""
        super().__init__(f"Foram muitas tentativas {de}. Espere {minutes} {plural} e tente de novo{other}.")
        self.retry_after_seconds = retry_after_seconds


class Tentativas:
    """Tries in any five minutes of the whole installation: of one account from one address, of one account, and from one address.

    A stranger's wrong passwords slow that stranger: the account's owner, elsewhere, has tries of their own. Where very many addresses try
    one account together, each of them has fewer, and none has none.
    """

    def __init__(
        self, database: Database, per_address: int = 40, per_place: int = 8, per_account: int = 100, when_crowded: int = 2
    ) -> None:
        """`per_place` is of one account from one address, and falls to `when_crowded` beyond `per_account` tries of it from anywhere."""
        self._database = database
        self._per_address = per_address
        self._per_place = per_place
        self._per_account = per_account
        self._when_crowded = when_crowded
        self._secret = b""

    async def hit(self, tenant_id: str, email: str, address: str) -> None:
        """Count a try of a password, before it is known whether it is right. Raises TentativasDemais, also for an account that is none."""
        site, account = site_of(address), (tenant_id, email.strip().lower())
        async with self._database.unit_of_work(_DOORKEEPER) as uow:
            wait, por_link = await _count(uow, await self._key(uow, site), self._per_address), False
            if wait == 0:  # addresses before accounts, always: nobody holds what another one waits for
                crowded = await _count(uow, await self._key(uow, *account), self._per_account) > 0
                limit = self._when_crowded if crowded else self._per_place
                wait, por_link = await _count(uow, await self._key(uow, *account, site), limit), True
            await uow.connection.exec_driver_sql(_SWEEP)
        if wait:
            raise TentativasDemais(wait, por_link=por_link)

    async def code(self, tenant_id: str, ator: str, address: str) -> None:
        """Count a try of a second factor's code, before it is known whether it is right. Raises TentativasDemais."""
        account = (tenant_id, ator, "codigo")
        async with self._database.unit_of_work(_DOORKEEPER) as uow:
            wait = await _count(uow, await self._key(uow, *account, site_of(address)), _CODES_PER_PLACE)
            wait = wait or await _count(uow, await self._key(uow, *account), _CODES_PER_ACCOUNT)
            wait = wait or await _count(uow, await self._key(uow, *account, "", "dia"), _CODES_PER_DAY, _DAY_SECONDS)
            await uow.connection.exec_driver_sql(_SWEEP)
        if wait:
            raise TentativasDemais(wait, por_link=False)

    @asynccontextmanager
    async def link(self, address: str) -> AsyncIterator[None]:
        """A try of a link, in the block: counted where it is refused. Raises TentativasDemais from an address that has no try left.

        A link that is right counts for nothing, so that many may come in from one office.
        """
        async with self._database.unit_of_work(_DOORKEEPER) as uow:
            key = await self._key(uow, site_of(address))
            wait = await _wait(uow, key, self._per_address)
        if wait:
            raise TentativasDemais(wait, por_link=False)
        try:
            yield
        except EntradaRecusada:
            async with self._database.unit_of_work(_DOORKEEPER) as uow:
                await _count(uow, key, self._per_address)
                await uow.connection.exec_driver_sql(_SWEEP)
            raise

    @asynccontextmanager
    async def secret(self, address: str) -> AsyncIterator[None]:
        """A try of a code that opens a page to whoever has it, in the block: counted, as a link is, where there is none of that code."""
        async with self._database.unit_of_work(_DOORKEEPER) as uow:
            key = await self._key(uow, site_of(address))
            wait = await _wait(uow, key, self._per_address)
        if wait:
            raise TentativasDemais(wait, por_link=False, de="com códigos que não existem")
        try:
            yield
        except CrivoError as error:
            if error.kind is Kind.ABSENT:
                async with self._database.unit_of_work(_DOORKEEPER) as uow:
                    await _count(uow, key, self._per_address)
                    await uow.connection.exec_driver_sql(_SWEEP)
            raise

    async def _key(self, uow: UnitOfWork, *told: str) -> bytes:
        """The keyed digest of an address, of an account, or of both; no text of the one is one of the other."""
        if not self._secret:
            self._secret = bytes((await uow.connection.exec_driver_sql(_KEY_OF_DIGESTS)).scalar_one())
        return hmac.digest(self._secret, "\0".join((str(len(told)), *told)).encode("utf-8", "surrogatepass"), "sha256")


async def _count(uow: UnitOfWork, chave: bytes, limite: int, janela: int = _WINDOW_SECONDS) -> int:
    """Count a try under a key; where it would be one too many it is not counted, and the seconds to wait are the answer."""
    done = await uow.connection.exec_driver_sql(_COUNT, {"chave": chave, "limite": limite, "janela": janela})
    return 0 if done.rowcount else max(1, await _wait(uow, chave, limite, janela))


async def _wait(uow: UnitOfWork, chave: bytes, limite: int, janela: int = _WINDOW_SECONDS) -> int:
    found = await uow.connection.exec_driver_sql(_WAIT, {"chave": chave, "limite": limite, "janela": janela})
    seconds = found.scalar_one_or_none()
    return 0 if seconds is None else max(1, math.ceil(seconds))
