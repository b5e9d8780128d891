"""Clients of many servers: a pedido is sent, under a key of its own, to one after another until one says that it is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Event, Lock
from types import TracebackType
from typing import Final

from bench.torture.clientes import CLIENTES, Cliente, Envio, Promessa

Abrir = Callable[[int], Cliente]  # a connection to the server of that number
_GIVE_UP_SECONDS: Final = 90.0
_PAUSE_SECONDS: Final = 0.05  # as a client waits before it tries again


@dataclass(slots=True)
class Atendimento:
    """What the clients were told: every promise, how often they had to ask again, and the longest anybody waited."""

    promessas: list[Promessa] = field(default_factory=list)
    reenvios: int = 0
    repetidas: int = 0
    desistencias: int = 0
    maior_espera_s: float = 0.0
    maior_silencio_s: float = 0.0  # between one promise, to whomever, and the next


class Clientela:
    """So many clients at once, for as long as the block lasts."""

    def __init__(self, servidores: int, abrir: Abrir, pedidos: Sequence[bytes], nome: str, clientes: int = CLIENTES) -> None:
        self.atendimento = Atendimento()
        self._servidores = servidores
        self._abrir = abrir
        self._envios: Iterator[Envio] = map(partial(_envio, pedidos, nome), count())  # shared by threads, as a generator may not be
        self._clientes = clientes
        self._ended, self._lock = Event(), Lock()
        self._last, self._careless = 0.0, False
        self._pool = ThreadPoolExecutor(clientes)
        self._at_work: list[Future[None]] = []

    def __enter__(self) -> Clientela:
        """Set them going."""
        self._last = time.monotonic()
        self._at_work = [self._pool.submit(self._keep_sending, at % self._servidores) for at in range(self._clientes)]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Let each finish what it has sent, and no more."""
        self._ended.set()
        self._pool.shutdown()
        for client in self._at_work:
            client.result()

    def stop_caring(self) -> Callable[[], list[Promessa]]:
        """From now on whoever is not answered asks nobody again; what they had been promised by the end, for when all have ended."""
        self._careless = True
        self._ended.set()
        return lambda: list(self.atendimento.promessas)

    def _keep_sending(self, first: int) -> None:
        opened = [self._abrir(at) for at in range(self._servidores)]
        try:
            for envio in self._envios:
                if self._ended.is_set():
                    return
                first = self._send(opened, envio, first)
        finally:
            for cliente in opened:
                cliente.close()

    def _send(self, opened: Sequence[Cliente], envio: Envio, first: int) -> int:
        """Which server answered: it is asked first the next time, as by a client whose balancer has found it to live."""
        began, at = time.monotonic(), first
        while time.monotonic() - began < _GIVE_UP_SECONDS and not (self._ended.is_set() and self._careless):
            promessa = opened[at].send(envio)
            if promessa is not None:
                self._note(promessa, time.monotonic() - began)
                return at
            at = (at + 1) % len(opened)
            with self._lock:
                self.atendimento.reenvios += 1
            time.sleep(_PAUSE_SECONDS)
        with self._lock:
            self.atendimento.desistencias += not self._careless
        return at

    def _note(self, promessa: Promessa, waited: float) -> None:
        with self._lock:
            now, told = time.monotonic(), self.atendimento
            told.promessas.append(promessa)
            told.repetidas += promessa.repetida
            told.maior_espera_s = max(told.maior_espera_s, round(waited, 2))
            told.maior_silencio_s = max(told.maior_silencio_s, round(now - self._last, 2))
            self._last = now


def _envio(pedidos: Sequence[bytes], nome: str, numero: int) -> Envio:
    return Envio(f"{nome}-{numero}", pedidos[numero % len(pedidos)])
