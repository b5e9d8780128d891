"""Clinics to be measured and tortured: processes of the product on free ports, with an agenda and people made up here."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.servidor import ServerFailed, free_port
from crivo.clinicas.caminho import door_of
from crivo.clinicas.clinica.dbjson import write_db_json
from crivo.clinicas.clinica.keys import read_keys
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tokens import LONGEST_SECONDS, sign
from crivo.clinicas.clinica.values import SlotRecord
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import FixedClock, SystemClock

MANHA: Final = datetime.fromisoformat("2026-11-20T08:00:00-03:00")
MEDICO: Final = "Dr. Fernando Mendes"
_CLINICA: Final = "clinic_c"
_SLOT: Final = timedelta(minutes=5)
_READY_SECONDS: Final = 60.0
_NINE_DIGITS: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Atendimento:
    """A clinic's server process, and the token that it takes."""

    order: Order
    process: subprocess.Popen[bytes]
    token: str

    @property
    def url(self) -> str:
        """Where it answers."""
        return self.order.clinica.url


def agenda(horarios: int) -> tuple[SlotRecord, ...]:
    """So many free slots of one doctor, one after the other from the next morning on."""
    moments = (MANHA + timedelta(days=1) + numero * _SLOT for numero in range(horarios))
    return tuple([SlotRecord(MEDICO, "Cardiologia", f"{m:%Y-%m-%d}", f"{m:%H:%M}", available=True) for m in moments])


def order_of(pasta: Path, slots: Sequence[SlotRecord]) -> Order:
    """The order to run a clinic with that agenda, filled and kept in `pasta`, on a port of its own."""
    pasta.mkdir(parents=True, exist_ok=True)
    write_db_json(pasta / f"{_CLINICA}.db.json", slots)
    return moved(Order(Clinica(_CLINICA, "Clínica C", "Cardiologia", 0, ""), str(pasta), agora=MANHA, dados=str(pasta), log_nivel="ERROR"))


def moved(order: Order) -> Order:
    """The same clinic on another free port: one more process of it."""
    porta, one = free_port(), order.clinica
    clinica = Clinica(one.id, one.nome, one.especialidade, porta, f"http://127.0.0.1:{porta}/mcp")
    return Order(clinica, order.data_dir, order.host, order.agora, order.dados, order.log_nivel, supervised=True)


def silo_of(order: Order) -> Silo:
    """A connection to a clinic's store."""
    return Place(order.clinica, order.folder, FixedClock(MANHA)).open_silo()


@contextmanager
def serving(*orders: Order) -> Iterator[tuple[Atendimento, ...]]:
    """These clinics answering, for as long as the block lasts. Raises ServerFailed."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        processes += [subprocess.Popen(order.command(), stdin=subprocess.PIPE) for order in orders]
        for order, process in zip(orders, processes, strict=True):
            _await_answer(order, process)
        yield tuple(Atendimento(order, process, _token_of(order)) for order, process in zip(orders, processes, strict=True))
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def call(name: str, slot: SlotRecord, cpf: str, to: SlotRecord | None = None) -> dict[str, Any]:
    """A booking or cancellation of a slot, or a move from it to another, as JSON-RPC."""
    if to is None:
        moments = {"date": slot.date, "time": slot.time}
    else:
        moments = {"original_date": slot.date, "original_time": slot.time, "new_date": to.date, "new_time": to.time}
    return rpc(name, {"doctor": slot.doctor, **moments, "patient_name": "Pessoa de Teste", "cpf": cpf})


def rpc(name: str, arguments: dict[str, str]) -> dict[str, Any]:
    """A tool call as JSON-RPC."""
    return {"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def cpf_of(numero: int) -> str:
    """A CPF of right digits, another for each number."""
    digits = [int(digit) for digit in f"{_NINE_DIGITS + numero}"]
    for size in (9, 10):
        digits.append(sum(digit * weight for digit, weight in zip(digits, range(size + 1, 1, -1), strict=True)) * 10 % 11 % 10)
    return "".join(map(str, digits))


def _token_of(order: Order) -> str:
    return sign(read_keys(order.folder).atual, order.clinica.id, "operador", SystemClock().now(), LONGEST_SECONDS)


def _await_answer(order: Order, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _READY_SECONDS
    while not answers(order.clinica, order.folder, door_of(order.clinica, order.folder.path)):
        if process.poll() is not None or time.monotonic() > end:
            raise ServerFailed(f"A {order.clinica.nome} não atendeu.")
        time.sleep(0.02)
