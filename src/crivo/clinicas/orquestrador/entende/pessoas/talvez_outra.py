"""Of whom else a message may speak: a relative told to be ill or in need, or one who writes for another; it is asked, never guessed.

Source: design, "Who the appointment is for".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.acordo import holds_only
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import for_me, free_names, full_names, related, speaker_named
from crivo.kernel.linguagem.fala import fold


def doubted(utterance: str, dialogue: Dialogue) -> str | None:
    """Whom else a booking may be for, as said back (`seu pai`, `Antônio`); empty where only somebody else, None where nothing tells of one.

    Every message of the same wish is heard: those since the last booking, or since it was told to be for the speaker.
    """
    if dialogue.papel == "operador" or dialogue.paciente is None:
        return None
    for said in _of_this_wish(utterance, dialogue):
        sentence = read_sentence(said)
        if for_me(sentence) or _for_the_account(sentence, dialogue):
            return None
        represented = accord("fala_por_outro").search(sentence.text)
        if represented is not None:
            return _named_after(sentence, represented.end(), dialogue)
        pointer = _pointer(sentence)
        if pointer is not None:
            return related(sentence, *pointer.span()) or ""
    return speaker_named(utterance, dialogue) or None


def _named_after(sentence: Frase, at: int, dialogue: Dialogue) -> str:
    """The name told after a place: `sou filha da Zulmira`; empty where there is none."""
    free, names = free_names(sentence, dialogue)
    after = [index for index in free if sentence.words[index].start >= at]
    return next(iter(full_names(after[:1], sentence, names)), "")


def _of_this_wish(utterance: str, dialogue: Dialogue) -> Iterator[str]:
    """The messages that a booking may be from, the last one first."""
    done = dialogue.feito
    begin = done.turno if done is not None and done.ato == "marcou" else 0
    yield utterance
    yield from reversed(dialogue.utterances[begin:])


def _pointer(sentence: Frase) -> re.Match[str] | None:
    """What tells of somebody in need of care, and is not followed by what the speaker wants or feels: `…, e eu queria um cardio`."""
    text = sentence.text
    found = [
        one
        for one in accord("outro_em_cuidado").finditer(text)
        if not accord("quem_morreu").search(text, max(0, one.start() - 12), one.end())
    ]
    return None if not found or accord("quero_eu").search(text, found[-1].end()) else found[-1]


def _for_the_account(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether a message says that it is for whoever the conversation is in the name of: `é pra Ana`, `no nome da Ana`."""
    own = _own(dialogue)
    words = [word.text for word in sentence.words]
    led = (index for index, word in enumerate(words) if word in own)
    return any(index and accord("para_a_conta").search(" ".join(words[max(0, index - 3) : index])) for index in led)


def means_the_account(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether an answer is only the name that the conversation is in: `Ana`, `em nome da Ana Braga`."""
    own = _own(dialogue)
    rest = " ".join(word.text for word in sentence.words if word.text not in own)
    return any(word.text in own for word in sentence.words) and holds_only(rest, "ao_dizer_nome", "resto", "de_gente")


def means_me(sentence: Frase) -> bool:
    """Whether an answer is only that it is the speaker: `eu`, `minha`."""
    text = accord("carinho").sub(" ", sentence.text)  # `obrigada meu bem` points at nobody
    return accord("so_eu").search(text) is not None and holds_only(text, "so_eu", "para_mim", "resto", "de_gente")


def means_the_other(sentence: Frase, quem: str) -> bool:
    """Whether an answer only points at whoever else was asked about: `ele`, `meu pai`, `Antônio`, `não é pra mim`."""
    if accord("nao_para_mim").search(sentence.text):
        return True
    named = {fold(word) for word in quem.split()}
    pointed = any(word.text in named or word.text in {"ela", "ele", "dela", "dele", "her", "him", "ella"} for word in sentence.words)
    rest = " ".join(word.text for word in sentence.words if word.text not in named)
    return pointed and holds_only(rest, "ao_dizer_nome", "resto", "de_gente", "para_ela", "dependentes")


def _own(dialogue: Dialogue) -> frozenset[str]:
    return frozenset(fold(dialogue.paciente.nome).split()) if dialogue.paciente is not None else frozenset()
