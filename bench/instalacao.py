"""A crivo of its own in a folder: an embedded database with políticas published and an API key, and the environment to run it in."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.documento import to_document
from crivo.bootstrap import open_container
from crivo.kernel.access import ESCOPOS, create_chave
from crivo.kernel.settings import PREFIX, Settings, load_settings
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

RAIZ: Final = Path(__file__).resolve().parents[1]
ESCOPO: Final = Scope(LOCAL_TENANT, "bench", CONSOLE)
MOTIVO: Final = "Regras sorteadas, que não precisam caber na lei."


@dataclass(frozen=True, slots=True)
class Instalacao:
    """Where it is, and the key that opens it."""

    pasta: Path
    chave: str = field(repr=False)

    def settings(self) -> Settings:
        """Its settings, whatever the environment or a `.env` may say."""
        return own_settings(self.pasta)

    def environment(self, **chosen: str) -> dict[str, str]:
        """The variables for a process of it: none of the caller's own settings, and no limit of requests."""
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
        paths = os.pathsep.join([str(RAIZ), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {**kept, **_SETTINGS, "PYTHONPATH": paths, PREFIX + "DATA_DIR": str(self.pasta), **chosen}


_SETTINGS: Final[Mapping[str, str]] = {PREFIX + "LIMITE_POR_MINUTO": "0", PREFIX + "PORTA_METRICAS": "0"}


def own_settings(pasta: Path) -> Settings:
    """Settings of an embedded database in `pasta`, whatever the environment or a `.env` may say."""
    return load_settings(None, data_dir=pasta, database_url="", tenant=LOCAL_TENANT, agora=None)


def install(pasta: Path, politicas: Sequence[Politica]) -> Instalacao:
    """Make an installation in an empty folder, and leave it at rest: its database is stopped."""
    return Instalacao(pasta, asyncio.run(_prepare(own_settings(pasta), politicas)))


def python(*arguments: str) -> list[str]:
    """A command line of this same Python."""
    return [sys.executable, *arguments]


async def _prepare(settings: Settings, politicas: Sequence[Politica]) -> str:
    async with open_container(settings) as container:
        for politica in politicas:
            importada = await container.politicas.importar(ESCOPO, to_document(politica), "json")
            await container.politicas.publicar(ESCOPO, importada.politica.id, motivo=MOTIVO)
        now = container.clock.now()
        async with container.database.unit_of_work(ESCOPO) as uow:
            nova = await create_chave(uow, now, "Bancada", ESCOPOS, now + timedelta(days=1))
    return nova.segredo
