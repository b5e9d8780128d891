"""Reads a database as it is at one moment, while it is written: one transaction whose snapshot does not move, rows as they stream."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec
import psycopg
from psycopg import sql

from crivo.kernel.copia.erros import CopiaNaoGravada
from crivo.kernel.copia.formato import CHUNK_BYTES, Escritor, Trecho
from crivo.kernel.copia.manifesto import Parte, Sequencia, Tabela
from crivo.kernel.copia.tabelas import Conexao, Encontrada, columns, schema_of, sees_all, sequences_of, tables_of, tenants_of, within
from crivo.kernel.sigilo.abertura import CHAVE_MESTRA
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.storage.rewriting import REWRITTEN
from crivo.kernel.storage.urls import libpq_url

_CONNECT_SECONDS: Final = 5
_SNAPSHOT: Final = "begin transaction isolation level repeatable read, read only"
_TEMPO: Final = "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s'; set search_path = public"
Passo = Callable[[str, int], None]
"""Told of what is read, and of how many bytes more of it went by."""


class Instantaneo:
    """A database at one moment."""

    def __init__(self, connection: Conexao) -> None:
        self._connection = connection
        self.esquema: Final = schema_of(connection)
        found = () if self.esquema is None else tables_of(connection)
        # Those that erasing writes anew come last: while one is read that has to wait, and whoever writes waits behind it.
        self.tabelas: Final = tuple(sorted(found, key=lambda one: (f"public.{one.nome}" in REWRITTEN, one.nome)))
        self._whole = sees_all(connection)
        self._tenants: Sequence[str] = () if self._whole or self.esquema is None else tenants_of(connection)
        if self.esquema is not None and not self._whole and not self._tenants:  # every installation has one
            raise CopiaNaoGravada(
                f"Na versão {self.esquema} o papel de CRIVO_DATABASE_URL não vê as organizações, e a cópia sairia vazia. Faça-a com o "
                "crivo daquela versão atualizado por 'crivo banco migrar', ou como superusuário do PostgreSQL."
            )

    @property
    def servidor(self) -> str:
        """The version of the server."""
        return str(self._connection.execute("show server_version").fetchall()[0][0])

    def chave(self) -> dict[str, str]:
        """The master key by its path, with the fingerprint by which the database knows it again (hex)."""
        return _chave(self._connection)

    def sequencias(self) -> tuple[Sequencia, ...]:
        """Where the sequences stand: they are outside of any snapshot, and only ever ahead of it."""
        return tuple(Sequencia(*one) for one in sequences_of(self._connection))

    def write_table(self, table: Encontrada, into: Escritor, passo: Passo) -> Tabela:
        """Write the rows of a table as PostgreSQL's binary COPY gives them."""
        into.write(Trecho.PARTE, parte(table.nome, tabela=True))
        digest, size, rows = hashlib.sha256(), 0, 0
        for asked in self._asked(table):
            with self._connection.cursor() as cursor:
                with cursor.copy(asked) as rows_of:
                    for chunk in in_chunks(bytes(one) for one in rows_of):
                        digest.update(chunk)
                        size += len(chunk)
                        into.write(Trecho.DADOS, chunk)
                        passo(table.nome, len(chunk))
                rows += cursor.rowcount
            into.write(Trecho.DADOS, b"")  # the end of one stream of rows: a tenant's, where each is read by itself
        return Tabela(table.nome, table.colunas, rows, size, digest.hexdigest())

    def _asked(self, table: Encontrada) -> Iterator[sql.Composed]:
        """The statements that give all rows: one, or one for each tenant where the role sees one at a time."""
        what = columns(table.colunas), sql.Identifier(table.nome)
        if self._whole or not table.por_inquilino:
            yield sql.SQL("copy (select {} from {}) to stdout (format binary)").format(*what)
            return
        key = sql.Identifier("tenant_id" if "tenant_id" in table.colunas else "id")
        for tenant_id in self._tenants:
            within(self._connection, tenant_id)
            # Said again, as the owner may see more of a table than one tenant's: the list of tenants is open to it.
            one = sql.SQL("copy (select {} from {} where {} = {}) to stdout (format binary)")
            yield one.format(*what, key, sql.Literal(tenant_id))


@contextmanager
def snapshot(admin_url: str) -> Iterator[Instantaneo]:
    """The database at this moment, as its owner sees it; `crivo_app` is not asked. Raises psycopg.Error."""
    with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
        connection.execute(_TEMPO)
        connection.execute(_SNAPSHOT)
        yield Instantaneo(connection)
        connection.execute("commit")


def schema_now(admin_url: str) -> str | None:
    """The version of the schema at this moment."""
    with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
        return schema_of(connection)


def key_now(admin_url: str) -> dict[str, str]:
    """The master key by its path, with its fingerprint (hex); empty where nothing was ever sealed. Raises psycopg.Error."""
    with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
        return _chave(connection)


def _chave(connection: Conexao) -> dict[str, str]:
    found = connection.execute("select to_regclass('public.segredos')").fetchone()
    if found is None or found[0] is None:  # of before there were keys
        return {}
    row = connection.execute("select valor from public.segredos where nome = %s", (CHAVE_MESTRA,)).fetchone()
    return {} if row is None else {MESTRA: bytes(row[0]).hex()}


def in_chunks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Bytes in chunks that a copy takes, whatever the size of the pieces that they come in."""
    held = bytearray()
    for piece in pieces:
        held += piece
        while len(held) >= CHUNK_BYTES:
            yield bytes(held[:CHUNK_BYTES])
            del held[:CHUNK_BYTES]
    if held:
        yield bytes(held)


def parte(nome: str, *, tabela: bool) -> bytes:
    """The chunk with which a table or a file begins."""
    return msgspec.json.encode(Parte(nome, tabela))
