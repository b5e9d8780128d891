"""Bringing the schema to the version that this program works with: once, by one process, and at no cost where nothing is to do."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, LiteralString

import psycopg

from crivo.kernel.logs import logger
from crivo.kernel.storage.cluster import RUNTIME_ROLE
from crivo.kernel.storage.errors import BancoIndisponivel, MigracaoImpossivel
from crivo.kernel.storage.recusa import crivo_error_from
from crivo.kernel.storage.supported import require_supported
from crivo.kernel.storage.urls import libpq_url, sqlalchemy_url

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD: Final = "0043"
LOCK: Final = 0x6372_6976_6F  # 'crivo': the advisory lock that orders whatever makes or changes the schema
_CONNECT_SECONDS: Final = 5


@dataclass(frozen=True, slots=True)
class Wait:
    """In seconds: for another process that migrates, for a table that somebody holds in each of some tries, and between two of those.

    Whoever asks for a held table stops everybody who comes after, so a try is short and there are many.
    """

    other_seconds: float = 900.0
    table_seconds: float = 3.0
    tries: int = 10
    pause_seconds: float = 2.0


WAIT: Final = Wait()


def migrate(admin_url: str, wait: Wait = WAIT) -> bool:
    """Bring the schema to `HEAD`; returns whether anything was to do. Safe when many processes do it at once, or are killed at it.

    Raises BancoIndisponivel where the database is away or too busy for it, MigracaoImpossivel where its role may not, where a newer
    crivo made it, or where its PostgreSQL is too old.
    """
    try:
        with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
            require_supported(connection.info.server_version)
            if version_of(connection) == HEAD:
                return False
            _alone(connection, wait)
            found = version_of(connection)
            if found == HEAD:
                return False
            if found is not None and found > HEAD:
                raise MigracaoImpossivel(
                    f"O banco de dados está na versão {found}, de um crivo mais novo; este conhece até a {HEAD}. Atualize o crivo."
                )
            ensure_runtime_role(connection)
            _upgrade_between_others(admin_url, connection, wait)
            return True
    except psycopg.errors.InsufficientPrivilege as error:
        raise MigracaoImpossivel(
            "O papel de CRIVO_DATABASE_URL não pode preparar o banco: ele precisa criar tabelas no esquema 'public' "
            f"e criar o papel '{RUNTIME_ROLE}' (ou ser membro dele)."
        ) from error
    except psycopg.Error as error:
        told = crivo_error_from(error, admin_url)
        if told is None:
            raise
        raise told from error


def version_of(connection: psycopg.Connection) -> str | None:
    """The version that the schema of a database is at, or None where nothing of crivo is in it yet."""
    found = connection.execute("select to_regclass('public.alembic_version')").fetchone()
    if found is None or found[0] is None:
        return None
    row = connection.execute("select version_num from public.alembic_version").fetchone()
    return str(row[0]) if row else None


def revisions() -> tuple[str, ...]:
    """Every version that the schema ever had, oldest first."""
    return tuple(name.partition("_")[0] for name in pending(None))


def pending(found: str | None) -> tuple[str, ...]:
    """The migrations that bring a schema from a version (None: from nothing) to `HEAD`, in order, as `0027_resposta_retirada`."""
    versions = Path(__file__).with_name("migrations") / "versions"
    names = sorted(file.stem.removeprefix("r") for file in versions.glob("r[0-9]*_*.py"))
    return tuple(name for name in names if found is None or name.partition("_")[0] > found)


def _alone(connection: psycopg.Connection, wait: Wait) -> None:
    """Wait until no other process migrates; the lock is freed with the connection, also where this process is killed."""
    connection.execute("select set_config('lock_timeout', %s, false)", (_milliseconds(wait.other_seconds),))
    try:
        connection.execute("select pg_advisory_lock(%s)", (LOCK,))
    except psycopg.errors.LockNotAvailable as error:
        raise BancoIndisponivel(
            f"Outro processo está preparando este banco de dados há mais de {wait.other_seconds:.0f} segundos. Espere que ele termine e "
            "tente de novo; 'crivo banco estado' mostra o que está em andamento."
        ) from error


def _upgrade_between_others(admin_url: str, connection: psycopg.Connection, wait: Wait) -> None:
    """Migrate, all of it or nothing, once nobody holds a table that it changes."""
    for left in reversed(range(wait.tries)):
        try:
            _upgrade(admin_url, wait)
        except psycopg.errors.LockNotAvailable as error:
            held = _holders(connection)
            logger.warning("migracao_espera", extra={"tentativa": wait.tries - left, "codigo": "tabela_em_uso"})
            if not left:
                raise BancoIndisponivel(
                    f"Nada foi mudado: há {wait.tries * (wait.table_seconds + wait.pause_seconds):.0f} segundos outra conexão segura uma "
                    f"tabela que a atualização muda{held}. Espere que ela termine, ou encerre-a, e tente de novo; "
                    "'crivo banco estado' mostra as transações abertas."
                ) from error
            time.sleep(wait.pause_seconds)
        else:
            return


def _holders(connection: psycopg.Connection) -> str:
    """The longest open transactions of others, by process and age alone: what they do may hold anybody's data."""
    rows = connection.execute(_OPEN_TRANSACTIONS).fetchall()
    told = [f"processo {pid} do servidor, aberta há {seconds} s" for pid, seconds in rows]
    return f" ({'; '.join(told)})" if told else ""


# Not on every platform that PostgreSQL runs on.
_NOTICE_THE_GONE: Final = """
    do $$ begin set local client_connection_check_interval to '1s'; exception when others then null; end $$"""
_OPEN_TRANSACTIONS: Final = """
    select pid, extract(epoch from now() - xact_start)::bigint from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'
    order by xact_start limit 3"""


def ensure_runtime_role(connection: psycopg.Connection) -> None:
    """Make the role that owns nothing, and let the migrating role act as it."""
    if connection.execute("select 1 from pg_roles where rolname = %s", (RUNTIME_ROLE,)).fetchone() is None:
        connection.execute(f"create role {RUNTIME_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit")
    # Since version 16 the creator of a role is a member that may not yet act as it.
    right: LiteralString = "SET" if connection.info.server_version >= 160000 else "MEMBER"
    allowed = connection.execute("select pg_has_role(current_user, %s, %s)", (RUNTIME_ROLE, right)).fetchone()
    if allowed is None or not allowed[0]:
        connection.execute(f"grant {RUNTIME_ROLE} to current_user")


def upgrade_in(connection: Connection, revision: str = HEAD) -> None:
    """Bring the schema to a revision in the transaction that is open; to that of before nothing is brought back."""
    from alembic import command  # here: its import costs more than the check that finds nothing to do
    from alembic.config import Config
    from sqlalchemy import text

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    connection.execute(text("set local search_path to public"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _upgrade(admin_url: str, wait: Wait) -> None:
    from sqlalchemy import create_engine, text
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    engine = create_engine(sqlalchemy_url(admin_url), poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    try:
        with engine.begin() as connection:
            # Whoever migrates may be killed: the server then soon undoes what it had begun, and holds no table any longer.
            connection.execute(text(_NOTICE_THE_GONE))
            connection.execute(text("select set_config('lock_timeout', :wait, true)"), {"wait": _milliseconds(wait.table_seconds)})
            upgrade_in(connection)
    except DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise
    finally:
        engine.dispose()


def _milliseconds(seconds: float) -> str:
    """As PostgreSQL takes it."""
    return f"{round(seconds * 1000)}ms"
