"""Browser sessions for people: what opens one (a link that works once, an invitation, a password), and how it ends."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access.avisos import tell
from crivo.kernel.access.senhas import has_senha
from crivo.kernel.access.tokens import RandomBytes, Token, read_token
from crivo.kernel.access.usuarios import Usuario, ator_of, conta_of, usuario_id_of
from crivo.kernel.autorizar import Algum, SemPermissao, authorize
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import INSTALACAO, Pessoa
from crivo.kernel.suspensao import OrganizacaoSuspensa, require_active
from crivo.kernel.tenancy import Scope

Entrada = Literal["link", "convite"]
Tipo = Literal["link", "convite", "sessao", "ida"]
Falta = Literal["senha", "codigo", "inscricao"]  # what who enters has still to do: choose a password, give a code, enrol for codes
LASTS: Final[Mapping[Entrada, timedelta]] = {"link": timedelta(minutes=15), "convite": timedelta(days=7)}
SESSION_LASTS: Final = timedelta(hours=8)
IDLE_LASTS: Final = timedelta(hours=2)
UNFINISHED_LASTS: Final = timedelta(minutes=15)  # a session that lacks something
_AHEAD: Final = timedelta(minutes=1)  # how far two machines' clocks may be apart
_SEEN_EVERY: Final = timedelta(minutes=1)  # a visit is noted no more often than this
# A session is always somebody's: of whoever was deactivated meanwhile, or is no person of the tenant, there is none.
_WHO: Final = """
    select s.ator, s.tipo, s.vista_em, s.falta, u.id as usuario_id, u.papel, u.selado, k.embrulhada, t.suspensa_em, t.nome as casa, exists (
        select from avisos_de_acesso a where a.tenant_id = u.tenant_id and a.usuario_id = u.id and a.lido_em is null) as avisada
    from sessoes s join usuarios u on u.tenant_id = s.tenant_id and s.ator = 'usuario:' || u.id join tenants t on t.id = s.tenant_id
    left join chaves_de_pessoas k on k.tenant_id = u.tenant_id and k.id = u.id
    where s.tenant_id = %s and s.id_digest = %s and s.tipo = any (%s) and s.expira_em > %s
      and coalesce(s.vista_em, s.criada_em) > %s and s.criada_em <= %s and u.desativado_em is null"""
_SEEN: Final = "update sessoes set vista_em = %s where tenant_id = %s and id_digest = %s"
_SPEND: Final = """
    delete from sessoes where tenant_id = %s and id_digest = %s and tipo in ('link', 'convite') and expira_em > %s returning feita_por"""
_TAKE_UP: Final = """
    delete from sessoes where tenant_id = %s and id_digest = %s and tipo = 'sessao' and falta is not null and expira_em > %s
    returning navegador, origem"""
_REMEMBERED: Final = timedelta(days=1)
_USED: Final = """
    insert into sessoes (tenant_id, id_digest, tipo, ator, criada_em, expira_em) values (%s, %s, 'ida', %s, %s, %s)
    on conflict do nothing"""
# What is over is gone, so that a clock that is set back finds it no more.
_SWEEP: Final = """
    delete from sessoes where tenant_id = %s and id_digest in (
        select id_digest from sessoes where tenant_id = %s and expira_em <= %s for update skip locked)"""
_INSERT: Final = """
    insert into sessoes (tenant_id, id_digest, tipo, ator, criada_em, expira_em, vista_em, feita_por, falta, navegador, origem)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
# A new link takes the place of those before it, and of whoever used one and has chosen no password yet.
_REPLACED: Final = """
    delete from sessoes where tenant_id = %s and ator = %s and (tipo in ('link', 'convite') or tipo = 'sessao' and falta = 'senha')"""
_FORGET_INSCRICOES: Final = "update sessoes set inscricao = null where tenant_id = %s and ator = %s and inscricao is not null"
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
class Onde:
    """How a person tells their sessions apart: the kind of browser, and enough of the address; never all of either."""

    navegador: str = ""
    origem: str = ""


@dataclass(frozen=True, slots=True)
class Sessao:
    """A session just opened: its id is for the browser's cookie alone. One that lacks something opens nothing else before that."""

    scope: Scope
    expira_em: datetime
    id: str = field(repr=False)
    falta: Falta | None = None


@dataclass(frozen=True, slots=True)
class Visita:
    """The person that a session speaks for, as the subject of the scope, and their name.

    `falta` is what the session lacks; `avisada`, whether others did something to this person's access that they have not read yet;
    `suspensa`, whether their organisation, which is called `organizacao`, is, so that the session opens nothing but the way out.
    """

    scope: Scope
    nome: str = field(repr=False)
    falta: Falta | None = None
    avisada: bool = False
    suspensa: bool = False
    organizacao: str = field(default="", compare=False)


