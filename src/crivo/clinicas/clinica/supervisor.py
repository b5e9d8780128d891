"""Runs every clinic as a process of its own: starts them, restarts one that dies or hangs, and ends them all together.

A clinic's standard input is its lifeline: it ends when this process does, so that none is left behind even by a kill -9.
"""

from __future__ import annotations

import asyncio
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final, Literal

import msgspec

from crivo.clinicas.caminho import door_of
from crivo.clinicas.clinica.errors import ClinicaJaNoAr, ClinicaNaoSubiu
from crivo.clinicas.clinica.folder import already_up
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import REFUSED_TO_START, Order
from crivo.clinicas.clinica.serving import GRACE_SECONDS, listening
from crivo.clinicas.registro import Clinica
from crivo.kernel.logs import logger
from crivo.kernel.serving import stop_signals

State = Literal["subindo", "no_ar", "reiniciando", "parada"]
Reason = Literal["terminou", "sem_resposta"]

_PROBE_SECONDS: Final = 0.1  # between looks at a clinic that is starting
_EVENTS: Final[dict[Reason, str]] = {"terminou": "clinica_terminou", "sem_resposta": "clinica_sem_resposta"}


@dataclass(frozen=True, slots=True)
class ClinicStatus:
    """How a clinic is doing; `porta` is where it answers, or where the registry has it until it did."""

    id: str
    porta: int
    state: State
    pid: int | None = None
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class Patience:
    """In seconds: how long a clinic has to answer at first; how often it is looked at after that, and how long it may be silent.

    The pause before a restart is doubled each time, until one lives to recover.
    """

    first_answer: float = 60.0
    look: float = 3.0
    silence: float = 10.0
    shortest_pause: float = 0.2
    longest_pause: float = 10.0
    recovered: float = 30.0


@dataclass(frozen=True, slots=True)
class Restart:
    """A clinic that ended or stopped answering is restarted after a delay in seconds."""

    clinica: Clinica
    reason: Reason
    pause: float


