"""Where a plan moves, cancels or tells what nothing proves to be of who asks: a proof is asked for, and nothing is told of what exists.

Source: design/sujeito.md, table, 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import CANCELAR, MARCAR
from crivo.clinicas.orquestrador.chama.titulares import caller_of, holder_of
from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Plan, Step
from crivo.clinicas.orquestrador.decide.confirmar.proposta import proposed
from crivo.clinicas.orquestrador.decide.decisao import Decidido
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.provas import Chaveiro, vaga_of
from crivo.kernel.linguagem.identificadores import digits_of

# What is answered where an appointment is spoken of that the conversation does not know.
_OF_NONE_KNOWN: Final = ("nada_para_cancelar", "nada_para_mudar", "sem_consultas")
_OF_ONE_UNKNOWN: Final = ("falta_para_cancelar", "falta_para_mudar")


def with_proof_asked(decided: Decidido, dialogue: Dialogue, chaveiro: Chaveiro | None) -> Decidido:
    """The same, or the question for a proof in its place, also where what it would ask a yes for could not be done after it."""
    own = digits_of(dialogue.paciente.cpf) if dialogue.paciente is not None else ""
    plan, texts = decided.plan, Mensagens.of(decided.plan.idioma, dialogue)
    waiting = proposed(decided.pending)
    steps = (*plan.steps, *((*waiting.steps, *waiting.troca) if waiting is not None and plan.pergunta else ()))
    if _takes_for_oneself(plan.steps, dialogue) or (waiting is not None and plan.pergunta and _takes_for_oneself(waiting.steps, dialogue)):
        alone = Plan(fala=texts.say("so_com_o_codigo"), idioma=plan.idioma, raciocinio=plan.raciocinio)
        return msgspec.structs.replace(decided, plan=alone, pending={}, para=dialogue.para)
    if dialogue.quem.may("clinicas.ver_consultas", own):
        return decided
    if _changes_unknown(decided, dialogue) or any(_lacks_proof(step, steps, dialogue, chaveiro, decided.para) for step in steps):
        asked = Plan(pergunta=texts.say("prova"), idioma=plan.idioma, raciocinio=plan.raciocinio, prova=True)
        return msgspec.structs.replace(decided, plan=asked, pending=dict(dialogue.pending), para=dialogue.para)
    said = plan.pergunta or plan.fala or ""
    known = {texts.say(key) for key in _OF_NONE_KNOWN}
    tails = {texts.say(key, dito="", falta="")[-_TAIL:] for key in _OF_ONE_UNKNOWN}
    waits = said in known or said[-_TAIL:] in tails
    return msgspec.structs.replace(decided, plan=msgspec.structs.replace(plan, prova=True)) if waits else decided


def _takes_for_oneself(steps: Sequence[Step], dialogue: Dialogue) -> bool:
    """Whether a booking goes with the cancelling of what is somebody else's and known by its code: it would be the speaker's then."""
    theirs = {one.vaga for one in dialogue.bookings if one.alheia}
    gone = {step.step_id: step for step in steps if step.ferramenta is CANCELAR and vaga_of(step) in theirs}
    books = [step for step in steps if step.ferramenta is MARCAR]
    return any(one in gone for step in books for one in step.depends_on) or any(
        one == step.step_id for cancels in gone.values() for one in cancels.depends_on for step in books
    )


def _changes_unknown(decided: Decidido, dialogue: Dialogue) -> bool:
    """Whether a change was begun of an appointment that the conversation does not hold: that it exists is not said, nor asked what for."""
    asked = read_pending(decided.pending)
    if asked.consulta is None or asked.proposito != "mudar":
        return False
    known = {one.vaga for one in dialogue.bookings}
    return asked.consulta.vaga not in known and bool(decided.plan.steps or decided.plan.pergunta)


def _lacks_proof(step: Step, steps: Sequence[Step], dialogue: Dialogue, chaveiro: Chaveiro | None, para: ParaQuem | None) -> bool:
    """Whether a step changes an appointment that neither who asks nor a code that is held may change."""
    if step.frees is None:
        return False
    caller = caller_of(holder_of(step, steps, dialogue, para), dialogue)
    return not msgspec.structs.replace(caller, chaveiro=chaveiro).may(step, CANCELAR.name)


_TAIL: Final = 60  # characters, which no other text ends in
