"""API keys for programs: made once, shown once, checked on every request, gone when revoked or expired."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Final

from crivo.kernel import audit
from crivo.kernel.access.avisos import tell
from crivo.kernel.access.scopes import read_escopos
from crivo.kernel.access.tokens import RandomBytes, Token, read_token
from crivo.kernel.access.usuarios import Usuario, ator_of, usuario_id_of
from crivo.kernel.autorizar import Algum, authorize
from crivo.kernel.clock import Clock
from crivo.kernel.cotas import require_room
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Escopo, Programa, ProgramaDePessoa
from crivo.kernel.suspensao import OrganizacaoSuspensa
from crivo.kernel.tenancy import Scope

_CACHE_SECONDS: Final = 5.0
_CACHE_ENTRIES: Final = 10_000
_NO_DIGEST: Final = bytes(32)
_INSERT: Final = """
    insert into chaves_api (tenant_id, id, nome, segredo_digest, escopos, criada_em, expira_em, usuario_id)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_LOOK_UP: Final = """
    select c.segredo_digest, c.escopos, c.expira_em, c.revogada_em, c.usuario_id, u.papel, u.desativado_em, t.suspensa_em,
        l.pedidos_por_minuto
    from chaves_api c join tenants t on t.id = c.tenant_id left join cotas l on l.tenant_id = c.tenant_id
        left join usuarios u on u.tenant_id = c.tenant_id and u.id = c.usuario_id
    where c.tenant_id = %s and c.id = %s"""

_OWN: Final = """
    select id, nome, escopos, criada_em, expira_em, revogada_em from chaves_api
    where tenant_id = %s and usuario_id = %s and revogada_em is null and expira_em > %s order by criada_em desc, id"""
_IN_USE: Final = "select count(*) from chaves_api where tenant_id = %s and revogada_em is null and expira_em > %s"
_END_OWN: Final = "update chaves_api set revogada_em = %s where tenant_id = %s and id = %s and usuario_id = %s and revogada_em is null"
_BY_KEYS: Final = """
    select a.dados::json ->> 'revisao' as revisao, c.nome
    from auditoria a join chaves_api c on c.tenant_id = a.tenant_id and c.id = a.dados::json ->> 'chave'
    where a.tenant_id = %s and a.alvo = %s and a.acao = 'autorizacao.revista' and strpos(a.dados, '"chave":') > 0"""


class ChaveRecusada(CrivoError):
    """The key is malformed, unknown, expired or revoked; which of them is not told."""

    codigo: ClassVar[str] = "chave_recusada"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Chave de API recusada"


class ChaveInexistente(CrivoError):
    """No key of this tenant that could still be used has that id."""

    codigo: ClassVar[str] = "chave_inexistente"
    kind: ClassVar[Kind] = Kind.ABSENT


class ChaveInvalida(CrivoError):
    """A key was asked for that nobody could use."""

    codigo: ClassVar[str] = "chave_invalida"
    kind: ClassVar[Kind] = Kind.INVALID


@dataclass(frozen=True, slots=True)
class Chave:
    """A key as it is kept: everything but its secret."""

    id: str
    nome: str
    escopos: frozenset[Escopo]
    criada_em: datetime
    expira_em: datetime
    revogada_em: datetime | None


@dataclass(frozen=True, slots=True)
class NovaChave:
    """A key at the only moment at which its secret is known."""

    chave: Chave
    segredo: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Acesso:
    """Who a key lets in, as the subject of the scope; `por_minuto` is its organisation's own quota of requests, where it has one."""

    scope: Scope
    expira_em: datetime
    por_minuto: int | None = None


