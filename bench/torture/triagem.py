"""Screenings whose workers are killed at random moments, at times with the database: each must end as an undisturbed one does."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from bench.instalacao import RAIZ, own_settings, python
from bench.pedidos import Sorte
from crivo.bootstrap import Container, open_container
from crivo.kernel.audit import verify_tenant
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Resultado
from crivo.triagem.amostra import write_sample
from crivo.triagem.importacao.leitura import Importacao, read_chamada

TRABALHADORES: Final = 2
_BANCO_A_CADA: Final = 10
_DEATHS_EACH: Final = 10  # of one screening
_BETWEEN_DEATHS_SECONDS: Final = (0.5, 5.0)
_POLL_SECONDS: Final = 0.05
_LONGEST_SECONDS: Final = 600.0  # for one screening, with whatever befalls it
_COUNT: Final = "select count(*) from procrastinate_jobs where status <> 'failed'"


class Quedas(msgspec.Struct, kw_only=True):
    """What came of the kills: what happened first, then what must never happen."""

    quedas: int = 0
    bancos_mortos: int = 0
    triagens: int = 0
    projetos: int = 0
    chamadas: int = 0
    triagem_mais_lenta_s: float = 0.0
    perdidos: int = 0
    diferentes: int = 0
    pagas_em_dobro: int = 0
    trabalhos_presos: int = 0
    sem_fim: int = 0
    quebras_na_cadeia: int = 0

    @property
    def whole(self) -> bool:
        """Whether workers were killed, every screening ended as the undisturbed one did, and nothing that had come was paid again."""
        faults = (self.perdidos, self.diferentes, self.pagas_em_dobro, self.trabalhos_presos, self.sem_fim, self.quebras_na_cadeia)
        return self.quedas > 0 and self.triagens > 0 and not any(faults)


def kill_workers(pasta: Path, quedas: int, semente: int, on_run: Callable[[Quedas], None] = lambda _: None) -> Quedas:
    """Screen the sample once in peace, then over and over, each time in a tenant of its own, until so many workers were killed."""
    pasta.mkdir(parents=True)
    importacao = read_chamada(write_sample(pasta / "amostra"))
    embedded = EmbeddedPostgres(pasta / "dados")
    embedded.start()
    try:
        return asyncio.run(_Tortura(pasta, embedded, importacao, Sorte(semente)).run(quedas, on_run))
    finally:
        embedded.ensure_running()  # whatever was killed last: it ends with the last that lets go
        embedded.release()


class _Tortura:
    """An installation, its workers, and what they were seen to do."""

    def __init__(self, pasta: Path, embedded: EmbeddedPostgres, importacao: Importacao, sorte: Sorte) -> None:
        self._dados = pasta / "dados"
        self._embedded = embedded
        self._notas = pasta / "notas.txt"
        self._importacao = importacao
        self._sorte = sorte
        self._contas = Quedas()

    async def run(self, quedas: int, on_run: Callable[[Quedas], None]) -> Quedas:
        async with open_container(own_settings(self._dados)) as container:
            with self._workers() as workers:
                peaceful = await self._screen(container, self._tenant(0), workers, deaths=0)
                while peaceful is not None and self._contas.quedas < quedas:
                    scope = self._tenant(self._contas.triagens + 1)
                    found = await self._screen(container, scope, workers, deaths=min(quedas, self._contas.quedas + _DEATHS_EACH))
                    self._contas.triagens += 1
                    self._compare(peaceful, found)
                    async with container.database.unit_of_work(scope) as uow:
                        self._contas.quebras_na_cadeia += len((await verify_tenant(uow)).quebras)
                    on_run(self._contas)
            self._contas.trabalhos_presos = self._left_in_the_queue()
        self._count_calls()
        return self._contas

    async def _screen(self, container: Container, scope: Scope, workers: list[subprocess.Popen[bytes]], *, deaths: int) -> Resultado | None:
        """One screening, with workers killed in its middle until there were so many deaths; None where it did not end."""
        edital_id = self._importacao.chamada.edital.id
        await container.triagem.importar(scope, self._importacao)
        await container.triagem.executar(scope, edital_id)
        began = time.monotonic()
        next_death = began + self._sorte.uniform(*_BETWEEN_DEATHS_SECONDS)
        while (now := time.monotonic()) < began + _LONGEST_SECONDS:
            try:
                execucao = await container.triagem.status(scope, edital_id)
            except CrivoError as error:
                if error.kind is not Kind.UNAVAILABLE:
                    raise
            else:
                if execucao.status != "em_andamento":
                    self._contas.triagem_mais_lenta_s = round(max(self._contas.triagem_mais_lenta_s, now - began), 1)
                    return await container.triagem.resultado(scope, edital_id)
            if self._contas.quedas < deaths and now >= next_death:
                self._kill_one(workers)
                next_death = now + self._sorte.uniform(*_BETWEEN_DEATHS_SECONDS)
            await asyncio.sleep(_POLL_SECONDS)
        self._contas.sem_fim += 1
        return None

    def _kill_one(self, workers: list[subprocess.Popen[bytes]]) -> None:
        """End one worker on the spot, at times with the database, and set another going."""
        self._contas.quedas += 1
        at = self._contas.quedas % len(workers)
        workers[at].kill()
        workers[at].wait()
        if self._contas.quedas % _BANCO_A_CADA == 0 and (pid := embedded_status(self._dados).pid) is not None:
            os.kill(pid, signal.SIGKILL)
            self._contas.bancos_mortos += 1
        workers[at] = self._start()

    def _compare(self, peaceful: Resultado, found: Resultado | None) -> None:
        if found is None:
            return
        by_id = {one.projeto_id: one for one in found.projetos}
        for one in peaceful.projetos:
            other = by_id.get(one.projeto_id)
            self._contas.projetos += 1
            self._contas.perdidos += other is None or other.erro is not None
            self._contas.diferentes += other is not None and other != one
        self._contas.diferentes += found.irregularidades != peaceful.irregularidades

    def _count_calls(self) -> None:
        """A call that is made after its answer was kept is paid twice."""
        kept: set[str] = set()
        for line in self._notas.read_text().splitlines():
            what, _, key = line.partition(" ")
            if what == "guardado":
                kept.add(key)
            else:
                self._contas.chamadas += 1
                self._contas.pagas_em_dobro += key in kept

    def _tenant(self, number: int) -> Scope:
        scope = Scope(f"tortura-{number}", "bench", CONSOLE)
        with psycopg.connect(libpq_url(self._embedded.admin_url)) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
            connection.execute("insert into tenants (id, nome, criado_em) values (%s, 'Tortura', now())", (scope.tenant_id,))
        return scope

    def _left_in_the_queue(self) -> int:
        with psycopg.connect(libpq_url(self._embedded.admin_url)) as connection:
            (left,) = connection.execute(_COUNT).fetchone() or (0,)
        return int(left)

    @contextmanager
    def _workers(self) -> Iterator[list[subprocess.Popen[bytes]]]:
        workers = [self._start() for _ in range(TRABALHADORES)]
        try:
            yield workers
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = python("-m", "bench.torture.trabalhador", str(self._dados), str(self._notas))
        return subprocess.Popen(command, cwd=RAIZ, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
