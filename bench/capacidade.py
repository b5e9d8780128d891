"""What one decision and one project cost: processor time, bytes on disk and in the log, commits, and how fast a tenant's chain can grow.

These are the constants of the page of capacity. A server, its PostgreSQL and the load share this machine; so processor time is counted by
process, which a machine that does something else does not change, and rates are told beside it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Final

import psycopg

from bench.disparo import fire
from bench.inscricoes import write_call
from bench.instalacao import ESCOPO, Instalacao, install
from bench.linhas import Linha, measured
from bench.medida import one_core
from bench.pedidos import HOJE, Carga
from bench.plano import Constantes
from bench.servidor import Servidor
from bench.torture.postgres import binaries
from bench.triagem import screen, workers
from crivo.bootstrap import Container, open_container
from crivo.kernel import audit
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.importacao.leitura import read_chamada

SEGUNDOS: Final = 8.0
PROJETOS: Final = 24
_WARM_SECONDS: Final = 3.0
_GROUP: Final = 64  # entries of one commit, as decisions are committed
_GROUPS: Final = 40
_WRITERS: Final = 8
_APPENDS: Final = 400
_PorHttp = tuple[float, float, float, float, float, float]  # the six figures of decisions over HTTP, in the order of the constants
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_STATE: Final = """
    select (select sum(pg_total_relation_size(oid))::bigint from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace),
           pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, (select count(*) from autorizacoes)"""
_COMMITS: Final = "select xact_commit from pg_stat_database where datname = current_database()"
_TOLD: Final = {
    "decisoes_http_s": ("decisões por segundo, por HTTP", "por segundo"),
    "cpu_servidor_ms": ("processador do servidor por decisão", "ms"),
    "cpu_banco_ms": ("processador do PostgreSQL por decisão", "ms"),
    "lote_nucleo_s": ("decisões por segundo de um núcleo, em lote", "por segundo"),
    "bytes_decisao": ("no disco por decisão, com índices, trilha e auditoria", "bytes"),
    "wal_decisao": ("no WAL por decisão", "bytes"),
    "decisoes_por_commit": ("decisões por commit, com 32 conexões", "decisões"),
    "cadeia_em_grupos_s": ("registros de auditoria de uma organização, em grupos de 64", "por segundo"),
    "cadeia_um_a_um_s": ("registros de uma organização, um por transação", "por segundo"),
    "cadeia_conferida_s": ("registros conferidos", "por segundo"),
    "cpu_projeto_s": ("processador dos trabalhadores por projeto", "s"),
    "cpu_banco_projeto_s": ("processador do PostgreSQL por projeto", "s"),
    "bytes_projeto": ("no banco por projeto, com documentos", "bytes"),
    "chamadas_projeto": ("perguntas ao modelo por projeto", "perguntas"),
    "copia_mb_s": ("cópia por pg_dump", "MB por segundo"),
}


def run(pasta: Path, carga: Carga, segundos: float = SEGUNDOS, projetos: int = PROJETOS) -> list[Linha]:
    """The constants, each a row without a peer."""
    found = measure(pasta, carga, segundos, projetos)
    return [_row(one.name, getattr(found, one.name)) for one in fields(found)]


def _row(nome: str, valor: float) -> Linha:
    said, unit = _TOLD[nome]
    return measured(f"{said} [{nome}]", unit, valor, None, meta=None, execucoes=1, nota="")


def measure(pasta: Path, carga: Carga, segundos: float, projetos: int) -> Constantes:
    """All of it, in an installation of its own."""
    instalacao = install(pasta / "dados", carga.politicas)
    embedded = EmbeddedPostgres(instalacao.pasta)
    embedded.start()
    try:
        with psycopg.connect(libpq_url(embedded.admin_url), autocommit=True) as banco:
            por_http = _over_http(instalacao, carga, banco, segundos)
            cadeia = asyncio.run(_chain(instalacao))
            por_projeto = asyncio.run(_screened(instalacao, banco, pasta, projetos))
        copia = _dumped(embedded.admin_url, pasta)
    finally:
        embedded.release()
    por_segundo, servidor, postgres, size, wal, together = por_http
    grupos, um_a_um, conferida = cadeia
    trabalhadores, banco_projeto, bytes_projeto, chamadas = por_projeto
    return Constantes(
        decisoes_http_s=por_segundo,
        cpu_servidor_ms=servidor,
        cpu_banco_ms=postgres,
        lote_nucleo_s=_in_process(carga),
        bytes_decisao=size,
        wal_decisao=wal,
        decisoes_por_commit=together,
        cadeia_em_grupos_s=grupos,
        cadeia_um_a_um_s=um_a_um,
        cadeia_conferida_s=conferida,
        cpu_projeto_s=trabalhadores,
        cpu_banco_projeto_s=banco_projeto,
        bytes_projeto=bytes_projeto,
        chamadas_projeto=chamadas,
        copia_mb_s=copia,
    )


def _over_http(
    instalacao: Instalacao, carga: Carga, banco: psycopg.Connection, segundos: float
) -> tuple[float, float, float, float, float, float]:
    pedidos = instalacao.pasta / "pedidos.ndjson"
    pedidos.write_bytes(b"\n".join(carga.pedidos) + b"\n")
    with Servidor(instalacao) as servidor:
        fire(instalacao, servidor.porta, "/api/autorizacoes", pedidos, _WARM_SECONDS)
        banco.execute("checkpoint")  # a page's first change after one goes whole into the log: every run has its share of them
        before, commits, cpu = _state(banco), _commits(banco), _cpus(instalacao, servidor.pid)
        burst = fire(instalacao, servidor.porta, "/api/autorizacoes", pedidos, segundos)
        server, postgres = (now - then for now, then in zip(_cpus(instalacao, servidor.pid), cpu, strict=True))
        time.sleep(1.5)  # until sessions have told the statistics what they did
        done = _commits(banco) - commits
    size, wal, many = (now - then for now, then in zip(_state(banco), before, strict=True))
    return burst.por_segundo, 1000 * server / many, 1000 * postgres / many, size / many, wal / many, many / max(1, done)


def _state(banco: psycopg.Connection) -> tuple[int, int, int]:
    size, wal, many = banco.execute(_STATE.encode()).fetchone() or (0, 0, 0)
    return int(size), int(wal), int(many)


def _commits(banco: psycopg.Connection) -> int:
    (many,) = banco.execute(_COMMITS.encode()).fetchone() or (0,)
    return int(many)


def _in_process(carga: Carga) -> float:
    """Decisions a second on one core, from the bytes of a pedido to those of its answer, nothing stored."""
    fluxo = carga.fluxo()
    with one_core():
        for pedido in carga.pedidos[:200]:
            fluxo.decide(pedido, HOJE).encode()
        began = time.process_time()
        for pedido in carga.pedidos:
            trilha = fluxo.decide(pedido, HOJE)
            trilha.encode()
            trilha.decisao()
        return len(carga.pedidos) / (time.process_time() - began)


async def _chain(instalacao: Instalacao) -> tuple[float, float, float]:
    """How fast one tenant's chain grows by groups and one by one, and how fast it is verified."""
    async with open_container(instalacao.settings()) as container:
        entries = [audit.NewEntry(acao="autorizacao.decidida", alvo=f"bancada/{at}", dados={"decisao": "APROVADO"}) for at in range(_GROUP)]
        began = time.perf_counter()
        for _ in range(_GROUPS):
            await _append(container, ESCOPO, entries)
        by_groups = _GROUPS * _GROUP / (time.perf_counter() - began)
        left = count()

        async def write() -> None:
            while next(left) < _APPENDS:
                await _append(container, ESCOPO, entries[:1])

        began = time.perf_counter()
        await asyncio.gather(*(write() for _ in range(_WRITERS)))
        one_by_one = _APPENDS / (time.perf_counter() - began)
        async with container.database.unit_of_work(ESCOPO) as uow:
            many = (await uow.connection.exec_driver_sql("select count(*) from auditoria")).scalar_one()
            began = time.perf_counter()
            await audit.verify_tenant(uow)
            return by_groups, one_by_one, many / (time.perf_counter() - began)


