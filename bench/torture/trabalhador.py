"""`python -m bench.torture.trabalhador DADOS NOTAS`: a worker that screens as the product does, and pays a simulated model for each job.

It notes every call of that model before it is made and after it is kept, so that one paid twice shows.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from crivo.bootstrap import open_container
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.jobs.worker import Worker
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.logs import configure_logs
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.leitor import Leitor
from crivo.triagem.execucao import Triador
from crivo.triagem.montagem import Irregularidades, finders, versoes

_ANSWER_SECONDS: Final = 0.02
_AT_ONCE: Final = 4
_PRICE: Final = Decimal("0.01")


class Notas:
    """Lines that many processes add to one file, each whole."""

    def __init__(self, place: Path) -> None:
        self._descriptor = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def add(self, line: str) -> None:
        os.write(self._descriptor, f"{line}\n".encode())


async def work(data_dir: Path, notas: Notas) -> None:
    """Work until told to stop."""
    settings = Settings(_env_file=None, data_dir=data_dir)
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with open_container(settings) as container, Leitor() as leitor:
        database, clock = container.database, container.clock
        ledger = Ledger(database, clock)
        find = Irregularidades(database, settings, clock).find
        triador = Triador(database, Fila(), clock, Uuid7(clock).new, finders(leitor.read, find), versoes(settings.embeddings))
        tasks = [_paying(task, ledger, notas) for task in triador.tasks()]
        await Worker(database, tasks, concurrency=_AT_ONCE).run(stop)


def _paying(task: Task, ledger: Ledger, notas: Notas) -> Task:
    """The same task, which first pays for one answer."""

    async def run(scope: Scope, about: Mapping[str, str]) -> None:
        key = f"{scope.tenant_id}/{about.get('projeto', 'fecho')}"
        call = Call("simulado", sha256(task.name.encode()).digest(), sha256(key.encode()).digest())
        await ledger.answer(scope, call, f"execucao:{about['execucao']}", partial(_ask, notas, key))
        notas.add(f"guardado {key}")
        await task.run(scope, about)

    return Task(task.name, run, task.give_up, task.attempts)


async def _ask(notas: Notas, key: str) -> Answer:
    notas.add(f"perguntado {key}")
    await asyncio.sleep(_ANSWER_SECONDS)
    return Answer(b"{}", 2000, 500, _PRICE)


if __name__ == "__main__":
    configure_logs("ERROR")
    asyncio.run(work(Path(sys.argv[1]), Notas(Path(sys.argv[2]))))
