"""`crivo trabalhador`: does durable jobs, on this machine or any other that reaches the same database."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
import threading
import time
from multiprocessing.connection import wait
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant, tell_if_new
from crivo.cli.saida import FAILED, note, report

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess
    from multiprocessing.process import BaseProcess

    from crivo.kernel.settings import Settings

_AT_ONCE: Final = 4  # jobs of one process: while one reads a file, another is being judged
_LOOK_SECONDS: Final = 1.0
_SUPERSEDED: Final = 3  # how a process ends whose version the database is not at any more: another like it would end the same


def trabalhador(
    ctx: typer.Context,
    processos: Annotated[int, typer.Option("--processos", metavar="N", min=1, max=64, help="Quantos processos trabalham lado a lado.")] = 1,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Faz os trabalhos da fila, como as triagens, até ser interrompido com Ctrl-C.

    Pode haver quantos se queira, nesta máquina e em outras que usem o mesmo banco: se um cai, outro assume o que ele fazia.
    """
    settings = Ambiente.of(ctx, tenant, as_json).settings()
    if settings.rastros_para:
        from crivo.kernel.rastros_otlp import require_exporter

        require_exporter(settings)  # before any process is started, which would be started over and over
    tell_if_new(settings)
    note("Trabalhando (Ctrl-C encerra, depois de terminar o que foi começado).")
    if processos == 1:
        work(settings)
    else:
        _Processes(settings, processos).keep()


def _work_apart(settings: Settings) -> None:
    """Do jobs in a process of its own, which says by its exit that another like it is of no use."""
    from crivo.kernel.storage.errors import EsquemaMudou, MigracaoImpossivel

    try:
        work(settings)
    except (EsquemaMudou, MigracaoImpossivel) as error:
        report(error)
        sys.exit(_SUPERSEDED)


def work(settings: Settings) -> None:
    """Do jobs in this process until it is told to stop, or until the process that started it is gone."""
    from crivo.kernel.logs import configure_logs
    from crivo.kernel.serving import loop_factory

    configure_logs(settings.log_nivel)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(_work(settings))


async def _work(settings: Settings) -> None:
    from prometheus_client import CollectorRegistry

    from crivo.auditoria.ancoragem import anchoring
    from crivo.bootstrap import open_coleta, open_container
    from crivo.kernel.logs import logger
    from crivo.kernel.rastros_otlp import exporting
    from crivo.kernel.serving import stop_signals
    from crivo.vigia.coleta import watch
    from crivo.vigia.porta import of_worker, served

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_stop_after, args=(parent, loop, stop), daemon=True).start()
    with exporting(settings, "trabalhador"):
        async with (
            open_container(settings) as container,
            anchoring(container.ancoragem, container.atos, container.auditoria),
            container.trabalhador(_AT_ONCE) as worker,
            open_coleta(container) as coleta,
        ):
            registry = CollectorRegistry()
            watch(registry, coleta, "trabalhador", loop)
            with served(settings.host, of_worker(settings), registry):
                logger.info("trabalhador_no_ar")
                await worker.run(stop)
    logger.info("trabalhador_encerrado")


def _stop_after(parent: BaseProcess, loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    parent.join()
    loop.call_soon_threadsafe(stop.set)


class _Processes:
    """Some processes that work, each followed by a fresh one where it dies, until this one is told to stop."""

    def __init__(self, settings: Settings, processos: int) -> None:
        self._settings = settings
        self._context = multiprocessing.get_context("spawn")
        self._stopping = False
        self._processes = [self._start() for _ in range(processos)]

    def keep(self) -> None:
        from crivo.kernel.serving import stop_signals

        for number in stop_signals():
            signal.signal(number, self._stop)
        while not self._stopping:
            wait([process.sentinel for process in self._processes], _LOOK_SECONDS)
            if any(process.exitcode == _SUPERSEDED for process in self._processes):
                break
            for at, process in enumerate(self._processes):
                if not process.is_alive() and not self._stopping:
                    time.sleep(_LOOK_SECONDS)  # one that cannot start is not started over and over
                    self._processes[at] = self._start()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        if any(process.exitcode == _SUPERSEDED for process in self._processes):
            raise typer.Exit(FAILED)

    def _start(self) -> SpawnProcess:
        process = self._context.Process(target=_work_apart, args=(self._settings,))
        process.start()
        return process

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