class Supervisor:
    """The processes of some clinics, from `start` to `stop`; `on_restart` hears of each that is started again."""

    def __init__(
        self, orders: Sequence[Order], patience: Patience | None = None, on_restart: Callable[[Restart], None] = lambda _: None
    ) -> None:
        self._orders = tuple(msgspec.structs.replace(order, supervised=True) for order in orders)
        self._patience = patience or Patience()
        self._on_restart = on_restart
        self._status = {order.clinica.id: ClinicStatus(order.clinica.id, order.clinica.porta, "parada") for order in orders}
        self._kept: list[asyncio.Task[None]] = []

    def status(self) -> tuple[ClinicStatus, ...]:
        """Every clinic, in the order in which they were given."""
        return tuple(self._status.values())

    async def start(self) -> None:
        """Start every clinic, and return once all of them answer.

        Raises ClinicaJaNoAr, PortaDaClinicaOcupada or EnderecoDaClinicaInvalido before any is started, and ClinicaNaoSubiu once all are
        ended again.
        """
        up = [(order.clinica.id, no_ar) for order in self._orders if (no_ar := order.folder.up(order.clinica.porta)) is not None]
        if up:
            raise ClinicaJaNoAr(already_up(up, self._orders[0].folder.path.parent))
        for order in self._orders:
            with listening(order.host, order.clinica, order.portas, order.cadastro):
                pass  # only to know that it can be had
        first_answers = []
        for order in self._orders:
            answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            first_answers.append(answered)
            self._kept.append(asyncio.create_task(self._keep(order, answered)))
        try:
            async with asyncio.timeout(self._patience.first_answer):
                await asyncio.gather(*first_answers)
        except TimeoutError:
            late = ", ".join(status.id for status in self.status() if status.state != "no_ar")
            await self.stop()
            raise ClinicaNaoSubiu(f"Sem resposta em {self._patience.first_answer:.0f} s: {late}. Nenhuma clínica ficou no ar.") from None
        except ClinicaNaoSubiu:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End every clinic, and return once no process is left."""
        for task in self._kept:
            task.cancel()
        await asyncio.gather(*self._kept, return_exceptions=True)
        self._kept.clear()

    async def _keep(self, order: Order, answered: asyncio.Future[None]) -> None:
        pause = self._patience.shortest_pause
        while True:
            began = time.monotonic()
            process = await asyncio.create_subprocess_exec(*order.command(), stdin=PIPE, start_new_session=True)
            self._tell(order, state="subindo", pid=process.pid)
            watch = asyncio.create_task(self._watch(order, answered, process))
            try:
                code = await process.wait()
            finally:
                reason: Reason = "sem_resposta" if watch.done() else "terminou"
                watch.cancel()
                await _end(process)
                self._tell(order, state="parada", pid=None)
            if not answered.done():
                why = "não pôde começar (o motivo está acima)" if code == REFUSED_TO_START else f"terminou ao começar (código {code})"
                answered.set_exception(ClinicaNaoSubiu(f"{order.clinica.id} {why}. Nenhuma clínica ficou no ar."))
                return
            if time.monotonic() - began > self._patience.recovered:
                pause = self._patience.shortest_pause
            self._tell(order, state="reiniciando", restarts=self._status[order.clinica.id].restarts + 1)
            porta = self._status[order.clinica.id].porta
            logger.warning(_EVENTS[reason], extra={"porta": porta})
            logger.warning("clinica_reiniciada", extra={"porta": porta})
            self._on_restart(Restart(order.clinica, reason, pause))
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._patience.longest_pause)

    async def _watch(self, order: Order, answered: asyncio.Future[None], process: Process) -> None:
        """Say when a clinic begins to answer; end it, and return, once it has been silent for too long."""
        is_up = await self._hears(order, self._patience.first_answer, _PROBE_SECONDS)
        if is_up:
            self._tell(order, state="no_ar", porta=await asyncio.to_thread(_port_of, order))
            if not answered.done():
                answered.set_result(None)
        while is_up:
            await asyncio.sleep(self._patience.look)
            is_up = await self._hears(order, self._patience.silence, self._patience.look)
        if process.returncode is None:
            process.kill()  # one that is stopped would not hear anything milder

    async def _hears(self, order: Order, within: float, look: float) -> bool:
        """True once a clinic answers; polled until a timeout in seconds."""
        end, door = time.monotonic() + within, door_of(order.clinica, order.folder.path)
        while not await asyncio.to_thread(answers, order.clinica, order.folder, door):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(look)
        return True

    def _tell(
        self,
        order: Order,
        *,
        state: State,
        pid: int | Literal["same"] | None = "same",
        restarts: int | None = None,
        porta: int | None = None,
    ) -> None:
        before = self._status[order.clinica.id]
        self._status[order.clinica.id] = replace(
            before,
            state=state,
            pid=before.pid if pid == "same" else pid,
            restarts=before.restarts if restarts is None else restarts,
            porta=porta or before.porta,
        )


def _port_of(order: Order) -> int:
    """Where a clinic answers, which is its port of the registry only where that one was free."""
    found = order.folder.up(order.clinica.porta)
    return found.porta if found is not None and found.porta else order.clinica.porta


@asynccontextmanager
async def supervised(orders: Sequence[Order], patience: Patience | None = None) -> AsyncIterator[Supervisor]:
    """All these clinics, answering, for as long as the block lasts. Raises what `Supervisor.start` raises."""
    supervisor = Supervisor(orders, patience)
    try:
        await supervisor.start()
        yield supervisor
    finally:
        await supervisor.stop()


def subir(
    orders: Sequence[Order],
    on_ready: Callable[[tuple[ClinicStatus, ...]], None] = lambda _: None,
    on_restart: Callable[[Restart], None] = lambda _: None,
) -> None:
    """Run all these clinics until Ctrl-C, SIGTERM or the end of the terminal; `on_ready` is called once all answer.

    Raises what `Supervisor.start` raises. Logs must have been configured.
    """
    asyncio.run(_subir(Supervisor(orders, on_restart=on_restart), on_ready))


async def _subir(supervisor: Supervisor, on_ready: Callable[[tuple[ClinicStatus, ...]], None]) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in stop_signals():
        loop.add_signal_handler(number, told.set)
    starting, stopping = asyncio.create_task(supervisor.start()), asyncio.create_task(told.wait())
    try:
        await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
            on_ready(supervisor.status())
            await stopping
    finally:
        starting.cancel()
        stopping.cancel()
        await asyncio.gather(starting, stopping, return_exceptions=True)
        await supervisor.stop()


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            async with asyncio.timeout(GRACE_SECONDS + 1):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
    if process.stdin is not None:
        process.stdin.close()
