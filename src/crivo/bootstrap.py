"""The composition root: from settings to a container of use cases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar

from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
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


class ModoIndisponivel(CrivoError):
    """A mode of the authorization agents that this version cannot run."""

    codigo: ClassVar[str] = "modo_indisponivel"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Modo ainda não disponível"


@asynccontextmanager
async def open_container(settings: Settings) -> AsyncIterator[Container]:
    """The container over an open database, which is closed at the end. Raises ModoIndisponivel before anything is opened."""
    if settings.modo_autorizacoes != "codigo":
        raise ModoIndisponivel(
            f"CRIVO_MODO_AUTORIZACOES={settings.modo_autorizacoes} ainda não existe nesta versão; use codigo, em que o código escreve tudo."
        )
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
