"""Where a plan moves, cancels or tells what nothing proves to be of who asks: a proof is asked for, and nothing is told of what exists.

Source: design/sujeito.md, table, 1.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.planner.decisao import Decidido
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens
from crivo.clinicas.orquestrador.planner.proposta import proposed
from crivo.clinicas.orquestrador.provas import Chaveiro, lacks_proof

# What is answered where an appointment is spoken of that the conversation does not know.
_OF_NONE_KNOWN: Final = ("nada_para_cancelar", "nada_para_mudar", "sem_consultas")
_OF_ONE_UNKNOWN: Final = ("falta_para_cancelar", "falta_para_mudar")


def with_proof_asked(decided: Decidido, dialogue: Dialogue, chaveiro: Chaveiro | None) -> Decidido:
    """The same, or the question for a proof in its place, also where what it would ask a yes for could not be done after it."""
    if dialogue.papel == "operador" or dialogue.provado:
        return decided
    plan, texts = decided.plan, Mensagens.of(decided.plan.idioma, dialogue)
    waiting = proposed(decided.pending)
    steps = (*plan.steps, *((*waiting.steps, *waiting.troca) if waiting is not None and plan.pergunta else ()))
    if any(lacks_proof(step, dialogue, chaveiro) for step in steps):
        asked = Plan(pergunta=texts.say("prova"), idioma=plan.idioma, raciocinio=plan.raciocinio, prova=True)
        return msgspec.structs.replace(decided, plan=asked, pending=dict(dialogue.pending), para=dialogue.para)
    said = plan.pergunta or plan.fala or ""
    known = {texts.say(key) for key in _OF_NONE_KNOWN}
    tails = {texts.say(key, dito="", falta="")[-_TAIL:] for key in _OF_ONE_UNKNOWN}
    waits = said in known or said[-_TAIL:] in tails
    return msgspec.structs.replace(decided, plan=msgspec.structs.replace(plan, prova=True)) if waits else decided


_TAIL: Final = 60  # characters, which no other text ends in
