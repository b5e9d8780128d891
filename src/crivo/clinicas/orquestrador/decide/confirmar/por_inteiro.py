"""What would be booked from a message that was not read whole is asked about: a word that nothing reads may turn the sense of the rest.

Source: design, "Nothing irreversible on a guess". It stands behind every planner; what was proposed before is not asked about twice.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Idioma, Offer, ParaQuem, Step
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import acts_of, question, undoing
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto, proposed
from crivo.clinicas.orquestrador.decide.escutado import orders_nothing
from crivo.clinicas.orquestrador.decide.outra_semana import takes_back
from crivo.clinicas.orquestrador.decide.pessoas.nomear import spoken_of_others
from crivo.clinicas.orquestrador.decide.responder.informacoes import find_question
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.acordo import begins_with_yes
from crivo.clinicas.orquestrador.entende.frase import blanked, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, reference
from crivo.clinicas.orquestrador.entende.mensagem import Mensagem, read
from crivo.clinicas.orquestrador.entende.pessoas.dados_pessoais import without_personal
from crivo.clinicas.orquestrador.entende.selecao import sees_children_alone
from crivo.clinicas.orquestrador.linguagem.botoes import slot_message
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import book, exchange
from crivo.clinicas.protocol import Slot
from crivo.kernel.linguagem.fala import fold

_WORD: Final = re.compile(r"\w+")
_ORDERS: Final = ("marcar", "querer", "apontar", "aceitar", "acrescentar", "polidez", "saudar", "agradecer", "vocativo", "qualquer")
_POINTS: Final = (
    "este",
    "o_outro",
    "destes",
    "o_de_baixo",
    "o_de_cima",
    "mesmo_dia",
    "mesma_hora",
    "mesmo_medico",
    "mesma_clinica",
    "outro_medico",
    "outra_clinica",
    "mulher",
    "homem",
)
_NOT_READ: Final = frozenset({"falha", "medico_desconhecido", "clinica_desconhecida", "ausente"})
_PEOPLE: Final = ("para_outro_direto", "para_mim", "eu_tambem", "dependentes")


def hold(made: Planned, para: ParaQuem | None, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan without what it books on a message of which words are left over, which is asked about together with what is held already."""
    plan, pending = made
    lists = any(step.ferramenta is VER_HORARIOS for step in plan.steps)
    booked = tuple(step for step in plan.steps if step.ferramenta is MARCAR and step not in undoing(plan.steps))
    beside = _held_beside(booked, para, utterance, dialogue) if proposed(pending) is None else None
    if beside is not None:
        return _asked_whether_both(made, booked[0], beside, utterance, dialogue)
    children = _for_children_alone(booked, dialogue)
    if not booked or (_was_proposed(booked, utterance, dialogue) and not children and not orders_nothing(utterance, dialogue)):
        return made
    doubted = _in_doubt(utterance, dialogue) or (len(booked) > 1 and spoken_of_others(para, utterance, dialogue))
    doubted = doubted or (takes_back(booked, dialogue) and not _tells_when(utterance, dialogue)) or orders_nothing(utterance, dialogue)
    if not doubted and not children and not left_over(utterance, para, dialogue, lists=lists):
        return made
    texts, held = Mensagens.of(plan.idioma, dialogue), proposed(pending)
    before = held.steps if held is not None else ()
    others = (plan.pergunta or "").removesuffix(question(before, texts, dialogue.bookings) if before else "").strip()
    asked = question((*before, *booked), texts, dialogue.bookings)
    waiting = msgspec.json.encode(Proposto((*before, *booked), fold(utterance), plan.idioma)).decode()
    kept = tuple(step for step in plan.steps if step not in booked)
    warned = [texts.say("atende_so_criancas", medico=one) for one in children]
    told = "\n".join(one for one in (others, *warned, asked) if one)
    return msgspec.structs.replace(plan, steps=kept, pergunta=told), {**pending, KEY: waiting}


def _held_beside(booked: tuple[Step, ...], para: ParaQuem | None, utterance: str, dialogue: Dialogue) -> Booking | None:
    """An appointment of the specialty that the same person holds already, where it is neither said to be one more nor told in full."""
    if len(booked) != 1 or dialogue.papel == "operador" or _is_told_in_full(utterance, dialogue):
        return None
    since = dialogue.utterances[dialogue.feito.turno :] if dialogue.feito is not None else ()
    if any(intention("acrescentar").search(read_sentence(one).text) for one in (*since, utterance)):
        return None
    wanted, whose = dialogue.registro.find(booked[0].clinic), (para.nome or para.quem) if para is not None else ""
    held = [one for one in dialogue.bookings if whose in {one.para, one.quem} and (whose or not one.para)]
    same = [one for one in held if wanted and (known := dialogue.registro.find(one.clinic)) and known.especialidade == wanted.especialidade]
    return same[-1] if same else None


