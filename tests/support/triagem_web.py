"""A small call over HTTP: what is in it, who judges it, and a worker that screens it in no time."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import msgspec
import psycopg

from chamadas import Falsos
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Worker, working
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.triagem.achadores import Achadores
from crivo.triagem.edital import Avaliador
from crivo.triagem.execucao import Triador
from crivo.triagem.montagem import versoes
from trabalhador_falso import RAPIDO

EDITAL = "ED-1"
AVALIADORA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002"))
OUTRO = Avaliador("Davi Sena", "davi@avalia.exemplo", ("P0003",))


def empty_queue(admin_url: str) -> None:
    """Nothing that another test left in the queue, which is shared by all tenants of a server."""
    with psycopg.connect(libpq_url(admin_url), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")


@asynccontextmanager
async def screening(database: Database, achadores: Achadores | None = None) -> AsyncIterator[None]:
    """A worker with made-up finders, for as long as the block lasts."""
    clock = SystemClock()
    triador = Triador(database, Fila(), clock, Uuid7(clock).new, achadores or Falsos().achadores(), versoes("local"))
    async with working(Worker(database, triador.tasks(), concurrency=4, rhythm=RAPIDO)):
        yield


def zipped(documento: object, files: Mapping[str, bytes] | None = None, compression: int = zipfile.ZIP_DEFLATED, folder: str = "") -> bytes:
    """An edital and its files as a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        archive.writestr(f"{folder}edital.json", documento if isinstance(documento, bytes) else json.dumps(documento))
        for nome, content in (files or {}).items():
            archive.writestr(f"{folder}{nome}", content)
    return packed.getvalue()


def events_of(text: str) -> list[tuple[str, dict[str, object]]]:
    """The named events of a stream, with their data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], msgspec.json.decode(fields["data"])))
    return found
