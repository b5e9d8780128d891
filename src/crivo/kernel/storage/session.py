"""The way into the database: a unit of work in one tenant. The only place that commits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import psycopg
from sqlalchemy import Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from crivo.kernel.copia.pasta import refuse_half_restored
from crivo.kernel.rastros import begin
from crivo.kernel.storage.cluster import RUNTIME_ROLE
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.errors import BancoIndisponivel, PapelInseguro, crivo_error_of, schema_moved, unavailable
from crivo.kernel.storage.migrating import HEAD, migrate
from crivo.kernel.storage.patience import PATIENT, Patience, Watch
from crivo.kernel.storage.rewriting import Reescrita, rewrite
from crivo.kernel.storage.urls import Preferencia, sqlalchemy_url
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.settings import Settings
    from crivo.kernel.sigilo.cofre import Cofre

_CONNECT_SECONDS: Final = 2  # for each host: with a silent one first there is still time for another
_POOL_SECONDS: Final = 10.0
# A machine that is gone takes in nothing that is sent to it: the line is given up by then, and another host asked.
KEPT_ALIVE: Final[Mapping[str, int]] = {"keepalives_idle": 30, "tcp_user_timeout": 5_000}
_HOST: Final = "crivo.host"
_WATCH: Final = "crivo.watch"
_POOL_SIZE: Final = 10
_HUNG_UP: Final = frozenset({"57P01", "57P02", "25P03"})  # said by a server that was stopped, or that closed an idle connection

# Outside any transaction, so that no rollback gives the connection its own role back.
SET_RUNTIME_SESSION: Final = (
    f"set role {RUNTIME_ROLE}; set search_path to public; set lock_timeout to '10s'; set idle_in_transaction_session_timeout to '5min'"
)
# The version is asked with each transaction, in the statement that it begins with anyway: no program acts in another one's schema.
# So is the role: a pooler of transactions hands on lines that never took it, or that took it for somebody else.
_BEGIN: Final = """
    select version_num, set_config('app.tenant_id', %s, true), set_config('statement_timeout', %s, true), current_user = %s as em_papel
    from public.alembic_version"""
_ROLE_CHECK: Final = """
    select r.rolsuper, r.rolbypassrls, exists (
        select 1 from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner = r.oid)
    from pg_roles r where r.rolname = current_user"""


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One open transaction, and whose data it is in."""

    connection: AsyncConnection
    scope: Scope
    cofre_aberto: Cofre | None = None

    @property
    def cofre(self) -> Cofre:
        """The keys of what is kept of people."""
        if self.cofre_aberto is None:
            raise TypeError("this database was opened without its keys, and holds nobody's data")
        return self.cofre_aberto


@dataclass(frozen=True, slots=True)
class Lotacao:
    """How full the pool is: connections that are in use, those that there may be, and how many wait for one."""

    em_uso: int
    tamanho: int
    esperando: int


