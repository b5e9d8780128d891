"""Who plans, writes and gives a second opinion in a conversation: code alone, or a model that code checks."""

from __future__ import annotations

from dataclasses import dataclass

from crivo.clinicas.orquestrador.confere.segunda_opiniao import SecondOpinion
from crivo.clinicas.orquestrador.contracts import Planner, Responder
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.decide.modelo.planejador import ModelPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.escreve.modelo import ModelResponder
from crivo.clinicas.orquestrador.linha import Linha
from crivo.clinicas.orquestrador.trace import Author
from crivo.kernel.settings import Planejador


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of a conversation. `planejador` and `redator` are whose the plan and the words are, in the trace."""

    planner: Planner
    responder: Responder
    planejador: Planejador = "embutido"
    redator: Author = "responder"
    opinion: SecondOpinion | None = None


EMBEDDED = Agents(EmbeddedPlanner(), EmbeddedResponder())
"""Code alone."""


def agents_of(planejador: Planejador, linha: Linha, *, segunda_opiniao: bool = True) -> Agents:
    """The agents of a conversation by who plans it: with a planner of code everything is code's, and nothing is asked of a model."""
    if planejador == "embutido":
        return EMBEDDED
    opinion = SecondOpinion(linha) if segunda_opiniao else None
    return Agents(ModelPlanner(linha, planejador), ModelResponder(linha), planejador, "modelo", opinion)
