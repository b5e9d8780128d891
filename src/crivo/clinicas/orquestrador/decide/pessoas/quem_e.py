"""What a message tells of whoever is to be seen: the full name, the CPF, and whether that CPF can be theirs.

Source: design, "Who the appointment is for": whose is whose is kept apart, so that no CPF stands for two people.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Value
from crivo.clinicas.orquestrador.decide.responder.recusas import find_refusal
from crivo.clinicas.orquestrador.entende.criterios import without
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, people_words, vocabulary
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.identidade import AS_A_CPF, find_named, is_full_name, read_cpf, read_name
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import OWNERS, name_said
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import digits_of

DIGITS: Final = re.compile(r"[\d.\s/-]{11,20}")
_FIGURES_OF_A_CPF: Final = range(9, 15)  # eleven, and some too few or too many


class Contado(Value, frozen=True):
    """Whoever is to be seen as far as known, and the key of what is wrong with the CPF that was told; `dono` is whose that is."""

    para: ParaQuem
    falha: str = ""
    dono: str = ""

    def said(self, texts: Mensagens) -> str:
        """What is said of what is wrong; empty where nothing is."""
        return texts.say(self.falha, quem=self.para.nome or self.para.quem, dono=self.dono) if self.falha else ""


def called(para: ParaQuem) -> str:
    """How whoever is to be seen is told of: by relation and first name, or by the name alone where that is all that was said."""
    first = para.nome.split()[0] if para.nome else ""
    return para.nome if first and fold(para.quem).split()[0] == fold(first) else ", ".join(one for one in (para.quem, first) if one)


def read_who(utterance: str, para: ParaQuem, dialogue: Dialogue) -> Contado:
    """Whoever is to be seen after a message: name and CPF together, or one of them; a CPF that is somebody else's is not taken."""
    both = find_named(utterance)
    if looks_into(DIGITS.sub(" ", utterance), dialogue):
        return Contado(para)
    if both is not None and both.cpf and is_a_name(both.nome):
        return vetted(both.nome, both.cpf, para, dialogue)
    sentence = _without_the_lack(read_sentence(DIGITS.sub(" ", utterance)))
    told = vetted(name_said(sentence) or _name_told(sentence), read_cpf(utterance) or "", para, dialogue)
    return msgspec.structs.replace(told, falha="cpf_nao_confere") if _is_mistyped(utterance, told.para) else told


def _without_the_lack(sentence: Frase) -> Frase:
    """The sentence without what tells that a CPF is missing, which is no part of a name: `Theo Souza, ele não tem cpf ainda`."""
    for group in ("sem_cpf", "cpf_depois"):
        for found in accord(group).finditer(sentence.text):
            sentence = blanked(sentence, *found.span())
    return sentence


def vetted(nome: str, cpf: str, para: ParaQuem, dialogue: Dialogue) -> Contado:
    """What is known with a name and a CPF that were told, but for a CPF of the speaker's, or of somebody else booked for here."""
    own = dialogue.paciente
    if cpf and own is not None and digits_of(cpf) == digits_of(own.cpf):
        other = nome if fold(nome) != fold(own.nome) else ""
        return Contado(msgspec.structs.replace(para, nome=other or para.nome, cpf=""), "cpf_e_seu")
    known = msgspec.structs.replace(para, nome=nome or para.nome, cpf=cpf or para.cpf)
    booked = {one.para for one in dialogue.bookings}
    theirs = next((one for one in dialogue.pessoas if cpf and digits_of(one.cpf) == digits_of(cpf) and one.nome in booked), None)
    if theirs is not None and known.nome and fold(theirs.nome).split()[0] != fold(known.nome).split()[0]:
        return Contado(msgspec.structs.replace(known, cpf=""), "cpf_de_outra", theirs.nome.split()[0])
    return Contado(known)


def is_a_name(nome: str) -> bool:
    """Whether it is written as a name, or at least none of its words is of what is asked here; so is one that is missing."""
    words = fold(nome).split()
    return is_full_name(nome) or not any(word in vocabulary() and word not in people_words("prenomes") for word in words)


