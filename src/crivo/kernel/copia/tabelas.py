"""What a database has, as PostgreSQL itself tells it: the tables of crivo in the schema `public`, their columns, keys and sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

Conexao = psycopg.Connection[tuple[Any, ...]]

VERSAO: Final = "alembic_version"
INQUILINOS: Final = "tenants"
_QUEUE: Final = "procrastinate_"

_TABLES: Final = """
    select c.relname, c.relrowsecurity, c.relforcerowsecurity,
        exists (select from aclexplode(c.relacl) a where a.grantee = to_regrole('crivo_app')), pg_total_relation_size(c.oid),
        array(
            select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
        )
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname"""
_SEQUENCES: Final = """
    select schemaname || '.' || sequencename, coalesce(last_value, start_value), last_value is not null
    from pg_sequences where schemaname = 'public' order by 1"""
_KEYS: Final = """
    select c.relname, k.conname, pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace order by c.relname, k.conname"""
_SEES_ALL: Final = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"


@dataclass(frozen=True, slots=True)
class Encontrada:
    """A table: whether its rows are kept apart by tenant, whether its owner too is bound by that, whether the program's own role may
    do anything with it, its size, and its columns.
    """

    nome: str
    por_inquilino: bool
    forcada: bool
    do_programa: bool
    bytes: int
    colunas: tuple[str, ...]

    @property
    def nossa(self) -> bool:
        """Whether crivo made it."""
        return self.forcada or self.do_programa or self.nome == VERSAO or self.nome.startswith(_QUEUE)


@dataclass(frozen=True, slots=True)
class ChaveEstrangeira:
    """A foreign key, and how it is declared."""

    tabela: str
    nome: str
    como: str


def tables_of(connection: Conexao) -> tuple[Encontrada, ...]:
    """The tables of crivo, by name."""
    rows = connection.execute(_TABLES).fetchall()
    found = [Encontrada(nome, by_tenant, forced, ours, size, tuple(names)) for nome, by_tenant, forced, ours, size, names in rows]
    return tuple(one for one in found if one.nossa)


def schema_of(connection: Conexao) -> str | None:
    """The version of the schema; None where crivo made none."""
    row = connection.execute("select to_regclass('public.alembic_version')").fetchone()
    if row is None or row[0] is None:
        return None
    found = connection.execute("select version_num from public.alembic_version").fetchone()
    return None if found is None else str(found[0])


def tenants_of(connection: Conexao) -> tuple[str, ...]:
    """The organisations, as the schema's owner may list them."""
    return tuple(row[0] for row in connection.execute("select id from public.tenants order by id").fetchall())


def sees_all(connection: Conexao) -> bool:
    """Whether the role sees the rows of every tenant at once."""
    row = connection.execute(_SEES_ALL).fetchone()
    return row is not None and bool(row[0])


def within(connection: Conexao, tenant_id: str) -> None:
    """See the rows of one tenant until the transaction ends."""
    connection.execute("select set_config('app.tenant_id', %s, true)", (tenant_id,))


def sequences_of(connection: Conexao) -> tuple[tuple[str, int, bool], ...]:
    """Sequences by name: where each stands, and whether that number was given out."""
    return tuple((nome, int(value), bool(used)) for nome, value, used in connection.execute(_SEQUENCES).fetchall())


def foreign_keys_of(connection: Conexao, tables: frozenset[str]) -> tuple[ChaveEstrangeira, ...]:
    """The foreign keys of some tables."""
    rows = connection.execute(_KEYS).fetchall()
    return tuple(ChaveEstrangeira(table, name, how) for table, name, how in rows if table in tables)


def named(statement: LiteralString, *names: str) -> sql.Composed:
    """A statement with names of tables and columns in the place of `{}`, the first of each in `public`."""
    return sql.SQL(statement).format(*(sql.Identifier(*name.split(".", 1)) for name in names))


def columns(names: tuple[str, ...]) -> sql.Composed:
    """Columns, as a statement lists them."""
    return sql.SQL(", ").join(map(sql.Identifier, names))
