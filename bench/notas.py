"""Projects graded by a model that takes a second to answer: how far from the ideal, and how much of it is the engine's own work."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.inscricoes import write_call
from bench.instalacao import ESCOPO, install
from bench.linhas import Linha, Meta, measured
from bench.provedor import CONCORRENCIA, Contagem, provider
from crivo.bootstrap import Container, open_container
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.worker import Worker, working
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.serving import loop_factory
from crivo.kernel.settings import Settings
from crivo.triagem.achados import Tipo
from crivo.triagem.andamento import Execucao
from crivo.triagem.avaliacao.material import read_material
from crivo.triagem.avaliacao.suspeita import find_suspeitos
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.importacao.leitura import Importacao, read_chamada
from crivo.triagem.montagem import ao_mesmo_tempo, open_tasks

PROJETOS: Final = 50
TEMPO: Final = Meta("<=", 1.15)
PROCESSADOR: Final = Meta("<=", 10.0, "nosso")
_TRABALHOS: Final = 4
_POLL_SECONDS: Final = 0.5  # as a page does; the end is told by the execução itself
_DOUBTED: Final = 12  # at the most, of those that are made
_WARMING: Final = 6  # projects, graded before, so that all is loaded
_LONGEST_SECONDS: Final = 600.0


class GradingFailed(AssertionError):
    """A run that did not grade everything: its time would be no time."""


@dataclass(frozen=True, slots=True)
class Volta:
    """A grading: the calls that were paid, the seconds from its start to its end, and those of this process's own work."""

    chamadas: int
    segundos: float
    processador: float


def run(pasta: Path, projetos: int = PROJETOS, segundos: float = 1.0, concorrencia: int = CONCORRENCIA) -> list[Linha]:
    """The time of a grading beside the ideal one, processor time for each call, and what a second, unchanged, asks: nothing."""
    instalacao = install(pasta / "dados", ())
    with provider(segundos) as no_ar:
        settings = no_ar.settings(instalacao.settings(), concorrencia)
        chamadas = [_call(pasta / "aquecimento", _WARMING, semente=2), _call(pasta / "todas", projetos, semente=1)]
        with asyncio.Runner(loop_factory=loop_factory()) as runner:  # as workers do
            volta = runner.run(_grade(settings, chamadas, no_ar.count))
    ideal = volta.chamadas * segundos / concorrencia
    nome = f"notas de {projetos} projetos, {volta.chamadas} chamadas de {segundos:g} s, {concorrencia} de cada vez"
    how = (
        "Do pedido da triagem ao fim, com os documentos já lidos e o trabalhador aquecido; pela fila, pelo registro de chamadas e por HTTP."
    )
    own = "Do processo inteiro que trabalha, com a leitura assistida e o banco; o provedor e o PostgreSQL não entram."
    return [
        measured(f"{nome}: tempo", "s", volta.segundos, ideal, meta=TEMPO, execucoes=1, nota=f"{how} O par é o ideal."),
        measured(
            f"{nome}: processador por chamada",
            "ms",
            1000 * volta.processador / volta.chamadas,
            None,
            meta=PROCESSADOR,
            execucoes=volta.chamadas,
            nota=own,
        ),
    ]


def _call(pasta: Path, projetos: int, semente: int) -> Importacao:
    """A made-up call without the projects that are doubted: made-up words may happen to say what an order says, which is read twice."""
    path = write_call(pasta, projetos + _DOUBTED, f"NOTAS-{semente}", semente)
    written = read_chamada(path)
    plain = {one.id for one in written.chamada.projetos if not find_suspeitos(read_material(ProjetoLido(one)))}
    chamada = json.loads(path.read_bytes())
    chamada["projetos"] = [one for one in chamada["projetos"] if one["id"] in plain][:projetos]
    path.write_text(json.dumps(chamada, ensure_ascii=False), encoding="utf-8")
    return read_chamada(path)


async def _grade(settings: Settings, chamadas: Sequence[Importacao], count: Callable[[], Contagem]) -> Volta:
    """Grade a small call, so that all is loaded; read every document of the other; then grade it, and again, which must ask nothing."""
    aquecimento, todas = chamadas
    async with open_container(settings) as container, open_modelo(settings, container.database, container.clock) as modelo:
        small, edital_id = [(await container.triagem.importar(ESCOPO, one)).edital_id for one in (aquecimento, todas)]
        new_id = Uuid7(container.clock).new
        tasks_of = open_tasks(container.database, container.clock, new_id, settings, modelo, settings.modelo_concorrencia)
        at_once = ao_mesmo_tempo(_TRABALHOS, modelo, settings.modelo_concorrencia)
        async with tasks_of as tasks, working(Worker(container.database, tasks, concurrency=at_once)):
            await _screen(container, small, "avaliacao")
            await _screen(container, edital_id, "habilitacao")
            before, began, worked = count(), container.clock.now(), time.process_time()
            execucao = await _screen(container, edital_id, "avaliacao")
            worked = time.process_time() - worked
            ended = execucao.concluida_em or container.clock.now()
            after = count()
            await _screen(container, edital_id, "avaliacao")
            if again := count().pagos - after.pagos:
                raise GradingFailed(f"sem nada mudar, {again} chamadas foram pagas de novo")
    pagas, distintas = after.pagos - before.pagos, after.distintos - before.distintos
    least = len(todas.chamada.projetos) * len(todas.chamada.criterios)
    if pagas != distintas or pagas < least:
        raise GradingFailed(f"foram pagas {pagas} chamadas, {distintas} delas distintas, e eram pelo menos {least}")
    return Volta(pagas, (ended - began).total_seconds(), worked)


async def _screen(container: Container, edital_id: str, tipo: Tipo) -> Execucao:
    """Raises GradingFailed where a project or a nota is lacking, or the end does not come."""
    began = time.perf_counter()
    await container.triagem.executar(ESCOPO, edital_id, tipo)
    while time.perf_counter() - began < _LONGEST_SECONDS:
        execucao = await container.triagem.status(ESCOPO, edital_id)
        if execucao.status != "em_andamento":
            if execucao.status != "concluida" or execucao.projetos_com_erro or execucao.notas_sem_resposta:
                lacking = f"{execucao.projetos_com_erro} erros e {execucao.notas_sem_resposta} notas sem resposta"
                raise GradingFailed(f"a triagem terminou como '{execucao.status}', com {lacking}")
            return execucao
        await asyncio.sleep(_POLL_SECONDS)
    raise GradingFailed(f"a triagem não terminou em {_LONGEST_SECONDS:.0f} s")
