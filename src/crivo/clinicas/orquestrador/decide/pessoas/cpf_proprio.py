"""The speaker's own CPF called wrong: put right where it was only typed; where an account proved it, told that the reception does that."""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Plan, Value
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import is_a_name
from crivo.clinicas.orquestrador.entende.acordo import answer_in
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.pessoas.identidade import AS_A_CPF, find_named, read_cpf
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import name_said
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import masked_cpf

KEY: Final = "cpf_proprio"


class Correcao(Value, frozen=True):
    """The right CPF as it was told, and what the message says after it; `figuras` tells that figures were told that are none's."""

    cpf: str = ""
    resto: str = ""
    figuras: bool = False


def read_correction(utterance: str, dialogue: Dialogue) -> Correcao | None:
    """The speaker's own CPF told to be wrong, or told anew as another; None where nothing is said of it, or it is somebody else's."""
    own, cpf = dialogue.paciente, read_cpf(utterance) or ""
    if own is None or dialogue.papel == "operador" or _is_of_another(utterance, dialogue):
        return None
    text, found = read_sentence(utterance).text, AS_A_CPF.search(utterance)
    another = bool(cpf) and cpf != (read_cpf(own.cpf) or own.cpf)
    groups = ("meu_cpf_errado", "cpf_errado", *(("meu_cpf_e", "errei_ao_digitar") if another else ()))
    if not any(accord(group).search(text) for group in groups) or ("?" in text and not cpf):
        return None
    return Correcao(cpf, utterance[found.end() :].strip(" ,.;:!") if found else "", figuras=found is not None and not cpf)


def _is_of_another(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a CPF that a message tells is of somebody for whom is booked, or who is named beside it."""
    sentence, named, own = read_sentence(utterance), find_named(utterance), dialogue.paciente
    text, told = sentence.text, named.nome if named is not None and is_a_name(named.nome) else name_said(sentence)
    other = own is not None and bool(told) and fold(told).split()[0] != fold(own.nome).split()[0]
    whose = any(accord(group).search(text) for group in ("dependentes", "por_ela", "o_dele"))
    mine = accord("meu_cpf_e").search(text) or accord("meu_cpf_errado").search(text)
    return other or whose or (dialogue.para is not None and not mine)


def corrected(utterance: str, dialogue: Dialogue) -> tuple[tuple[Plan, dict[str, str]], ParaQuem | None] | None:
    """What is said where a proven speaker calls the CPF of the account wrong: what was pending is dropped, and no yes books it."""
    if not dialogue.provado:
        return None
    sentence = read_sentence(utterance)
    again = KEY in dialogue.pending and (answer_in(sentence, "sim_marcar") == "sim" or AS_A_CPF.search(utterance))
    typed = read_correction(utterance, dialogue)
    if not (again or accord("meu_cpf_errado").search(sentence.text) or (typed is not None and typed.cpf)):
        return None
    idioma = language_of(utterance, dialogue.utterances)
    texts = Mensagens.of(idioma, dialogue)
    return (Plan(fala=_what_stands(texts, dialogue), idioma=idioma), {KEY: "errado"}), dialogue.para


def _what_stands(texts: Mensagens, dialogue: Dialogue) -> str:
    """That the CPF is not changed here; of what is held under it, that it stands, in whose name, and how it is put right."""
    own, held = dialogue.paciente, tuple(one for one in dialogue.bookings if not one.para or one.para == one.quem)
    if own is None or not held:
        return texts.say("cpf_nao_muda")
    return texts.say("cpf_nao_muda_e_tem", nome=own.nome, cpf=masked_cpf(own.cpf), lista=texts.bookings(held))
