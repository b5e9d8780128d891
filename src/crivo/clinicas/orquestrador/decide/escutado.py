"""What is heard in a message by weights learned of many hands, beside what the grammar reads in it.

It orders nothing: it doubts what the grammar takes for an order, and tells what is of use where the grammar understood nothing. Source:
design, "What is said is learned, what is meant is computed".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crivo.clinicas.ferramentas import CANCELAR, REMARCAR
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.confirmar.proposta import proposed
from crivo.clinicas.orquestrador.decide.pessoas import cpf_proprio, para_quem
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.linguagem.botoes import slot_message
from crivo.kernel.linguagem.etiquetas import Contexto, read_etiquetas
from crivo.kernel.linguagem.fala import fold

_WAITS: Final[Mapping[str, Contexto]] = {
    "confirmar": "proposta",
    "cancelar": "qual",
    "mudar": "qual",
    "mudar_alvo": "mudar",
}
_DOES: Final[Mapping[str, Contexto]] = {CANCELAR.name: "cancelar", REMARCAR.name: "mudar"}

DUVIDA: Final = 0.05
"""Below it, that anything was ordered is all but denied: of hands that taught nothing, one such message in a hundred did order."""
_SUPPOSED: Final = 0.35  # the same, where it is surely said on a condition: `sim, desde que o convênio cubra`
CERTEZA: Final = 0.8
"""From it on, an act is taken to be meant where the grammar understood nothing."""


def answering(dialogue: Dialogue) -> Contexto:
    """What the next message answers."""
    waiting, pending = proposed(dialogue.pending), read_pending(dialogue.pending)
    if waiting is not None:
        actions = {step.action for step in waiting.steps}
        return "mudar" if len(actions) > 1 else _DOES.get(actions.pop(), "proposta")
    if dialogue.pending.keys() & {para_quem.KEY, cpf_proprio.KEY}:
        return "dado"
    if pending.assunto in _WAITS:
        return _WAITS[pending.assunto]
    if pending.proposta is not None or (pending.assunto == "listado" and len(dialogue.offers) == 1):
        return "proposta"
    if pending.assunto and dialogue.offers:
        return "lista"
    done = dialogue.feito is not None and dialogue.feito.turno == len(dialogue.utterances)
    return "feito" if done else "inicio"


def heard(utterance: str, dialogue: Dialogue) -> Mapping[str, float]:
    """How likely each thing is that a message may do, 0 to 1; nothing where no word is said, or in a language that nobody taught."""
    if language_of(utterance, dialogue.utterances) != "pt" or not any(char.isalnum() for char in utterance):
        return {}
    return read_etiquetas(utterance, answering(dialogue))


def orders_nothing(utterance: str, dialogue: Dialogue) -> bool:
    """Whether it is all but denied that a message orders anything, so that what the grammar takes for an order is asked about.

    Who tells a name or in whose name it shall be was asked just that, and orders nothing anew.
    """
    if answering(dialogue) == "dado" or any(fold(utterance) == fold(slot_message(one, dialogue.registro)) for one in dialogue.offers):
        return False
    told = heard(utterance, dialogue)
    supposed = told.get("modo:suposto", 0.0) >= CERTEZA
    return told.get("manda", 1.0) < (_SUPPOSED if supposed else DUVIDA)


def wants_person(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a message surely asks for somebody of the reception and nothing else that the grammar reads."""
    return heard(utterance, dialogue).get("ato:pessoa", 0.0) >= CERTEZA and not read(utterance, dialogue).atos
