"""The planner behind `contracts.Planner` that asks a model, with and without its reasoning. Source: blueprint 2.3.1.

What it returns is a proposal: the check of every plan, and `conferencia`, decide what of it is done; a fault that would cost the proposal a
step is told to the model once.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.decide import embutido
from crivo.clinicas.orquestrador.decide.modelo.conferencia import faults
from crivo.clinicas.orquestrador.decide.modelo.memoria import remembered
from crivo.clinicas.orquestrador.decide.modelo.pergunta import parts_of
from crivo.clinicas.orquestrador.decide.modelo.resposta import PlanoProposto, PlanoRaciocinado, Proposto, plan_of
from crivo.clinicas.orquestrador.linha import PACKAGE, Linha
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.port import Question, Reply


class ModelPlanner:
    """A model's planner for one conversation."""

    def __init__(self, linha: Linha, variante: Literal["modelo", "modelo_raciocinio"] = "modelo") -> None:
        self.linha = linha
        self._variante = variante

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        """The plan that the model proposes, and the `pending` that the embedded planner would go on from. Raises ModeloIndisponivel."""
        reply = await self._ask(utterance, dialogue)
        plan = msgspec.structs.replace(plan_of(reply.valor, utterance, dialogue), provisorio=reply.provisoria)
        return plan, remembered(plan, utterance, dialogue)

    async def _ask(self, utterance: str, dialogue: Dialogue) -> Reply[PlanoProposto] | Reply[PlanoRaciocinado]:
        rules, parts = load_prompt(PACKAGE, "planner.md"), parts_of(utterance, dialogue)
        seconds, nonce = self.linha.prazos.planner, self.linha.nonce

        def told(answer: Proposto) -> str | None:
            return faults(plan_of(answer, utterance, dialogue), embutido.plan(utterance, dialogue), utterance, dialogue)

        if self._variante == "modelo":
            return await self.linha.reply(
                Question(
                    agente="clinicas.planner",
                    prompt=rules,
                    partes=parts,
                    resposta=PlanoProposto,
                    nonce=nonce,
                    temperatura=0.0,
                    conferir=told,
                    espera_seconds=seconds,
                )
            )
        return await self.linha.reply(
            Question(
                agente="clinicas.planner_raciocinio",
                prompt=load_prompt(PACKAGE, "planner_raciocinio.md"),
                partes=(rules.texto, *parts),
                resposta=PlanoRaciocinado,
                nonce=nonce,
                temperatura=0.0,
                conferir=told,
                espera_seconds=seconds,
            )
        )
