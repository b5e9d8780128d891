"""Who plans a turn, and what is done of the plan: code refuses first, a model proposes, code decides, and plans where the model does not.

Source: design, Planner ("what runs with no key and when the model is down").
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem, Plan, Planner, Value
from crivo.clinicas.orquestrador.decide import embutido
from crivo.clinicas.orquestrador.decide.confirmar import confirmacao, desfazer, o_que_falta, por_inteiro, proposta, recuo
from crivo.clinicas.orquestrador.decide.confirmar.devolver import asks_which
from crivo.clinicas.orquestrador.decide.modelo.conferencia import settle
from crivo.clinicas.orquestrador.decide.pessoas import cpf_proprio, para_quem
from crivo.clinicas.orquestrador.decide.pessoas.aparte import Aparte, set_apart
from crivo.clinicas.orquestrador.decide.pessoas.nome_na_pergunta import with_the_name
from crivo.clinicas.orquestrador.decide.pessoas.nomear import with_whom
from crivo.clinicas.orquestrador.decide.pessoas.passar_para import told_too_late
from crivo.clinicas.orquestrador.decide.pessoas.uma_pessoa_por_vez import Vez, answered, whose_turn, with_the_next
from crivo.clinicas.orquestrador.decide.plan_check import asked_specialties, check_plan
from crivo.clinicas.orquestrador.decide.responder.informacoes import find_question
from crivo.clinicas.orquestrador.decide.responder.recusas import find_refusal
from crivo.clinicas.orquestrador.decide.responder.sem_promessa import unclaimed
from crivo.clinicas.orquestrador.decide.segunda_leitura import looked_at_again
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import spoken_for
from crivo.clinicas.orquestrador.linguagem.botoes import dropped
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import unreadable
from crivo.clinicas.orquestrador.trace import FalhaDoModelo, Report
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.settings import Planejador

_UNREAD = frozenset({"ilegivel", "fora_do_formato"})


class Decidido(Value, frozen=True):
    """The plan of a turn, what to remember, what the check mended, who planned, and why it was not the model that was chosen to."""

    plan: Plan
    pending: dict[str, str]
    achados: tuple[Report, ...] = ()
    autor: Planejador = "embutido"
    falha: FalhaDoModelo | None = None
    para: ParaQuem | None = None


async def decide(planner: Planner, planejador: Planejador, utterance: str, dialogue: Dialogue) -> Decidido:
    """The plan of a turn by the planner that was chosen, or by the embedded one in the same turn where that one's does not stand.

    Code alone hears whether what was proposed is agreed to, and nothing is cancelled or changed before it is.
    """
    vez = whose_turn(utterance, dialogue)
    said = set_apart(vez.texto, vez.dialogue)
    fresh = _unasked(vez, said)
    return _without_a_plan(vez, said) or _finished(await _planned(planner, planejador, said.texto, fresh), vez, said)


def decide_by_code(utterance: str, dialogue: Dialogue) -> Decidido:
    """The same where no model is asked: a function of its arguments alone."""
    vez = whose_turn(utterance, dialogue)
    said = set_apart(vez.texto, vez.dialogue)
    fresh = _unasked(vez, said)
    return _without_a_plan(vez, said) or _finished(_checked(embutido.plan(said.texto, fresh), said.texto, fresh), vez, said)


def _without_a_plan(vez: Vez, said: Aparte) -> Decidido | None:
    """What is decided before anybody plans: whose turn it is among several, and an answer to what was asked."""
    known = _of_several(vez) or _answered(said)
    return _and_the_next(known, vez) if known is not None else None


def _unasked(vez: Vez, said: Aparte) -> Dialogue:
    """The conversation with nothing waiting for an answer, as it is planned in."""
    return msgspec.structs.replace(said.dialogue, pending=_plain(vez.dialogue.pending))


def _finished(planned: Decidido, vez: Vez, said: Aparte) -> Decidido:
    return _and_the_next(_held_back(planned, said), vez)


def _of_several(vez: Vez) -> Decidido | None:
    told = answered(vez)
    return _as_agreed(told, vez.dialogue, vez.dialogue.para) if told is not None else None


def _and_the_next(decided: Decidido, vez: Vez) -> Decidido:
    if vez.dialogue.papel != "operador":
        named = with_whom(decided.plan, decided.pending, decided.para, vez.texto, vez.dialogue)
        decided = msgspec.structs.replace(decided, plan=named)
    plan, pending = with_the_name(with_the_next((decided.plan, decided.pending), vez), vez.dialogue)
    return msgspec.structs.replace(decided, plan=plan, pending=pending)


def _plain(pending: Mapping[str, str]) -> dict[str, str]:
    """What a dialogue remembers in the planner's own terms."""
    return {name: value for name, value in pending.items() if name not in {proposta.KEY, para_quem.KEY, cpf_proprio.KEY}}


