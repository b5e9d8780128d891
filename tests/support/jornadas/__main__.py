"""`PYTHONPATH=tests/support python -m jornadas`: goes every journey with every fault in every way, and counts the faults by kind.

The exit code is 1 where a journey ended otherwise than code alone would have ended it.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import psycopg

from crivo.kernel.settings import load_settings
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.session import Database, open_database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from jornadas.matriz import JORNADAS, Modo, Tenants, a_provider, done, travel_all, wrong
from provedor import Provedor, provedor_no_ar


async def go(pasta: Path, provedor: Provedor) -> int:
    """Go them all; how many ended wrong."""
    database = await open_database(load_settings(None, data_dir=pasta, database_url=""))
    server = EmbeddedPostgres(pasta)
    await asyncio.to_thread(server.start)
    try:
        return await _go_all(provedor, database, tenants_in(server.admin_url))
    finally:
        await database.close()
        await asyncio.to_thread(server.release)


def tenants_in(admin_url: str) -> Tenants:
    """Makes tenants that nobody used before."""
    made: list[str] = []

    def make() -> Scope:
        made.append(f"t-{len(made)}")
        with psycopg.connect(libpq_url(admin_url)) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (made[-1],))
            connection.execute("insert into tenants (id, nome, criado_em) values (%s, 'Da matriz', now())", (made[-1],))
        return Scope(made[-1], "matriz", CONSOLE)

    return make


async def _go_all(provedor: Provedor, database: Database, new_tenant: Tenants) -> int:
    calls, journeys, failed = Counter[tuple[str, str]](), 0, 0
    for modo in get_args(Modo):
        ended = await travel_all(JORNADAS, provedor, database, new_tenant, modo=modo)
        faults = done(provedor, second=True if modo.startswith("segunda") else None)
        calls.update((falta, modo) for falta, _ in faults)
        provedor.esquecer()
        journeys, failed = journeys + len(ended), failed + len(wrong(ended))
        sys.stdout.write(f"{modo}: {len(faults)} faulted calls on {len(ended)} journeys\n")
        sys.stdout.flush()
        sys.stdout.writelines(f"{modo} {way}: {erros}\n" for way, erros in wrong(ended).items())
    modos = get_args(Modo)
    sys.stdout.write(f"{'':20}" + "".join(f"{modo:>18}" for modo in modos) + "\n")
    for falta in dict.fromkeys(falta for falta, _ in calls):
        sys.stdout.write(f"{falta:20}" + "".join(f"{calls[falta, modo]:18}" for modo in modos) + "\n")
    sys.stdout.write(f"{calls.total()} faulted calls on {journeys} journeys, of which {failed} ended wrong\n")
    return failed


if __name__ == "__main__":
    logging.disable()  # a server that is told to break off says so each time
    with TemporaryDirectory() as folder, provedor_no_ar(a_provider()) as running:
        sys.exit(1 if asyncio.run(go(Path(folder), running)) else 0)
