"""A plan looked at again by what is heard in the message: a question about another day is no choice, and nothing understood is not all.

Nothing is booked, cancelled or changed here. Source: design, "What is said is learned, what is meant is computed".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned, proposed
from crivo.clinicas.orquestrador.decide.conversa import nothing_done
from crivo.clinicas.orquestrador.decide.embutido import together
from crivo.clinicas.orquestrador.decide.escutado import CERTEZA, answering, heard, orders_nothing
from crivo.clinicas.orquestrador.decide.listar import decide_list
from crivo.clinicas.orquestrador.decide.outro_momento import another_day
from crivo.clinicas.orquestrador.decide.responder.verdade import what_stands
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao, situation_of
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.pessoa import whom_to_call

_MORE_THAN_NOT: Final = 0.5
_MAY_BE: Final = 0.05


def looked_at_again(made: Planned, utterance: str, dialogue: Dialogue) -> Planned:
    """The plan, or what is of more use where what is heard tells that it missed the message; the same where nothing is heard."""
    told, plan = heard(utterance, dialogue), made[0]
    if not told:
        return made
    situacao = situation_of(dialogue, Mensagens.of(plan.idioma, dialogue))
    kinds = {step.action for step in plan.steps}
    if kinds == {MARCAR.name} and orders_nothing(utterance, dialogue) and _asks_what_else(told):
        saidas = _what_there_is(utterance, situacao)
    elif kinds == {VER_HORARIOS.name} and told["ato:outros"] >= CERTEZA and not plan.mais:
        saidas = _on_other_days(utterance, situacao)
    elif plan.pergunta == situacao.mensagens.say("nao_entendi") and proposed(dialogue.pending) is None and not plan.steps:
        saidas = _of_use(told, situacao)
    else:
        return made
    return together(saidas, situacao) if saidas else made


def _asks_what_else(told: Mapping[str, float]) -> bool:
    return max(told["ato:outros"], told["ato:listar"]) >= _MORE_THAN_NOT


def _what_there_is(utterance: str, situacao: Situacao) -> list[Saida]:
    """The listing of the moment that a message asks about, where it tells one: `e na sexta`, after one slot was proposed."""
    said = read(utterance, situacao.dialogue).leitura
    listed = decide_list(said, situacao) if said.criterios.dias or said.criterios.horas else Saida()
    return [listed] if listed.steps else []


def _on_other_days(utterance: str, situacao: Situacao) -> list[Saida]:
    """Other days than those shown, where no moment is told and they are asked for: `tem outro dia não? trabalho nesse`."""
    message = read(utterance, situacao.dialogue)
    told = message.campos & {"dias", "horas", "medicos", "clinicas", "especialidades"}
    asked = not told and intention("outro_dia").search(message.text) is not None
    return another_day(situacao) if asked else []


def _of_use(told: Mapping[str, float], situacao: Situacao) -> list[Saida]:
    """What answers the act that is surely meant; nothing where none is, or where it takes more than words or a listing."""
    act = max(_ANSWERS, key=lambda one: told[f"ato:{one}"])
    if told["ato:orientar"] > _MAY_BE:  # what only a doctor can answer, no reception can
        doctors = Saida(recusa="R3", fala=situacao.mensagens.say("R3"), pendente=situacao.pendente)
        return [doctors] if told["ato:orientar"] >= CERTEZA else []
    return _ANSWERS[act](situacao) if told[f"ato:{act}"] >= CERTEZA else []


def _what_is_held(situacao: Situacao) -> list[Saida]:
    """What is held and was done; nothing where nothing was, so that a question of something else is not taken for one of it."""
    begun = bool(situacao.bookings) or situacao.dialogue.feito is not None
    return [what_stands(situacao)] if begun else []


def _reception_knows(situacao: Situacao) -> list[Saida]:
    texts = situacao.mensagens
    phones = whom_to_call(texts.idioma, texts.registro)
    asked = texts.say("sabe_a_recepcao", telefones=f"{phones} " if phones else "")
    return [Saida(pergunta=asked, recusa="escopo", pendente=situacao.pendente)]


def _courtesy(situacao: Situacao) -> list[Saida]:
    done = answering(situacao.dialogue) == "feito"
    return [Saida(fala=situacao.mensagens.say("agradecimento"), pendente=situacao.pendente)] if done else []


_ANSWERS: Final[Mapping[str, Callable[[Situacao], list[Saida]]]] = {
    "minhas": _what_is_held,
    "conferir": _what_is_held,
    "informar": _reception_knows,
    "outros": another_day,
    "desistir": lambda situacao: [nothing_done("dispensa", situacao)],
    "social": _courtesy,
}
