"""The speaker's own CPF called wrong: whose a conversation is stays fixed in it, and nothing is booked in a CPF that was called wrong."""

from __future__ import annotations

import re
from typing import Final

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Plan
from crivo.clinicas.orquestrador.planner.acordo import answer_in
from crivo.clinicas.orquestrador.planner.frase import read_sentence
from crivo.clinicas.orquestrador.planner.idioma import language_of
from crivo.clinicas.orquestrador.planner.lexico import accord
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens

KEY: Final = "cpf_proprio"
AS_A_CPF: Final = re.compile(r"\d[\d.\s/-]{7,18}\d")


def corrected(utterance: str, dialogue: Dialogue) -> tuple[tuple[Plan, dict[str, str]], ParaQuem | None] | None:
    """What is said where the speaker calls the CPF of this conversation wrong: what was pending is dropped, and no yes books it."""
    if dialogue.papel == "operador":
        return None
    sentence = read_sentence(utterance)
    again = KEY in dialogue.pending and (answer_in(sentence, "sim_marcar") == "sim" or AS_A_CPF.search(utterance))
    if not (again or accord("meu_cpf_errado").search(sentence.text)):
        return None
    idioma = language_of(utterance, dialogue.utterances)
    texts = Mensagens.of(idioma, dialogue)
    return (Plan(fala=_what_stands(texts, dialogue), idioma=idioma), {KEY: "errado"}), dialogue.para


def _what_stands(texts: Mensagens, dialogue: Dialogue) -> str:
    """That the CPF is not changed here; of what is held under it, that it stands, in whose name, and how it is put right."""
    own, held = dialogue.paciente, tuple(one for one in dialogue.bookings if not one.para or one.para == one.quem)
    if own is None or not held:
        return texts.say("cpf_nao_muda")
    return texts.say("cpf_nao_muda_e_tem", nome=own.nome, cpf=_masked(own.cpf), lista=texts.bookings(held))


def _masked(cpf: str) -> str:
    """A CPF of which only the figures in the middle are told."""
    figures = [char for char in cpf if char.isdigit()]
    return f"***.{''.join(figures[3:6])}.{''.join(figures[6:9])}-**"