def looks_into(text: str, dialogue: Dialogue) -> bool:
    """Whether a text asks for what is held or known of somebody, or to change it, so that no name and no CPF in it is for a booking."""
    sentence = read_sentence(text)
    seen = any(accord(name).search(sentence.text) for name in ("pede_dado", "ver_consultas", "ja_marcado"))
    acts = read(sentence, dialogue).atos
    return seen or any(act.tipo in {"cancelar", "mudar", "minhas"} for act in acts)


def only_tells_who(utterance: str, para: ParaQuem, known: ParaQuem, dialogue: Dialogue) -> bool:
    """Whether a message gives a name, a CPF or both of whoever is to be seen, and asks nothing besides."""
    if known == para or "?" in utterance:
        return False
    both = find_named(utterance)
    if both is not None and both.cpf:
        return says_no_more(both.resto, dialogue)
    if para.pessoa is not None or (para.em_seu_nome and para.nome):
        return False
    return bool(name_said(read_sentence(utterance))) or _seeks_nothing(read_sentence(DIGITS.sub(" ", utterance)), dialogue)


def says_no_more(rest: str, dialogue: Dialogue) -> bool:
    """Whether what a message says beside a person only leads to that person: `aliás é pra minha sogra`."""
    message = read(rest, dialogue)
    sentence = message.frase
    if all(accord("ao_dizer_nome").fullmatch(word.text) for word in sentence.words):
        return True
    idle = all(act.tipo in {"escolher", "listar"} and without(act.leitura.criterios, "ramos").is_empty for act in message.atos)
    return idle and _seeks_nothing(sentence, dialogue) and "?" not in rest and find_refusal(sentence, dialogue) is None


def _seeks_nothing(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether nothing is named that is looked for; a child, for whom a branch is, is somebody."""
    return all(one.field == "ramos" for one in read(sentence, dialogue).mencoes)


def _is_mistyped(utterance: str, known: ParaQuem) -> bool:
    """Whether all that a message gives is a CPF of wrong figures, with or without the name: nobody's, and no look at anybody's data."""
    found = AS_A_CPF.search(utterance)
    if found is None or "?" in utterance or read_cpf(utterance) is not None or sum(map(str.isdigit, found[0])) not in _FIGURES_OF_A_CPF:
        return False
    name = set(fold(known.nome).split())
    groups = [accord(group) for group in ("ao_dizer_nome", "resto", "dependentes")]
    rest = read_sentence(AS_A_CPF.sub(" ", utterance)).words
    return all(fold(word.original) in name or any(group.fullmatch(word.text) for group in groups) for word in rest)


def _name_told(sentence: Frase) -> str:
    """A full name that is all a message says, but for words that lead to it; empty where there is none, or it asks."""
    if "?" in sentence.text or _is_an_intention(sentence):
        return ""
    words = list(sentence.words)
    while words and accord("ao_dizer_nome").fullmatch(words[0].text):
        words = words[1:]
    while words and accord("ao_dizer_nome").fullmatch(words[-1].text):
        words = words[:-1]
    as_names = [word for word in words if word.is_capital or word.text not in vocabulary()]
    relation = any(word.text in OWNERS or accord("dependentes").fullmatch(word.text) for word in words)
    cut = any(len(word.text) == 1 and not (word.text == "e" or word.is_capital) for word in words)  # `she doesn't have`
    told = read_name(" ".join(word.original for word in words)) if len(as_names) > 1 and not (relation or cut) else None
    return told or ""


def _is_an_intention(sentence: Frase) -> bool:
    """Whether words take back, put off or decline, and are not written as a name: `ay, me equivoqué, deshaz eso`."""
    told = any(accord(group).search(sentence.text) for group in ("desfazer", "muda_de_ideia", "recua")) or intention("dispensar").search(
        sentence.text
    )
    return bool(told) and not is_full_name(" ".join(word.original for word in sentence.words))
