"""Brings a database back in one transaction: all of a copy is there when it ends, and nothing of it before, whatever happens.

The schema is not in a copy. The program's own migrations make it as it was when the copy was made, the rows are put in, and the
migrations since then bring both forward: so a copy of an older version comes back to a newer one, on another version of PostgreSQL too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import sql

from crivo.kernel.copia.erros import CopiaDanificada, LugarOcupado, OutraRestauracao
from crivo.kernel.copia.leitura import Passo
from crivo.kernel.copia.manifesto import Manifesto, Tabela
from crivo.kernel.copia.tabelas import (
    INQUILINOS,
    Conexao,
    columns,
    foreign_keys_of,
    named,
    schema_of,
    tables_of,
    tenants_of,
    within,
)
from crivo.kernel.storage.migrating import HEAD, LOCK, ensure_runtime_role, upgrade_in
from crivo.kernel.storage.recusa import crivo_error_from
from crivo.kernel.storage.urls import libpq_url, sqlalchemy_url
from crivo.kernel.tenancy import LOCAL_TENANT

if TYPE_CHECKING:
    from psycopg.copy import Copy
    from sqlalchemy import Connection

_CONNECT_SECONDS: Final = 5
_TEMPO: Final = (
    "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'; "
    "set local search_path = public"
)
_RESTORING: Final = 0x6372_6976_6F_72  # 'crivor': whoever restores; apart from migrating, which a server that starts waits for
_WORK: Final = "procrastinate_jobs"
_ROUTINES: Final = """
    select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner = current_user::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')"""
_TYPES: Final = """
    select t.oid::regtype::text from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typowner = current_user::regrole and t.typtype in ('e', 'c', 'd')
        and (t.typrelid = 0 or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')"""
_KNOWN: Final = "select 1 from public.copias where id = %s and restaurada_em is not null"


