"""For whom a booking is: never silently the speaker's, where it was asked for a child, a mother, a husband.

Source: design, "Who the appointment is for". Name and CPF are asked before anything is booked; without a CPF it may be booked in the
speaker's name, which is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Idioma, Offer, ParaQuem, Plan, Step, Value
from crivo.clinicas.orquestrador.identidade import find_person, read_cpf, read_name
from crivo.clinicas.orquestrador.linguagem.folding import fold
from crivo.clinicas.orquestrador.planner.acordo import answer_in
from crivo.clinicas.orquestrador.planner.atos import Ato
from crivo.clinicas.orquestrador.planner.cpf_proprio import AS_A_CPF, corrected
from crivo.clinicas.orquestrador.planner.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.planner.idioma import language_of
from crivo.clinicas.orquestrador.planner.lexico import accord, vocabulary
from crivo.clinicas.orquestrador.planner.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens
from crivo.clinicas.orquestrador.planner.outra_pessoa import OWNERS, name_said, names_told, told_for
from crivo.clinicas.orquestrador.planner.proposta import proposed
from crivo.clinicas.orquestrador.planner.situacao import Situacao
from crivo.clinicas.orquestrador.selecao import sees_children_alone
from crivo.clinicas.protocol import Slot

KEY: Final = "para_quem"
_DIGITS: Final = re.compile(r"[\d.\s/-]{11,20}")
_FIGURES_OF_A_CPF: Final = range(9, 15)  # eleven, and some too few or too many
Planned = tuple[Plan, dict[str, str]]


class Guardado(Value, frozen=True):
    """The bookings that wait for whom they are, and in which language that was asked.

    `depois` are those asked about next, each by itself; `nova` tells that whoever was booked for before is not who these are for;
    `oferecido` that it was offered to book in the speaker's name, which a yes takes.
    """

    steps: tuple[Step, ...]
    idioma: Idioma = "pt"
    depois: tuple[Step, ...] = ()
    nova: bool = False
    oferecido: bool = False


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
    named = told_for(sentence, dialogue)
    if named is None:
        return None if accord("para_mim").search(sentence.text) and not accord("nao_para_mim").search(sentence.text) else before
    if before is not None and (before.quem == named or accord("para_ela").fullmatch(f"para {fold(named)}")):
        return before
    return _as_known(named, sentence, dialogue)


def _as_known(named: str, sentence: Frase, dialogue: Dialogue) -> ParaQuem:
    """Somebody as named: one whose name and CPF were given before, where the first name is theirs; else unknown as yet."""
    people = names_told(sentence, dialogue)
    told = named if named in people else people[0] if len(people) == 1 else ""
    known = [one for one in dialogue.pessoas if told and fold(one.nome).split()[0] == fold(told).split()[0]]
    before = dialogue.para
    if len(known) == 1 and set(fold(told).split()) <= set(fold(known[0].nome).split()):
        return ParaQuem(told, known[0].nome, known[0].cpf)
    if before is not None and told and before.nome and fold(before.nome).split()[0] == fold(told).split()[0]:
        return before
    return ParaQuem(named, told if " " in told else "")


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


def hold(made: Planned, para: ParaQuem | None, utterance: str, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None]:
    """A plan without the bookings for somebody whose name and CPF are not known, which are asked for; what it lists is kept.

    With it, for whom they are: a time of a doctor who sees children alone is a child's until it is told to be the speaker's.
    """
    plan, pending = made
    texts = Mensagens(plan.idioma, dialogue.registro, dialogue.papel)
    after = {one for step in plan.steps for one in step.depends_on}
    held = tuple(step for step in plan.steps if step.action == "book_appointment" and step.step_id not in after)
    child = para is None and proposed(pending) is None and _is_for_a_child(held, utterance, dialogue)
    if child:
        para = ParaQuem(texts.say("crianca"))
    if para is None or para.em_seu_nome or para.pessoa is not None:
        return made, para
    if not held:
        listed = any(step.action == "list_available_slots" for step in plan.steps)
        note = texts.say("vou_pedir_de_quem", quem=para.quem) if listed else None
        return (msgspec.structs.replace(plan, fala="\n".join(one for one in (plan.fala, note) if one) or None), pending), para
    kept = tuple(step for step in plan.steps if step not in held)
    told = "\n".join(one for one in (plan.pergunta, _question(held, para, texts, child=child)) if one)
    memory = {KEY: msgspec.json.encode(Guardado(held[:1], plan.idioma, held[1:])).decode()}
    return (msgspec.structs.replace(plan, steps=kept, pergunta=told), {**pending, **memory}), para


def _question(held: tuple[Step, ...], para: ParaQuem, texts: Mensagens, *, child: bool) -> str:
    """How it is asked for whom the bookings held back are: of several, of the first."""
    if len(held) > 1:
        return texts.say("primeira_de_duas", horario=texts.offer(_offer(held[0])))
    if child:
        return texts.say("quem_e_a_crianca")
    return texts.say("falta_cpf" if para.nome else "de_quem_e", quem=para.quem, nome=para.nome)


def _offer(step: Step) -> Offer:
    told = step.parameters
    return Offer(step.clinic, Slot(told["doctor"], "", told["date"], told["time"]))


def _is_for_a_child(held: tuple[Step, ...], utterance: str, dialogue: Dialogue) -> bool:
    """Whether any booking is with a doctor who sees children alone, and the message does not tell that it is for the speaker."""
    if dialogue.papel == "operador" or accord("para_mim").search(read_sentence(utterance).text):
        return False
    wanted = {(one.clinic, one.slot.doctor, one.slot.date, one.slot.time) for one in map(_offer, held)}
    shown = (*dialogue.offers, *dialogue.vitrine.todas)
    found = [one for one in shown if (one.clinic, one.slot.doctor, one.slot.date, one.slot.time) in wanted]
    return any(sees_children_alone(one, dialogue.registro) for one in found)


def told_too_late(made: Planned, utterance: str, para: ParaQuem | None, dialogue: Dialogue) -> Planned:
    """What is said where it turns out, right after a booking in the speaker's name, that it is for somebody else."""
    plan, done, sentence = made[0], dialogue.feito, read_sentence(utterance)
    if not (accord("para_outro_direto").search(sentence.text) or names_told(sentence, dialogue)):
        return made
    only_lists = all(step.action == "list_available_slots" for step in plan.steps) and not find_mentions(sentence, context_of(dialogue))
    if para is None or para == dialogue.para or not only_lists or done is None or done.ato != "marcou":
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
    wrong = corrected(utterance, dialogue)
    if wrong is not None:
        return wrong
    held, para = waiting(dialogue.pending), dialogue.para
    if held is None:
        return _told_ahead(utterance, dialogue)
    texts = Mensagens(held.idioma, dialogue.registro, dialogue.papel)
    if held.nova or para is None:
        para = ParaQuem(texts.say("outra_pessoa"))
    own = _in_own_name(utterance, held, para, dialogue)
    if own is not None:
        return own
    sentence = read_sentence(utterance)
    told = told_for(sentence, dialogue)
    if told is not None and not para.nome and not accord("para_ela").fullmatch(f"para {fold(told)}"):
        para = msgspec.structs.replace(para, quem=told)
    known = _completed(utterance, para)
    if known.pessoa is not None:
        return _booked(held, texts), known
    memory = _kept(msgspec.structs.replace(held, nova=False, oferecido=False))
    if _is_mistyped(utterance, known):
        return (Plan(pergunta=texts.say("cpf_nao_confere"), idioma=held.idioma), memory), known
    answer = answer_in(sentence)
    if answer == "nao":
        return (Plan(fala=texts.say("nao_marquei_para", quem=para.quem), idioma=held.idioma), {}), None
    if known != para or answer == "sim" or _names_another(sentence):
        key = "falta_cpf" if known.nome else "falta_nome" if known.cpf else "de_quem_e"
        return (Plan(pergunta=texts.say(key, quem=para.quem, nome=known.nome), idioma=held.idioma), memory), known
    return None


