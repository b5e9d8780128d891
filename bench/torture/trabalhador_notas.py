"""`python -m bench.torture.trabalhador_notas DADOS ENDERECO`: a worker that grades as the product does, by a provider at that address."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from bench.provedor import CONCORRENCIA, NoAr
from crivo.bootstrap import open_container
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.worker import Worker
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.logs import configure_logs
from crivo.triagem.montagem import ao_mesmo_tempo, open_tasks

_TRABALHOS = 2


async def work(data_dir: Path, endereco: str) -> None:
    """Work until told to stop."""
    settings = NoAr(endereco).settings_of(data_dir)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_container(settings) as container, open_modelo(settings, container.database, container.clock) as modelo:
        new_id = Uuid7(container.clock).new
        async with open_tasks(container.database, container.clock, new_id, settings, modelo, CONCORRENCIA) as tasks:
            at_once = ao_mesmo_tempo(_TRABALHOS, modelo, CONCORRENCIA)
            await Worker(container.database, tasks, concurrency=at_once).run(stop)


if __name__ == "__main__":
    configure_logs("ERROR")
    asyncio.run(work(Path(sys.argv[1]), sys.argv[2]))
