"""For whom a booking is: never silently the speaker's, where it was asked for a child, a mother, a husband.

Source: design, "Who the appointment is for". Name and CPF are asked before anything is booked; without a CPF it may be booked in the
speaker's name, which is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Idioma, ParaQuem, Plan, Step, Value
from crivo.clinicas.orquestrador.identidade import find_person, read_cpf, read_name
from crivo.clinicas.orquestrador.linguagem.folding import fold
from crivo.clinicas.orquestrador.planner.acordo import answer_in
from crivo.clinicas.orquestrador.planner.atos import Ato
from crivo.clinicas.orquestrador.planner.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.planner.lexico import accord, vocabulary
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens
from crivo.clinicas.orquestrador.planner.situacao import Situacao

KEY: Final = "para_quem"
_DIGITS: Final = re.compile(r"[\d.\s/-]{11,20}")
_AS_A_CPF: Final = re.compile(r"\d[\d.\s/-]{7,18}\d")
_FIGURES_OF_A_CPF: Final = range(9, 15)  # eleven, and some too few or too many
Planned = tuple[Plan, dict[str, str]]


class Guardado(Value, frozen=True):
    """The bookings that wait for whom they are, and in which language that was asked."""

    steps: tuple[Step, ...]
    idioma: Idioma = "pt"


def waiting(pending: Mapping[str, str]) -> Guardado | None:
    """What waits to be booked until it is known for whom."""
    try:
        return msgspec.json.decode(pending[KEY], type=Guardado)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        return None


def spoken_for(utterance: str, dialogue: Dialogue) -> ParaQuem | None:
    """For whom the next booking is after a message: somebody it names, the speaker, or whoever it was before."""
    sentence, before = read_sentence(utterance), dialogue.para
    if dialogue.papel == "operador":
        return None
    named = told_for(sentence)
    if named is None:
        return None if accord("para_mim").search(sentence.text) else before
    if before is not None and before.quem == named:
        return before
    return ParaQuem(named)


def told_for(sentence: Frase) -> str | None:
    """Whom a message asks a booking for, as said back (`seu filho`); None where nobody is named or it is only told of them."""
    found = accord("para_outro").search(sentence.text)
    if found is None:
        return None
    relation = next(iter(accord("dependentes").finditer(sentence.text, found.start(), found.end())), None)
    if relation is None:
        return None
    words = sentence.words_in(relation.start(), relation.end())
    owner = next((word.text for word in reversed(sentence.words) if word.end <= relation.start() and word.text in _OWNERS), "meu")
    return f"{_OWNERS[owner]} {' '.join(word.original.lower() for word in words)}"


def of_whom(sentence: Frase, act: Ato, situacao: Situacao) -> Situacao:
    """The situation with the appointments of whoever an act names: `a minha`, `a do Lucas`; unchanged where nobody is named."""
    known, text = situacao.dialogue.bookings, sentence.text[act.start : act.end]
    names = {one.para for one in known}
    if act.tipo not in {"cancelar", "mudar"} or not any(names):
        return situacao
    told = {name for name in names if name and fold(name).split()[0] in text.split()}
    para = situacao.dialogue.para
    if not told and para is not None and para.nome in names and fold(para.quem).split()[-1] in text.split():
        told = {para.nome}
    if not told and accord("a_minha").search(text):
        told = {""}
    kept = tuple(one for one in known if one.para in told)
    return msgspec.structs.replace(situacao, dialogue=msgspec.structs.replace(situacao.dialogue, bookings=kept)) if kept else situacao


_OWNERS: Final = {"meu": "seu", "minha": "sua", "meus": "seus", "minhas": "suas", "my": "your", "mi": "su", "mis": "sus"}


def hold(made: Planned, para: ParaQuem | None, texts: Mensagens) -> Planned:
    """A plan without the bookings for somebody whose name and CPF are not known, which are asked for; what it lists is kept."""
    plan, pending = made
    if para is None or para.em_seu_nome or para.pessoa is not None:
        return made
    after = {one for step in plan.steps for one in step.depends_on}
    held = tuple(step for step in plan.steps if step.action == "book_appointment" and step.step_id not in after)
    if not held:
        listed = any(step.action == "list_available_slots" for step in plan.steps)
        note = texts.say("vou_pedir_de_quem", quem=para.quem) if listed else None
        return (msgspec.structs.replace(plan, fala="\n".join(one for one in (plan.fala, note) if one) or None), pending)
    kept = tuple(step for step in plan.steps if step not in held)
    key = "de_quem_e" if len(held) == 1 else "uma_de_cada_vez"
    told = "\n".join(one for one in (plan.pergunta, texts.say(key, quem=para.quem)) if one)
    if len(held) > 1:
        return msgspec.structs.replace(plan, steps=kept, pergunta=told), pending
    memory = {KEY: msgspec.json.encode(Guardado(held, plan.idioma)).decode()}
    return msgspec.structs.replace(plan, steps=kept, pergunta=told), {**pending, **memory}


def told_too_late(made: Planned, utterance: str, para: ParaQuem | None, dialogue: Dialogue) -> Planned:
    """What is said where it turns out, right after a booking in the speaker's name, that it is for somebody else."""
    plan, done = made[0], dialogue.feito
    if not accord("para_outro_direto").search(read_sentence(utterance).text):
        return made
    if para is None or para == dialogue.para or plan.steps or done is None or done.ato != "marcou":
        return made
    last = next((one for one in dialogue.bookings if not one.para and _same(one, done.consultas[-1])), None)
    if last is None or done.turno != len(dialogue.utterances):
        return made
    texts = Mensagens(plan.idioma, dialogue.registro, dialogue.papel)
    return Plan(fala=texts.say("ja_em_seu_nome", horario=texts.booking(last), quem=para.quem), idioma=plan.idioma), {}


