"""Taking back what was just cancelled or changed: the slot is booked again while it is free, for ten minutes.

Source: design, "Nothing irreversible on a guess". What is said of it is read from what was done.
"""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Feito, Plan, Step
from crivo.clinicas.orquestrador.linguagem.botoes import DESFAZER
from crivo.clinicas.orquestrador.linguagem.folding import fold
from crivo.clinicas.orquestrador.planner.acordo import consists_of
from crivo.clinicas.orquestrador.planner.arrependimento import after_booking
from crivo.clinicas.orquestrador.planner.atos import find_acts
from crivo.clinicas.orquestrador.planner.confirmacao import question
from crivo.clinicas.orquestrador.planner.criterios import VAZIO, Criterios, holds_booking
from crivo.clinicas.orquestrador.planner.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.planner.idioma import language_of
from crivo.clinicas.orquestrador.planner.leitura import read_stretch
from crivo.clinicas.orquestrador.planner.lexico import accord
from crivo.clinicas.orquestrador.planner.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens
from crivo.clinicas.orquestrador.planner.proposta import KEY, Planned, Proposto
from crivo.clinicas.orquestrador.planner.situacao import Pendente, write_pending
from crivo.clinicas.protocol import ClinicReply


def heard(utterance: str, dialogue: Dialogue) -> Planned | None:
    """The plan of a message that takes back what was done last; None where it does not."""
    sentence = read_sentence(utterance)
    texts = Mensagens(language_of(utterance, dialogue.utterances), dialogue.registro, dialogue.papel)
    done, whole = dialogue.feito, consists_of(sentence.text, "desfazer", "nao", "resto")
    takes_back = done is not None and bool(done.volta) and (whole or _takes_back(sentence, done, dialogue))
    plainly = done is not None and (done.turno == len(dialogue.utterances) or accord("ordena_desfazer").search(sentence.text) is not None)
    if done is not None and takes_back and plainly:
        return _back(done, texts, dialogue)
    if done is not None and done.volta and (_may_mean(sentence, done, dialogue) or (takes_back and _in_time(done, dialogue))):
        waiting = msgspec.json.encode(Proposto(done.volta, fold(utterance), texts.idioma)).decode()
        return Plan(pergunta=question(done.volta, texts, done.consultas), idioma=texts.idioma), {KEY: waiting}
    taken_back = after_booking(utterance, sentence, dialogue, texts)
    if taken_back is not None:
        return taken_back
    if whole and fold(utterance.strip()) == fold(DESFAZER) and (done is None or done.ato != "marcou"):
        return Plan(fala=texts.say("nada_para_desfazer"), idioma=texts.idioma), {}
    return None


def in_place_of(plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> tuple[Step, ...]:
    """The listings of other slots where one that should be given back was taken by somebody meanwhile."""
    if dialogue.feito is None or not plan.steps or plan.steps != dialogue.feito.volta:
        return ()
    taken = {reply.clinic for reply in replies if reply.error is not None and reply.error.codigo is not None}
    return _listings([one for one in dialogue.feito.consultas if one.clinic in taken])


def _back(done: Feito, texts: Mensagens, dialogue: Dialogue) -> Planned:
    if done.ate is not None and dialogue.now <= done.ate:
        return Plan(done.volta, idioma=texts.idioma), {}
    told = texts.say("tarde_para_desfazer", lista=texts.bookings(done.consultas))
    memory = write_pending(Pendente("listado", Criterios(medicos=tuple((one.doctor,) for one in done.consultas))))
    return Plan(_listings(list(done.consultas)), fala=told, idioma=texts.idioma), memory


def _listings(bookings: list[Booking]) -> tuple[Step, ...]:
    wanted = dict.fromkeys((one.clinic, one.doctor) for one in bookings)
    return tuple(Step(index, clinic, "list_available_slots", {"doctor": doctor}) for index, (clinic, doctor) in enumerate(wanted, 1))


def _takes_back(sentence: Frase, done: Feito, dialogue: Dialogue) -> bool:
    """Whether a message takes it back in other words besides: `mudei de ideia, quero a do Dr. Ciro mesmo`."""
    if "?" in sentence.text or not accord("desfazer").search(sentence.text) or accord("hesita").search(sentence.text):
        return False
    context = context_of(dialogue)
    said = read_stretch(sentence, find_mentions(sentence, context), 0, len(sentence.text), negation=False)
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.ausentes:
        return False
    if said.criterios != VAZIO:
        return any(_fits(said.criterios, one, dialogue) for one in done.consultas)
    return not any(act.has_verb and act.tipo != "cancelar" for act in find_acts(sentence, context))


def _fits(told: Criterios, booking: Booking, dialogue: Dialogue) -> bool:
    clinica = dialogue.registro.find(booking.clinic)
    return holds_booking(told, booking, clinica.especialidade if clinica else "")


def _may_mean(sentence: Frase, done: Feito, dialogue: Dialogue) -> bool:
    """Whether right after it something is said that may take it back, and may only end the talk: `deixa pra lá`."""
    right_after = done.turno == len(dialogue.utterances)
    return _in_time(done, dialogue) and right_after and consists_of(sentence.text, "talvez_desfazer", "resto")


def _in_time(done: Feito, dialogue: Dialogue) -> bool:
    return done.ate is not None and dialogue.now <= done.ate
