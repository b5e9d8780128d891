"""A wish told together with the name and the CPF of whoever is to be seen: the person is set apart, and the rest is planned.

Source: design, "Who the appointment is for". Nothing that is held or known of anybody is asked for so: that stays refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Value
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import starts_anew
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import Contado, is_a_name, looks_into, vetted
from crivo.clinicas.orquestrador.decide.responder.recusas import find_refusal
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import without
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.identidade import Contada, find_named, read_cpf
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import free_names, name_beside, names_told, told_for

_WISHES: Final = frozenset({"marcar", "escolher", "listar"})
_CPF: Final = re.compile(
    r"[\s,;:(-]{0,6}(?:\b(?:(?:e|and|y)\s+)?(?:com\s+)?(?:(?:o|el|her|his|su)\s+)?cpf\b(?:\s+(?:dela|dele))?(?:\s+(?:é|e|is|es))?)?"
    r"[\s,;:(-]{0,6}\d{3}[.\s]?\d{3}[.\s]?\d{3}[-.\s]?\d{2}(?!\d)\)?",
    re.IGNORECASE,
)


class Aparte(Value, frozen=True):
    """What is planned of a message, in a dialogue that knows for whom it is; `contado` where a person was set apart."""

    texto: str
    dialogue: Dialogue
    contado: Contado | None = None


def set_apart(utterance: str, dialogue: Dialogue) -> Aparte:
    """A message without the person that a wish in it is for, who is known then; unchanged where it holds no such wish."""
    whole = Aparte(utterance, dialogue)
    told = find_named(utterance) or _without_a_name(utterance, dialogue)
    if told is None or dialogue.papel == "operador" or dialogue.paciente is None or not is_a_name(told.nome):
        return whole
    sentence, beside = read_sentence(utterance), read(told.resto, dialogue)
    rest, acts = beside.frase, beside.atos
    if not _only_wishes(acts) or looks_into(told.resto, dialogue) or find_refusal(rest, dialogue) is not None:
        return whole
    quem = told_for(rest, dialogue) or told_for(sentence, dialogue) or (told.nome if _books(acts, rest) else "")
    if not quem:
        return whole
    before = dialogue.para if dialogue.para is not None and dialogue.para.quem == quem else ParaQuem(quem)
    contado = vetted(told.nome, told.cpf, msgspec.structs.replace(before, em_seu_nome=False), dialogue)
    if not told.cpf:
        contado = msgspec.structs.replace(contado, falha="cpf_nao_confere", para=msgspec.structs.replace(contado.para, cpf=""))
    known = msgspec.structs.replace(starts_anew(dialogue, contado.para), para=contado.para)
    return Aparte(told.resto, known, contado)


def _without_a_name(utterance: str, dialogue: Dialogue) -> Contada | None:
    """A CPF told with a wish, and no name right before it: nobody is named, or in full elsewhere (`pra minha irmã Carla Souza, dia 24`).

    None with half a name, as it was.
    """
    cpf, found = read_cpf(utterance), _CPF.search(utterance)
    if cpf is None or found is None:
        return None
    rest = f"{utterance[: found.start()]} {utterance[found.end() :]}".strip()
    sentence = read_sentence(rest)
    named, _ = free_names(sentence, dialogue)
    full = name_beside(sentence, dialogue) or next((one for one in names_told(sentence, dialogue) if " " in one), "")
    if full in rest and full:
        return Contada(full, cpf, rest.replace(full, " ", 1))
    return None if named else Contada("", cpf, rest)


def _only_wishes(acts: Sequence[Ato]) -> bool:
    """Whether something new is wished for, and nothing of what is held."""
    asked = any(act.tipo == "marcar" or not without(act.leitura.criterios, "ramos").is_empty for act in acts)
    return asked and all(act.tipo in _WISHES for act in acts)


def _books(acts: Sequence[Ato], rest: Frase) -> bool:
    """Whether a booking is ordered, and nothing asked."""
    return "?" not in rest.text and any(act.tipo == "marcar" and act.has_verb for act in acts)
