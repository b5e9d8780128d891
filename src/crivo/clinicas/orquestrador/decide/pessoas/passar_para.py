"""Where it turns out right after a booking that it is for somebody else than it was booked for: it is told to stand, and in whose name.

One that shall be the speaker's is cancelled and booked again in one go, after a yes. Source: design, "Who the appointment is for".
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, ParaQuem, Plan
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import question
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import for_me, names_told
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import book, cancel, offer_of
from crivo.kernel.linguagem.fala import fold

ONLY_FOR_ME: Final = ("para_mim", "para_ela", "para_outro", "liga_quem", "corrige_quem", "nao", "sim", "resto")
"""The groups of words of a message that only says that it is for the speaker."""


def told_too_late(made: Planned, utterance: str, para: ParaQuem | None, dialogue: Dialogue) -> Planned:
    """What is said where it turns out, right after a booking in the speaker's name, that it is for somebody else."""
    plan, sentence = made[0], read_sentence(utterance)
    seeks = any(one.field != "ramos" for one in read(sentence, dialogue).mencoes)  # a child is somebody
    only_lists = all(step.ferramenta is VER_HORARIOS for step in plan.steps) and not seeks
    last = just_booked_in_own_name(utterance, dialogue)
    if para is None or para == dialogue.para or not only_lists or last is None:
        return made
    texts = Mensagens.of(plan.idioma, dialogue)
    return Plan(fala=texts.say("ja_em_seu_nome", horario=texts.booking(last), quem=para.quem), idioma=plan.idioma), {}


def just_booked_in_own_name(utterance: str, dialogue: Dialogue) -> Booking | None:
    """The appointment that the last turn booked in the speaker's name, where a message says that it is for somebody else."""
    sentence = read_sentence(utterance)
    told = accord("para_outro_direto").search(sentence.text) or names_told(sentence, dialogue)
    return booked_last_in_own_name(dialogue) if told else None


def booked_last_in_own_name(dialogue: Dialogue) -> Booking | None:
    """The appointment that the last turn booked in the speaker's name."""
    done = dialogue.feito
    if done is None or done.ato != "marcou" or done.turno != len(dialogue.utterances):
        return None
    return next((one for one in dialogue.bookings if not one.para and one.vaga == done.consultas[-1].vaga), None)


def handed_over(utterance: str, dialogue: Dialogue) -> Planned | None:
    """The proposal to book in the speaker's name what was just booked for somebody else; None where a message does not ask for that."""
    sentence, done = read_sentence(utterance), dialogue.feito
    corrects = for_me(sentence) and any(accord(name).search(sentence.text) for name in ("corrige_quem", "nao"))
    if not corrects or "?" in sentence.text or not consists_of(sentence.text, *ONLY_FOR_ME):
        return None
    if done is None or done.ato != "marcou" or dialogue.papel == "operador":
        return None
    last = next((one for one in dialogue.bookings if one.para and one.vaga == done.consultas[-1].vaga), None)
    if last is None:
        return None
    texts = Mensagens.of(language_of(utterance, dialogue.utterances), dialogue)
    steps = (cancel(last, 1), book(offer_of(last), 2, (1,)))
    waiting = msgspec.json.encode(Proposto(steps, fold(utterance), texts.idioma)).decode()
    return Plan(pergunta=question(steps, texts, dialogue.bookings), idioma=texts.idioma), {KEY: waiting}
