"""For whom a booking is: never silently the speaker's, where it was asked for a child, a mother, a husband.

Source: design, "Who the appointment is for". Name and CPF are asked before anything is booked; without a CPF it may be booked in the
speaker's name, which is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, Offer, ParaQuem, Plan, Step, Value
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned, proposed
from crivo.clinicas.orquestrador.decide.pessoas.cpf_proprio import corrected
from crivo.clinicas.orquestrador.decide.pessoas.dito_antes import told_ahead
from crivo.clinicas.orquestrador.decide.pessoas.passar_para import handed_over
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import Contado, called, read_who
from crivo.clinicas.orquestrador.entende.acordo import answer_in
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import speaker_named, told_for
from crivo.clinicas.orquestrador.entende.pessoas.talvez_outra import doubted, means_me, means_the_account, means_the_other
from crivo.clinicas.orquestrador.entende.selecao import sees_children_alone
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.protocol import Slot
from crivo.kernel.linguagem.fala import fold

KEY: Final = "para_quem"
_AHEAD: Final = {"falta_cpf": "vou_pedir_cpf", "falta_nome": "vou_pedir_nome", "de_quem_e": "vou_pedir_de_quem"}


class Guardado(Value, frozen=True):
    """The bookings that wait for whom they are, and in which language that was asked.

    `depois` are those asked about next, each by itself; `nova` tells that whoever was booked for before is not who these are for;
    `oferecido` that it was offered to book in the speaker's name, which a yes takes; `sem_cpf` that it will be, once the name is told;
    `talvez` is whom else they may be for, where it was asked which of the two.
    """

    steps: tuple[Step, ...]
    idioma: Idioma = "pt"
    depois: tuple[Step, ...] = ()
    nova: bool = False
    oferecido: bool = False
    sem_cpf: bool = False
    talvez: str = ""


def waiting(pending: Mapping[str, str]) -> Guardado | None:
    """What waits to be booked until it is known for whom."""
    try:
        return msgspec.json.decode(pending[KEY], type=Guardado)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        return None


def asked_about(pending: Mapping[str, str]) -> str:
    """Whom it is asked whether what waits is for, beside the speaker; empty where that is not asked."""
    held = waiting(pending)
    return held.talvez if held is not None else ""


def waiting_slots(pending: Mapping[str, str]) -> tuple[Offer, ...]:
    """The slots that wait for whom they are, which a question may name though no clinic answered them."""
    held = waiting(pending)
    return tuple(_offer(step) for step in (*held.steps, *held.depois)) if held is not None else ()


def hold(
    made: Planned, para: ParaQuem | None, utterance: str, dialogue: Dialogue, apart: Contado | None = None
) -> tuple[Planned, ParaQuem | None]:
    """A plan without the bookings for somebody whose name and CPF are not known, which are asked for; what it lists is kept.

    With it, for whom they are: a time of a doctor who sees children alone is a child's until it is told to be the speaker's. `apart` is the
    person whom the message named beside its wish.
    """
    plan, pending = made
    texts = Mensagens.of(plan.idioma, dialogue)
    after = {one for step in plan.steps for one in step.depends_on}
    held = tuple(step for step in plan.steps if step.ferramenta is MARCAR and step.step_id not in after)
    child = para is None and proposed(pending) is None and _is_for_a_child(held, utterance, dialogue)
    if child:
        para = ParaQuem(texts.say("crianca"))
    doubt = doubted(utterance, dialogue) if para is None and held else None
    if doubt is not None:
        return _asked_whose(made, held, doubt or texts.say("alguem_mais"), texts, utterance, dialogue), None
    if para is None or para.pessoa is not None:
        noted = texts.say("anotei_para", nome=para.nome) if para is not None and apart is not None and not held else None
        return (_with_words(plan, noted) if noted else plan, pending), para
    if para.em_seu_nome:
        own = texts.say("fica_em_seu_nome", nome=dialogue.paciente.nome, quem=called(para)) if dialogue.paciente else None
        return (_with_words(plan, own) if held else plan, pending), para
    wrong = apart.said(texts) if apart is not None else ""
    if not held:
        listed = any(step.ferramenta is VER_HORARIOS for step in plan.steps)
        ahead = texts.say(_AHEAD[_missing(para)], quem=para.quem, nome=para.nome) if listed else ""
        return (_with_words(plan, wrong or ahead), pending), para
    kept = tuple(step for step in plan.steps if step not in held)
    told = "\n".join(one for one in (plan.pergunta, _question(held, para, texts, wrong, child=child)) if one)
    return (msgspec.structs.replace(plan, steps=kept, pergunta=told), {**pending, **_kept(Guardado(held[:1], plan.idioma, held[1:]))}), para


def _asked_whose(made: Planned, held: tuple[Step, ...], quem: str, texts: Mensagens, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan without its bookings, of which it is asked whether they are for the speaker or for somebody else who was told of."""
    plan, pending = made
    waits = Guardado(held[:1], plan.idioma, held[1:], talvez=quem)
    asked = _which_of_two(waits, texts, utterance, dialogue)
    told = "\n".join(one for one in (plan.pergunta, asked) if one)
    kept = tuple(step for step in plan.steps if step not in held)
    return msgspec.structs.replace(plan, steps=kept, pergunta=told), {**pending, **_kept(waits)}


