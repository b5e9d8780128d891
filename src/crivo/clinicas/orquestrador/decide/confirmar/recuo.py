"""Drawing back from what was proposed: a question that was not answered clearly is dropped, and a day that is held is kept.

Source: design, "Nothing irreversible on a guess". A yes takes only what the reply right before it asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Plan, Step
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import acts_of, question, told_of
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto, proposed
from crivo.clinicas.orquestrador.decide.responder.informacoes import find_question
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.acordo import draws_back
from crivo.clinicas.orquestrador.entende.criterios import Criterios, Hora, by_weekday, holds, holds_booking, over, without
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord, intention
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import offer_of

_SAY_THE_SAME: Final = ("dispensa", "negacao", "nada_mudou_e_tem", "nada_foi_feito", "nada_espera", "so_contado")


def heard(utterance: str, dialogue: Dialogue) -> Planned | None:
    """The plan of a message that keeps the day or the hour that is held while a change of it is spoken of; None where it does not."""
    held, others = _in_change(dialogue)
    sentence = read_sentence(utterance)
    if held is None or "?" in sentence.text or not accord("mantem").search(sentence.text):
        return None
    said = read(sentence, dialogue).leitura
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.desloca or said.referencias - {"este"}:
        return None
    told = without(said.criterios, "ordinais", "extremo", "ramos")
    if len(told.numeros) == 1 and not told.horas:  # `volta pro das 4`: nothing is numbered while a change waits
        hour = told.numeros[0] % 12
        told = over(without(told, "numeros"), Criterios(horas=(Hora((f"{hour:02d}:00", f"{hour + 12:02d}:00")),)))
    if not (told.dias or told.horas):
        return None
    kept = holds_booking(told, held, "") or holds_booking(by_weekday(told), held, "")
    if not kept or any(holds(told, one, "") for one in others):
        return None
    idioma = language_of(utterance, dialogue.utterances)
    texts = Mensagens.of(idioma, dialogue)
    return Plan(fala=texts.say("nada_feito_mudar", antes=texts.booking(held)), idioma=idioma), {}


def _in_change(dialogue: Dialogue) -> tuple[Booking | None, tuple[Offer, ...]]:
    """The one appointment that a change is spoken of, and where it may go."""
    waiting, pending = proposed(dialogue.pending), read_pending(dialogue.pending)
    if waiting is not None:
        acts = acts_of(waiting.steps)
        kind, old, new = acts[0]
        return (old, (offer_of(new),)) if len(acts) == 1 and kind == "mudar" else (None, ())
    changes = pending.assunto == "mudar_alvo" or (pending.assunto, pending.proposito) == ("listado", "mudar")
    return (pending.consulta, dialogue.offers) if changes else (None, ())


def settle_pending(made: Planned, utterance: str, dialogue: Dialogue) -> Planned:
    """What a message that was no answer leaves of a proposal.

    A question that could be answered is, with the proposal put again after it. After anything else the proposal is dropped, and told to be.
    """
    waiting, (plan, pending) = proposed(dialogue.pending), made
    if waiting is None or KEY in pending:
        return made
    texts = Mensagens.of(waiting.idioma, dialogue)
    lost = plan.pergunta == texts.say("nao_entendi")
    lost = lost or (not plan.steps and _only_asks_on(utterance, pending))
    if not lost and plan.steps and _adds_to(waiting, utterance):
        again = question(waiting.steps, texts, dialogue.bookings)
        told = "\n".join(one for one in (plan.pergunta, again) if one)
        return msgspec.structs.replace(plan, pergunta=told), {**pending, KEY: dialogue.pending[KEY]}
    if not lost and (plan.steps or plan.pergunta):
        left = tuple(step for step in waiting.steps if not _is_done(step, plan))
        told = told_of("deixei", left, texts, dialogue.bookings) if left else ""
        return msgspec.structs.replace(plan, fala="\n".join(one for one in (plan.fala, told) if one)), pending
    if not lost and _asks(utterance, dialogue):
        again = texts.say("ainda_nao", pergunta=question(waiting.steps, texts, dialogue.bookings))
        return msgspec.structs.replace(plan, pergunta=again), {**pending, KEY: dialogue.pending[KEY]}
    words = "" if plan.fala is None or any(plan.fala.startswith(texts.say(key)) for key in _SAY_THE_SAME) else plan.fala
    told = told_of("larguei", waiting.steps, texts, dialogue.bookings)
    return msgspec.structs.replace(
        plan, fala="\n".join(one for one in (words, told) if one), pergunta=None, recusa=plan.recusa if words else None
    ), _left(pending)


def _is_done(step: Step, plan: Plan) -> bool:
    """Whether a plan does what a proposed step would have done."""
    told = (step.clinic, step.action, step.parameters)
    return any((one.clinic, one.action, one.parameters) == told for one in plan.steps)


def _adds_to(waiting: Proposto, utterance: str) -> bool:
    """Whether a wish is for one more beside the bookings proposed, which are asked about once more then: `e também o das 10`."""
    books = all(kind == "marcar" for kind, *_ in acts_of(waiting.steps))
    return books and intention("acrescentar").search(read_sentence(utterance).text) is not None


def _only_asks_on(utterance: str, pending: Mapping[str, str]) -> bool:
    """Whether a message that puts off what was proposed would be asked on about the same appointment."""
    return accord("recua").search(read_sentence(utterance).text) is not None and not _left(pending) and bool(pending)


def _left(pending: Mapping[str, str]) -> dict[str, str]:
    """What is remembered once nothing is asked any more: of appointments nothing, so that no later yes is to them."""
    return {} if read_pending(pending).assunto in {"cancelar", "mudar", "mudar_alvo"} else dict(pending)


def _asks(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a message asks something, and does not hesitate in the same breath."""
    sentence = read_sentence(utterance)
    asked = "?" in sentence.text or find_question(read(sentence, dialogue), holds=bool(dialogue.bookings)) is not None
    return asked and not draws_back(sentence)
