"""Browser sessions for people: what opens one (a link that works once, an invitation, a password), and how it ends."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal

from crivo.kernel import audit
from crivo.kernel.access.autorizar import Algum, authorize
from crivo.kernel.access.scopes import SemPermissao
from crivo.kernel.access.tokens import RandomBytes, Token, read_token
from crivo.kernel.access.usuarios import Usuario
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope

Entrada = Literal["link", "convite"]
Tipo = Literal["link", "convite", "sessao"]
LASTS: Final[Mapping[Entrada, timedelta]] = {"link": timedelta(minutes=15), "convite": timedelta(days=7)}
SESSION_LASTS: Final = timedelta(hours=8)
IDLE_LASTS: Final = timedelta(hours=2)
_SEEN_EVERY: Final = timedelta(minutes=1)  # a visit is noted no more often than this
# A session is always somebody's: of whoever was deactivated meanwhile, or is no person of the tenant, there is none.
_WHO: Final = """
    select s.ator, s.tipo, s.vista_em, u.id as usuario_id, u.papel, u.nome
    from sessoes s join usuarios u on u.tenant_id = s.tenant_id and s.ator = 'usuario:' || u.id
    where s.tenant_id = %s and s.id_digest = %s and s.tipo = any (%s) and s.expira_em > %s
      and coalesce(s.vista_em, s.criada_em) > %s and u.desativado_em is null"""
_SEEN: Final = "update sessoes set vista_em = %s where tenant_id = %s and id_digest = %s"
_SPEND: Final = "delete from sessoes where tenant_id = %s and id_digest = %s and tipo in ('link', 'convite') and expira_em > %s"
_JUST_NOW: Final = timedelta(minutes=1)
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
    """The person that a session speaks for, as the subject of the scope, and their name."""

    scope: Scope
    nome: str = field(repr=False)


class Sessoes:
    """Sign-in links and sessions, of which the database keeps only digests."""

    def __init__(self, database: Database, clock: Clock, random_bytes: RandomBytes = secrets.token_bytes) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    async def create_link(self, scope: Scope, ator: str, tipo: Entrada = "link") -> str:
        """A token that signs `ator` in to the scope's tenant, once: a link within 15 minutes, an invitation within 7 days.

        Raises SemPermissao.
        """
        authorize(scope.sujeito, "pessoas.administrar", Algum(scope.tenant_id))
        return await self._link(scope, ator, tipo)

    async def invite_patient(self, scope: Scope, usuario: Usuario) -> str:
        """An invitation of a patient's account that was made just now, once a document was seen. Raises SemPermissao."""
        authorize(scope.sujeito, "clinicas.vincular_conta", Algum(scope.tenant_id))
        if not usuario.is_patient or usuario.criado_em < self._clock.now() - _JUST_NOW:
            raise SemPermissao("A recepção convida só o paciente que acabou de cadastrar. Peça outro convite a quem administra.")
        return await self._link(scope, usuario.ator, "convite")

    async def _link(self, scope: Scope, ator: str, tipo: Entrada) -> str:
        now = self._clock.now()
        token = Token.new("crl", scope.tenant_id, self._random_bytes)
        async with self._database.unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql("delete from sessoes where tenant_id = %s and expira_em <= %s", (scope.tenant_id, now))
            await _insert(uow, token, tipo, ator, now, now + LASTS[tipo])
            await audit.append(uow, now, [audit.NewEntry(acao=f"{tipo}_criado", alvo=f"link:{token.id}", dados={"para": ator})])
        return token.text

    async def redeem(self, text: str) -> Sessao:
        """Trade a sign-in link or an invitation for a session. Of many who try at once, one succeeds. Raises EntradaRecusada."""
        link = read_token(text, "crl")
        if link is None:
            raise _no_entry()
        now = self._clock.now()
        guest = await self._who(link, ("link", "convite"), now)
        if guest is None:
            raise _no_entry()
        async with self._database.unit_of_work(guest.scope) as uow:
            spent = await uow.connection.exec_driver_sql(_SPEND, (link.tenant_id, link.digest, now))
            if spent.rowcount == 0:
                raise _no_entry()
            return await self._open(uow, now, {"link": link.id})

    async def open(self, scope: Scope) -> Sessao:
        """A session for the scope's actor, who has proved who they are."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._open(uow, self._clock.now(), {})

    async def session(self, session_id: str) -> Visita:
        """Who a session's cookie speaks for. Raises SessaoEncerrada."""
        token = read_token(session_id, "crs")
        guest = await self._who(token, ("sessao",), self._clock.now()) if token else None
        if guest is None:
            raise SessaoEncerrada("Sua sessão terminou. Entre de novo para continuar.")
        return guest

    async def end(self, session_id: str) -> None:
        """End a session; ending one that is over is no fault."""
        token = read_token(session_id, "crs")
        now = self._clock.now()
        guest = await self._who(token, ("sessao",), now) if token else None
        if token is None or guest is None:
            return
        async with self._database.unit_of_work(guest.scope) as uow:
            await uow.connection.exec_driver_sql(
                "delete from sessoes where tenant_id = %s and id_digest = %s", (token.tenant_id, token.digest)
            )
            await audit.append(uow, now, [audit.NewEntry(acao="sessao_encerrada", alvo=f"sessao:{token.id}")])

    async def _open(self, uow: UnitOfWork, now: datetime, dados: dict[str, str]) -> Sessao:
        token = Token.new("crs", uow.scope.tenant_id, self._random_bytes)
        ends = now + SESSION_LASTS
        await _insert(uow, token, "sessao", uow.scope.ator, now, ends)
        await audit.append(uow, now, [audit.NewEntry(acao="sessao_aberta", alvo=f"sessao:{token.id}", dados=dados)])
        return Sessao(uow.scope, ends, token.text)

    async def _who(self, token: Token, tipos: tuple[Tipo, ...], now: datetime) -> Visita | None:
        # A link waits for its person as long as it lasts; a session that nobody uses ends sooner.
        idle_since = now - (IDLE_LASTS if tipos == ("sessao",) else LASTS["convite"])
        async with self._database.unit_of_work(Scope(token.tenant_id, _DOORKEEPER)) as uow:
            found = await uow.connection.exec_driver_sql(_WHO, (token.tenant_id, token.digest, list(tipos), now, idle_since))
            row = found.one_or_none()
            if row is not None and row.tipo == "sessao" and now - row.vista_em >= _SEEN_EVERY:
                await uow.connection.exec_driver_sql(_SEEN, (now, token.tenant_id, token.digest))
        if row is None:
            return None
        return Visita(Scope(token.tenant_id, row.ator, Pessoa(token.tenant_id, row.usuario_id, row.papel)), row.nome)


async def _insert(uow: UnitOfWork, token: Token, tipo: Tipo, ator: str, now: datetime, ends: datetime) -> None:
    await uow.connection.exec_driver_sql(
        "insert into sessoes (tenant_id, id_digest, tipo, ator, criada_em, expira_em, vista_em) values (%s, %s, %s, %s, %s, %s, %s)",
        (uow.scope.tenant_id, token.digest, tipo, ator, now, ends, now),
    )


def _no_entry() -> EntradaRecusada:
    return EntradaRecusada("Este link de entrada já foi usado ou venceu. Peça outro: cada um vale por pouco tempo e uma só vez.")
