"""Leaving nothing of before: what a row said stays in PostgreSQL's pages, and in its log, until both are written anew.

A key that was destroyed is in them still, wrapped; with the master key it would open what it sealed.
"""

from __future__ import annotations

from typing import Final, Literal

import psycopg

from crivo.kernel.storage.urls import libpq_url

Reescrita = Literal["tudo", "tabelas", "adiada", "de_outro"]
"""What was written anew: tables and log; the tables alone; nothing yet, as they are large or in use; nothing, as another role owns them."""

REWRITTEN: Final = ("public.chaves_de_pessoas", "public.usuarios", "public.contas_de_pacientes", "public.sessoes", "public.conversas")
_AT_ONCE_BYTES: Final = 512 * 2**20  # a second or two, in which nobody reads or writes them
_CONNECT_SECONDS: Final = 5
_SEGMENTS: Final = 80  # as many as PostgreSQL keeps by default: 1 GB of 16 MB each, and some
_OWNED: Final = """
    select coalesce(sum(pg_total_relation_size(c.oid)), 0), coalesce(bool_and(pg_has_role(c.relowner, 'usage')), false)
    from unnest(%s::regclass[]) as t(oid) join pg_class c on c.oid = t.oid"""
_FORGET_SAMPLES: Final = """
    delete from pg_statistic s using pg_attribute a where s.starelid = 'public.chaves_de_pessoas'::regclass
    and a.attrelid = s.starelid and a.attnum = s.staattnum and a.attname = 'embrulhada'"""
_ELSEWHERE: Final = """
    select exists (select from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name <> pg_walfile_name(pg_current_wal_insert_lsn()))"""

_NEXT_SEGMENT: Final = ("select pg_logical_emit_message(false, 'crivo', '')", "select pg_switch_wal()", "checkpoint")


def rewrite(owner_url: str, *, own_server: bool, whatever_it_takes: bool = False) -> Reescrita:
    """Write anew the tables of keys and accounts, as whoever owns them, and the log too where the server is the program's own.

    Large tables wait for a call that takes whatever time it takes, as nobody reads or writes them meanwhile. Raises psycopg.Error
    where the server does not answer.
    """
    with psycopg.connect(libpq_url(owner_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
        connection.execute("set lock_timeout = '5s'")
        row = connection.execute(_OWNED, (list(REWRITTEN),)).fetchone()
        if row is None or not row[1]:
            return "de_outro"
        if row[0] > _AT_ONCE_BYTES and not whatever_it_takes:
            return "adiada"
        tables: tuple[str, ...] = REWRITTEN
        if own_server:  # what statistics have of a column are values of it
            connection.execute(_FORGET_SAMPLES)
            tables = (*REWRITTEN, "pg_catalog.pg_statistic")
        try:
            connection.execute(f"vacuum (full) {', '.join(tables)}")
        except (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled):
            return "adiada"
        return "tudo" if own_server and _end_the_log(connection) else "tabelas"


def _end_the_log(connection: psycopg.Connection) -> bool:
    """Leave the log nothing but the segment that is being written: those before are removed, and not kept to be written over."""
    try:
        connection.execute("alter system set wal_recycle = off")
        connection.execute("select pg_reload_conf()")
        was_alone = False  # the first that is alone may be one that was kept, of which the rest is as it was; the next is new
        for _ in range(_SEGMENTS):
            for statement in _NEXT_SEGMENT:
                connection.execute(statement)
            alone = connection.execute(_ELSEWHERE).fetchone() == (False,)
            if alone and was_alone:
                return True
            was_alone = alone
        return False
    finally:
        connection.execute("alter system reset wal_recycle")
        connection.execute("select pg_reload_conf()")