async def create_chave(
    uow: UnitOfWork,
    em: datetime,
    nome: str,
    escopos: Iterable[str],
    expira_em: datetime,
    *,
    usuario: Usuario | None = None,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> NovaChave:
    """Make a key in the scope's tenant; with `usuario`, one that acts for that person and may do no more than they may.

    That person is told. Raises SemPermissao; EscopoDesconhecido; CotaAtingida; ChaveInvalida where it would be born expired or nameless.
    """
    _ask(uow)
    granted = read_escopos(escopos)

    async def used(within: UnitOfWork) -> int:
        return await count_chaves(within, em)

    if expira_em <= em:
        raise ChaveInvalida("A validade da chave deve terminar no futuro.")
    if not nome.strip():
        raise ChaveInvalida("Dê um nome à chave, como o do sistema que vai usá-la.")
    await require_room(uow, "chaves", used)
    token = Token.new("crv", uow.scope.tenant_id, random_bytes)
    await uow.connection.exec_driver_sql(
        _INSERT,
        (uow.scope.tenant_id, token.id, nome.strip(), token.digest, sorted(granted), em, expira_em, usuario.id if usuario else None),
    )
    dados = {"escopos": sorted(granted), "expira_em": expira_em.isoformat()}
    if usuario is not None:
        dados["por"] = usuario.ator
        if uow.scope.ator != usuario.ator:
            await tell(uow, em, usuario.id, "chave_feita")
    await audit.append(uow, em, [audit.NewEntry(acao="chave_criada", alvo=f"chave:{token.id}", dados=dados)])
    return NovaChave(Chave(token.id, nome.strip(), granted, em, expira_em, None), token.text)


async def revoke_chave(uow: UnitOfWork, em: datetime, chave_id: str) -> None:
    """Revoke a key for good. Raises SemPermissao; ChaveInexistente where there is none, or it was revoked before."""
    _ask(uow)
    done = await uow.connection.exec_driver_sql(
        "update chaves_api set revogada_em = %s where tenant_id = %s and id = %s and revogada_em is null",
        (em, uow.scope.tenant_id, chave_id),
    )
    if done.rowcount == 0:
        raise ChaveInexistente("Não há chave em uso com este identificador. Veja as que existem com 'crivo chaves listar'.")
    await audit.append(uow, em, [audit.NewEntry(acao="chave_revogada", alvo=f"chave:{chave_id}")])


async def count_chaves(uow: UnitOfWork, em: datetime) -> int:
    """How many keys of the tenant may be used."""
    found = await uow.connection.exec_driver_sql(_IN_USE, (uow.scope.tenant_id, em))
    return int(found.scalar_one())


async def list_chaves(uow: UnitOfWork) -> tuple[Chave, ...]:
    """Every key of the tenant, the newest first. Raises SemPermissao."""
    authorize(uow.scope.sujeito, "chaves.listar", Algum(uow.scope.tenant_id))
    rows = await uow.connection.exec_driver_sql(
        "select id, nome, escopos, criada_em, expira_em, revogada_em from chaves_api where tenant_id = %s order by criada_em desc, id",
        (uow.scope.tenant_id,),
    )
    return tuple(_chave(row) for row in rows)


async def list_own_chaves(uow: UnitOfWork, em: datetime) -> tuple[Chave, ...]:
    """The keys that act for whoever acts and may be used still, the newest first."""
    usuario_id = usuario_id_of(uow.scope.ator)
    rows = await uow.connection.exec_driver_sql(_OWN, (uow.scope.tenant_id, usuario_id, em))
    return tuple(_chave(row) for row in rows)


async def end_own_chave(uow: UnitOfWork, em: datetime, chave_id: str) -> None:
    """Revoke for good a key that acts for whoever acts; of one that is over, or is another's, nothing changes and it is no fault."""
    whose = (em, uow.scope.tenant_id, chave_id, usuario_id_of(uow.scope.ator))
    done = await uow.connection.exec_driver_sql(_END_OWN, whose)
    if done.rowcount:
        await audit.append(uow, em, [audit.NewEntry(acao="chave_revogada", alvo=f"chave:{chave_id}")])


async def names_of_reviewing_keys(uow: UnitOfWork, alvo: str) -> Mapping[str, str]:
    """The names of the keys that acted for people in what the audit tells of `alvo`, by the review that each entry names."""
    rows = await uow.connection.exec_driver_sql(_BY_KEYS, (uow.scope.tenant_id, alvo))
    return {row.revisao: row.nome for row in rows}


def _chave(row: Any) -> Chave:
    return Chave(row.id, row.nome, read_escopos(row.escopos), row.criada_em, row.expira_em, row.revogada_em)


class Porteiro:
    """Tells whom a key lets in. Of a program's own key the answer is kept for 5 s, so one that is revoked, or of an organisation that is
    suspended, may work for as long.

    Its expiry counts at once. A key that acts for a person is looked up every time: a role that was taken is gone at the next request.
    `ticks` are seconds of a clock that never stands still, however the program's own clock is set.
    """

    def __init__(self, database: Database, clock: Clock, ticks: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._ticks = ticks
        self._known: dict[bytes, tuple[float, Acesso]] = {}

    async def authenticate(self, text: str) -> Acesso:
        """Who the key lets in. Raises ChaveRecusada, the same for every reason; OrganizacaoSuspensa for a key that would be let in."""
        token = read_token(text, "crv")
        if token is None:
            raise _refused()
        digest = token.digest
        kept_until, access = self._known.get(digest, (0.0, None))
        if access is None or self._ticks() >= kept_until:
            access = await self._look_up(token, digest)
            if isinstance(access.scope.sujeito, Programa):
                self._keep(digest, access)
        if access.expira_em <= self._clock.now():
            raise _refused()
        return access

    def _keep(self, digest: bytes, access: Acesso) -> None:
        if len(self._known) >= _CACHE_ENTRIES:
            self._known.clear()
        self._known[digest] = (self._ticks() + _CACHE_SECONDS, access)

    async def _look_up(self, token: Token, digest: bytes) -> Acesso:
        self._known.pop(digest, None)
        scope = Scope(token.tenant_id, f"chave:{token.id}")
        async with self._database.unit_of_work(scope) as uow:
            found = await uow.connection.exec_driver_sql(_LOOK_UP, (token.tenant_id, token.id))
            row = found.one_or_none()
        same = hmac.compare_digest(bytes(row.segredo_digest) if row else _NO_DIGEST, digest)
        if row is None or not same or row.revogada_em is not None or row.desativado_em is not None:
            raise _refused()
        if row.suspensa_em is not None:
            raise OrganizacaoSuspensa
        escopos = read_escopos(row.escopos)
        if row.usuario_id is None:
            acting = Scope(token.tenant_id, scope.ator, Programa(token.tenant_id, escopos))
        elif row.papel is None:
            raise _refused()
        else:
            sujeito = ProgramaDePessoa(token.tenant_id, row.usuario_id, row.papel, escopos, token.id)
            acting = Scope(token.tenant_id, ator_of(row.usuario_id), sujeito)
        return Acesso(acting, row.expira_em, row.pedidos_por_minuto)


def _ask(uow: UnitOfWork) -> None:
    authorize(uow.scope.sujeito, "chaves.administrar", Algum(uow.scope.tenant_id))


def _refused() -> ChaveRecusada:
    return ChaveRecusada("A chave de API não foi aceita: ela não existe, venceu ou foi revogada. Peça outra a quem administra o crivo.")
