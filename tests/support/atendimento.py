"""The two cardiology clinics of the sample, running on a Wednesday morning, for whoever serves conversations with them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from cenario import MORNING, Running, running
from crivo.clinicas.service import Clinicas
from federacao import registry_on_free_ports


@dataclass(frozen=True)
class Attended:
    """Clinics that answer, and the data folder that knows them."""

    clinicas: Clinicas
    servers: dict[str, Running]

    def held(self) -> list[tuple[str, str, str, str, str | None]]:
        """Every appointment that the stores hold."""
        found = []
        for clinic in self.servers:
            with closing(self.clinicas.place(clinic).open_silo()) as silo:
                found += [(clinic, one.doctor, one.date, one.time, one.cpf) for one in silo.all_slots() if not one.available]
        return found

    @contextmanager
    def no_writing_at(self, clinic: str) -> Iterator[None]:
        """Another program holds the clinic's store for as long: a booking there waits."""
        with closing(sqlite3.connect(self.clinicas.folder(clinic).silo, isolation_level=None)) as connection:
            connection.execute("begin immediate")
            yield
            connection.execute("rollback")

    def reset(self) -> None:
        """Free every slot."""
        for clinic in self.servers:
            with closing(self.clinicas.place(clinic).open_silo()) as silo:
                free = [msgspec.structs.replace(slot, available=True, patient_name=None, cpf=None) for slot in silo.all_slots()]
                silo.replace_slots(tuple(free))


@contextmanager
def attended(folder: Path, *ids: str, now: bool = False) -> Iterator[Attended]:
    """Clinics of the sample over `folder`; at the machine's own time where `now`."""
    registro = registry_on_free_ports(*(ids or ("clinic_a", "clinic_c")))
    (folder / "clinicas").mkdir(parents=True)
    (folder / "clinicas/registro.json").write_bytes(msgspec.json.encode(registro))
    clinicas = Clinicas(folder, None if now else MORNING)
    with running(*(msgspec.structs.replace(order, supervised=True) for order in clinicas.orders())) as servers:
        yield Attended(clinicas, {server.order.clinica.id: server for server in servers})


def events_of(stream: str) -> list[tuple[str, Any]]:
    """Server-sent events by name and data."""
    found = []
    for block in stream.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found