def _same(one: Booking, other: Booking) -> bool:
    return (one.clinic, one.doctor, one.date, one.time) == (other.clinic, other.doctor, other.date, other.time)


def heard(utterance: str, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """The plan of a message that tells for whom what waits shall be booked, and for whom; None where it tells nothing of that."""
    held, para = waiting(dialogue.pending), dialogue.para
    if held is None or para is None:
        return None
    texts = Mensagens(held.idioma, dialogue.registro, dialogue.papel)
    sentence = read_sentence(utterance)
    if accord("no_meu_nome").search(sentence.text) and dialogue.paciente is not None:
        named = texts.say("fica_em_seu_nome", nome=dialogue.paciente.nome, quem=para.quem)
        return (Plan(held.steps, fala=named, idioma=held.idioma), {}), msgspec.structs.replace(para, em_seu_nome=True)
    names_another = accord("dependentes").search(sentence.text) or accord("para_ele").search(sentence.text)
    if accord("para_mim").search(sentence.text) and not names_another:
        return (Plan(held.steps, idioma=held.idioma), {}), None
    known = _completed(utterance, para)
    if known.pessoa is not None:
        return (Plan(held.steps, idioma=held.idioma), {}), known
    if _is_mistyped(utterance, known):
        asked = texts.say("cpf_nao_confere")
        return (Plan(pergunta=asked, idioma=held.idioma), {KEY: dialogue.pending[KEY]}), known
    if answer_in(sentence) == "nao":
        return (Plan(fala=texts.say("nao_marquei_para", quem=para.quem), idioma=held.idioma), {}), None
    if known != para or answer_in(sentence) == "sim" or names_another:
        key = "falta_cpf" if known.nome else "falta_nome" if known.cpf else "de_quem_e"
        asked = texts.say(key, quem=para.quem, nome=known.nome)
        return (Plan(pergunta=asked, idioma=held.idioma), {KEY: dialogue.pending[KEY]}), known
    return None


def _completed(utterance: str, para: ParaQuem) -> ParaQuem:
    """What is known of the person after a message: name and CPF together, or one of them."""
    both = find_person(utterance)
    if both is not None:
        return msgspec.structs.replace(para, nome=both.paciente.nome, cpf=both.paciente.cpf)
    cpf = read_cpf(utterance) or ""
    nome = _name_told(read_sentence(_DIGITS.sub(" ", utterance)))
    return msgspec.structs.replace(para, nome=nome or para.nome, cpf=cpf or para.cpf)


def _is_mistyped(utterance: str, known: ParaQuem) -> bool:
    """Whether all that a message gives is a CPF of wrong figures, with or without the name: nobody's, and no look at anybody's data."""
    found = _AS_A_CPF.search(utterance)
    if found is None or "?" in utterance or read_cpf(utterance) is not None or sum(map(str.isdigit, found[0])) not in _FIGURES_OF_A_CPF:
        return False
    name = set(fold(known.nome).split())
    groups = [accord(group) for group in ("ao_dizer_nome", "resto", "dependentes")]
    rest = read_sentence(_AS_A_CPF.sub(" ", utterance)).words
    return all(fold(word.original) in name or any(group.fullmatch(word.text) for group in groups) for word in rest)


def _name_told(sentence: Frase) -> str:
    """A full name that is all a message says, but for words that lead to it; empty where there is none, or it asks."""
    if "?" in sentence.text:
        return ""
    words = list(sentence.words)
    while words and accord("ao_dizer_nome").fullmatch(words[0].text):
        words = words[1:]
    while words and accord("ao_dizer_nome").fullmatch(words[-1].text):
        words = words[:-1]
    as_names = [word for word in words if word.is_capital or word.text not in vocabulary()]
    relation = any(word.text in _OWNERS or accord("dependentes").fullmatch(word.text) for word in words)
    told = read_name(" ".join(word.original for word in words)) if len(as_names) > 1 and not relation else None
    return told or ""
