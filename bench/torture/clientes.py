"""Clients that remember what they were promised: every answer with 200, and every pedido that was left without one."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from types import TracebackType
from typing import Final

ATENDIDA: Final = 200
CLIENTES: Final = 16
_ANSWER_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Envio:
    """A pedido on its way, under the idempotency key that stays its own however often it is sent."""

    chave: str
    pedido: bytes


@dataclass(frozen=True, slots=True)
class Promessa:
    """What a 200 said: where the decision is, its bytes, and whether it had been stored before."""

    envio: Envio
    location: str
    decisao: bytes
    repetida: bool


@dataclass(slots=True)
class Placar:
    """What the clients of one stretch of load were told."""

    promessas: list[Promessa] = field(default_factory=list)
    sem_resposta: list[Envio] = field(default_factory=list)


class Cliente:
    """One connection that is kept open."""

    def __init__(self, porta: int, chave_api: str, host: str = "127.0.0.1") -> None:
        self._connection = http.client.HTTPConnection(host, porta, timeout=_ANSWER_SECONDS)
        self._headers = {"Authorization": f"Bearer {chave_api}"}

    def __enter__(self) -> Cliente:
        """The client itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def get(self, path: str) -> bytes | None:
        """The body at an address, None where it is not answered with 200."""
        status, _, body = self._ask("GET", path, None, {})
        return body if status == ATENDIDA else None

    def send(self, envio: Envio) -> Promessa | None:
        """What the server promised, None where it promised nothing."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": envio.chave}
        status, answered, body = self._ask("POST", "/api/autorizacoes", envio.pedido, headers)
        if status != ATENDIDA:
            return None
        return Promessa(envio, answered["Location"] or "", body, "Idempotency-Replayed" in answered)

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, http.client.HTTPMessage, bytes]:
        try:
            self._connection.request(method, path, body, {**self._headers, **headers})
            response = self._connection.getresponse()
            return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return 0, http.client.HTTPMessage(), b""


def send_until(ended: Event, open_cliente: Callable[[], Cliente], envios: Iterable[Envio]) -> Placar:
    """Send from one client after another without a pause until told to stop, or until an answer fails to come."""
    placar = Placar()
    with open_cliente() as cliente:
        for envio in envios:
            promessa = cliente.send(envio)
            if promessa is None:
                placar.sem_resposta.append(envio)
                return placar
            placar.promessas.append(promessa)
            if ended.is_set():
                return placar
    return placar


def send_all(open_cliente: Callable[[], Cliente], envios: list[Envio]) -> Placar:
    """Send each once."""
    placar = Placar()
    with open_cliente() as cliente:
        for envio in envios:
            promessa = cliente.send(envio)
            if promessa is None:
                placar.sem_resposta.append(envio)
            else:
                placar.promessas.append(promessa)
    return placar


@dataclass(slots=True)
class Leitura:
    """How kept promises were found to be."""

    achadas: int = 0
    perdidas: list[str] = field(default_factory=list)
    alteradas: list[str] = field(default_factory=list)


def read_back(open_cliente: Callable[[], Cliente], promessas: list[Promessa]) -> Leitura:
    """Read each promise at its Location, and hold it against the bytes of the 200."""
    leitura = Leitura()
    with ThreadPoolExecutor(CLIENTES) as pool:
        shares = [promessas[start::CLIENTES] for start in range(CLIENTES)]
        for found in pool.map(lambda share: _read_share(open_cliente, share), shares):
            leitura.achadas += found.achadas
            leitura.perdidas += found.perdidas
            leitura.alteradas += found.alteradas
    return leitura


def _read_share(open_cliente: Callable[[], Cliente], promessas: list[Promessa]) -> Leitura:
    leitura = Leitura()
    with open_cliente() as cliente:
        for promessa in promessas:
            found = cliente.get(promessa.location)
            if found is None:
                leitura.perdidas.append(promessa.location)
            elif found != promessa.decisao:
                leitura.alteradas.append(promessa.location)
            else:
                leitura.achadas += 1
    return leitura
