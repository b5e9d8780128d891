"""What is asked when somebody looks, in groups: each at most so often, in bounded time, and none that fails takes another with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError as FutureCancelled
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.kernel.medidas import PROCESSO, Medida, Valor
from crivo.vigia.catalogo import BANCO, COLETA, COLETA_SEGUNDOS, VERSAO

_GROUP_SECONDS: Final = 5.0
_GRACE_SECONDS: Final = 0.1  # for what is cut off at its time to be told as that
_SCRAPE_SECONDS: Final = 8.0  # Prometheus gives up after ten


@dataclass(frozen=True, slots=True)
class Grupo:
    """Values that are asked for together, at most every `cada` seconds. `ler` may raise: then the group has no values.

    One that may take `ate` seconds, longer than a look does, is read on behind the looks, which tell it meanwhile as it was.
    """

    nome: str
    ler: Callable[[], Awaitable[Sequence[Valor]]]
    cada: float = 15.0
    ate: float | None = None


@dataclass(slots=True)
class _Lido:
    """What a group answered, and when."""

    em: float
    valores: Sequence[Valor] = ()
    no_ar: bool = False
    segundos: float = 0.0


class Coleta:
    """Asks the groups. `ticks` are seconds of a clock that only goes forward."""

    def __init__(self, grupos: Sequence[Grupo], ticks: Callable[[], float] = time.monotonic, segundos: float = _GROUP_SECONDS) -> None:
        """`segundos` is the time that a group has to answer in."""
        self._grupos = tuple(grupos)
        self._ticks = ticks
        self._segundos = segundos
        self._lidos: dict[str, _Lido] = {}
        self._underway: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    async def ler(self) -> tuple[Valor, ...]:
        """Every group's values, those of a group that was asked a moment ago as they were; what could not be asked is told as that."""
        async with self._turn:
            for one in self._grupos:
                if one.nome not in self._underway and self._is_due(one):
                    self._underway[one.nome] = asyncio.create_task(self._ask(one))
            if self._underway:
                await asyncio.wait(self._underway.values(), timeout=self._segundos + _GRACE_SECONDS)
            self._underway = {nome: task for nome, task in self._underway.items() if not task.done()}
            return tuple(self._valores())

    async def close(self) -> None:
        """Ask on for nothing."""
        for task in self._underway.values():
            task.cancel()
        await asyncio.gather(*self._underway.values(), return_exceptions=True)

    def _is_due(self, grupo: Grupo) -> bool:
        lido = self._lidos.get(grupo.nome)
        return lido is None or self._ticks() - lido.em >= grupo.cada

    def sem_resposta(self) -> tuple[Valor, ...]:
        """What is told where nothing could be asked at all: that."""
        return (Valor(BANCO, 0), *(Valor(COLETA, 0, (one.nome,)) for one in self._grupos))

    def _valores(self) -> Iterator[Valor]:
        for one in self._grupos:
            lido = self._lidos.get(one.nome) or _Lido(0.0)
            yield Valor(COLETA, lido.no_ar, (one.nome,))
            yield Valor(COLETA_SEGUNDOS, lido.segundos, (one.nome,))
            yield from lido.valores
            if one.nome == "banco":
                yield Valor(BANCO, lido.no_ar)

    async def _ask(self, grupo: Grupo) -> None:
        before, began = self._lidos.get(grupo.nome), self._ticks()
        lido = _Lido(began)
        try:
            async with asyncio.timeout(grupo.ate or self._segundos):
                lido.valores = await grupo.ler()
            lido.no_ar = True
        except Exception as error:  # noqa: BLE001 - whatever it was, the other groups are told
            if before is None or before.no_ar:  # once, and not at every look
                codigo = error.codigo if isinstance(error, CrivoError) else type(error).__name__
                logger.warning("medidas_sem_resposta", extra={"grupo": grupo.nome, "codigo": codigo})
        lido.segundos = self._ticks() - began
        self._lidos[grupo.nome] = lido


class Servida(Collector):
    """The groups and what the process counts, as Prometheus asks for them: from another thread than the one that answers."""

    def __init__(self, coleta: Coleta, loop: asyncio.AbstractEventLoop, segundos: float = _SCRAPE_SECONDS) -> None:
        """`loop` is where the groups are asked; `segundos` how long a look may take."""
        self._coleta = coleta
        self._loop = loop
        self._segundos = segundos

    def collect(self) -> Iterable[Metric]:
        """What is known now, within the time that there is; never an error."""
        yield from PROCESSO.collect()
        yield from families(self._valores())

    def _valores(self) -> Sequence[Valor]:
        asking = self._coleta.ler()
        try:
            future = asyncio.run_coroutine_threadsafe(asking, self._loop)
        except RuntimeError:  # the loop has ended
            asking.close()
            return self._coleta.sem_resposta()
        try:
            return future.result(self._segundos)
        except (TimeoutError, FutureCancelled):
            future.cancel()
            return self._coleta.sem_resposta()


def watch(registry: CollectorRegistry, coleta: Coleta, papel: str, loop: asyncio.AbstractEventLoop) -> None:
    """Let a registry tell the groups, what the process counts and takes of the machine, and which crivo it is; `papel` is what it does."""
    ProcessCollector(registry=registry)
    info = Gauge(VERSAO.nome, VERSAO.significado, VERSAO.rotulos, registry=registry)
    info.labels(version("crivo"), papel).set(1)
    registry.register(Servida(coleta, loop))


def families(valores: Iterable[Valor]) -> Iterator[Metric]:
    """The values of each metric together, in the order in which the metrics come first."""
    found: dict[Medida, GaugeMetricFamily] = {}
    for one in valores:
        family = found.get(one.medida)
        if family is None:
            family = found[one.medida] = GaugeMetricFamily(one.medida.nome, one.medida.significado, labels=one.medida.rotulos)
        family.add_metric(one.rotulos, float(one.valor))
    yield from found.values()
