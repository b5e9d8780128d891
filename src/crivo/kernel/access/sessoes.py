"""Browser sessions for people: a sign-in link that works once, and the session that it opens."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal

from crivo.kernel import audit
from crivo.kernel.access.tokens import RandomBytes, Token, read_token
from crivo.kernel.access.usuarios import Papel
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

LINK_LASTS: Final = timedelta(minutes=15)
SESSION_LASTS: Final = timedelta(hours=8)
# Whoever was deactivated meanwhile is nobody.
_WHO: Final = """
    select s.ator, u.papel, u.nome
    from sessoes s left join usuarios u on u.tenant_id = s.tenant_id and s.ator = 'usuario:' || u.id
    where s.tenant_id = %s and s.id_digest = %s and s.tipo = %s and s.expira_em > %s and u.desativado_em is null"""
_DOORKEEPER: Final = "porteiro"  # who looks, before it is known who asks


class EntradaRecusada(CrivoError):
    """The sign-in link was used before, has expired, or never was one; which of them is not told."""

    codigo: ClassVar[str] = "entrada_recusada"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Entrada recusada"


class SessaoEncerrada(CrivoError):
    """There is no session, or no longer."""

    codigo: ClassVar[str] = "sessao_encerrada"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Sessão encerrada"


@dataclass(frozen=True, slots=True)
class Sessao:
    """A session just opened: its id is for the browser's cookie alone."""

    scope: Scope
    expira_em: datetime
    id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Visita:
    """Who a session speaks for: their role and name where they are a person of the tenant, else None and empty."""

    scope: Scope
    papel: Papel | None
    nome: str = field(repr=False)


class Sessoes:
    """Sign-in links and sessions, of which the database keeps only digests."""

    def __init__(self, database: Database, clock: Clock, random_bytes: RandomBytes = secrets.token_bytes) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    async def create_link(self, scope: Scope, ator: str) -> str:
        """A token that signs `ator` in to the scope's tenant, once, within 15 minutes; made by the scope's actor."""
        now = self._clock.now()
        token = Token.new("crl", scope.tenant_id, self._random_bytes)
        async with self._database.unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql("delete from sessoes where tenant_id = %s and expira_em <= %s", (scope.tenant_id, now))
            await _insert(uow, token, "link", ator, now, now + LINK_LASTS)
            await audit.append(uow, now, [audit.NewEntry(acao="link_criado", alvo=f"link:{token.id}", dados={"para": ator})])
        return token.text

    async def redeem(self, text: str) -> Sessao:
        """Trade a sign-in link for a session. Of many who try at once, one succeeds. Raises EntradaRecusada."""
        link = read_token(text, "crl")
        if link is None:
            raise _no_entry()
        now = self._clock.now()
        token = Token.new("crs", link.tenant_id, self._random_bytes)
        guest = await self._who(link, "link", now)
        if guest is None:
            raise _no_entry()
        scope, ends = guest.scope, now + SESSION_LASTS
        async with self._database.unit_of_work(scope) as uow:
            spent = await uow.connection.exec_driver_sql(
                "delete from sessoes where tenant_id = %s and id_digest = %s and tipo = 'link' and expira_em > %s",
                (link.tenant_id, link.digest, now),
            )
            if spent.rowcount == 0:
                raise _no_entry()
            await _insert(uow, token, "sessao", scope.ator, now, ends)
            await audit.append(uow, now, [audit.NewEntry(acao="sessao_aberta", alvo=f"sessao:{token.id}", dados={"link": link.id})])
        return Sessao(scope, ends, token.text)

    async def session(self, session_id: str) -> Visita:
        """Who a session's cookie speaks for. Raises SessaoEncerrada."""
        token = read_token(session_id, "crs")
        guest = await self._who(token, "sessao", self._clock.now()) if token else None
        if guest is None:
            raise SessaoEncerrada("Sua sessão terminou. Entre de novo para continuar.")
        return guest

    async def end(self, session_id: str) -> None:
        """End a session; ending one that is over is no fault."""
        token = read_token(session_id, "crs")
        now = self._clock.now()
        guest = await self._who(token, "sessao", now) if token else None
        if token is None or guest is None:
            return
        async with self._database.unit_of_work(guest.scope) as uow:
            await uow.connection.exec_driver_sql(
                "delete from sessoes where tenant_id = %s and id_digest = %s", (token.tenant_id, token.digest)
            )
            await audit.append(uow, now, [audit.NewEntry(acao="sessao_encerrada", alvo=f"sessao:{token.id}")])

    async def _who(self, token: Token, tipo: Literal["link", "sessao"], now: datetime) -> Visita | None:
        async with self._database.unit_of_work(Scope(token.tenant_id, _DOORKEEPER)) as uow:
            found = await uow.connection.exec_driver_sql(
                _WHO,
                (token.tenant_id, token.digest, tipo, now),
            )
            row = found.one_or_none()
        return None if row is None else Visita(Scope(token.tenant_id, row.ator), row.papel, row.nome or "")


async def _insert(uow: UnitOfWork, token: Token, tipo: Literal["link", "sessao"], ator: str, now: datetime, ends: datetime) -> None:
    await uow.connection.exec_driver_sql(
        "insert into sessoes (tenant_id, id_digest, tipo, ator, criada_em, expira_em) values (%s, %s, %s, %s, %s, %s)",
        (uow.scope.tenant_id, token.digest, tipo, ator, now, ends),
    )


def _no_entry() -> EntradaRecusada:
    return EntradaRecusada("Este link de entrada já foi usado ou venceu. Peça outro: cada um vale por 15 minutos e uma só vez.")
