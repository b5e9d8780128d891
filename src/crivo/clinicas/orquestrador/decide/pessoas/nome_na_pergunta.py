"""At the reception, what is asked before something is written, or told of what is held, names the patient whose it is.

Source: design, "Who the appointment is for". One patient comes after the other there, and a yes must be of the one who is meant.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.fala import fold

_HOUR: Final = re.compile(r"\b\d{1,2}:\d{2}\b")


def with_the_name(made: Planned, dialogue: Dialogue) -> Planned:
    """A plan whose words begin by whom they are of, to an operator, where they tell an appointment or something waits for an answer."""
    plan, pending = made
    patient = dialogue.paciente
    if dialogue.papel != "operador" or patient is None or not patient.nome.strip():
        return made
    texts = Mensagens.of(plan.idioma, dialogue)
    said = "\n".join(one for one in (plan.fala, plan.pergunta) if one)
    if fold(patient.nome).split()[0] in fold(said).split() or plan.emergencia is not None or plan.pergunta == texts.say("nao_entendi"):
        return made
    lead = texts.say("do_paciente", nome=patient.nome)
    if plan.fala is not None and _HOUR.search(plan.fala):
        return msgspec.structs.replace(plan, fala=f"{lead} {plan.fala}"), pending
    if plan.pergunta is not None and (pending or _HOUR.search(plan.pergunta)):
        return msgspec.structs.replace(plan, pergunta=f"{lead} {plan.pergunta}"), pending
    return made