class Chegando:
    """A database that a copy is coming back to, in a transaction that somebody else ends."""

    def __init__(self, connection: Connection, manifest: Manifesto) -> None:
        self._connection = connection
        self._manifest = manifest
        raw = connection.connection.driver_connection
        if not isinstance(raw, psycopg.Connection):
            raise TypeError("the database is reached by psycopg")
        self._raw: Conexao = raw

    def was_restored(self) -> bool:
        """Whether this very copy came back here before, to its end."""
        if not _there(self._raw, "copias"):
            return False
        return self._raw.execute(_KNOWN, (self._manifest.id,)).fetchone() is not None

    def prepare(self) -> None:
        """An empty schema of the copy's version, open to its rows. Raises OutraRestauracao, LugarOcupado, CopiaDanificada."""
        self._clear()
        ensure_runtime_role(self._raw)
        upgrade_in(self._connection, self._manifest.esquema)
        self._tables = {one.nome: one for one in tables_of(self._raw)}
        for told in self._manifest.tabelas:
            found = self._tables.get(told.nome)
            if found is None or not set(told.colunas) <= set(found.colunas):
                raise CopiaDanificada(f"A tabela {told.nome} da cópia não é a da versão {self._manifest.esquema} deste programa.")
        self._keys = foreign_keys_of(self._raw, frozenset(self._tables))
        for nome, table in self._tables.items():
            self._raw.execute(named("alter table {} disable trigger user", f"public.{nome}"))
            if table.forcada:
                self._raw.execute(named("alter table {} no force row level security", f"public.{nome}"))
        for key in self._keys:
            self._raw.execute(sql.SQL("alter table {} drop constraint {}").format(sql.Identifier(key.tabela), sql.Identifier(key.nome)))
        every = sql.SQL(", ").join(sql.Identifier("public", nome) for nome in self._tables)
        self._raw.execute(sql.SQL("truncate {}").format(every))

    def load(self, nome: str, chunks: Iterable[bytes], passo: Passo) -> None:
        """Put in the rows of a table; an empty chunk ends a stream of them. Raises CopiaDanificada where others came than it says."""
        told = next(one for one in self._manifest.tabelas if one.nome == nome)
        into = sql.SQL("copy {} ({}) from stdin (format binary)").format(sql.Identifier("public", nome), columns(told.colunas))
        rows = 0
        with ExitStack() as stack, self._raw.cursor() as cursor:
            copying: Copy | None = None
            for chunk in chunks:
                if not chunk:
                    stack.close()
                    rows += max(cursor.rowcount, 0) if copying is not None else 0
                    copying = None
                    continue
                if copying is None:
                    copying = stack.enter_context(cursor.copy(into))
                copying.write(chunk)
                passo(nome, len(chunk))
        self._same(told, rows)

    def finish(self) -> None:
        """Close what `prepare` opened, count once more, and bring the schema to this program's. Raises CopiaDanificada."""
        for told in self._manifest.tabelas:
            counted = self._raw.execute(named("select count(*) from {}", f"public.{told.nome}")).fetchone()
            self._same(told, int(counted[0]) if counted else 0)
        for key in self._keys:
            add = sql.SQL("alter table {} add constraint {} " + key.como)  # as PostgreSQL itself declared it above
            self._raw.execute(add.format(sql.Identifier(key.tabela), sql.Identifier(key.nome)))
        for nome, table in self._tables.items():
            self._raw.execute(named("alter table {} enable trigger user", f"public.{nome}"))
            if table.forcada:
                self._raw.execute(named("alter table {} force row level security", f"public.{nome}"))
        for one in self._manifest.sequencias:
            self._raw.execute("select setval(%s::regclass, %s, %s)", (one.nome, one.valor, one.usado))
        upgrade_in(self._connection, HEAD)
        self._raw.execute("analyze")

    def note(self, values: dict[str, object]) -> None:
        """Keep that this copy was made, and came back here."""
        self._raw.execute(
            "insert into public.copias (id, feita_em, feita_por, bytes, sha256, esquema, cifrada, restaurada_em, restaurada_por) values "
            "(%(id)s, %(feita_em)s, %(feita_por)s, %(bytes)s, %(sha256)s, %(esquema)s, %(cifrada)s, %(em)s, %(por)s) "
            "on conflict (id) do update set restaurada_em = excluded.restaurada_em, restaurada_por = excluded.restaurada_por",
            values,
        )

    def alone(self) -> None:
        """Keep out whoever restores or migrates until the transaction ends. Raises OutraRestauracao."""
        self._raw.execute(_TEMPO)
        row = self._raw.execute("select pg_try_advisory_xact_lock(%s) and pg_try_advisory_xact_lock(%s)", (_RESTORING, LOCK)).fetchone()
        if row is None or not row[0]:
            raise OutraRestauracao

    def _clear(self) -> None:
        """Make way where nobody has stored anything. Raises LugarOcupado."""
        if schema_of(self._raw) is None:
            return
        tables = tables_of(self._raw)
        if tenants_of(self._raw) not in {(), (LOCAL_TENANT,)}:
            raise _occupied("tem mais de uma organização")
        within(self._raw, LOCAL_TENANT)
        for one in tables:
            kept = (one.por_inquilino and one.nome != INQUILINOS) or one.nome == _WORK  # the rest is there once the program was started
            if kept and self._raw.execute(named("select 1 from {} limit 1", f"public.{one.nome}")).fetchone():
                raise _occupied("já está em uso por um crivo")
        for one in tables:
            self._raw.execute(named("drop table if exists {} cascade", f"public.{one.nome}"))
        for (routine,) in self._raw.execute(_ROUTINES).fetchall():
            self._raw.execute(sql.SQL("drop routine if exists " + routine + " cascade"))
        for (kind,) in self._raw.execute(_TYPES).fetchall():
            self._raw.execute(sql.SQL("drop type if exists " + kind + " cascade"))

    def _same(self, told: Tabela, rows: int) -> None:
        if rows != told.linhas:
            raise CopiaDanificada(f"A tabela {told.nome} recebeu {rows} linhas, e a cópia diz {told.linhas}.")


@contextmanager
def arriving(admin_url: str, manifest: Manifesto) -> Iterator[Chegando]:
    """The database at an address, alone; what was done is kept at a clean end of the block.

    Raises OutraRestauracao; BancoIndisponivel, psycopg.Error.
    """
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    _knock(admin_url)
    engine = create_engine(sqlalchemy_url(admin_url), poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    try:
        with engine.begin() as connection:
            found = Chegando(connection, manifest)
            found.alone()
            yield found
    except DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise
    finally:
        engine.dispose()


def _knock(admin_url: str) -> None:
    """Whether the database can be reached at all, told apart where it cannot. Raises BancoIndisponivel; psycopg.Error."""
    try:
        psycopg.connect(libpq_url(admin_url), connect_timeout=_CONNECT_SECONDS).close()
    except psycopg.Error as error:
        raise (crivo_error_from(error, admin_url) or error) from error


def _there(connection: Conexao, table: str) -> bool:
    row = connection.execute("select to_regclass(%s)", (f"public.{table}",)).fetchone()
    return row is not None and row[0] is not None


def _occupied(why: str) -> LugarOcupado:
    return LugarOcupado(
        f"O banco de dados {why}. Uma cópia só volta a um lugar vazio: crie outro banco e informe CRIVO_DATABASE_URL, ou outra pasta "
        "em CRIVO_DATA_DIR. Nada foi mudado."
    )
