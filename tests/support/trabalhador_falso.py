"""A worker in a process of its own: told by its arguments where the database is, where to note what it does, and how slow to be."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

import msgspec

from chamadas import VERSOES, Falsos, note_in
from chaves_de_teste import cofre_de_teste
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Rhythm, Worker
from crivo.kernel.storage.session import Database
from crivo.triagem.execucao import Triador
from espera import takes

RAPIDO = Rhythm(heartbeat=0.5, stalled=4.0, rescue=0.2, poll=0.2, grace=5.0, pause=0.1)


class Ordem(msgspec.Struct, frozen=True):
    url: str
    notas: str
    pausa_seconds: float = 0.0
    concurrency: int = 2
    rapido: bool = True


class Processo:
    """One worker process, to be waited for or killed by its pid."""

    def __init__(self, ordem: Ordem) -> None:
        self._process = subprocess.Popen([sys.executable, __file__, msgspec.json.encode(ordem).decode()])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(timeout=30)

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=30)

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait(timeout=30)


async def _run(ordem: Ordem) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    database, clock = Database(ordem.url, cofre=cofre_de_teste()), SystemClock()
    quem = os.getpid()
    note = note_in(Path(ordem.notas))
    falsos = Falsos(lambda linha: note(f"{quem} {linha}"), lambda: takes(ordem.pausa_seconds))
    triador = Triador(database, Fila(), clock, Uuid7(clock).new, falsos.achadores(), VERSOES)
    worker = Worker(database, triador.tasks(), concurrency=ordem.concurrency, rhythm=RAPIDO if ordem.rapido else None)
    note(f"{quem} pronto")
    try:
        await worker.run(stop)
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(_run(msgspec.json.decode(sys.argv[1], type=Ordem)))
