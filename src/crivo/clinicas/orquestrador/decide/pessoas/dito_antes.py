"""Who is to be seen, told where no booking waits for it: after it was said that it will be asked, right after a booking, or in advance.

Source: design, "Who the appointment is for".
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, ParaQuem, Plan
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned
from crivo.clinicas.orquestrador.decide.pessoas.nomeada import named_for_the_wish
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import is_of
from crivo.clinicas.orquestrador.decide.pessoas.passar_para import ONLY_FOR_ME, booked_last_in_own_name, just_booked_in_own_name
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import only_tells_who, read_who
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord, people_words
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import spoken_for
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.fala import fold

_MOST_NAMES: Final = 4


def told_ahead(utterance: str, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """What is said back of whom the next booking is for, and for whom; None where a message tells nothing of that, or more than that."""
    if dialogue.papel == "operador" or dialogue.paciente is None:
        return None
    sentence, idioma = read_sentence(utterance), language_of(utterance, dialogue.utterances)
    texts = Mensagens.of(idioma, dialogue)
    para = spoken_for(utterance, dialogue)
    if dialogue.para is not None and para is None and consists_of(_without_names(sentence), *ONLY_FOR_ME):
        return _noted(_and_which(texts.say("anotei_para_voce"), texts, dialogue), idioma, dialogue), None
    if para is None:
        return _of_one_named(utterance, texts, dialogue)
    read = read_who(utterance, para, dialogue)
    known, own = read.para, dialogue.paciente.nome
    without = accord("sem_cpf").search(sentence.text) or accord("cpf_depois").search(sentence.text)
    if para.pessoa is None and (without or accord("no_meu_nome").search(sentence.text)):
        para = msgspec.structs.replace(known, em_seu_nome=True)
        done = dialogue.feito is not None and dialogue.feito.ato == "marcou" and dialogue.para is not None and dialogue.para.em_seu_nome
        told = texts.say("ja_fica_em_seu_nome" if done else "anotei_em_seu_nome", nome=own, quem=para.nome or para.quem)
        after = texts.say("sem_cpf_nome_depois") if without and not para.nome else _which(texts, dialogue)
        return _noted(told if done else f"{told} {after}", idioma, dialogue), para
    if para != dialogue.para and _only_named(utterance):
        return _noted(f"{texts.say('vou_pedir_de_quem', quem=para.quem)} {_which(texts, dialogue)}", idioma, dialogue), para
    if not (only_tells_who(utterance, para, known, dialogue) or (read.falha and _gives_only_a_cpf(utterance, para, dialogue))):
        return None
    if read.falha:
        return (Plan(pergunta=read.said(texts), idioma=idioma), dict(dialogue.pending)), known
    late = just_booked_in_own_name(utterance, dialogue)
    if late is not None:
        return (Plan(fala=texts.say("ja_em_seu_nome", horario=texts.booking(late), quem=known.quem), idioma=idioma), {}), known
    told = _noted_for(known, texts, dialogue) if known.nome else texts.say("falta_nome")
    return _noted(_and_which(told, texts, dialogue) if known.nome else told, idioma, dialogue), known


def _without_names(sentence: Frase) -> str:
    """The text without first names, which tell no more than the relation beside them: `é pra minha filha Beatriz não, é pra mim`."""
    return (
        sentence.text
        if "?" in sentence.text
        else " ".join(word.text for word in sentence.words if word.text not in people_words("prenomes"))
    )


def _only_named(utterance: str) -> bool:
    """Whether all that a message says is how a relation is called: `minha filha se chama Beatriz`."""
    sentence = read_sentence(utterance)
    found = accord("se_chama").search(sentence.text)
    if found is None or "?" in utterance:
        return False
    after = sentence.words_in(found.end(), len(sentence.text))
    return consists_of(f"ok {sentence.text[: found.start()]}", "sim", "resto") and 0 < len(after) <= _MOST_NAMES


def _of_one_named(utterance: str, texts: Mensagens, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """What is said back where a message only names somebody with a CPF: for whom the wish is, or what is booked already stands for."""
    told = named_for_the_wish(utterance, dialogue)
    if told is None:
        return None
    if told.falha:
        return (Plan(pergunta=told.said(texts), idioma=texts.idioma), dict(dialogue.pending)), told.para
    late = booked_last_in_own_name(dialogue)
    if late is not None:
        words = texts.say("ja_em_seu_nome", horario=texts.booking(late), quem=told.para.quem)
        return (Plan(fala=words, idioma=texts.idioma), {}), told.para
    return _noted(_and_which(_noted_for(told.para, texts, dialogue), texts, dialogue), texts.idioma, dialogue), told.para


def _noted_for(known: ParaQuem, texts: Mensagens, dialogue: Dialogue) -> str:
    """For whom it is now; of whoever it was for before, and was not booked for, that nothing is."""
    before = dialogue.para
    waits = before is not None and before.pessoa is not None and not any(is_of(one, before) for one in dialogue.bookings)
    if before is None or not waits or fold(before.nome) == fold(known.nome):
        return texts.say("anotei_para", nome=known.nome)
    return texts.say("anotei_para_em_vez", nome=known.nome, antes=before.nome)


def _gives_only_a_cpf(utterance: str, para: ParaQuem, dialogue: Dialogue) -> bool:
    """Whether a CPF that is not taken is all that a message gives: measured as if it told something new."""
    unknown = msgspec.structs.replace(para, cpf="", em_seu_nome=False)
    return only_tells_who(utterance, unknown, msgspec.structs.replace(unknown, cpf="?"), dialogue)


def _which(texts: Mensagens, dialogue: Dialogue) -> str:
    return texts.say("anotei_um" if len(dialogue.offers) == 1 else "anotei_qual")


def _and_which(told: str, texts: Mensagens, dialogue: Dialogue) -> str:
    return f"{told} {_which(texts, dialogue)}"


def _noted(told: str, idioma: Idioma, dialogue: Dialogue) -> Planned:
    """What is said back of whom it is for, and nothing done; what was pending goes on."""
    return Plan(fala=told, idioma=idioma), dict(dialogue.pending)