def _names_another(sentence: Frase) -> bool:
    return bool(accord("dependentes").search(sentence.text) or accord("para_ele").search(sentence.text))


def _in_own_name(utterance: str, held: Guardado, para: ParaQuem, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """What is done where what waits shall be in the speaker's name, or is for the speaker; offered first where a CPF is not at hand."""
    texts, sentence = Mensagens(held.idioma, dialogue.registro, dialogue.papel), read_sentence(utterance)
    known, told = _completed(utterance, para), sentence.text
    if accord("cpf_depois").search(told):
        asked = Plan(pergunta=texts.say("sem_cpf_agora", quem=known.nome or known.quem), idioma=held.idioma)
        return (asked, _kept(msgspec.structs.replace(held, oferecido=True, nova=False))), known
    agreed = accord("no_meu_nome").search(told) or (held.oferecido and answer_in(sentence) == "sim")
    if dialogue.paciente is not None and agreed:
        named = texts.say("fica_em_seu_nome", nome=dialogue.paciente.nome, quem=known.quem)
        return _booked(held, texts, named), msgspec.structs.replace(known, em_seu_nome=True)
    if accord("para_mim").search(told) and not _names_another(sentence) and not accord("nao_para_mim").search(told):
        return _booked(held, texts), None
    return None


def _kept(held: Guardado) -> dict[str, str]:
    return {KEY: msgspec.json.encode(held).decode()}


def _booked(held: Guardado, texts: Mensagens, named: str | None = None) -> Planned:
    """What waited, booked now; of the next that waits it is asked for whom that one is."""
    if not held.depois:
        return Plan(held.steps, fala=named, idioma=held.idioma), {}
    asked = texts.say("agora_a_outra", horario=texts.offer(_offer(held.depois[0])))
    following = Guardado(held.depois[:1], held.idioma, held.depois[1:], nova=True)
    return Plan(held.steps, pergunta=asked, fala=named, idioma=held.idioma), _kept(following)


def _told_ahead(utterance: str, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """Who is to be seen, told where no booking waits for it: after it was said that it will be asked, or right after a booking."""
    para = spoken_for(utterance, dialogue)
    if dialogue.papel == "operador" or dialogue.paciente is None or para is None:
        return None
    sentence, idioma = read_sentence(utterance), language_of(utterance, dialogue.utterances)
    texts = Mensagens(idioma, dialogue.registro, dialogue.papel)
    known, own = _completed(utterance, para), dialogue.paciente.nome
    if para.pessoa is None and (accord("no_meu_nome").search(sentence.text) or accord("cpf_depois").search(sentence.text)):
        para = msgspec.structs.replace(known, em_seu_nome=True)
        done = dialogue.feito is not None and dialogue.feito.ato == "marcou" and dialogue.para is not None and dialogue.para.em_seu_nome
        told = texts.say("ja_fica_em_seu_nome" if done else "anotei_em_seu_nome", nome=own, quem=para.nome or para.quem)
        return _noted(told if done else _and_which(told, texts, dialogue), idioma, dialogue), para
    if not _only_tells_who(utterance, para, known, dialogue):
        return None
    told = texts.say("anotei_para", nome=known.nome) if known.nome else texts.say("falta_nome")
    return _noted(_and_which(told, texts, dialogue) if known.nome else told, idioma, dialogue), known


def _only_tells_who(utterance: str, para: ParaQuem, known: ParaQuem, dialogue: Dialogue) -> bool:
    """Whether a message gives a name, a CPF or both of whoever is to be seen, and asks nothing besides."""
    if known == para or "?" in utterance:
        return False
    both = find_person(utterance)
    if both is not None:
        return not both.resto or all(accord("ao_dizer_nome").fullmatch(word.text) for word in read_sentence(both.resto).words)
    if para.pessoa is not None or para.em_seu_nome:
        return False
    return bool(name_said(read_sentence(utterance))) or not find_mentions(read_sentence(_DIGITS.sub(" ", utterance)), context_of(dialogue))


def _and_which(told: str, texts: Mensagens, dialogue: Dialogue) -> str:
    return f"{told} {texts.say('anotei_um' if len(dialogue.offers) == 1 else 'anotei_qual')}"


def _noted(told: str, idioma: Idioma, dialogue: Dialogue) -> Planned:
    """What is said back of whom it is for, and nothing done; what was pending goes on."""
    return Plan(fala=told, idioma=idioma), dict(dialogue.pending)


def _completed(utterance: str, para: ParaQuem) -> ParaQuem:
    """What is known of the person after a message: name and CPF together, or one of them."""
    both = find_person(utterance)
    if both is not None:
        return msgspec.structs.replace(para, nome=both.paciente.nome, cpf=both.paciente.cpf)
    cpf = read_cpf(utterance) or ""
    sentence = read_sentence(_DIGITS.sub(" ", utterance))
    nome = name_said(sentence) or _name_told(sentence)
    return msgspec.structs.replace(para, nome=nome or para.nome, cpf=cpf or para.cpf)


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
    if "?" in sentence.text:
        return ""
    words = list(sentence.words)
    while words and accord("ao_dizer_nome").fullmatch(words[0].text):
        words = words[1:]
    while words and accord("ao_dizer_nome").fullmatch(words[-1].text):
        words = words[:-1]
    as_names = [word for word in words if word.is_capital or word.text not in vocabulary()]
    relation = any(word.text in OWNERS or accord("dependentes").fullmatch(word.text) for word in words)
    told = read_name(" ".join(word.original for word in words)) if len(as_names) > 1 and not relation else None
    return told or ""