def _answered(said: Aparte) -> Decidido | None:
    """What code alone hears: for whom something is, the answer to what was proposed, that what was just done shall be taken back."""
    utterance, dialogue = said.texto, said.dialogue
    if dropped(utterance):
        return None  # `Tirar: só à tarde` is of what is looked for, and never a yes to a cancelling
    told = para_quem.heard(utterance, dialogue) if said.contado is None else None  # a person set apart is told with a wish
    if told is not None:
        return _as_agreed(o_que_falta.go_on(told[0], utterance, dialogue), dialogue, told[1])
    agreed = recuo.heard(utterance, dialogue) or confirmacao.heard(utterance, dialogue)
    if agreed is None and (proposta.proposed(dialogue.pending) is None or asks_which(dialogue)):
        agreed = desfazer.heard(utterance, dialogue)
    return _as_agreed(o_que_falta.go_on(agreed, utterance, dialogue), dialogue, dialogue.para) if agreed is not None else None


def _as_agreed(answered: proposta.Planned, dialogue: Dialogue, para: ParaQuem | None) -> Decidido:
    plan, achados = check_plan(answered[0], dialogue.registro)
    return Decidido(plan, answered[1], achados, para=para)


def _held_back(decided: Decidido, said: Aparte) -> Decidido:
    """What was decided, with what it would cancel, change or book for somebody unknown asked about first."""
    utterance, dialogue = said.texto, said.dialogue
    made = confirmacao.hold(looked_at_again((decided.plan, decided.pending), utterance, dialogue), utterance, dialogue)
    made, para = para_quem.hold(made, spoken_for(utterance, dialogue), utterance, dialogue, said.contado)
    made = para_quem.still_held(told_too_late(made, utterance, para, dialogue), utterance, dialogue)
    made = por_inteiro.hold(made, para, utterance, dialogue)
    plan, pending = o_que_falta.go_on(recuo.settle_pending(made, utterance, dialogue), utterance, dialogue)
    return msgspec.structs.replace(decided, plan=unclaimed(plan, utterance, dialogue), pending=pending, para=para)


async def _planned(planner: Planner, planejador: Planejador, utterance: str, dialogue: Dialogue) -> Decidido:
    """What the planner that was chosen makes of a message, or the embedded one in its place."""
    if planejador == "embutido":
        return _checked(await planner.plan(utterance, dialogue), utterance, dialogue)
    own = embutido.plan(utterance, dialogue)
    if own[0].pergunta == Mensagens.of(own[0].idioma, dialogue).say("dificil_de_ler"):
        return Decidido(*own)
    message = read(utterance, dialogue)
    if dropped(utterance) or find_refusal(message.frase, dialogue) or find_question(message, holds=bool(dialogue.bookings)):
        return _checked(own, utterance, dialogue)  # what code refuses, or answers from the registry, no model is asked about
    try:
        proposed, pending = await planner.plan(utterance, dialogue)
    except ModeloIndisponivel as failed:
        return _in_its_place(own, utterance, dialogue, failed.falha)
    if proposed.emergencia is not None:  # a model may add an alarm, and silence none
        return Decidido(proposed, {}, autor=planejador)
    settled = settle(proposed, pending, own, utterance, dialogue)
    if settled.plan is None:
        instead = _in_its_place(own, utterance, dialogue, "plano_recusado")
        return msgspec.structs.replace(instead, achados=(*settled.achados, *instead.achados))
    return Decidido(settled.plan, settled.pending, settled.achados, planejador)


def _checked(made: tuple[Plan, dict[str, str]], utterance: str, dialogue: Dialogue) -> Decidido:
    specialties = asked_specialties(utterance, dialogue) if made[0].steps else ()
    plan, achados = check_plan(made[0], dialogue.registro, specialties)
    return Decidido(plan, made[1], achados)


def _in_its_place(own: tuple[Plan, dict[str, str]], utterance: str, dialogue: Dialogue, falha: FalhaDoModelo) -> Decidido:
    """The embedded planner's plan. Where that one understood nothing either, an answer that could not be read is a `raw_response` step.

    Source: blueprint 2.3.1, fallback.
    """
    decided = msgspec.structs.replace(_checked(own, utterance, dialogue), falha=falha)
    if falha not in _UNREAD:
        return decided
    achados = (*decided.achados, Report("json_ilegivel"))
    if decided.plan.steps or decided.plan.pergunta != Mensagens.of(decided.plan.idioma, dialogue).say("nao_entendi"):
        return msgspec.structs.replace(decided, achados=achados)
    asked = msgspec.structs.replace(decided.plan, steps=(unreadable(),))
    return msgspec.structs.replace(decided, plan=asked, achados=achados)
