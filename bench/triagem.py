"""A large edital screened from import to the end, by two processes through the queue, and screened again with nothing changed."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.inscricoes import write_call
from bench.instalacao import ESCOPO, Instalacao, install, python
from bench.linhas import Linha, Meta, measured
from bench.memoria import CAN_TELL, held_megabytes
from crivo.bootstrap import Container, open_container
from crivo.triagem.achados import Tipo
from crivo.triagem.importacao.leitura import Importacao, read_chamada

PROJETOS: Final = 1000
PROCESSOS: Final = 2
INALTERADA: Final = Meta("<=", 0.1)
_POLL_SECONDS: Final = 0.05
_MEMORY_SECONDS: Final = 0.5
_LONGEST_SECONDS: Final = 1800.0


class ScreeningFailed(AssertionError):
    """A screening that did not end well: its time would be no time."""


@dataclass(frozen=True, slots=True)
class Volta:
    """One screening: the seconds until every project was judged, those of the search over all of them, and the most memory held."""

    projetos: float
    irregularidades: float
    megabytes: float

    @property
    def segundos(self) -> float:
        """From its start to its end."""
        return self.projetos + self.irregularidades


def run(pasta: Path, projetos: int = PROJETOS) -> list[Linha]:
    """Seconds by phase, projects a second and memory of a first screening; seconds of others of the same edital."""
    importacao = read_chamada(write_call(pasta / "chamada", projetos))
    documentos = len(importacao.arquivos)
    instalacao = install(pasta / "dados", ())
    with workers(instalacao) as pid:
        primeira, relida, inalterada = asyncio.run(_screen_thrice(instalacao, importacao, pid))
    nome = f"triagem de {projetos} projetos, {documentos} documentos"
    how = f"{PROCESSOS} processos, pela fila e pelo banco; uma volta."
    only = "Com os documentos já lidos; razão ao lado da primeira volta."
    free = "Nada mudou: cada projeto sai da volta anterior."
    memory = "Dos trabalhadores e dos seus leitores, o que dividem contado uma vez; o PostgreSQL não entra."
    rows = [
        _row(f"{nome}: do começo ao fim", "projetos/s", projetos / primeira.segundos, how),
        _row(f"{nome}: leitura, habilitação e leitura assistida", "s", primeira.projetos, how),
        _row(f"{nome}: irregularidades", "s", primeira.irregularidades, "O edital inteiro, num trabalho só."),
        measured(f"{nome}: só a habilitação", "s", relida.segundos, primeira.projetos, meta=None, execucoes=1, nota=only),
        measured(f"{nome}: de novo, inalterada", "s", inalterada.segundos, primeira.segundos, meta=INALTERADA, execucoes=1, nota=free),
    ]
    return [*rows, _row(f"{nome}: memória", "MB", primeira.megabytes, memory)] if CAN_TELL else rows


def _row(linha: str, unidade: str, nosso: float, nota: str) -> Linha:
    return measured(linha, unidade, nosso, None, meta=None, execucoes=1, nota=nota)


@contextmanager
def workers(instalacao: Instalacao) -> Iterator[int]:
    """The product's own workers, for as long as the block lasts; the process that keeps them."""
    command = python("-m", "crivo", "trabalhador", "--processos", str(PROCESSOS))
    process = subprocess.Popen(command, env=instalacao.environment(CRIVO_LOG_NIVEL="ERROR"), cwd=instalacao.pasta)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


async def _screen_thrice(instalacao: Instalacao, importacao: Importacao, pid: int) -> tuple[Volta, Volta, Volta]:
    async with open_container(instalacao.settings()) as container:
        importada = await container.triagem.importar(ESCOPO, importacao)
        primeira = await screen(container, importada.edital_id, "completa", pid)
        relida = await screen(container, importada.edital_id, "habilitacao", pid)
        return primeira, relida, await screen(container, importada.edital_id, "completa", pid)


async def screen(container: Container, edital_id: str, tipo: Tipo, pid: int) -> Volta:
    """Raises ScreeningFailed where a project could not be screened, or the end does not come."""
    began = looked = time.perf_counter()
    judged, megabytes = 0.0, 0.0
    await container.triagem.executar(ESCOPO, edital_id, tipo)
    while (now := time.perf_counter()) - began < _LONGEST_SECONDS:
        execucao = await container.triagem.status(ESCOPO, edital_id)
        if not judged and execucao.projetos_analisados == execucao.total_projetos:
            judged = now - began
        if execucao.status != "em_andamento":
            if execucao.status != "concluida" or execucao.projetos_com_erro:
                raise ScreeningFailed(f"a triagem terminou como '{execucao.status}', com {execucao.projetos_com_erro} erros")
            return Volta(judged, now - began - judged, megabytes)
        if CAN_TELL and now - looked > _MEMORY_SECONDS:
            looked, megabytes = now, max(megabytes, held_megabytes(pid))
        await asyncio.sleep(_POLL_SECONDS)
    raise ScreeningFailed(f"a triagem não terminou em {_LONGEST_SECONDS:.0f} s")
