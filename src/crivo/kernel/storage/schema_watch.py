"""Whether the schema is still the one that this program works with, asked from time to time by what runs for long."""

from __future__ import annotations

import asyncio
from typing import Final, NoReturn

from crivo.kernel.logs import logger
from crivo.kernel.storage.errors import BancoIndisponivel, EsquemaMudou
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.patience import PROMPT
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

EVERY_SECONDS: Final = 5.0
_NOBODY: Final = Scope(LOCAL_TENANT, "vigia")


async def watch_schema(database: Database, every_seconds: float = EVERY_SECONDS) -> NoReturn:
    """Look until the schema has moved, and raise EsquemaMudou then; a database that is away is waited for."""
    database = database.within(PROMPT)
    while True:
        await asyncio.sleep(every_seconds)
        try:
            async with database.unit_of_work(_NOBODY):
                pass  # to begin one is to have asked
        except EsquemaMudou:
            logger.critical("esquema_mudou", extra={"versao": HEAD})
            raise
        except BancoIndisponivel:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it was, the service goes on, and the next look may do better
            logger.warning("esquema_nao_visto", exc_info=error)
