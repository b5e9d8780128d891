"""Whose appointments an act names: `a minha`, `a do Lucas`, `a da minha filha`. Source: design, "Who the appointment is for"."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, people_words
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import OWNERS, free_names, full_names
from crivo.kernel.linguagem.fala import fold


def of_whom(sentence: Frase, act: Ato, situacao: Situacao) -> Situacao:
    """The situation with the appointments of whoever an act names; unchanged where nobody is named."""
    known, text = situacao.dialogue.bookings, sentence.text[act.start : act.end]
    if act.tipo not in {"cancelar", "mudar"} or not any(one.para for one in known):
        return situacao
    words = set(text.split())
    told = [one for one in known if names_of(one) & words]
    others = {one.para for one in known if one.para}
    if not told and _relation_in(text):
        told = _of_unknown_relation(known)
    if not told and len(others) == 1 and accord("a_dela").search(text):
        told = [one for one in known if one.para]
    if not told and accord("a_minha").search(text):
        told = [one for one in known if not one.para]
    return (
        msgspec.structs.replace(situacao, dialogue=msgspec.structs.replace(situacao.dialogue, bookings=tuple(told))) if told else situacao
    )


def nothing_of(sentence: Frase, act: Ato, situacao: Situacao) -> Saida | None:
    """What is said where an act names a relation for whom nothing is held: never another's in its place; None where anything may be meant.

    An appointment of somebody known by name alone (`Carla`) may be that relation's.
    """
    text, known = sentence.text[act.start : act.end], situacao.dialogue.bookings
    if act.tipo not in {"cancelar", "mudar"} or situacao.dialogue.papel == "operador" or accord("a_minha").search(text):
        return None
    relation = _relation_in(text)
    name = _name_in(sentence, act, situacao) if relation is None else None
    told = relation or name
    if told is None or any(fold(told).split()[-1] in names_of(one) for one in known):
        return None
    if _of_unknown_relation(known) if relation is not None else any(one.para == one.quem != "" for one in known):
        return None
    texts, quem = situacao.mensagens, _as_written(told, sentence) if relation is not None else told
    key = "nada_de_quem" if known else "nada_de_quem_vazio"
    return Saida(fala=texts.say(key, quem=quem, lista=texts.bookings(known)))


def patient_named(said: Iterable[str], dialogue: Dialogue) -> str:
    """The full name of the patient that messages speak of, the last one first; empty where they name none, or several at once."""
    for text in said:
        sentence = read_sentence(text)
        free, names = free_names(sentence, dialogue)
        full = list(dict.fromkeys(one for one in full_names(free, sentence, names) if " " in one))
        if full:
            return full[0] if len(full) == 1 else ""
    return ""


def asks_of_the_patient(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether an operator asks for the appointments of the patient who is served, by name: `quais as consultas da Maria Lima?`."""
    if dialogue.papel != "operador" or dialogue.paciente is None:
        return False
    own = set(fold(dialogue.paciente.nome).split())
    said = [word.text for word in sentence.words if word.text not in {"dona", "seu", "sr", "sra", "senhor", "senhora"}]
    named = " ".join("paciente" if word in own else word for word in said)
    return fold(dialogue.paciente.nome).split()[0] in said and intention("dele").search(named) is not None


def _name_in(sentence: Frase, act: Ato, situacao: Situacao) -> str | None:
    """The first name of whose an appointment is told to be, no doctor's and not the speaker's: `a da Carla`."""
    words, (free, _) = sentence.words, free_names(sentence, situacao.dialogue)
    within = [index for index in free if index > 1 and act.start <= words[index].start < act.end]
    named = [index for index in within if words[index].text in people_words("prenomes") and words[index - 1].text in {"da", "do"}]
    pointed = [index for index in named if accord("aponta_de_gente").fullmatch(words[index - 2].text)]
    return words[pointed[0]].original if pointed else None


def _relation_in(text: str) -> str | None:
    """Whose an appointment is told to be, by relation: `meu pai` of `a do meu pai`."""
    found = accord("a_de_parente").search(text)
    relation = next(iter(accord("dependentes").finditer(text, *found.span())), None) if found is not None else None
    if found is None or relation is None:
        return None
    owner = next((word for word in reversed(text[found.start() : relation.start()].split()) if word in OWNERS), "")
    return f"{owner} {relation.group()}".strip()


def _as_written(relation: str, sentence: Frase) -> str:
    """A relation as it is said back: `seu pai`, with the accents it was written with."""
    *owner, name = relation.split()
    written = next((word.original.lower() for word in sentence.words if word.text == name), name)
    return " ".join((*(OWNERS[one] for one in owner), written))


def _of_unknown_relation(known: Iterable[Booking]) -> list[Booking]:
    """The appointments of people of whom it is not known how they are related to the speaker."""
    return [one for one in known if one.para and fold(one.quem).split()[:1] not in [[told] for told in OWNERS.values()]]


def names_of(booking: Booking) -> set[str]:
    """The words that tell whose an appointment is: the first name and the relation (`filho`); none of the speaker's own."""
    named = {fold(booking.para).split()[0]} if booking.para.strip() and booking.para != booking.quem else set()
    return named | ({fold(booking.quem).split()[-1]} if booking.quem.strip() else set())
