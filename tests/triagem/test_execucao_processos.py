"""Worker processes that share a run, and are killed in the middle of it. Source: quality, Reliability; issue, Shown by."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from chamadas import Falsos, importacao
from chaves_de_teste import cofre_de_teste
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.triagem.andamento import Execucao
from crivo.triagem.quadro import Versoes
from crivo.triagem.service import Triagem
from seguimento import Trabalhando, wait_for_end, wait_until
from trabalhador_falso import Ordem, Processo

_PROJETOS = 24


@pytest.fixture
def notas(tmp_path: Path) -> Path:
    place = tmp_path / "notas.txt"
    place.touch()
    return place


@pytest.fixture
def trabalhador(urls: tuple[str, str], notas: Path, fila_vazia: None) -> Iterator[Callable[..., Processo]]:
    """Starts a worker process, which is ended with the test."""
    started: list[Processo] = []

    def start(pausa_seconds: float = 0.05, *, rapido: bool = True) -> Processo:
        started.append(Processo(Ordem(urls[1], str(notas), pausa_seconds, rapido=rapido)))
        return started[-1]

    yield start
    for process in started:
        process.stop()


async def test_killed_again_and_again_a_run_ends_with_the_results_of_an_undisturbed_one(
    triagem: Triagem, trabalhando: Trabalhando, trabalhador: Callable[..., Processo], notas: Path, new_tenant: Callable[[], Scope]
) -> None:
    calm, stormy = new_tenant(), new_tenant()
    for scope in (calm, stormy):
        await triagem.importar(scope, importacao(_PROJETOS, documentos=2))
    await triagem.executar(calm, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, calm, "ED-1")
    await triagem.executar(stormy, "ED-1")
    kills = 4
    for kill in range(kills):
        process = trabalhador()
        await wait_until(triagem, stormy, "ED-1", _at_least(4 * kill + 2))
        process.kill()
    trabalhador()
    execucao = await wait_for_end(triagem, stormy, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", _PROJETOS, 0)
    expected, found = await triagem.resultado(calm, "ED-1"), await triagem.resultado(stormy, "ED-1")
    assert (found.projetos, found.irregularidades) == (expected.projetos, expected.irregularidades)
    judged = Counter(linha for linha in _done(notas) if linha.startswith("habilitar"))
    assert len(judged) == _PROJETOS
    assert judged.total() - _PROJETOS <= 2 * kills  # at most what was in hand at each death


async def test_two_workers_share_a_run_and_the_jobs_of_one_killed_are_taken_over(
    triagem: Triagem, trabalhador: Callable[..., Processo], notas: Path, scope: Scope
) -> None:
    """Source: issue, "two workers share a run and one killed is taken over within 30 s", at the pace of the product."""
    await triagem.importar(scope, importacao(_PROJETOS))
    first, second = trabalhador(0.3, rapido=False), trabalhador(0.3, rapido=False)
    await triagem.executar(scope, "ED-1")
    await wait_until(triagem, scope, "ED-1", lambda _: len(_workers(notas)) == 2)
    first.kill()
    execucao = await wait_for_end(triagem, scope, "ED-1", 30 + _PROJETOS)
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", _PROJETOS, 0)
    assert second.stop() == 0
    assert Counter(linha for linha in _done(notas) if linha.startswith("habilitar")).keys() == _todos("habilitar")


async def test_told_to_stop_a_worker_gives_back_what_it_has_not_done(
    triagem: Triagem, trabalhando: Trabalhando, trabalhador: Callable[..., Processo], notas: Path, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(8))
    await triagem.executar(scope, "ED-1")
    process = trabalhador(0.1)
    await wait_until(triagem, scope, "ED-1", _at_least(2))
    assert process.stop() == 0
    assert (await triagem.status(scope, "ED-1")).status == "em_andamento"
    falsos = Falsos()
    async with trabalhando(falsos):
        await wait_for_end(triagem, scope, "ED-1")
    judged = Counter(linha for linha in [*_done(notas), *falsos.chamadas] if linha.startswith("habilitar"))
    assert (len(judged), judged.total()) == (8, 8)


async def test_a_database_that_dies_in_the_middle_is_waited_for(tmp_path: Path, notas: Path) -> None:
    """Source: issue, Bad input ("the database gone in the middle")."""
    embedded = EmbeddedPostgres(tmp_path / "dados")
    embedded.start()
    migrate(embedded.admin_url)
    scope, clock = Scope("local", "teste", CONSOLE), SystemClock()
    database = Database(embedded.runtime_url, cofre=cofre_de_teste())
    triagem = Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: Versoes("leitor-1", "regras-1"))
    try:
        await triagem.importar(scope, importacao(_PROJETOS))
        await triagem.executar(scope, "ED-1")
        with Processo(Ordem(embedded.runtime_url, str(notas), 0.1)) as process:
            await wait_until(triagem, scope, "ED-1", _at_least(4))
            os.kill(embedded_status(tmp_path / "dados").pid or 0, signal.SIGKILL)
            embedded.ensure_running()
            execucao = await wait_for_end(triagem, scope, "ED-1")
            assert process.stop() == 0
    finally:
        await database.close()
        embedded.release()
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", _PROJETOS, 0)


async def test_a_job_that_takes_every_worker_down_with_it_is_given_up_and_the_run_ends(
    triagem: Triagem, trabalhando: Trabalhando, urls: tuple[str, str], scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1")
    with psycopg.connect(libpq_url(urls[0])) as connection:  # as so many deaths of its workers would have left it
        connection.execute("update procrastinate_jobs set attempts = 8 where id = (select min(id) from procrastinate_jobs)")
    async with trabalhando(Falsos()):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro) == ("concluida", 1)
    assert "interrompida vezes demais" in ((await triagem.resultado(scope, "ED-1")).projetos[0].erro or "")


def _at_least(projetos: int) -> Callable[[Execucao], bool]:
    return lambda execucao: execucao.projetos_analisados >= projetos


def _todos(verbo: str) -> set[str]:
    return {f"{verbo} P{numero:04}" for numero in range(1, _PROJETOS + 1)}


def _workers(notas: Path) -> set[str]:
    """Those that have begun on a project."""
    return {linha.partition(" ")[0] for linha in notas.read_text().splitlines() if " ler " in linha}


def _done(notas: Path) -> list[str]:
    return [linha.partition(" ")[2] for linha in notas.read_text().splitlines()]