_NOWHERE: Final = Onde()


class Sessoes:
    """Sign-in links and sessions, of which the database keeps only digests."""

    def __init__(self, database: Database, clock: Clock, random_bytes: RandomBytes = secrets.token_bytes) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    async def create_link(self, scope: Scope, ator: str, tipo: Entrada = "link") -> str:
        """A token that signs `ator` in to the scope's tenant, once: a link within 15 minutes, an invitation within 7 days.

        It ends those that were made for them before. One that a person makes leads to the choice of a password; where it is for somebody
        else, that person is told. Raises SemPermissao.
        """
        authorize(scope.sujeito, "pessoas.administrar", Algum(scope.tenant_id))
        return await self._link(scope, ator, tipo)

    async def invite_patient(self, scope: Scope, usuario: Usuario) -> str:
        """An invitation of a patient's account, once a document was seen; another where the first was lost or is over.

        Raises SemPermissao for other accounts, and for one whose person has chosen a password: a link would let others choose it anew.
        """
        authorize(scope.sujeito, "clinicas.vincular_conta", Algum(scope.tenant_id))
        async with self._database.unit_of_work(scope) as uow:
            has_come = await has_senha(uow, usuario.id)
        if not usuario.is_patient or usuario.desativado_em is not None:
            raise SemPermissao("A recepção convida só pacientes. Para as outras contas, peça o convite a quem administra o crivo.")
        if has_come:
            raise SemPermissao("Este paciente já entrou e escolheu uma senha. Se a esqueceu, peça outro convite a quem administra o crivo.")
        return await self._link(scope, usuario.ator, "convite")

    async def _link(self, scope: Scope, ator: str, tipo: Entrada) -> str:
        now = self._clock.now()
        token = Token.new("crl", scope.tenant_id, self._random_bytes)
        async with self._database.unit_of_work(scope) as uow:
            await _sweep(uow, now)
            await uow.connection.exec_driver_sql(_REPLACED, (scope.tenant_id, ator))
            await _insert(uow, token, tipo, ator, now, now + LASTS[tipo], feita_por=scope.ator)
            whose = usuario_id_of(ator)
            if whose is not None:
                await forget_inscricoes(uow, whose)
            if whose is not None and usuario_id_of(scope.ator) is not None and scope.ator != ator:
                await tell(uow, now, whose, "link_feito")
            await audit.append(uow, now, [audit.NewEntry(acao=f"{tipo}_criado", alvo=f"link:{token.id}", dados={"para": ator})])
        return token.text

    async def redeem(self, text: str, onde: Onde = _NOWHERE) -> Sessao:
        """Trade a sign-in link or an invitation for a session. Of many who try at once, one succeeds. Raises EntradaRecusada.

        A link that was made on the command line is proof by itself; of one that a person made, the session lacks a password. Raises
        OrganizacaoSuspensa, and the link can be used later.
        """
        link = read_token(text, "crl")
        if link is None:
            raise _no_entry()
        now = self._clock.now()
        guest = await self._who(link, ("link", "convite"), now)
        if guest is None:
            raise _no_entry()
        if guest.suspensa:
            raise OrganizacaoSuspensa(guest.organizacao)
        async with self._database.unit_of_work(guest.scope) as uow:
            spent = (await uow.connection.exec_driver_sql(_SPEND, (link.tenant_id, link.digest, now))).one_or_none()
            if spent is None:
                raise _no_entry()
            by_a_person = spent.feita_por in (None, INSTALACAO) or usuario_id_of(spent.feita_por) is not None
            return await self._open(uow, now, onde, "senha" if by_a_person else None, {"link": link.id})

    async def open(self, scope: Scope, onde: Onde = _NOWHERE, falta: Falta | None = None) -> Sessao:
        """A session for the scope's actor, who has proved who they are; with `falta`, proved all but that. Raises OrganizacaoSuspensa."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._open(uow, self._clock.now(), onde, falta)

    async def take_up(self, scope: Scope, session_id: str, falta: Falta | None = None) -> Sessao:
        """Go on, under a new id, from a session of the scope's actor that lacked something. Raises SessaoEncerrada where none did."""
        token, now = read_token(session_id, "crs"), self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            taken = None
            if token is not None:
                taken = (await uow.connection.exec_driver_sql(_TAKE_UP, (scope.tenant_id, token.digest, now))).one_or_none()
            if taken is None:
                raise SessaoEncerrada("Sua entrada demorou demais. Entre de novo para continuar.")
            return await self._open(uow, now, Onde(taken.navegador, taken.origem), falta)

    async def spend(self, scope: Scope, text: str) -> None:
        """Use up a secret that another machine gave, for as long as it could come back. Raises EntradaRecusada for one used before."""
        now, digest = self._clock.now(), hashlib.sha256(text.encode()).digest()
        async with self._database.unit_of_work(scope) as uow:
            await _sweep(uow, now)
            done = await uow.connection.exec_driver_sql(_USED, (scope.tenant_id, digest, scope.ator, now, now + _REMEMBERED))
        if not done.rowcount:
            raise _no_entry()

    async def session(self, session_id: str, *, is_visit: bool = True, is_leaving: bool = False) -> Visita:
        """Who a session's cookie speaks for; one that is no visit keeps no idle session open, and whoever is leaving may from anywhere.

        Raises SessaoEncerrada; OrganizacaoSuspensa, and the session goes on once it is not.
        """
        token = read_token(session_id, "crs")
        guest = await self._who(token, ("sessao",), self._clock.now(), is_visit=is_visit) if token else None
        if guest is None:
            raise SessaoEncerrada("Sua sessão terminou. Entre de novo para continuar.")
        if guest.suspensa and not is_leaving:
            raise OrganizacaoSuspensa(guest.organizacao)
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

    async def _open(
        self, uow: UnitOfWork, now: datetime, onde: Onde, falta: Falta | None, dados: Mapping[str, str] | None = None
    ) -> Sessao:
        await require_active(uow)
        token = Token.new("crs", uow.scope.tenant_id, self._random_bytes)
        ends = now + (SESSION_LASTS if falta is None else UNFINISHED_LASTS)
        await _sweep(uow, now)
        await _insert(uow, token, "sessao", uow.scope.ator, now, ends, falta=falta, onde=onde)
        alvo, told = f"sessao:{token.id}", dados or {}
        if falta is None:
            entry = audit.NewEntry(acao="sessao_aberta", alvo=alvo, dados=told)
        else:
            entry = audit.NewEntry(acao="entrada_comecada", alvo=alvo, dados={**told, "falta": falta})
        await audit.append(uow, now, [entry])
        return Sessao(uow.scope, ends, token.text, falta)

    async def _who(self, token: Token, tipos: tuple[Tipo, ...], now: datetime, *, is_visit: bool = True) -> Visita | None:
        # A link waits for its person as long as it lasts; a session that nobody uses ends sooner.
        idle_since = now - (IDLE_LASTS if tipos == ("sessao",) else LASTS["convite"])
        async with self._database.unit_of_work(Scope(token.tenant_id, _DOORKEEPER)) as uow:
            asked = (token.tenant_id, token.digest, list(tipos), now, idle_since, now + _AHEAD)
            row = (await uow.connection.exec_driver_sql(_WHO, asked)).one_or_none()
            if row is None:
                await _sweep(uow, now)
                return None
            if is_visit and row.tipo == "sessao" and now - row.vista_em >= _SEEN_EVERY:
                await uow.connection.exec_driver_sql(_SEEN, (now, token.tenant_id, token.digest))
            nome = conta_of(uow, row.usuario_id, row).nome
        sujeito = Pessoa(token.tenant_id, row.usuario_id, row.papel)
        return Visita(Scope(token.tenant_id, row.ator, sujeito), nome, row.falta, row.avisada, row.suspensa_em is not None, row.casa)


async def forget_inscricoes(uow: UnitOfWork, usuario_id: UUID) -> None:
    """Have no session of a person's enrol with the secret that it was shown: the next page shows another."""
    await uow.connection.exec_driver_sql(_FORGET_INSCRICOES, (uow.scope.tenant_id, ator_of(usuario_id)))


async def _insert(
    uow: UnitOfWork,
    token: Token,
    tipo: Tipo,
    ator: str,
    now: datetime,
    ends: datetime,
    *,
    feita_por: str | None = None,
    falta: Falta | None = None,
    onde: Onde = _NOWHERE,
) -> None:
    whose = (uow.scope.tenant_id, token.digest, tipo, ator, now, ends, now)
    await uow.connection.exec_driver_sql(_INSERT, (*whose, feita_por, falta, onde.navegador, onde.origem))


async def _sweep(uow: UnitOfWork, now: datetime) -> None:
    await uow.connection.exec_driver_sql(_SWEEP, (uow.scope.tenant_id, uow.scope.tenant_id, now))


def _no_entry() -> EntradaRecusada:
    return EntradaRecusada("Este link de entrada já foi usado ou venceu. Peça outro: cada um vale por pouco tempo e uma só vez.")
