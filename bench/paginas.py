"""A page of a project's document as the mesa asks for it: drawn and its passages boxed, the first time and when it is asked for again."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from typing import Final
from uuid import UUID

from bench.instalacao import ESCOPO, Instalacao
from bench.linhas import Linha, Meta, measured
from crivo.bootstrap import Container, open_container
from crivo.kernel.access import create_usuario
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.triagem.amostra.montagem import write_sample
from crivo.triagem.erros import PaginaNotFound
from crivo.triagem.importacao.leitura import Importacao, read_chamada

META: Final = Meta("<=", 150.0, "nosso")
LARGURA: Final = 1200
_TRECHOS: Final = ("Válida até", "CPF", "Portfólio", "não há débito exigível", "Endereço", "não está em página nenhuma")


def run(instalacao: Instalacao, pasta: Path) -> list[Linha]:
    """Milliseconds for each document of the sample call, at the median and at 95 of 100."""
    importacao = read_chamada(write_sample(pasta))
    frias, quentes = asyncio.run(_ask(instalacao, importacao))
    nota = f"{len(frias)} PDF da amostra, página 1 com {LARGURA} pontos de largura e {len(_TRECHOS)} trechos, um por vez; sem a rede."
    return [
        measured(f"página de um documento, {quando}: {qual}", "ms", figure, None, meta=META, execucoes=1, nota=nota)
        for quando, taken in (("primeira vez", frias), ("de novo", quentes))
        for qual, figure in zip(("mediana", "95 em 100"), _percentiles(taken), strict=True)
    ]


def _percentiles(taken: list[float]) -> tuple[float, float]:
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18]


async def _ask(instalacao: Instalacao, importacao: Importacao) -> tuple[list[float], list[float]]:
    async with open_container(instalacao.settings()) as container:
        codigo = (await container.triagem.importar(ESCOPO, importacao)).edital_id
        scope = await _gestora(container)
        wanted = [
            (projeto, aberto.numero)
            for projeto in [f"P{number:03}" for number in range(1, 41)]
            for aberto in await container.documentacao.abrir_todos(scope, codigo, projeto)
            if aberto.arquivo.endswith(".pdf")
        ]
        try:
            await container.paginas.folha(scope, codigo, *wanted[0], 1, (), 120)  # what draws has been started
            frias = [await _time(container, scope, codigo, *one) for one in wanted]
            return frias, [await _time(container, scope, codigo, *one) for one in wanted]
        finally:
            await container.paginas.close()


async def _gestora(container: Container) -> Scope:
    async with container.database.unit_of_work(ESCOPO) as uow:
        person = await create_usuario(uow, container.clock.now(), UUID(int=46), "Gestora", "gestora@bancada.exemplo", "gestor")
    return Scope(ESCOPO.tenant_id, person.ator, Pessoa(ESCOPO.tenant_id, person.id, "gestor"))


async def _time(container: Container, scope: Scope, codigo: str, projeto: str, numero: int) -> float:
    began = time.perf_counter()
    await container.paginas.folha(scope, codigo, projeto, numero, 1, _TRECHOS, LARGURA)
    with suppress(PaginaNotFound):  # some papers of the sample are broken on purpose
        await container.paginas.imagem(scope, codigo, projeto, numero, 1, LARGURA)
    return 1000 * (time.perf_counter() - began)
