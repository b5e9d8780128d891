"""What a database says of itself as it stands: nothing is prepared, nothing is written, and nobody is waited for long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, LiteralString

import psycopg

from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.cluster import RUNTIME_ROLE
from crivo.kernel.storage.errors import PapelInseguro, unavailable
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.recusa import crivo_error_from
from crivo.kernel.storage.urls import libpq_url

_OPTIONS: Final = "-c default_transaction_read_only=on -c statement_timeout=1500 -c lock_timeout=500"
_LIVES: Final = "30 seconds"  # a worker says so every five
_SERVER: Final = """
    select current_setting('server_version_num')::int, current_setting('server_version'), clock_timestamp(),
           (select count(*) from pg_stat_activity where backend_type = 'client backend'),
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
           to_regclass('public.alembic_version') is not null"""
_ROWS: Final = """
    select (select count(*) from politicas), (select count(*) from autorizacoes),
           (select count(*) from chaves_api), (select count(*) from auditoria),
           (select max(em) from (select em from auditoria order by seq desc limit 1000) as ultimos),
           exists (select 1 from tenants where id = %s),
           (select feita_em from copias order by feita_em desc limit 1), (select feita_por from copias order by feita_em desc limit 1)"""
_QUEUE: Final = f"""
    select (select count(*) from procrastinate_workers where last_heartbeat > now() - interval '{_LIVES}'),
           (select count(*) from procrastinate_jobs where status = 'todo' and (scheduled_at is null or scheduled_at <= now())),
           (select count(*) from procrastinate_jobs where status = 'failed'),
           (select extract(epoch from now() - min(e.at))::float from procrastinate_jobs j join procrastinate_events e on e.job_id = j.id
             where j.status = 'todo' and (j.scheduled_at is null or j.scheduled_at <= now())
               and e.type in ('deferred', 'deferred_for_retry'))"""

_DELIVERIES: Final = """
    select coalesce(json_agg(json_build_array(nome, situacao = 'desligado', esperam) order by situacao = 'desligado' desc, nome), '[]')
    from (select d.nome, d.situacao, count(e.id) as esperam, coalesce(max(e.tentativas), 0) as tentadas
            from entrega_destinos d
            left join entregas e on e.tenant_id = d.tenant_id and e.destino_id = d.id and e.situacao = 'espera'
           where d.tenant_id = %s and d.situacao in ('ativo', 'desligado') group by d.id, d.nome, d.situacao) as d
    where situacao = 'desligado' or tentadas > 0"""


@dataclass(frozen=True, slots=True)
class Parada:
    """A destination of decisions that was turned off, or that does not receive; and how much waits for it in all."""

    nome: str
    desligado: bool
    esperam: int


@dataclass(frozen=True, slots=True)
class Fila:
    """Workers that live, jobs that could begin now, those that failed, and for how many seconds the oldest has waited."""

    trabalhadores: int
    esperam: int
    falharam: int
    espera_s: float


@dataclass(frozen=True, slots=True)
class Sondagem:
    """The server, its clock, its connections, and the schema; of one that was prepared also what the tenant has, and the queue.

    `linhas` is empty, and `fila` None, where the schema is not the one of this program. `impressao` tells which master key sealed it.
    """

    numero: int
    servidor: str
    agora: datetime
    conexoes: int
    maximo: int
    migracao: str | None = None
    linhas: Mapping[str, int] = field(default_factory=dict)
    ultimo_registro: datetime | None = None
    conhece: bool = True
    fila: Fila | None = None
    entregas: tuple[Parada, ...] | None = None
    impressao: bytes | None = None
    copiado_em: datetime | None = None
    copiado_por: str = ""


def ask(url: str, tenant_id: str) -> Sondagem:
    """Look at a database, in a connection that cannot write. Raises BancoIndisponivel and what else an SQLSTATE stands for."""
    try:
        with psycopg.connect(libpq_url(url), autocommit=True, connect_timeout=2, options=_OPTIONS) as connection:
            return _asked(connection, tenant_id)
    except psycopg.errors.InsufficientPrivilege as error:
        raise PapelInseguro(
            f"O papel de CRIVO_DATABASE_URL não pode agir como '{RUNTIME_ROLE}'. Conceda-o com: grant {RUNTIME_ROLE} to <papel>."
        ) from error
    except psycopg.Error as error:
        told = crivo_error_from(error, url)
        raise (unavailable(examining=True) if told is None or _says_no_more(told) else told) from error


def _asked(connection: psycopg.Connection, tenant_id: str) -> Sondagem:
    numero, servidor, agora, conexoes, maximo, is_prepared = _row(connection, _SERVER)
    if not is_prepared:
        return Sondagem(numero, servidor, agora, conexoes, maximo)
    (migracao,) = _row(connection, "select version_num from public.alembic_version")
    if migracao != HEAD:
        return Sondagem(numero, servidor, agora, conexoes, maximo, migracao)
    known = connection.execute("select valor from segredos where nome = 'chave_mestra'").fetchone()
    connection.execute(f"set role {RUNTIME_ROLE}")
    connection.execute("select set_config('app.tenant_id', %s, false)", (tenant_id,))
    politicas, autorizacoes, chaves, auditoria, ultimo, conhece, copiado_em, copiado_por = _row(connection, _ROWS, (tenant_id,))
    trabalhadores, esperam, falharam, espera = _row(connection, _QUEUE)
    (paradas,) = _row(connection, _DELIVERIES, (tenant_id,))
    return Sondagem(
        numero,
        servidor,
        agora,
        conexoes,
        maximo,
        migracao,
        {"politicas": politicas, "autorizacoes": autorizacoes, "chaves_api": chaves, "auditoria": auditoria},
        ultimo,
        conhece,
        Fila(trabalhadores, esperam, falharam, float(espera or 0)),
        tuple([Parada(*one) for one in paradas]),
        None if known is None else bytes(known[0]),
        copiado_em,
        copiado_por or "",
    )


def _says_no_more(told: CrivoError) -> bool:
    """Whether all that is known is that it does not answer."""
    return told.mensagem == unavailable().mensagem


def _row(connection: psycopg.Connection, statement: LiteralString, values: tuple[str, ...] = ()) -> tuple[Any, ...]:
    row = connection.execute(statement, values or None).fetchone()
    if row is None:
        raise unavailable(examining=True)
    return tuple(row)
