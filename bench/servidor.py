"""A server in a process of its own, started, awaited, and ended the way it is told."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from bench.instalacao import Instalacao, python

_READY_SECONDS: Final = 90.0
_STOP_SECONDS: Final = 60.0
SERVIR: Final = ("-m", "crivo", "servir")


class ServerFailed(Exception):
    """The server ended, or never answered."""


class Servidor:
    """One server at a time on one port of the loopback; its log goes to a file in the installation's folder."""

    def __init__(self, instalacao: Instalacao, command: Sequence[str] = SERVIR) -> None:
        self.porta = free_port()
        self._instalacao = instalacao
        self._command = python(*command, "--porta", str(self.porta))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """What the server wrote to its standard error."""
        return self._instalacao.pasta / "servidor.log"

    @property
    def pid(self) -> int:
        """Its process. Raises ServerFailed where it does not run."""
        if self._process is None:
            raise ServerFailed("O servidor não está no ar.")
        return self._process.pid

    def start(self) -> float:
        """Start it, and the seconds until it answered that it is ready. Raises ServerFailed."""
        began = time.perf_counter()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._instalacao.environment(),
                cwd=self._instalacao.pasta,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        while not self._is_ready():
            if self._process.poll() is not None or time.perf_counter() - began > _READY_SECONDS:
                raise ServerFailed(f"O servidor não atendeu; veja {self.log}.")
            time.sleep(0.01)
        return time.perf_counter() - began

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it on the spot (SIGKILL): it has no time to do anything more."""
        self._end(signal.SIGKILL)

    def __enter__(self) -> Servidor:
        """Start it."""
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop it."""
        self.stop()

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        process.send_signal(how)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _is_ready(self) -> bool:
        try:
            return ask(self.porta, "GET", "/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False


def ask(porta: int, method: str, path: str, chave: str = "", body: bytes | None = None) -> tuple[int, bytes]:
    """One request on a connection of its own: the status and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", porta, timeout=30)
    try:
        connection.request(method, path, body, {"Authorization": f"Bearer {chave}"} if chave else {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        porta: int = listener.getsockname()[1]
    return porta
