"""The model of an installation, as its settings have it: opened by the composition root, asked through the port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Final

from crivo.kernel.clock import Clock
from crivo.kernel.llm.port import Modelo, Roteiro
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database

_NO_ROTEIROS: Final[Mapping[str, Roteiro]] = MappingProxyType({})


@asynccontextmanager
async def open_modelo(
    settings: Settings, database: Database, clock: Clock, roteiros: Mapping[str, Roteiro] = _NO_ROTEIROS
) -> AsyncIterator[Modelo | None]:
    """The configured model until the end of the block, or None where there is none.

    `roteiros` play the simulated model, by the name of the agent; an agent without one is told that it is not accepted. At the end, an
    answer that is on its way is waited for a moment, so that it is kept.
    """
    if not settings.modelo:
        yield None
        return
    from crivo.kernel.llm.consulta import Consulta  # here, for the sake of every command that asks no model

    consulta = Consulta(settings, database, clock, roteiros)
    try:
        yield consulta
    finally:
        await consulta.close()