async def _append(container: Container, scope: Scope, entries: Sequence[audit.NewEntry]) -> None:
    async with container.database.unit_of_work(scope) as uow:
        await audit.append(uow, container.clock.now(), entries)


async def _screened(instalacao: Instalacao, banco: psycopg.Connection, pasta: Path, projetos: int) -> tuple[float, float, float, float]:
    importacao = read_chamada(write_call(pasta / "chamada", projetos))
    warm = read_chamada(write_call(pasta / "aquece", 4, "AQUECE", 2))
    with workers(instalacao) as pid:
        async with open_container(instalacao.settings()) as container:
            await screen(container, (await container.triagem.importar(ESCOPO, warm)).edital_id, "completa", pid)
            before, cpu = _state(banco), _cpus(instalacao, pid)
            edital_id = (await container.triagem.importar(ESCOPO, importacao)).edital_id
            await screen(container, edital_id, "completa", pid)
            working, postgres = (now - then for now, then in zip(_cpus(instalacao, pid), cpu, strict=True))
            size = _state(banco)[0] - before[0]
    return working / projetos, postgres / projetos, size / projetos, float(len(importacao.chamada.criterios))


def _dumped(admin_url: str, pasta: Path) -> float:
    """Megabytes of the database that `pg_dump` puts into a file in a second."""
    with psycopg.connect(libpq_url(admin_url), autocommit=True) as banco:
        (size,) = banco.execute("select pg_database_size(current_database())").fetchone() or (0,)
    began = time.perf_counter()
    command = [str(binaries() / "pg_dump"), "-Fc", "-Z", "1", "-f", str(pasta / "copia"), libpq_url(admin_url)]
    subprocess.run(command, check=True, capture_output=True)
    return float(size) / 1e6 / (time.perf_counter() - began)


def _cpus(instalacao: Instalacao, pid: int) -> tuple[float, float]:
    """Seconds of processor time of a process with all it started, and of the database's server with all of its own."""
    server = embedded_status(instalacao.pasta).pid
    return _seconds_of_tree(pid), _seconds_of_tree(server) if server is not None else 0.0


def _seconds_of_tree(root: int) -> float:
    """Of the living, and of those that each has seen end."""
    parents: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stated = (entry / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        used[int(entry.name)] = sum(int(ticks) for ticks in stated[11:15])
        parents.setdefault(int(stated[1]), []).append(int(entry.name))
    total, left = 0, [root]
    while left:
        pid = left.pop()
        total += used.get(pid, 0)
        left += parents.get(pid, [])
    return total / _TICKS
