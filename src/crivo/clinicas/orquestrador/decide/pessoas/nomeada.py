"""Somebody named with a CPF while a wish is open, and nothing asked besides: for whom the wish is, and no look at anybody's data.

Source: design, "Who the appointment is for".
"""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import Contado, is_a_name, looks_into, vetted
from crivo.clinicas.orquestrador.entende.acordo import holds_only
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.pessoas.identidade import AS_A_CPF, find_named, read_cpf
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import OWNERS, free_names, full_names, name_said, related
from crivo.kernel.linguagem.fala import fold

_BESIDE: Final = ("ao_dizer_nome", "resto", "hesita", "dependentes", "liga_quem", "corrige_quem", "para_ele", "de_gente")


def named_for_the_wish(utterance: str, dialogue: Dialogue) -> Contado | None:
    """Whoever a message names in full with a CPF that is not the speaker's, where slots were shown; None where it says or asks more."""
    cpf, own = read_cpf(utterance), dialogue.paciente
    if cpf is None or own is None or cpf == own.cpf or "?" in utterance or not dialogue.offers:
        return None
    rest = AS_A_CPF.sub(" ", utterance)
    sentence = read_sentence(rest)
    nome = _name(utterance, sentence, dialogue)
    if not nome or not is_a_name(nome) or looks_into(rest, dialogue) or not _says_no_more(sentence, nome):
        return None
    return vetted(nome, cpf, ParaQuem(related(sentence, 0, len(sentence.text)) or nome), dialogue)


def _name(utterance: str, sentence: Frase, dialogue: Dialogue) -> str:
    """The full name: right before the figures, said to be the name, or the only one that there is."""
    both = find_named(utterance)
    if both is not None and is_a_name(both.nome):
        return both.nome
    free, names = free_names(sentence, dialogue)
    written = [one for one in full_names(free, sentence, names) if " " in one]
    return name_said(sentence) or next(iter(written), "")


def _says_no_more(sentence: Frase, nome: str) -> bool:
    left = set(fold(nome).split()) | set(OWNERS)
    return holds_only(" ".join(word.text for word in sentence.words if fold(word.original) not in left), *_BESIDE)
