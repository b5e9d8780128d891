"""What an installation kept of all it had promised: counted in its database, and read again at every server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bench.instalacao import ESCOPO
from bench.torture.casa import PORTA, Casa
from bench.torture.clientes import Cliente, Promessa, read_back
from crivo.bootstrap import open_container
from crivo.kernel.audit import verify_tenant

_READ_SECONDS: Final = 60.0
RELIDAS: Final = 1500  # decisions that are read again; that they are there is looked up for every one


@dataclass(frozen=True, slots=True)
class Guardado:
    """Decisions lost, altered and doubled; those without an entry in the chain, or entries without one; and breaks of the chain."""

    achados: int
    perdidos: int
    alterados: int
    em_dobro: int
    sem_registro: int
    quebras_na_cadeia: int


def reckon(casa: Casa, pasta: Path, promessas: Sequence[Promessa]) -> Guardado:
    """With no client at work, hold what is stored against every promise; some are read again, byte by byte, half of them at each server."""
    told = list({promessa.envio.chave: promessa for promessa in promessas}.values())
    kept, in_chain, broken = asyncio.run(_count(casa, pasta))
    there = [promessa for promessa in told if promessa.location.rpartition("/")[2] in kept]
    again = there[:: max(1, len(there) // RELIDAS)]
    opened, servers = clients_of(casa), len(casa.servidores)
    found = [_read(partial(opened, at), again[at::servers]) for at in range(servers)]
    return Guardado(
        achados=len(there),
        perdidos=len(told) - len(there) + sum(unread for unread, _ in found),
        alterados=sum(altered for _, altered in found),
        em_dobro=max(0, len(kept) - len(told)),
        sem_registro=abs(len(kept) - in_chain),
        quebras_na_cadeia=broken,
    )


def clients_of(casa: Casa) -> Callable[[int], Cliente]:
    """What opens a connection to the server of a number, in the order that the installation has them."""
    hosts = [servidor.maquina.endereco for servidor in casa.servidores.values()]
    return lambda at: Cliente(PORTA, casa.chave, hosts[at])


def _read(opened: Callable[[], Cliente], promessas: Sequence[Promessa]) -> tuple[int, int]:
    """How many could not be read, and how many are not what was promised; a server that is busy is asked again."""
    left, altered, deadline = list(promessas), 0, time.monotonic() + _READ_SECONDS
    while True:
        leitura = read_back(opened, left)
        altered += len(leitura.alteradas)
        unread = set(leitura.perdidas)
        left = [promessa for promessa in left if promessa.location in unread]
        if not left or time.monotonic() > deadline:
            return len(left), altered
        time.sleep(1)


async def _count(casa: Casa, pasta: Path) -> tuple[set[str], int, int]:
    async with open_container(casa.settings(pasta)) as container, container.database.unit_of_work(ESCOPO) as uow:
        kept = {str(one) for one in (await uow.connection.exec_driver_sql("select id from autorizacoes")).scalars()}
        told = (await uow.connection.exec_driver_sql("select count(*) from auditoria where acao = 'autorizacao.decidida'")).scalar_one()
        verification = await verify_tenant(uow)
    return kept, told, len(verification.quebras)
