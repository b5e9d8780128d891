"""A copy of many stored decisions while more are written: how long, how large, how long a write waits meanwhile, and the way back."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from bench.instalacao import ESCOPO, Instalacao, own_settings, python
from bench.linhas import Linha, Meta, measured
from bench.pedidos import Carga
from crivo.bootstrap import open_container

DECISOES: Final = 100_000
POR_SEGUNDO: Final = 500
AO_MESMO_TEMPO: Final = 64
SEM_COPIA_SEGUNDOS: Final = 10.0
META: Final = Meta("<=", 1000, "nosso")


@dataclass(frozen=True, slots=True)
class Esperas:
    """How long writes waited, in milliseconds, sorted."""

    ms: tuple[float, ...]
    segundos: float

    def at(self, share: float) -> float:
        """The wait that a share of the writes did not exceed."""
        return self.ms[min(len(self.ms) - 1, int(share * len(self.ms)))]

    @property
    def por_segundo(self) -> float:
        """How many were written a second."""
        return len(self.ms) / self.segundos


def run(instalacao: Instalacao, carga: Carga, decisoes: int, por_segundo: int, pasta: Path) -> list[Linha]:
    """Fill, copy under load, and bring back; the way back ends with rows counted and every chain verified, or fails."""
    pasta.mkdir(parents=True, exist_ok=True)
    copia, chaves, volta = pasta / "c.crivo", pasta / "c.chaves", pasta / "volta"
    antes, durante, copying, told = asyncio.run(_copied(instalacao, carga, decisoes, por_segundo, copia, chaves))
    began = time.perf_counter()
    back = _crivo(instalacao, "banco", "restaurar", str(copia), "--chaves", str(chaves), "--json", CRIVO_DATA_DIR=str(volta))
    restoring = time.perf_counter() - began
    if not json.loads(back)["auditoria_integra"]:
        raise RuntimeError("what came back does not verify")
    what = f"{told['tabelas']['autorizacoes']} decisões, {told['linhas']} linhas, {told['bytes'] / 1e9:.2f} GB antes de comprimir"
    sizes = f"{what}; {told['tamanho'] / 1e9:.2f} GB no arquivo."
    alone = f"sem cópia {antes.por_segundo:.0f} por segundo, p50 {antes.at(0.5):.1f}, p99 {antes.at(0.99):.1f} ms"
    paced = f"De {por_segundo} pedidas por segundo, {durante.por_segundo:.0f} guardadas; {alone}."
    many, waited = len(durante.ms), "uma escrita durante a cópia"
    return [
        measured("cópia com o serviço escrevendo", "s", copying, None, meta=None, execucoes=1, nota=sizes),
        measured(f"{waited}, p50", "ms", durante.at(0.5), antes.at(0.5), meta=None, execucoes=many, nota=paced),
        measured(f"{waited}, p99", "ms", durante.at(0.99), antes.at(0.99), meta=None, execucoes=many),
        measured(f"{waited}, a mais lenta", "ms", durante.ms[-1], antes.ms[-1], meta=META, execucoes=many),
        measured("volta da cópia, linhas contadas e auditoria verificada", "s", restoring, None, meta=None, execucoes=1),
    ]


async def _copied(
    instalacao: Instalacao, carga: Carga, decisoes: int, por_segundo: int, copia: Path, chaves: Path
) -> tuple[Esperas, Esperas, float, dict[str, Any]]:
    async with open_container(own_settings(instalacao.pasta)) as container:
        pedidos, left = cycle(carga.pedidos), iter(range(decisoes))

        async def fill() -> None:
            for _ in left:
                await container.autorizacoes.decidir(ESCOPO, next(pedidos))

        await asyncio.gather(*(fill() for _ in range(AO_MESMO_TEMPO)))
        alone = await _paced(container, pedidos, por_segundo, asyncio.create_task(asyncio.sleep(SEM_COPIA_SEGUNDOS)))
        began = time.perf_counter()
        words = ("banco", "backup", str(copia), "--chaves", str(chaves), "--json")
        copying = asyncio.create_task(asyncio.to_thread(_timed, instalacao, words))
        beside = await _paced(container, pedidos, por_segundo, copying)
        ended, told = await copying
        return alone, beside, ended - began, json.loads(told)


async def _paced(container: Any, pedidos: Iterator[bytes], por_segundo: int, until: asyncio.Task[Any]) -> Esperas:
    """Decide so many a second, whatever each takes, for as long as something else lasts."""
    waits, running, began = list[float](), set[asyncio.Task[None]](), time.perf_counter()

    async def one() -> None:
        asked = time.perf_counter()
        await container.autorizacoes.decidir(ESCOPO, next(pedidos))
        waits.append(1000 * (time.perf_counter() - asked))

    asked_for = 0
    while not until.done():
        due = int((time.perf_counter() - began) * por_segundo)
        for _ in range(due - asked_for):
            task = asyncio.create_task(one())
            running.add(task)
            task.add_done_callback(running.discard)
        asked_for = max(due, asked_for)
        await asyncio.sleep(0.002)
    await asyncio.gather(*running)
    return Esperas(tuple(sorted(waits)), time.perf_counter() - began)


def _timed(instalacao: Instalacao, words: Sequence[str]) -> tuple[float, str]:
    told = _crivo(instalacao, *words)
    return time.perf_counter(), told


def _crivo(instalacao: Instalacao, *words: str, **chosen: str) -> str:
    env = instalacao.environment(**chosen)
    done = subprocess.run(python("-m", "crivo", *words), env=env, capture_output=True, text=True, check=False, cwd=instalacao.pasta)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout
