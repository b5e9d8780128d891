"""What a message comes to: what is tried of it, in order, and then of each of its acts."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.decide.buscas import held_to_preferences
from crivo.clinicas.orquestrador.decide.cancelar import as_an_answer
from crivo.clinicas.orquestrador.decide.continuar import decide_more, decide_numbers
from crivo.clinicas.orquestrador.decide.conversa import not_understood, own_bookings, says_nothing, small_talk
from crivo.clinicas.orquestrador.decide.correcao import (
    without_a_booking,
    without_what_stays,
)
from crivo.clinicas.orquestrador.decide.ordem import answer_about, orders_in
from crivo.clinicas.orquestrador.decide.outra_semana import counted_on
from crivo.clinicas.orquestrador.decide.outro_momento import decide_other_moment
from crivo.clinicas.orquestrador.decide.pessoas.de_quem import asks_of_the_patient, nothing_of, of_whom
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import for_another
from crivo.clinicas.orquestrador.decide.por_especialidade import by_specialty
from crivo.clinicas.orquestrador.decide.responder.informacoes import Pedido, find_question
from crivo.clinicas.orquestrador.decide.responder.informar import inform
from crivo.clinicas.orquestrador.decide.responder.o_que_tenho import asks_what_is_held, decide_lost_code, decide_truth, what_is_held
from crivo.clinicas.orquestrador.decide.responder.pacientes import decide_patients
from crivo.clinicas.orquestrador.decide.responder.quadro import decide_doctors
from crivo.clinicas.orquestrador.decide.responder.recusas import Recusa, find_refusal
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.decide.tabela import Pedida, decide_act
from crivo.clinicas.orquestrador.decide.tirar import decide_drop
from crivo.clinicas.orquestrador.entende.atos import Ato, sharing_the_day
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, without
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked
from crivo.clinicas.orquestrador.entende.juntar import belonging_together, with_complaints
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.mensagem import Mensagem, read
from crivo.clinicas.orquestrador.entende.pessoas.dados_pessoais import without_personal


class Ouvida(msgspec.Struct, frozen=True):
    """A message in its situation, with the refusal that it calls for."""

    mensagem: Mensagem
    situacao: Situacao
    recusa: Recusa | None

    @property
    def frase(self) -> Frase:
        """The sentence as it is read."""
        return self.mensagem.frase

    def question_in(self, message: Mensagem) -> Pedido | None:
        """What a message, or what is left of this one, asks of the clinics."""
        return find_question(message, holds=bool(self.situacao.bookings))


def decide_message(sentence: Frase, situacao: Situacao) -> list[Saida]:
    """What a message comes to; never empty."""
    heard = Ouvida(read(sentence, situacao.dialogue), situacao, find_refusal(sentence, situacao.dialogue))
    return next(decision for decide in MESSAGES if (decision := decide(heard)))


def _taken_out(heard: Ouvida) -> list[Saida]:
    return decide_drop(heard.frase.original, heard.situacao)


def _lost_code(heard: Ouvida) -> list[Saida]:
    return _one(decide_lost_code(heard.frase, heard.situacao))


def _refused_whole(heard: Ouvida) -> list[Saida]:
    return [_refuse(heard.recusa, heard.situacao)] if heard.recusa and heard.recusa.whole else []


def _held_beside_a_diagnosis(heard: Ouvida) -> list[Saida]:
    """What is held, where it is asked in words that would ask a doctor besides."""
    refused = heard.recusa
    if refused is None or refused.motivo != "R3" or not asks_what_is_held(heard.frase, heard.situacao):
        return []
    return what_is_held(heard.situacao, _refuse(refused, heard.situacao))


def _of_the_patient(heard: Ouvida) -> list[Saida]:
    asks = heard.recusa is None and asks_of_the_patient(heard.frase, heard.situacao.dialogue)
    return [own_bookings(heard.situacao)] if asks else []


def _of_what_was_done(heard: Ouvida) -> list[Saida]:
    if heard.recusa is not None and heard.recusa.motivo != "escopo":
        return []
    situacao = heard.situacao
    return _one(decide_truth(heard.frase, situacao) or answer_about(heard.mensagem.atos, heard.frase, situacao))


def _refused_in_part(heard: Ouvida) -> list[Saida]:
    """What is asked beside what is refused, and the refusal after it."""
    if heard.recusa is None:
        return []
    sentence, situacao = heard.frase, heard.situacao
    start, end = _clause(sentence.text, heard.recusa)
    rest = blanked(sentence, start, end + sentence.text.startswith("?", end))
    asked = heard.question_in(read(rest, situacao.dialogue))
    rest = asked.resto if asked else rest
    kept = [act for act in orders_in(read(rest, situacao.dialogue).atos, rest) if _is_plain(act)]
    done = _acts(rest, kept, situacao)
    return [*([inform(asked, situacao, done)] if asked else []), *done, _refuse(heard.recusa, situacao)]


def _numbers(heard: Ouvida) -> list[Saida]:
    return _one(decide_numbers(heard.frase, heard.situacao))


def _of_clinics(heard: Ouvida) -> list[Saida]:
    """The answer about the clinics themselves, beside what else is asked."""
    situacao = heard.situacao
    asked = heard.question_in(_without_personal(heard))
    if asked is None:
        return []
    beside = [saida for saida in _understood(asked.resto, situacao) if _does(saida, situacao)] if asked.resto.words else []
    return [inform(asked, situacao, beside), *beside]


def _of_appointments(heard: Ouvida) -> list[Saida]:
    sentence = _without_personal(heard).frase
    return [*_of_nearness(sentence, heard.situacao), *_understood(sentence, heard.situacao)]


MESSAGES: Final = (
    _taken_out,
    _lost_code,
    _refused_whole,
    _held_beside_a_diagnosis,
    _of_the_patient,
    _of_what_was_done,
    _refused_in_part,
    _numbers,  # before figures in a row are taken for a telephone's
    _of_clinics,
    _of_appointments,
)
"""What is tried of a message, in order; the first that comes to anything is the decision."""


def _one(saida: Saida | None) -> list[Saida]:
    return [] if saida is None else [saida]


def _without_personal(heard: Ouvida) -> Mensagem:
    dialogue = heard.situacao.dialogue
    return read(without_personal(heard.frase, dialogue), dialogue)


def _of_nearness(sentence: Frase, situacao: Situacao) -> list[Saida]:
    """That it is not known what is near, where something near a place is asked for."""
    asks = intention("perto_de").search(sentence.text)
    return [Saida(fala=situacao.mensagens.say("perto_nao_sei"), pendente=situacao.pendente)] if asks else []


def _does(saida: Saida, situacao: Situacao) -> bool:
    """Whether it is more than courtesy or a question what was meant, which a question about a clinic already is not."""
    return bool(saida.steps or (saida.pergunta and saida.pergunta != situacao.mensagens.say("nao_entendi")))


def _understood(sentence: Frase, situacao: Situacao) -> list[Saida]:
    """What a message about appointments comes to; never empty."""
    acts = orders_in(read(sentence, situacao.dialogue).atos, sentence)
    return next((decision for decide in TALK if (decision := decide(sentence, acts, situacao))), [not_understood(sentence, situacao)])


def _who_works_there(sentence: Frase, _: list[Ato], situacao: Situacao) -> list[Saida]:
    return _one(decide_doctors(sentence, situacao)) if situacao.dialogue.papel == "paciente" else []


def _of_the_one_served(sentence: Frase, _: list[Ato], situacao: Situacao) -> list[Saida]:
    asked = situacao.dialogue.papel == "operador" and intention("dele").search(sentence.text)
    return [own_bookings(situacao)] if asked else []


def _orders(sentence: Frase, acts: list[Ato], situacao: Situacao) -> list[Saida]:
    return _acts(sentence, [act for act in acts if not says_nothing(act, sentence, situacao)], situacao)


TALK: Final = (
    decide_more,
    lambda sentence, _, situacao: decide_other_moment(sentence, situacao),
    _who_works_there,
    lambda sentence, acts, situacao: _one(decide_patients(sentence, situacao, acts)),
    _of_the_one_served,
    lambda sentence, acts, situacao: _one(small_talk(sentence, acts, situacao)),
    _orders,
)
"""What is tried of a message about appointments, in order; the first that comes to anything is the decision."""


def _refuse(refused: Recusa, situacao: Situacao) -> Saida:
    return Saida(recusa=refused.motivo, fala=situacao.mensagens.say(refused.motivo), pendente=situacao.pendente)


_CLAUSE_BEGINS: Final = re.compile(r"[,.;!?]|\b(?:e|mas|and|but|y|pero)\b")
_CLAUSE_ENDS: Final = re.compile(
    r"[.;!?]|,\s*(?:quero|queria|marca|agenda|tem|gostaria|preciso)\b|\b(?:e|mas|and|but|y|pero)\s+(?:quero|queria|"
    r"marca|agenda|cancela|remarca|gostaria|book|want)\b"
)


def _clause(text: str, refused: Recusa) -> tuple[int, int]:
    """The clause that what is refused stands in."""
    before = [match.start() for match in _CLAUSE_BEGINS.finditer(text, 0, refused.start)]
    after = _CLAUSE_ENDS.search(text, refused.end)
    return (before[-1] if before else 0), (after.start() if after else len(text))


def _is_plain(act: Ato) -> bool:
    """Whether an act beside something refused is asked for in so many words, so that it is done all the same."""
    criterios = act.leitura.criterios
    told = bool(
        (criterios.medicos or criterios.clinicas) and (criterios.dias or criterios.horas or criterios.ordinais or criterios.extremo)
    )
    return (
        told
        or act.tipo in {"cancelar", "mudar"}
        or (act.tipo != "escolher" and criterios.has_scope)
        or (act.has_verb and not criterios.is_empty)
    )


def _acts(sentence: Frase, acts: list[Ato], situacao: Situacao) -> list[Saida]:
    saidas: list[Saida] = []
    inherited = VAZIO
    whole = with_complaints(without_what_stays(belonging_together(acts, sentence), situacao))
    parted = [one for act in whole for one in by_specialty(sentence, act, situacao)]
    for act in sharing_the_day([counted_on(as_an_answer(one, sentence, situacao), situacao) for one in parted]):
        done = nothing_of(sentence, act, situacao) or _decided(sentence, act, situacao, inherited)
        saidas.append(held_to_preferences(done, act.leitura.criterios, situacao))
        if act.leitura.criterios.has_scope:
            inherited = _scope(act.leitura.criterios)
    return [saida for saida in saidas if not _is_needless(saida, saidas, situacao)]


def _decided(sentence: Frase, act: Ato, situacao: Situacao, inherited: Criterios) -> Saida:
    """What an act comes to, of the appointments of whom it is of."""
    act, situacao = for_another(sentence, act, of_whom(sentence, act, situacao))
    return decide_act(Pedida(sentence, without_a_booking(sentence, act, situacao), situacao, inherited))


def _is_needless(saida: Saida, saidas: list[Saida], situacao: Situacao) -> bool:
    """Whether it only lists slots of a specialty in which the same message books one told in full."""
    booked = {situacao.specialty_of(step.clinic) for one in saidas for step in one.steps if step.ferramenta is MARCAR}
    lists = bool(saida.steps) and all(step.ferramenta is VER_HORARIOS for step in saida.steps)
    return lists and not saida.pergunta and {situacao.specialty_of(step.clinic) for step in saida.steps} <= booked


def _scope(criterios: Criterios) -> Criterios:
    return without(criterios, "dias", "horas", "numeros", "ordinais", "extremo")