def _which_of_two(held: Guardado, texts: Mensagens, utterance: str, dialogue: Dialogue) -> str:
    """How it is asked whether what waits is for the speaker; by the names, where the speaker is not whom the conversation is of."""
    horario, nome = texts.offer(_offer(held.steps[0])), dialogue.paciente.nome if dialogue.paciente is not None else ""
    key = "em_nome_de_quem" if speaker_named(utterance, dialogue) else "quem_sera"
    return texts.say(key, horario=horario, quem=held.talvez, nome=nome)


def still_held(made: Planned, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan with what waits for whom it is kept, where the message was refused, not understood or only answered."""
    held, (plan, pending) = waiting(dialogue.pending), made
    text, lost = read_sentence(utterance).text, Mensagens.of(plan.idioma, dialogue).say("nao_entendi")
    given_up = any(intention(name).search(text) for name in ("dispensar", "negar"))
    if held is None or KEY in pending or plan.steps or (plan.pergunta and plan.pergunta != lost) or given_up:
        return made
    return plan, {**pending, **_kept(msgspec.structs.replace(held, oferecido=False))}


def _with_words(plan: Plan, words: str | None) -> Plan:
    return msgspec.structs.replace(plan, fala="\n".join(one for one in (plan.fala, words) if one) or None)


def _question(held: tuple[Step, ...], para: ParaQuem, texts: Mensagens, wrong: str, *, child: bool) -> str:
    """How it is asked for whom the bookings held back are: of several, of the first."""
    if len(held) > 1:
        return texts.say("primeira_de_duas", horario=texts.offer(_offer(held[0])))
    if child:
        return texts.say("quem_e_a_crianca")
    return wrong or texts.say(_missing(para), quem=para.quem, nome=para.nome)


def _missing(para: ParaQuem) -> str:
    return "falta_cpf" if para.nome else "falta_nome" if para.cpf else "de_quem_e"


def _offer(step: Step) -> Offer:
    told = step.parameters
    return Offer(step.clinic, Slot(told["doctor"], "", told["date"], told["time"]))


def _is_for_a_child(held: tuple[Step, ...], utterance: str, dialogue: Dialogue) -> bool:
    """Whether any booking is with a doctor who sees children alone, and the message does not tell that it is for the speaker."""
    if dialogue.papel == "operador" or accord("para_mim").search(read_sentence(utterance).text):
        return False
    wanted = {one.vaga for one in map(_offer, held)}
    shown = (*dialogue.offers, *dialogue.vitrine.todas)
    found = [one for one in shown if one.vaga in wanted]
    return any(sees_children_alone(one, dialogue.registro) for one in found)


def heard(utterance: str, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """The plan of a message that tells for whom what waits shall be booked, and for whom; None where it tells nothing of that."""
    wrong = corrected(utterance, dialogue)
    if wrong is not None:
        return wrong
    held, para = waiting(dialogue.pending), dialogue.para
    if held is None:
        over = handed_over(utterance, dialogue)
        return (over, None) if over is not None else told_ahead(utterance, dialogue)
    texts = Mensagens.of(held.idioma, dialogue)
    if held.nova or para is None:
        para = ParaQuem(held.talvez or texts.say("outra_pessoa"))
    sentence = read_sentence(utterance)
    own = _in_own_name(utterance, held, para, dialogue)
    if own is not None:
        return own
    settled = _of_the_two(utterance, held, para, dialogue) if held.talvez else None
    if settled is not None:
        return settled
    told = told_for(sentence, dialogue)
    if told is not None and not para.nome and not accord("para_ela").fullmatch(f"para {fold(told)}"):
        para = msgspec.structs.replace(para, quem=told)
    return _completed(read_who(utterance, para, dialogue), para, held, sentence, dialogue)


def _of_the_two(utterance: str, held: Guardado, para: ParaQuem, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """What is done where an answer only points at one of the two that what waits may be for; asked again where it only says yes."""
    texts, sentence = Mensagens.of(held.idioma, dialogue), read_sentence(utterance)
    if means_the_account(sentence, dialogue) or (means_me(sentence) and not speaker_named(utterance, dialogue)):
        return _booked(held, texts), None
    if means_the_other(sentence, held.talvez) or means_me(sentence):
        asked = Plan(pergunta=texts.say("de_quem_e", quem=held.talvez), idioma=held.idioma)
        return (asked, _kept(msgspec.structs.replace(held, talvez=""))), para
    if answer_in(sentence) == "sim":
        return (Plan(pergunta=_which_of_two(held, texts, utterance, dialogue), idioma=held.idioma), _kept(held)), None
    return None


def _completed(
    read: Contado, para: ParaQuem, held: Guardado, sentence: Frase, dialogue: Dialogue
) -> tuple[Planned, ParaQuem | None] | None:
    """What waits, booked for whoever is known now; else the question for what is missing."""
    texts, known = Mensagens.of(held.idioma, dialogue), read.para
    if known.pessoa is not None:
        return _booked(held, texts), known
    if held.sem_cpf and known.nome and not read.falha:
        return _in_speakers_name(held, known, texts, dialogue)
    memory = _kept(msgspec.structs.replace(held, nova=False, oferecido=False, talvez=""))
    if read.falha:
        return (Plan(pergunta=read.said(texts), idioma=held.idioma), memory), known
    answer = answer_in(sentence)
    if answer == "nao":
        return (Plan(fala=texts.say("nao_marquei_para", quem=para.quem), idioma=held.idioma), {}), None
    if known != para or answer == "sim" or _names_another(sentence):
        missing = "sem_cpf_nome" if held.sem_cpf else _missing(known)
        return (Plan(pergunta=texts.say(missing, quem=para.quem, nome=known.nome), idioma=held.idioma), memory), known
    return None


def _names_another(sentence: Frase) -> bool:
    return bool(accord("dependentes").search(sentence.text) or accord("para_ele").search(sentence.text))


def _in_own_name(utterance: str, held: Guardado, para: ParaQuem, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    """What is done where what waits shall be in the speaker's name, or is for the speaker; offered first where a CPF is not at hand."""
    texts, sentence = Mensagens.of(held.idioma, dialogue), read_sentence(utterance)
    known, told = read_who(utterance, para, dialogue).para, sentence.text
    if accord("cpf_depois").search(told):
        asked = Plan(pergunta=texts.say("sem_cpf_agora", quem=known.nome or known.quem), idioma=held.idioma)
        return (asked, _kept(msgspec.structs.replace(held, oferecido=True, nova=False))), known
    none = bool(accord("sem_cpf").search(told))
    stranger = speaker_named(utterance, dialogue)  # who says `pra mim` is not whom the conversation is of
    agreed = (accord("no_meu_nome").search(told) and not stranger) or (held.oferecido and answer_in(sentence) == "sim")
    if agreed or (none and known.nome):
        return _in_speakers_name(held, known, texts, dialogue)
    if none:
        memory = _kept(msgspec.structs.replace(held, sem_cpf=True, oferecido=False, nova=False))
        return (Plan(pergunta=texts.say("sem_cpf_nome", quem=known.quem), idioma=held.idioma), memory), known
    if (accord("para_mim").search(told) or (stranger and accord("no_meu_nome").search(told))) and not (
        _names_another(sentence) or _is_no_answer(told)
    ):
        return _for_who_speaks(stranger, held, texts)
    return None


def _for_who_speaks(stranger: str, held: Guardado, texts: Mensagens) -> tuple[Planned, ParaQuem | None]:
    """What waits, booked for the speaker; where that is not whom the conversation is of, name and CPF are asked for."""
    if not stranger:
        return _booked(held, texts), None
    asked = Plan(pergunta=texts.say("de_quem_e", quem=stranger), idioma=held.idioma)
    return (asked, _kept(msgspec.structs.replace(held, talvez="", nova=False))), ParaQuem(stranger)


def _is_no_answer(told: str) -> bool:
    """Whether `pra mim` is said of what is denied, or of one more: `pra mim também`."""
    return any(accord(group).search(told) for group in ("nao_para_mim", "comodo_para_mim")) or bool(intention("acrescentar").search(told))


def _in_speakers_name(held: Guardado, known: ParaQuem, texts: Mensagens, dialogue: Dialogue) -> tuple[Planned, ParaQuem | None] | None:
    if dialogue.paciente is None:
        return None
    named = texts.say("fica_em_seu_nome", nome=dialogue.paciente.nome, quem=called(known))
    return _booked(held, texts, named), msgspec.structs.replace(known, em_seu_nome=True)


def _kept(held: Guardado) -> dict[str, str]:
    return {KEY: msgspec.json.encode(held).decode()}


def _booked(held: Guardado, texts: Mensagens, named: str | None = None) -> Planned:
    """What waited, booked now; of the next that waits it is asked for whom that one is."""
    if not held.depois:
        return Plan(held.steps, fala=named, idioma=held.idioma), {}
    asked = texts.say("agora_a_outra", horario=texts.offer(_offer(held.depois[0])))
    following = Guardado(held.depois[:1], held.idioma, held.depois[1:], nova=True)
    return Plan(held.steps, pergunta=asked, fala=named, idioma=held.idioma), _kept(following)
