"""Taking back what was just cancelled or changed: the slot is booked again while it is free, for ten minutes.

Source: design, "Nothing irreversible on a guess". What is said of it is read from what was done.
"""

from __future__ import annotations

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Feito, Plan, Step
from crivo.clinicas.orquestrador.decide.confirmar.arrependimento import after_booking
from crivo.clinicas.orquestrador.decide.confirmar.devolver import (
    can_come,
    is_plain,
    listings,
    named_back,
    propose,
    too_late,
    which_of_several,
)
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.criterios import VAZIO
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.feito import given_back
from crivo.clinicas.orquestrador.mensagens import Mensagens


def heard(utterance: str, dialogue: Dialogue) -> Planned | None:
    """The plan of a message that takes back what was done last; None where it does not."""
    sentence = read_sentence(utterance)
    texts = Mensagens.of(language_of(utterance, dialogue.utterances), dialogue)
    done, whole = dialogue.feito, consists_of(sentence.text, "desfazer", "nao", "resto")
    plainly = done is not None and is_plain(sentence, done, dialogue)
    if done is not None and done.volta and whole and plainly:
        return _back(done, texts, dialogue)
    named = named_back(utterance, sentence, dialogue, texts)
    if named is not None:
        return named
    takes_back = done is not None and bool(done.volta) and (whole or _takes_back(sentence, dialogue))
    if done is not None and takes_back and plainly:
        return which_of_several(sentence, done, dialogue, texts) or _back(done, texts, dialogue)
    if done is not None and done.volta and (_may_mean(sentence, done, dialogue) or (takes_back and _in_time(done, dialogue))):
        return propose(given_back(done.volta, done), utterance, texts)
    taken_back = after_booking(utterance, sentence, dialogue, texts)
    if taken_back is not None:
        return taken_back
    orders = whole and bool(accord("ordena_desfazer").search(sentence.text))
    return _nothing_more(done, utterance, dialogue, texts) if orders and (done is None or done.ato != "marcou") else None


def in_place_of(plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> tuple[Step, ...]:
    """The listings of other slots where one that should be given back was taken by somebody meanwhile."""
    taken = {reply.clinic for reply in replies if reply.error is not None and reply.error.codigo is not None}
    return listings(tuple(one for one in given_back(plan.steps, dialogue.feito) if one.consulta.clinic in taken))


def _back(done: Feito, texts: Mensagens, dialogue: Dialogue) -> Planned:
    if done.ate is not None and dialogue.now <= done.ate:
        return Plan(done.volta, idioma=texts.idioma), {}
    return too_late(given_back(done.volta, done), texts)


def _nothing_more(done: Feito | None, utterance: str, dialogue: Dialogue, texts: Mensagens) -> Planned:
    """That nothing is left to undo; where only a part came back, the question about the rest."""
    left = tuple(one for one in (done.restam if done is not None else ()) if dialogue.now <= one.ate)
    if left and done is not None and done.ato == "desfez" and can_come(left, dialogue):
        return propose(left, utterance, texts)
    return Plan(fala=texts.say("nada_para_desfazer"), idioma=texts.idioma), {}


def _takes_back(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether a message that names nothing takes it back in other words besides."""
    if "?" in sentence.text or not accord("desfazer").search(sentence.text) or accord("hesita").search(sentence.text):
        return False
    message = read(sentence, dialogue)
    said = message.nomeado
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.ausentes or said.criterios != VAZIO:
        return False
    return not any(act.has_verb and act.tipo != "cancelar" for act in message.atos)


def _may_mean(sentence: Frase, done: Feito, dialogue: Dialogue) -> bool:
    """Whether right after it something is said that may take it back, and may only end the talk: `deixa pra lá`."""
    right_after = done.turno == len(dialogue.utterances)
    return _in_time(done, dialogue) and right_after and consists_of(sentence.text, "talvez_desfazer", "resto")


def _in_time(done: Feito, dialogue: Dialogue) -> bool:
    return done.ate is not None and dialogue.now <= done.ate
