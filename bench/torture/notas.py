"""A grading whose worker is killed in its middle, gone on with by another: no answer that had come is paid for again."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from bench.inscricoes import write_call
from bench.instalacao import ESCOPO, RAIZ, install, python
from bench.provedor import CONCORRENCIA, NoAr, provider
from crivo.bootstrap import Container, open_container
from crivo.triagem.importacao.leitura import Importacao, read_chamada

PROJETOS: Final = 63  # times four critérios: 252 calls
_ANSWER_SECONDS: Final = 0.5
_LONGEST_SECONDS: Final = 300.0
_POLL_SECONDS: Final = 0.02


class Chamadas(msgspec.Struct, kw_only=True):
    """What came of a grading: what happened first, then what must never happen."""

    quedas: int = 0
    distintas: int = 0
    pagas: int = 0
    em_curso: int = 0
    pagas_em_dobro: int = 0
    notas_perdidas: int = 0
    sem_fim: int = 0

    @property
    def whole(self) -> bool:
        """Whether workers were killed, and nothing was paid twice but what was under way at their death, nor anything lost."""
        return self.quedas > 0 and self.distintas > 0 and not any((self.pagas_em_dobro, self.notas_perdidas, self.sem_fim))


def kill_graders(pasta: Path, quedas: int, projetos: int = PROJETOS, on_kill: Callable[[Chamadas], None] = lambda _: None) -> Chamadas:
    """Grade one call, its only worker killed so many times at even parts of the way, and count what the provider was paid for."""
    pasta.mkdir(parents=True)
    instalacao = install(pasta / "dados", ())
    importacao = read_chamada(write_call(pasta / "chamada", projetos))
    with provider(_ANSWER_SECONDS) as no_ar:
        return asyncio.run(_Tortura(instalacao.pasta, no_ar, importacao).run(quedas, on_kill))


class _Tortura:
    def __init__(self, dados: Path, no_ar: NoAr, importacao: Importacao) -> None:
        self._dados = dados
        self._no_ar = no_ar
        self._importacao = importacao
        self._contas = Chamadas(distintas=len(importacao.chamada.projetos) * len(importacao.chamada.criterios))

    async def run(self, quedas: int, on_kill: Callable[[Chamadas], None]) -> Chamadas:
        async with open_container(self._no_ar.settings_of(self._dados)) as container:
            edital_id = (await container.triagem.importar(ESCOPO, self._importacao)).edital_id
            await container.triagem.executar(ESCOPO, edital_id, "avaliacao")
            worker = self._start()
            try:
                for queda in range(1, quedas + 1):
                    if await self._paid(self._contas.distintas * queda // (quedas + 1)):
                        self._kill(worker)
                        on_kill(self._contas)
                        worker = self._start()
                await self._see_through(container, edital_id)
            finally:
                worker.terminate()
                worker.wait()
        self._contas.pagas = self._no_ar.count().pagos
        self._contas.pagas_em_dobro = max(0, self._contas.pagas - self._contas.distintas - self._contas.em_curso)
        return self._contas

    async def _paid(self, enough: int) -> bool:
        """Wait until so many calls are paid; False where that does not come."""
        began = time.monotonic()
        while time.monotonic() - began < _LONGEST_SECONDS:
            if (await asyncio.to_thread(self._no_ar.count)).pagos >= enough:
                return True
            await asyncio.sleep(_POLL_SECONDS)
        return False

    def _kill(self, worker: subprocess.Popen[bytes]) -> None:
        """End the worker on the spot; what it was waiting for may come to nobody, and no more than it may ask at once."""
        worker.kill()
        worker.wait()
        self._contas.quedas += 1
        self._contas.em_curso += CONCORRENCIA

    async def _see_through(self, container: Container, edital_id: str) -> None:
        began = time.monotonic()
        while time.monotonic() - began < _LONGEST_SECONDS:
            execucao = await container.triagem.status(ESCOPO, edital_id)
            if execucao.status != "em_andamento":
                resultado = await container.triagem.resultado(ESCOPO, edital_id, execucao.id)
                kept = sum(nota.nota_sugerida is not None for projeto in resultado.projetos for nota in projeto.notas)
                self._contas.notas_perdidas = self._contas.distintas - kept
                return
            await asyncio.sleep(0.2)
        self._contas.sem_fim = 1

    def _start(self) -> subprocess.Popen[bytes]:
        command = python("-m", "bench.torture.trabalhador_notas", str(self._dados), self._no_ar.endereco)
        return subprocess.Popen(command, cwd=RAIZ, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
