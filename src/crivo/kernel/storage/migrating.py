"""Bringing the schema to the version that this program works with: once, by one process, and at no cost where nothing is to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final, LiteralString

import psycopg

from crivo.kernel.storage.cluster import RUNTIME_ROLE
from crivo.kernel.storage.errors import MigracaoImpossivel, crivo_error_of
from crivo.kernel.storage.urls import libpq_url, sqlalchemy_url

HEAD: Final = "0028"
_LOCK: Final = 0x6372_6976_6F  # 'crivo': the advisory lock that orders migrations
_CONNECT_SECONDS: Final = 5


def migrate(admin_url: str) -> bool:
    """Bring the schema to `HEAD`; returns whether anything was to do. Safe when many processes do it at once.

    Raises BancoIndisponivel where the database is away, MigracaoImpossivel where its role may not, or where a newer crivo made it.
    """
    try:
        with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
            if _version(connection) == HEAD:
                return False
            connection.execute("select pg_advisory_lock(%s)", (_LOCK,))  # freed with the connection
            found = _version(connection)
            if found == HEAD:
                return False
            if found is not None and found > HEAD:
                raise MigracaoImpossivel(
                    f"O banco de dados está na versão {found}, de um crivo mais novo; este conhece até a {HEAD}. Atualize o crivo."
                )
            _ensure_runtime_role(connection)
            _upgrade(admin_url)
            return True
    except psycopg.errors.InsufficientPrivilege as error:
        raise MigracaoImpossivel(
            "O papel de CRIVO_DATABASE_URL não pode preparar o banco: ele precisa criar tabelas no esquema 'public' "
            f"e criar o papel '{RUNTIME_ROLE}' (ou ser membro dele)."
        ) from error
    except psycopg.Error as error:
        told = crivo_error_of(error.sqlstate, disconnected=error.sqlstate is None)
        if told is None:
            raise
        raise told from error


def _version(connection: psycopg.Connection) -> str | None:
    found = connection.execute("select to_regclass('public.alembic_version')").fetchone()
    if found is None or found[0] is None:
        return None
    row = connection.execute("select version_num from public.alembic_version").fetchone()
    return str(row[0]) if row else None


def _ensure_runtime_role(connection: psycopg.Connection) -> None:
    """Make the role that owns nothing, and let the migrating role act as it."""
    if connection.execute("select 1 from pg_roles where rolname = %s", (RUNTIME_ROLE,)).fetchone() is None:
        connection.execute(f"create role {RUNTIME_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit")
    # Since version 16 the creator of a role is a member that may not yet act as it.
    right: LiteralString = "SET" if connection.info.server_version >= 160000 else "MEMBER"
    allowed = connection.execute("select pg_has_role(current_user, %s, %s)", (RUNTIME_ROLE, right)).fetchone()
    if allowed is None or not allowed[0]:
        connection.execute(f"grant {RUNTIME_ROLE} to current_user")


def _upgrade(admin_url: str) -> None:
    from alembic import command  # here: its import costs more than the check that finds nothing to do
    from alembic.config import Config
    from sqlalchemy import create_engine, text
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = create_engine(sqlalchemy_url(admin_url), poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    try:
        with engine.begin() as connection:
            connection.execute(text("set local search_path to public"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise
    finally:
        engine.dispose()
