"""`python -m bench.torture.trabalhador_na_rede CONCORRENCIA`: a worker of the installation that its environment names, which asks so much.

It does what `crivo trabalhador` does, but asks the model at most CONCORRENCIA questions at a time and one in five ahead, so that what many
workers do together can be held against what one does; the limit of the installation is left far above.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import Final

from crivo.bootstrap import open_container
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.worker import Worker
from crivo.kernel.logs import configure_logs
from crivo.kernel.settings import load_settings
from crivo.triagem.montagem import filas, open_tasks

_TRABALHOS: Final = 3  # projects at a time: twelve questions for five places, none of which waits, and little is left to one at the end


async def work(concorrencia: int) -> None:
    """Work until told to stop."""
    settings = load_settings(None)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_container(settings) as container:
        modelo, new_id = container.modelo, Uuid7(container.clock).new
        async with open_tasks(container.database, container.clock, new_id, settings, modelo, concorrencia) as tasks:
            await Worker(container.database, tasks, concurrency=_TRABALHOS, also=filas(modelo)).run(stop)


if __name__ == "__main__":
    configure_logs("WARNING")
    asyncio.run(work(int(sys.argv[1])))