def _is_told_in_full(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a message orders a booking and tells doctor, day and hour of it."""
    sentence = read_sentence(utterance)
    told = {one.field for one in read(sentence, dialogue).mencoes}
    return told >= {"medicos", "dias", "horas"} and intention("marcar").search(sentence.text) is not None


def _asked_whether_both(made: Planned, booked: Step, held: Booking, utterance: str, dialogue: Dialogue) -> Planned:
    """The question whether what is wished for is one more, or in the place of what is held."""
    plan, pending = made
    told, texts = booked.parameters, Mensagens.of(plan.idioma, dialogue)
    offer = Offer(booked.clinic, Slot(told["doctor"], "", told["date"], told["time"]))
    if _is_being_cancelled(held, dialogue):
        change = exchange(held, offer)
        asked, waiting = question(change, texts, dialogue.bookings), Proposto(change, fold(utterance), plan.idioma)
    else:
        asked = texts.say("mais_esta", antes=texts.booking(held), horario=texts.offer(offer))
        waiting = Proposto((booked,), fold(utterance), plan.idioma, exchange(held, offer))
    kept = tuple(step for step in plan.steps if step != booked)
    told_all = "\n".join(one for one in (plan.pergunta, asked) if one)
    return msgspec.structs.replace(plan, steps=kept, pergunta=told_all), {**pending, KEY: msgspec.json.encode(waiting).decode()}


def _is_being_cancelled(held: Booking, dialogue: Dialogue) -> bool:
    """Whether that appointment waits to be cancelled, with another wish in its place: `cancela essa e marca com o Breno`."""
    waiting = proposed(dialogue.pending)
    gone = acts_of(waiting.steps) if waiting is not None and waiting.depois is not None else []
    return any(kind == "cancelar" and old.vaga == held.vaga for kind, old, _ in gone)


def _tells_when(utterance: str, dialogue: Dialogue) -> bool:
    """Whether both a day and an hour are told."""
    return {"dias", "horas"} <= {one.field for one in read(utterance, dialogue).mencoes}


def _for_children_alone(booked: tuple[Step, ...], dialogue: Dialogue) -> tuple[str, ...]:
    """The doctors who see children alone, of what an operator books: whose age it is for is not known; a patient is asked who it is for."""
    if dialogue.papel != "operador":
        return ()
    wanted = {(step.clinic, *(step.parameters[key] for key in ("doctor", "date", "time"))) for step in booked}
    shown = [one for one in (*dialogue.offers, *dialogue.vitrine.todas) if one.vaga in wanted]
    return tuple(dict.fromkeys(one.slot.doctor for one in shown if sees_children_alone(one, dialogue.registro)))


def _in_doubt(utterance: str, dialogue: Dialogue) -> bool:
    """Whether what is taken was not told by its hour or number, out of a search that was told by what it must not be.

    Such a list may hold what was ruled out: `nada antes das 10`, read wrong once, and then `o mais cedo`.
    """
    told = [one.field for one in read(utterance, dialogue).mencoes]
    if "horas" in told or "numeros" in told:
        return False
    since = dialogue.utterances[dialogue.feito.turno :] if dialogue.feito is not None else dialogue.utterances
    return any(accord(f"vira_o_sentido_{language_of(one)}").search(read_sentence(one).text) for one in (*since, utterance))


def left_over(utterance: str, para: ParaQuem | None, dialogue: Dialogue, *, lists: bool = False) -> tuple[str, ...]:
    """The words of a message that are read as nothing that a booking needs: neither the slot, nor the order, nor courtesy, nor for whom.

    `lists` tells that it asks for a listing besides, in words of its own.
    """
    if any(fold(utterance.strip()) == fold(slot_message(offer, dialogue.registro)) for offer in dialogue.offers):
        return ()
    message = read(without_personal(read_sentence(utterance), dialogue), dialogue)
    asked = find_question(message, holds=bool(dialogue.bookings))
    rest = _without_what_is_read(read(asked.resto, dialogue) if asked else message, language_of(utterance, dialogue.utterances))
    names = _names(para, dialogue)
    if lists:
        rest = accord("ao_pedir_lista").sub(" ", rest)
    return tuple(word for word in _WORD.findall(rest) if word not in names)


def _without_what_is_read(message: Mensagem, idioma: Idioma) -> str:
    sentence = message.frase
    for mention in message.mencoes:
        if mention.field not in _NOT_READ:
            sentence = blanked(sentence, mention.start, mention.end)
    text = sentence.text
    for pattern in (
        *(intention(name) for name in _ORDERS),
        *(reference(name) for name in _POINTS),
        *(accord(name) for name in (*_PEOPLE, "sim", "sim_marcar", f"ao_marcar_{idioma}")),
    ):
        text = pattern.sub(" ", text)
    return text


def _names(para: ParaQuem | None, dialogue: Dialogue) -> frozenset[str]:
    """The words that name whom it is for, or the speaker."""
    told = [dialogue.paciente.nome] if dialogue.paciente else []
    told += [para.nome, para.quem] if para is not None else []
    return frozenset(word for one in told for word in _WORD.findall(fold(one)))


def _was_proposed(booked: tuple[Step, ...], utterance: str, dialogue: Dialogue) -> bool:
    """Whether it is the one slot that the last reply asked about, or a yes to the only one that it showed."""
    pending = read_pending(dialogue.pending)
    alone = dialogue.offers[0] if len(dialogue.offers) == 1 and begins_with_yes(read_sentence(utterance), "sim_marcar") else None
    slot = pending.proposta or alone
    return pending.perguntado and slot is not None and booked == (book(slot, booked[0].step_id),)
