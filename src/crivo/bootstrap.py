"""The composition root: from settings to a container of use cases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.clock import Clock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database, open_database


@dataclass(frozen=True, slots=True)
class Container:
    """Everything a channel needs, made once and handed over."""

    settings: Settings
    clock: Clock
    database: Database
    autorizacoes: Autorizacoes
    politicas: Politicas


@asynccontextmanager
async def open_container(settings: Settings) -> AsyncIterator[Container]:
    """The container over an open database, which is closed at the end."""
    clock = settings.clock
    new_id = Uuid7(clock).new
    database = await open_database(settings)
    try:
        yield Container(
            settings,
            clock,
            database,
            Autorizacoes(database, Vigentes(), clock, new_id),
            Politicas(database, clock, new_id),
        )
    finally:
        await database.close()