class Database:
    """A pool of connections in the role that owns nothing.

    A restarted PostgreSQL is reached again by itself: a unit of work that finds its connection dead before it did anything
    takes a fresh one. Nothing that was begun is ever tried twice. One that is frozen is hung up on, as `patience` says.
    Of several hosts the one that takes writes is found, and found again after another was promoted.
    """

    def __init__(
        self, url: str, *, pool_size: int = _POOL_SIZE, embedded: EmbeddedPostgres | None = None, cofre: Cofre | None = None
    ) -> None:
        """`cofre` may be left out where nothing that tells of a person is read or written."""
        self._embedded = embedded
        self._cofre = cofre
        self.url: Final = url
        self._patience = PATIENT
        self._waiting: set[object] = set()  # the same in all copies
        self._engine = create_async_engine(
            sqlalchemy_url(url),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=_POOL_SECONDS,
            pool_use_lifo=True,
            connect_args={"connect_timeout": _CONNECT_SECONDS, **KEPT_ALIVE},
        )
        preferencia = Preferencia()
        event.listen(self._engine.sync_engine, "do_connect", lambda _dialect, _record, _args, named: preferencia.before(named))
        event.listen(self._engine.sync_engine, "connect", partial(_answered_at, preferencia))
        event.listen(self._engine.sync_engine, "invalidate", partial(_lost, preferencia))
        event.listen(self._engine.sync_engine, "connect", _take_runtime_role)
        event.listen(self._engine.sync_engine, "before_cursor_execute", _asked)
        event.listen(self._engine.sync_engine, "after_cursor_execute", _answered)

    @property
    def lotacao(self) -> Lotacao:
        """How full the pool is now."""
        pool = self._engine.pool
        if not isinstance(pool, QueuePool):
            raise TypeError("connections are kept in a queue")
        return Lotacao(pool.checkedout(), pool.size(), len(self._waiting))

    def within(self, patience: Patience) -> Database:
        """The same database, waited for so long and no longer: by itself it is as patient as jobs are."""
        other = copy(self)
        other._patience = patience  # noqa: SLF001 - it is another of this class
        return other

    @asynccontextmanager
    async def unit_of_work(self, scope: Scope) -> AsyncIterator[UnitOfWork]:
        """One transaction in the scope's tenant: committed on a clean exit, rolled back on any exception.

        Raises BancoIndisponivel, DiscoCheio, ConflitoDeEscrita or InquilinoDesconhecido for what the database may answer.
        """
        trecho = begin("banco", "cliente", db__system__name="postgresql")
        try:
            with _told_in_the_tree():
                connection, watch = await self._begin(scope)
                try:
                    yield UnitOfWork(connection, scope, self._cofre)
                    with watch.asking():
                        await connection.commit()
                finally:
                    with watch.asking():
                        await asyncio.shield(connection.close())  # rolls back what was not committed, in a cancelled task too
        except BancoIndisponivel as error:
            trecho.fail(error.codigo)
            raise
        finally:
            trecho.end()

    def erased(self) -> Mapping[str, list[UUID]]:
        """The records that must not be there any more, by tenant, as the list outside of the database has them."""
        return {} if self._cofre is None else self._cofre.listed()

    async def rewrite(self, *, whatever_it_takes: bool = False) -> Reescrita:
        """Leave no older version of keys and accounts in pages and log: after erasing. See `rewriting`."""
        owner, own = (self.url, False) if self._embedded is None else (self._embedded.admin_url, True)
        try:
            return await asyncio.to_thread(rewrite, owner, own_server=own, whatever_it_takes=whatever_it_takes)
        except psycopg.Error:
            return "adiada"

    async def close(self) -> None:
        """Close every connection, and let go of the embedded server where there is one."""
        await self._engine.dispose()
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.release)

    async def _begin(self, scope: Scope) -> tuple[AsyncConnection, Watch]:
        try:
            return await self._connection_in(scope)
        except DBAPIError as error:
            if isinstance(error.orig, psycopg.errors.ConnectionTimeout):
                raise  # it is there and does not answer: to start it again would wait for the same silence
            dropped = error.connection_invalidated or _sqlstate(error) in _HUNG_UP
            if not dropped and self._embedded is None:
                raise
        await self.ensure_running()
        return await self._connection_in(scope)

    async def ensure_running(self) -> None:
        """Start the embedded server again where it died; one that is reached by its address is left to whoever keeps it."""
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.ensure_running)

    async def _connection_in(self, scope: Scope) -> tuple[AsyncConnection, Watch]:
        connection = await self._connect()
        line = (await connection.get_raw_connection()).driver_connection
        if line is None:
            raise unavailable()
        watch = connection.info[_WATCH] = Watch(line, self._patience)
        try:
            begun = await connection.exec_driver_sql(_BEGIN, (scope.tenant_id, self._patience.statement_timeout, RUNTIME_ROLE))
            found = begun.first()
            _require_own_schema(None if found is None else found.version_num)
            _require_role(is_taken=found is not None and found.em_papel)
        except BaseException as error:
            watch.end()
            await asyncio.shield(connection.close())
            if watch.hung_up:
                raise unavailable() from error
            raise
        return connection, watch

    async def _connect(self) -> AsyncConnection:
        waiting = object()
        self._waiting.add(waiting)
        try:
            async with asyncio.timeout(self._patience.connection_seconds):
                return await self._engine.connect()
        except TimeoutError as error:
            raise _busy() from error
        finally:
            self._waiting.discard(waiting)


def _require_own_schema(found: str | None) -> None:
    if found != HEAD:
        raise schema_moved(found, HEAD)


