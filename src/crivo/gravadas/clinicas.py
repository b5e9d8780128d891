"""Conversations of the product's own set, planned and worded by a model, over six real processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.execucao import execute
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.clinicas.avaliacao.pontuacao import Metricas
from crivo.clinicas.avaliacao.relatorio import NOMES, rate
from crivo.clinicas.orquestrador.trace import Agent, Trace
from crivo.gravadas.medidas import Medida, Parte, counted, spread
from crivo.kernel.llm.port import Modelo
from crivo.kernel.tenancy import Scope

METRICAS: Final = ("plan_accuracy", "tsr", "tca", "mcra", "pergunta", "recusa", "estado", "hr", "pvr")
_FAULTS: Final = {"hr", "pvr"}  # the fewer, the better


async def talked(modelo: Modelo, scope: Scope, how_many: int, on_case: Callable[[], None]) -> list[Medida]:
    """Some of the packaged conversations, evenly out of all kinds: whose plans and words they were, and the metrics."""
    casos = spread(read_case_file(CONJUNTO), how_many)
    if not casos:
        return []
    with TemporaryDirectory(prefix="crivo-gravadas-") as folder:
        run = await execute(
            casos, data_dir=Path(folder), dados=DADOS, agora=None, modelo=modelo, planejador="modelo", dono=scope, on_case=on_case
        )
    turns = [trace for traces in run.traces for trace in traces]
    asked = [trace for trace in turns if not _was_never_asked(trace, "planner")]
    worded = [trace for trace in turns if trace.replies and not _was_never_asked(trace, "responder")]
    planned = "Os outros são do planejador embutido, porque o código recusa ou o modelo falhou; sem os que nada perguntaram"
    written = "Turnos com resposta de clínica; os outros textos são do código; sem os que nada perguntaram"
    return [
        counted("clinicas", "turnos planejados pelo modelo", asked, lambda trace: trace.planejador == "modelo", planned),
        counted("clinicas", "textos do modelo que chegam à pessoa", worded, lambda trace: trace.autor == "modelo", written),
        *_metrics(run.resultado.geral),
    ]


def _was_never_asked(trace: Trace, agente: Agent) -> bool:
    """Whether the bound of the recording, or a reply that is not in it, left an agent's part to code."""
    return any(failed.agente == agente and failed.falha == "orcamento" for failed in trace.falhas)


def _metrics(geral: Metricas) -> Iterator[Medida]:
    for key in METRICAS:
        found = rate(geral, key)
        if found.total:
            yield Medida("clinicas", NOMES[key], Parte(found.certos, found.total), "menos" if key in _FAULTS else "mais")
