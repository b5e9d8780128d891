"""`python -m bench.torture.preparo instalar|importar …`: what is put into an installation before it is used, by whichever code is told to.

The harness itself may know a newer schema than the installation is to begin with; so this runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from inspect import signature
from pathlib import Path
from typing import Any, Final

from bench.instalacao import ESCOPO, MOTIVO
from bench.pedidos import draw_carga
from crivo.autorizacoes.politicas.documento import to_document
from crivo.bootstrap import open_container
from crivo.kernel.access import ESCOPOS, create_chave
from crivo.kernel.settings import load_settings
from crivo.triagem.importacao.leitura import read_chamada

_PEDIDOS: Final = 500


async def install() -> str:
    """Políticas published, and a key for everything: the key."""
    async with open_container(load_settings(None)) as container:
        # An earlier version asks for no reason.
        reason: dict[str, Any] = {"motivo": MOTIVO} if "motivo" in signature(container.politicas.publicar).parameters else {}
        for politica in draw_carga(_PEDIDOS).politicas:
            importada = await container.politicas.importar(ESCOPO, to_document(politica), "json")
            await container.politicas.publicar(ESCOPO, importada.politica.id, **reason)
        now = container.clock.now()
        async with container.database.unit_of_work(ESCOPO) as uow:
            return (await create_chave(uow, now, "Bancada", ESCOPOS, now + timedelta(days=1))).segredo


async def bring(paths: list[Path]) -> None:
    """Import calls as they are written in these files."""
    async with open_container(load_settings(None)) as container:
        for path in paths:
            await container.triagem.importar(ESCOPO, read_chamada(path))


if __name__ == "__main__":
    if sys.argv[1] == "instalar":
        sys.stdout.write(asyncio.run(install()))
    else:
        asyncio.run(bring([Path(one) for one in sys.argv[2:]]))