async def open_database(settings: Settings, *, restoring: bool = False) -> Database:
    """The database that the settings name, or the embedded one; started and migrated where it needs to be. `restoring`: by whoever
    brings a copy back to this folder, which nobody else works in until that has ended.

    Raises RestauracaoPelaMetade, EmbutidoIndisponivel, BancoIndisponivel, MigracaoImpossivel, PapelInseguro or ChaveMestraErrada.
    """
    if not restoring:
        refuse_half_restored(settings.data_dir)
    if settings.database_url:
        return Database(settings.database_url, cofre=await asyncio.to_thread(_prepared, settings.database_url, settings))
    embedded = EmbeddedPostgres(settings.data_dir)
    await asyncio.to_thread(embedded.start)
    try:
        cofre = await asyncio.to_thread(_prepared, embedded.admin_url, settings)
    except BaseException:
        await asyncio.to_thread(embedded.release)
        raise
    return Database(embedded.runtime_url, embedded=embedded, cofre=cofre)


def _prepared(admin_url: str, settings: Settings) -> Cofre:
    """Of a database at its newest schema, the keys."""
    from crivo.kernel.sigilo.abertura import open_cofre

    migrate(admin_url)
    return open_cofre(admin_url, settings)


def _answered_at(preferencia: Preferencia, connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    line = getattr(connection, "driver_connection", None)
    if isinstance(line, psycopg.AsyncConnection):
        record.info[_HOST] = line.info.host, line.info.port
        preferencia.answered(*record.info[_HOST])


def _lost(preferencia: Preferencia, _: DBAPIConnection, record: ConnectionPoolEntry, error: BaseException | None) -> None:
    if error is not None and _HOST in record.info:
        preferencia.lost(*record.info[_HOST])


def _take_runtime_role(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.autocommit = True
    cursor = connection.cursor()
    try:
        cursor.execute(SET_RUNTIME_SESSION)
        cursor.execute(_ROLE_CHECK)
        row = cursor.fetchone()
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedObject, psycopg.errors.InvalidParameterValue) as error:
        raise PapelInseguro(
            f"O papel de CRIVO_DATABASE_URL não pode agir como '{RUNTIME_ROLE}'. Conceda-o com: grant {RUNTIME_ROLE} to <papel>."
        ) from error
    finally:
        cursor.close()
    connection.autocommit = False
    if row is None or any(row):
        raise PapelInseguro(
            f"O papel '{RUNTIME_ROLE}' é superusuário, ignora a segurança por linha ou é dono de tabelas; "
            "assim uma organização veria os dados de outra. "
            f"Retire isso dele (alter role {RUNTIME_ROLE} nosuperuser nobypassrls; alter table ... owner to outro papel) e tente de novo."
        )


def _asked(connection: Connection, _cursor: Any, _statement: str, _parameters: Any, _context: Any, executemany: bool) -> None:
    connection.info[_WATCH].begin(many=executemany)


def _answered(connection: Connection, *_: Any) -> None:
    connection.info[_WATCH].heard()


def _require_role(*, is_taken: bool) -> None:
    if not is_taken:
        raise PapelInseguro(
            f"A conexão com o banco não ficou com o papel '{RUNTIME_ROLE}': há no caminho um pool que a troca a cada transação. "
            "Use o modo de sessão (no pgbouncer, pool_mode = session) ou informe em CRIVO_DATABASE_URL o próprio PostgreSQL."
        )


def _busy() -> BancoIndisponivel:
    return BancoIndisponivel("O banco de dados está ocupado demais para atender agora. Tente de novo em instantes.")


@contextmanager
def _told_in_the_tree() -> Iterator[None]:
    try:
        yield
    except PoolTimeout as error:
        raise _busy() from error
    except DBAPIError as error:
        orig = error.orig
        constraint = orig.diag.constraint_name if isinstance(orig, psycopg.Error) else None
        told = crivo_error_of(_sqlstate(error), _disconnected(error), constraint)
        if told is None:
            raise
        raise told from error


def _sqlstate(error: DBAPIError) -> str | None:
    return error.orig.sqlstate if isinstance(error.orig, psycopg.Error) else None


def _disconnected(error: DBAPIError) -> bool:
    """A connection that broke, or never came to be: libpq gives those no SQLSTATE."""
    return error.connection_invalidated or (isinstance(error.orig, psycopg.OperationalError) and error.orig.sqlstate is None)
