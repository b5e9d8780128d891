"""Bookings a second of one clinic, each durable, beside SQLite committing the same change in a loop."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from bench.clinicas import Atendimento, agenda, call, cpf_of, order_of, serving, silo_of
from bench.disparo import CONEXOES, Refused, fire
from bench.instalacao import Instalacao
from bench.linhas import Linha, Meta, measured
from crivo.clinicas.clinica.values import SlotRecord

META: Final = Meta(">=", 0.8)
HORARIOS: Final = 20_000
SEGUNDOS: Final = 1.0
_BLOCK: Final = bytes(4096)
_TABLE: Final = """
    create table slots (
        id integer primary key, doctor text not null, date text not null, time text not null, available integer not null,
        patient_name text, cpf text, unique (doctor, date, time)
    )"""
_FILL: Final = "insert into slots (doctor, date, time, available) values (?, ?, ?, 1)"
_UPDATE: Final = "update slots set available = 0, patient_name = ?, cpf = ? where doctor = ? and date = ? and time = ? and available = 1"


def run(pasta: Path, rodadas: int, segundos: float = SEGUNDOS, horarios: int = HORARIOS) -> list[Linha]:
    """Bookings over HTTP by turns with SQLite's own commits, each of another slot; files are made in `pasta`."""
    slots = agenda(horarios)
    order = order_of(pasta / "clinica", slots)
    pedidos = pasta / "marcacoes.ndjson"
    calls = [msgspec.json.encode(call("book_appointment", slot, cpf_of(number))) for number, slot in enumerate(slots)]
    pedidos.write_bytes(b"\n".join(calls) + b"\n")
    nossas, deles, discos = [], [], []
    with serving(order) as (one,):
        for rodada in range(rodadas + 1):
            ours = _booked(one, pasta, pedidos, slots, segundos)
            theirs = _committed(pasta / f"par-{rodada}.sqlite3", slots, segundos)
            if rodada:  # the first warms both up
                nossas.append(ours)
                deles.append(theirs)
                discos.append(_synced(pasta / "disco", segundos / 4))
    return [
        measured(
            "marcações duráveis de uma clínica × SQLite em laço",
            "marcações/s",
            median(nossas),
            median(deles),
            meta=META,
            execucoes=rodadas,
            nota=f"{CONEXOES} conexões HTTP, cada marcação em disco antes da resposta (synchronous=FULL) e conferida na agenda depois; "
            "o par grava a mesma mudança, um commit de cada vez, sem rede. A clínica grava juntas as que chegam juntas, e por isso ganha "
            f"onde o disco demora; o desta máquina confirmou {median(discos):.0f} escritas por segundo (fsync de 4 KiB) na mesma hora.",
        )
    ]


def _booked(one: Atendimento, pasta: Path, pedidos: Path, slots: Sequence[SlotRecord], segundos: float) -> float:
    """Bookings a second, from a whole agenda on; every one that was answered is in the store. Raises Refused."""
    with closing(silo_of(one.order)) as silo:
        silo.replace_slots(slots)
        rajada = fire(Instalacao(pasta, one.token), one.order.clinica.porta, "/mcp", pedidos, segundos)
        held = sum(not slot.available for slot in silo.all_slots())
    if held < rajada.aceitas:
        raise Refused(f"{rajada.aceitas} marcações respondidas, {held} na agenda.")
    return rajada.por_segundo


def _committed(path: Path, slots: Sequence[SlotRecord], segundos: float) -> float:
    """Commits a second of the same change to the same table."""
    with closing(_plain(path, slots)) as connection:
        began = time.perf_counter()
        for done, slot in enumerate(slots):
            if time.perf_counter() - began >= segundos:
                break
            connection.execute(_UPDATE, ("Pessoa de Teste", cpf_of(done), slot.doctor, slot.date, slot.time))
        return done / (time.perf_counter() - began)


def _synced(path: Path, segundos: float) -> float:
    """Blocks a second that the disk confirms, one at a time: what a commit cannot be quicker than."""
    done, until = 0, time.perf_counter() + segundos
    with path.open("wb", buffering=0) as file:
        while time.perf_counter() < until:
            file.write(_BLOCK)
            os.fsync(file.fileno())
            done += 1
    path.unlink()
    return done / segundos


def _plain(path: Path, slots: Sequence[SlotRecord]) -> sqlite3.Connection:
    """A clinic's table in a file of its own, open as a program without a server would open it: every statement a transaction."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    connection.execute(_TABLE)
    connection.executemany(_FILL, [(slot.doctor, slot.date, slot.time) for slot in slots])
    return connection
