"""The order to run one clinic as a process, as it is handed to `python -m crivo.clinicas.clinica`."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas import amostra
from crivo.clinicas.clinica.dbjson import read_seed
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.serving import GRACE_SECONDS, Place, serve_clinic
from crivo.clinicas.clinica.values import Seed
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import FixedClock, SystemClock
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import configure_logs
from crivo.kernel.settings import LogNivel
from crivo.kernel.tenancy import LOCAL_TENANT

REFUSED_TO_START: Final = 3  # the exit code of a clinic that said why it cannot run


class Order(msgspec.Struct, frozen=True):
    """Which clinic to run, from which folders, at what time; `dados` is where to fill a new silo from, the sample where it is None.

    `casa` is the tenant whose the clinic is. `portas` are tried in order, the clinic's own where there are none; `cadastro` is the file
    that it stands in, where it stands in one.
    `supervised`: end when standard input ends, which it does when the supervisor does, however that came about.
    """

    clinica: Clinica
    data_dir: str
    host: str = "127.0.0.1"
    agora: datetime | None = None
    dados: str | None = None
    log_nivel: LogNivel = "INFO"
    supervised: bool = False
    casa: str = LOCAL_TENANT
    portas: tuple[int, ...] = ()
    cadastro: str = ""

    @property
    def folder(self) -> ClinicFolder:
        """The clinic's folder."""
        return ClinicFolder.under(Path(self.data_dir), self.clinica.id)

    def command(self) -> list[str]:
        """The command that carries it out."""
        return [sys.executable, "-P", "-m", "crivo.clinicas.clinica", msgspec.json.encode(self).decode()]

    def plant(self, day: date) -> Seed:
        """What a new silo of this clinic begins with. Raises DbJsonInvalido."""
        return amostra.seed(self.clinica.id, day) if self.dados is None else read_seed(Path(self.dados), self.clinica.id)


def run(order: Order) -> int:
    """Carry an order out, to the end of the process; its exit code."""
    configure_logs(order.log_nivel)
    if order.supervised:
        threading.Thread(target=partial(_end_with, sys.stdin.fileno()), daemon=True).start()
    clock = FixedClock(order.agora) if order.agora is not None else SystemClock()
    try:
        serve_clinic(
            Place(order.clinica, order.folder, clock, order.casa),
            order.plant,
            host=order.host,
            portas=order.portas,
            cadastro=order.cadastro,
        )
    except CrivoError as error:
        sys.stderr.write(f"{order.clinica.id}: {error.mensagem}\n")
        return REFUSED_TO_START
    return 0


def _end_with(lifeline: int) -> None:
    # Read past Python's own buffer: its lock, held by this thread at the end, would abort the interpreter.
    while os.read(lifeline, 1024):
        continue
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS + 1)
    os._exit(1)
