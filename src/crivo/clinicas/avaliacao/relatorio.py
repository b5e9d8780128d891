"""A run as JSON for machines and as Markdown for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from crivo.clinicas.avaliacao.conjunto import Caso, Classe
from crivo.clinicas.avaliacao.execucao import Execucao
from crivo.clinicas.avaliacao.pontuacao import CasoObtido, Metricas, TurnoObtido, state_is_right, turn_is_right
from crivo.clinicas.orquestrador.contracts import Step
from crivo.kernel.taxas import Taxa

NOMES: Final[dict[str, str]] = {
    "tsr": "TSR, tarefas com sucesso",
    "tca": "TCA, chamadas bem formadas",
    "hr": "HR, alucinação (R1)",
    "pvr": "PVR, privacidade (R2)",
    "mcra": "MCRA, todas as clínicas",
    "plan_accuracy": "Planos iguais ao esperado",
    "pergunta": "Perguntas devidas",
    "recusa": "Recusas devidas",
    "regra_da_recusa": "Recusas pela regra certa",
    "estado": "Agendas certas no fim",
    "casos": "Casos inteiros certos",
}
CLASSES: Final[dict[Classe, str]] = {
    "normal": "normal",
    "borda": "borda",
    "adversarial": "adversarial",
    "multi_clinica": "multi-clínica",
    "multi_turno": "multi-turno",
}


def document(casos: Sequence[Caso], run: Execucao, planejador: str) -> dict[str, Any]:
    """`{"metricas": …, "casos": [{"id", "classe", "certo", "obtido"}]}`. Source: interfaces, Commands."""
    resultado = run.resultado
    metricas = {
        "planejador": planejador,
        "turnos_planejados_por": dict(Counter(trace.planejador for traces in run.traces for trace in traces)),
        "falhas_do_modelo": failures(run),
        "agora": run.agora.isoformat() if run.agora is not None else None,
        "casos": len(casos),
        "turnos": sum(len(caso.turnos) for caso in casos),
        **msgspec.to_builtins(resultado),
    }
    return {"metricas": metricas, "casos": [_case(caso, obtido) for caso, obtido in zip(casos, run.casos, strict=True)]}


def failures(run: Execucao) -> dict[str, int]:
    """How often a model's part of a turn was done by code, by agent and reason (`planner: demorou`)."""
    failed = (one for traces in run.traces for trace in traces for one in trace.falhas)
    return dict(Counter(f"{one.agente}: {one.falha}" for one in failed))


def markdown(casos: Sequence[Caso], run: Execucao, planejador: str, grafico: str) -> str:
    """A table of all figures by class, and the turns that went wrong."""
    columns = {"geral": run.resultado.geral, **{CLASSES[name]: figures for name, figures in run.resultado.classes.items()}}
    turns = sum(len(caso.turnos) for caso in casos)
    when = f", relógio em {run.agora.isoformat()}" if run.agora is not None else ""
    lines = [
        "# Avaliação das clínicas",
        "",
        f"Planejador {planejador}; {len(casos)} casos, {turns} turnos{when}. Intervalos de Wilson a 95 %.",
        "",
        f"| | {' | '.join(columns)} |",
        f"|---|{'---|' * len(columns)}",
        *(f"| {nome} | {' | '.join(share(rate(figures, key)) for figures in columns.values())} |" for key, nome in NOMES.items()),
        "",
        f"![Métricas com intervalos]({grafico})",
        "",
        "## O que saiu errado",
        "",
        *([f"- {error}" for error in run.resultado.erros] or ["Nada."]),
    ]
    return "\n".join(lines) + "\n"


def rate(figures: Metricas, key: str) -> Taxa:
    """A metric by its name."""
    found: Taxa = getattr(figures, key)
    return found


def share(taxa: Taxa) -> str:
    """`97,5 % (94,1 a 99,0; 117/120)`, or a dash where nothing was counted."""
    if taxa.valor is None or taxa.de is None or taxa.ate is None:
        return "–"
    return f"{_percent(taxa.valor)} % ({_percent(taxa.de)} a {_percent(taxa.ate)}; {taxa.certos}/{taxa.total})"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}".replace(".", ",")


def _case(caso: Caso, obtido: CasoObtido) -> dict[str, Any]:
    turnos = [_turn(got) | {"certo": turn_is_right(wanted, got)} for wanted, got in zip(caso.turnos, obtido.turnos, strict=True)]
    estado = state_is_right(caso.estado, obtido.estado) if caso.estado is not None else None
    held = {clinic: slots for clinic, slots in obtido.estado.items() if slots}
    return {
        "id": caso.id,
        "classe": caso.classe,
        "certo": estado is not False and all(turno["certo"] for turno in turnos),
        "obtido": {"turnos": turnos, "estado": held, "estado_certo": estado},
    }


def _turn(got: TurnoObtido) -> dict[str, Any]:
    return {
        "plano": [_step(step) for step in got.steps],
        "pergunta": got.pergunta,
        "recusa": got.recusa,
        "veredito": got.verdict,
        "texto": got.texto,
    }


def _step(step: Step) -> dict[str, Any]:
    return {"clinic": step.clinic, "action": step.action, "parameters": step.parameters}
