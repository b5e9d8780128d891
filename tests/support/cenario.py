"""A made-up clinic on a Wednesday morning, its people, and ways to run and to call it."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec

from crivo.clinicas.caminho import door_of
from crivo.clinicas.clinica.dbjson import write_db_json
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import read_keys
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import Order, run
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tokens import LONGEST_SECONDS, sign
from crivo.clinicas.clinica.values import Patient, Seed, SlotRecord
from crivo.clinicas.protocol import Role
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import FixedClock, SystemClock
from molde import Forked, fork

MORNING = datetime.fromisoformat("2025-07-16T08:00:00-03:00")
CLOCK = FixedClock(MORNING)
ANA, BIA = "529.982.247-25", "111.444.777-35"
FERNANDO, MARCIO, MARCIA = "Dr. Fernando Mendes", "Dr. Márcio Paiva", "Dra. Márcia Paiva Souza"
JSON = {"Content-Type": "application/json"}


def free(doctor: str, date: str, time_: str) -> SlotRecord:
    return SlotRecord(doctor, "Cardiologia", date, time_, available=True)


SLOTS = (
    free(FERNANDO, "2025-07-18", "10:00"),
    free(FERNANDO, "2025-07-19", "14:00"),
    free(FERNANDO, "2025-07-16", "08:00"),  # now: too late
    free(MARCIO, "2025-07-17", "09:00"),
    free(MARCIA, "2025-07-17", "09:00"),
)
PATIENTS = (
    Patient(
        "CARD-C001", "Zilda Prado", "Hipertensão arterial", 61, "111.444.777-35", "(11) 90000-0001", ("Anlodipino 5 mg",), "2025-02-03"
    ),
    Patient("CARD-C002", "Abel Hiper", "Angina estável"),
)
SEED = Seed(SLOTS, PATIENTS)


def clinic_on(port: int) -> Clinica:
    return Clinica("clinic_c", "Clínica C", "Cardiologia", port, f"http://127.0.0.1:{port}/mcp")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def write_data(folder: Path, seed: Seed = SEED, clinic_id: str = "clinic_c") -> Path:
    write_db_json(folder / f"{clinic_id}.db.json", seed.slots)
    (folder / f"{clinic_id}.pacientes.json").write_bytes(msgspec.json.encode({"patients": seed.patients}))
    return folder


def order_for(tmp_path: Path, port: int) -> Order:
    """An order for the clinic; two orders with the same `tmp_path` are two processes of the same clinic."""
    return Order(clinic_on(port), str(tmp_path / "dados"), agora=MORNING, dados=str(tmp_path), log_nivel="ERROR", supervised=True)


def silo_of(order: Order) -> Silo:
    return Place(order.clinica, order.folder, CLOCK).open_silo()


@dataclass(frozen=True)
class Running:
    """A server process."""

    order: Order
    process: Forked

    @property
    def url(self) -> str:
        return self.order.clinica.url

    def token(self, papel: Role = "atendimento") -> str:
        return token_of(self.order.clinica.id, self.order.folder, papel)


@contextmanager
def running(*orders: Order) -> Iterator[list[Running]]:
    processes = [fork(run, order) for order in orders]
    try:
        for order, process in zip(orders, processes, strict=True):
            until_answers(order, process)
        yield [Running(order, process) for order, process in zip(orders, processes, strict=True)]
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def until_answers(order: Order, process: Forked | subprocess.Popen[bytes], seconds: float = 30) -> None:
    for _ in range(int(seconds / 0.05)):
        if answers(order.clinica, order.folder, door_of(order.clinica, order.folder.path)):
            return
        assert process.poll() is None, "the server ended while starting"
        time.sleep(0.05)
    raise AssertionError("the server does not answer")


def request_of(name: str, arguments: Mapping[str, Any], request_id: str = "u1") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": {"name": name, "arguments": dict(arguments)}}


def token_of(clinic_id: str, folder: ClinicFolder, papel: Role = "atendimento", em_nome_de: str | None = None) -> str:
    """A token that lasts as long as any test does."""
    return sign(read_keys(folder).atual, clinic_id, papel, SystemClock().now(), LONGEST_SECONDS, em_nome_de)


@dataclass(frozen=True)
class Of:
    """A patient on whose behalf somebody asks, as a token proves it."""

    digits: str

    def is_of(self, digits: str) -> bool:
        return self.digits == digits


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def call(client: httpx.AsyncClient, url: str, token: str, name: str, **arguments: str) -> dict[str, Any]:
    """The result of a tool."""
    answered = await client.post(url, json=request_of(name, arguments), headers=bearer(token))
    assert answered.status_code == 200, answered.text
    result: dict[str, Any] = answered.json()["result"]
    return result


def cpf_number(index: int) -> str:
    """A CPF of right digits, another for each index."""
    digits = [int(digit) for digit in f"{100_000_000 + index}"]
    for size in (9, 10):
        digits.append(sum(digit * weight for digit, weight in zip(digits, range(size + 1, 1, -1), strict=True)) * 10 % 11 % 10)
    return "".join(map(str, digits))
