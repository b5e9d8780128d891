"""For whom a booking is that is about to be asked about, told with the question wherever anybody but the speaker was spoken of.

Source: design, "Who the appointment is for": a yes takes no appointment for somebody who was not named.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Plan
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import acts_of
from crivo.clinicas.orquestrador.decide.confirmar.proposta import proposed
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import called
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import told_for
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.fala import fold


def with_whom(plan: Plan, pending: Mapping[str, str], para: ParaQuem | None, utterance: str, dialogue: Dialogue) -> Plan:
    """A plan that asks whether something shall be booked, with for whom it is."""
    asks, lists = _asks_to_book(plan, pending), any(step.ferramenta is VER_HORARIOS for step in plan.steps)
    if any(step.ferramenta is not VER_HORARIOS for step in plan.steps) or not (asks or lists):
        return plan
    if read_pending(pending).proposito == "mudar" or read_pending(pending).consulta is not None:
        return plan
    who = _who(para, utterance, dialogue, asks=asks)
    texts = Mensagens.of(plan.idioma, dialogue)
    if who is None or (who and fold(who) in fold(f"{plan.pergunta} {plan.fala}")):
        return plan
    told = texts.say("e_para", nome=who) if who else texts.say("e_para_voce")
    if asks:
        return msgspec.structs.replace(plan, pergunta=f"{told} {plan.pergunta}")
    return msgspec.structs.replace(plan, fala="\n".join(one for one in (told, plan.fala) if one))


def _asks_to_book(plan: Plan, pending: Mapping[str, str]) -> bool:
    """Whether a yes to what is asked books something."""
    waiting, asked = proposed(pending), read_pending(pending)
    if not plan.pergunta:
        return False
    if waiting is not None:
        return any(kind == "marcar" for kind, *_ in acts_of(waiting.steps))
    return asked.proposta is not None and asked.perguntado and not asked.largado


def _who(para: ParaQuem | None, utterance: str, dialogue: Dialogue, *, asks: bool) -> str | None:
    """How whoever it is for is told of; empty for the speaker, None where nobody else was spoken of."""
    if dialogue.papel == "operador":
        return dialogue.paciente.nome if dialogue.paciente is not None and asks else None
    if para is not None:
        return para.nome if para.pessoa is not None else called(para) if asks else None
    return "" if spoken_of_others(para, utterance, dialogue) else None


def spoken_of_others(para: ParaQuem | None, utterance: str, dialogue: Dialogue) -> bool:
    """Whether anybody but the speaker was spoken of as one to be seen."""
    known = para is not None or dialogue.para is not None or bool(dialogue.pessoas) or any(one.para for one in dialogue.bookings)
    return known or any(told_for(read_sentence(one), dialogue) for one in (utterance, *dialogue.utterances))
