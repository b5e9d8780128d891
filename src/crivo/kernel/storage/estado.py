"""How a database fares, for whoever looks after it: read without changing, migrating or making anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, LiteralString

import psycopg

from crivo.kernel.copia.pasta import half_restored
from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.cluster import EmbutidoIndisponivel
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.errors import crivo_error_of
from crivo.kernel.storage.migrating import HEAD, pending, version_of
from crivo.kernel.storage.recusa import crivo_error_from
from crivo.kernel.storage.supported import Suporte, support_of
from crivo.kernel.storage.urls import libpq_url

_CONNECT_SECONDS: Final = 5
_READ_ONLY: Final = "-c default_transaction_read_only=on -c statement_timeout=10s -c lock_timeout=2s"
_LONG_SECONDS: Final = 30  # of a transaction, from which it is told of

Onde = Literal["embutido", "por_endereco"]
SituacaoDoEsquema = Literal["em_dia", "atras", "a_frente", "vazio"]


@dataclass(frozen=True, slots=True)
class Esquema:
    """The version of the schema that this program works with, that of the database (None: nothing of crivo is in it), and the migrations
    that `crivo banco migrar` would run, by name.
    """

    aqui: str
    banco: str | None
    situacao: SituacaoDoEsquema
    por_executar: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transacao:
    """An open transaction: whose process of the server, for how many seconds, and what it does, in PostgreSQL's word."""

    processo: int
    segundos: int
    situacao: str


@dataclass(frozen=True, slots=True)
class Arquivo:
    """Whether PostgreSQL archives its log, by which a moment can be come back to; the last piece kept, and how many could not be."""

    ligado: bool
    ultimo: datetime | None
    falhas: int


@dataclass(frozen=True, slots=True)
class Servidor:
    """What the server says of itself: sizes in bytes, `esperas` the locks that somebody waits for, transactions open for long."""

    versao: str
    suporte: Suporte
    bytes: int
    conexoes: int
    limite_conexoes: int
    esperas: int
    transacoes: tuple[Transacao, ...]
    arquivo: Arquivo


@dataclass(frozen=True, slots=True)
class Estado:
    """A database as it was found. `linhas` is by table and as PostgreSQL estimates it; `motivo` is why it could not be asked.

    `ultimo_backup` is None where none was noted in it; `backup_por` is who made it.
    """

    onde: Onde
    servidor: Servidor | None = None
    esquema: Esquema | None = None
    linhas: Mapping[str, int] = field(default_factory=dict)
    ultimo_backup: datetime | None = None
    backup_por: str = ""
    motivo: str | None = None

    @property
    def serve(self) -> bool:
        """Whether this program can work with it, after `crivo banco migrar` at most."""
        known = self.servidor is not None and self.servidor.suporte != "antigo" and self.esquema is not None
        return known and self.esquema is not None and self.esquema.situacao != "a_frente"


def look(database_url: str, data_dir: Path) -> Estado:
    """The state of the database that an installation uses. An embedded one that stands still is started for as long as the look takes."""
    onde: Onde = "por_endereco" if database_url else "embutido"
    if (unfinished := half_restored(data_dir)) is not None:  # what stands in the database by now tells nothing
        return Estado(onde, motivo=unfinished)
    try:
        with _address(database_url, data_dir) as url:
            return _seen(onde, url)
    except psycopg.Error as error:
        told = (
            crivo_error_from(error, database_url) if database_url else crivo_error_of(error.sqlstate, disconnected=error.sqlstate is None)
        )
        if told is None:
            raise
        return Estado(onde, motivo=told.mensagem)
    except CrivoError as error:
        return Estado(onde, motivo=error.mensagem)


@contextmanager
def _address(database_url: str, data_dir: Path) -> Iterator[str]:
    """Where to ask. Raises EmbutidoIndisponivel for an embedded database that was never made."""
    if database_url:
        yield database_url
        return
    if not embedded_status(data_dir).created:
        raise EmbutidoIndisponivel(f"Ainda não há banco em {data_dir}: 'crivo banco migrar' o cria.")
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    try:
        yield embedded.admin_url
    finally:
        embedded.release()


def _seen(onde: Onde, url: str) -> Estado:
    with psycopg.connect(libpq_url(url), autocommit=True, connect_timeout=_CONNECT_SECONDS, options=_READ_ONLY) as connection:
        servidor = _servidor(connection)
        if servidor.suporte == "antigo":
            return Estado(onde, servidor)
        found = version_of(connection)
        return Estado(onde, servidor, _esquema(found), _linhas(connection), *_ultimo_backup(connection))


def _esquema(found: str | None) -> Esquema:
    return Esquema(HEAD, found, _situacao(found), pending(found))


def _situacao(found: str | None) -> SituacaoDoEsquema:
    if found is None:
        return "vazio"
    if found == HEAD:
        return "em_dia"
    return "a_frente" if found > HEAD else "atras"


def _servidor(connection: psycopg.Connection) -> Servidor:
    versao, size, used, limit, waits, on, last, failed = _one(connection, _SERVER)
    transacoes = connection.execute(_TRANSACTIONS, (_LONG_SECONDS,)).fetchall()
    return Servidor(
        str(versao),
        support_of(connection.info.server_version),
        int(size),
        int(used),
        int(limit),
        int(waits),
        tuple(Transacao(int(pid), int(seconds), str(doing)) for pid, seconds, doing in transacoes),
        Arquivo(bool(on), last, int(failed)),
    )


def _linhas(connection: psycopg.Connection) -> dict[str, int]:
    return {str(name): int(rows) for name, rows in connection.execute(_ROWS).fetchall()}


def _ultimo_backup(connection: psycopg.Connection) -> tuple[datetime | None, str]:
    """The newest copy that was noted in the database itself, and by whom it was made; a schema of before they were has no table of them."""
    if _one(connection, "select to_regclass('public.copias')")[0] is None:
        return None, ""
    row = connection.execute("select feita_em, feita_por from public.copias order by feita_em desc limit 1").fetchone()
    return (None, "") if row is None else (row[0], str(row[1]))


def _one(connection: psycopg.Connection, statement: LiteralString) -> tuple[Any, ...]:
    row = connection.execute(statement).fetchone()
    if row is None:
        raise TypeError("a statement that gives one row gave none")
    return row


_SERVER: Final[LiteralString] = """
    select current_setting('server_version'), pg_database_size(current_database()),
        (select count(*) from pg_stat_activity where backend_type = 'client backend'), current_setting('max_connections')::int,
        (select count(*) from pg_locks where not granted), current_setting('archive_mode') <> 'off',
        (select last_archived_time from pg_stat_archiver), (select failed_count from pg_stat_archiver)"""
# Neither the statement nor who asks it: both may tell of somebody.
_TRANSACTIONS: Final[LiteralString] = """
    select pid, extract(epoch from now() - xact_start)::bigint, coalesce(state, 'desconhecido') from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start < now() - make_interval(secs => %s)
    order by xact_start limit 20"""
_ROWS: Final[LiteralString] = """
    select c.relname, greatest(c.reltuples, coalesce(pg_stat_get_live_tuples(c.oid), 0), 0)::bigint as rows from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by rows desc, c.relname"""
