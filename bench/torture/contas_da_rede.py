"""What an installation kept of all it had promised: counted in its database, and read again at every server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.instalacao import ESCOPO
from bench.torture.casa import PORTA, Casa
from bench.torture.clientes import Cliente, Promessa, read_back
from crivo.bootstrap import open_container
from crivo.kernel.audit import verify_tenant


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
    """With no client at work, hold what is stored against every promise; half of them are read at each server."""
    told = list({promessa.envio.chave: promessa for promessa in promessas}.values())
    opened, servers = clients_of(casa), len(casa.servidores)
    found = [read_back(partial(opened, at), told[at::servers]) for at in range(servers)]
    stored, in_chain, broken = asyncio.run(_count(casa, pasta))
    return Guardado(
        achados=sum(one.achadas for one in found),
        perdidos=sum(len(one.perdidas) for one in found),
        alterados=sum(len(one.alteradas) for one in found),
        em_dobro=max(0, stored - len(told)),
        sem_registro=abs(stored - in_chain),
        quebras_na_cadeia=broken,
    )


def clients_of(casa: Casa) -> Callable[[int], Cliente]:
    """What opens a connection to the server of a number, in the order that the installation has them."""
    hosts = [servidor.maquina.endereco for servidor in casa.servidores.values()]
    return lambda at: Cliente(PORTA, casa.chave, hosts[at])


async def _count(casa: Casa, pasta: Path) -> tuple[int, int, int]:
    async with open_container(casa.settings(pasta)) as container, container.database.unit_of_work(ESCOPO) as uow:
        stored = (await uow.connection.exec_driver_sql("select count(*) from autorizacoes")).scalar_one()
        told = (await uow.connection.exec_driver_sql("select count(*) from auditoria where acao = 'autorizacao.decidida'")).scalar_one()
        verification = await verify_tenant(uow)
    return stored, told, len(verification.quebras)
