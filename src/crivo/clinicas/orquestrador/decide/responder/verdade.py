"""Whether something was really done, and what is held: answered from what was done and what is held, and nothing is done for it.

Source: design, "Nothing irreversible on a guess". Only whole messages are weighed: one word of anything else, and it is read as a wish.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue
from crivo.clinicas.orquestrador.decide.conversa import own_bookings
from crivo.clinicas.orquestrador.decide.responder.informar import still_offered
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao, let_go, read_pending
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, Hora, holds_booking, without
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked
from crivo.clinicas.orquestrador.entende.leitura import read_stretch
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.feito import cancelled, claims

_ACTS: Final = ("foi_cancelado", "foi_mudado", "foi_marcado")
_TELLING: Final = frozenset({"medicos", "clinicas", "especialidades", "ramos", "dias", "horas", "numeros"})
_COUNTED: Final = (("sao_dois", 2), ("sao_tres", 3), ("sao_quatro", 4))
_READ: Final = ("resto_do_feito", "resto")
_ASKING: Final = ("como_ficou", "pede_saber", "ainda_vale")


class Indagado(msgspec.Struct, frozen=True):
    """What a question is of: the acts that it names, and what it tells of the appointment.

    `existe` tells that it is of an appointment that may be there already (`ainda está de pé?`), so that nothing is offered in its place.
    """

    atos: frozenset[str]
    dito: Criterios
    nega: bool
    existe: bool = False


def asked_of_what_was_done(sentence: Frase, dialogue: Dialogue) -> Indagado | None:
    """What a message asks that is a question of what was done, or of what is held, and nothing else."""
    mentions = [one for one in read(sentence, dialogue).mencoes if one.field in _TELLING]
    rest = sentence
    for one in mentions:
        rest = blanked(rest, one.start, one.end)
    asks = "?" in sentence.text or accord("pede_saber").search(rest.text) is not None
    atos = frozenset(name for name in _ACTS if asks and consists_of(rest.text, name, *_ACTS, *_ASKING, *_READ))
    told = without(read_stretch(sentence, mentions, 0, len(sentence.text), negation=False).criterios, "ordinais", "extremo")
    begun = bool(dialogue.bookings) or dialogue.feito is not None
    counted = _confirms_all(sentence, dialogue)
    exists = _comes(rest) or (asks and consists_of(rest.text, "ainda_vale", *_ACTS, *_ASKING, *_READ))
    plain = (
        (consists_of(rest.text, "como_ficou", "pede_saber", *_READ) and (begun or not dialogue.offers))
        or _is_of_what_is_held(sentence, rest, told, dialogue)
        or counted
    )
    if not (atos or plain or exists):
        return None
    return Indagado(atos, VAZIO if counted else told, bool(accord("nega_de_fato").search(rest.text)), existe=exists)


def _comes(rest: Frase) -> bool:
    """Whether it only says that the person will come: `quero confirmar presença`; what is held is told, and nothing else is done."""
    return consists_of(rest.text, "confirma_presenca", "pede_saber", "pede_confirmacao", *_READ)


def _confirms_all(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether it wants as many as are held confirmed, and nothing else waits: `me confirma as duas`."""
    many = max((many for name, many in _COUNTED if accord(name).search(sentence.text)), default=0)
    only = consists_of(sentence.text, "pede_confirmacao", *(name for name, _ in _COUNTED), *_READ)
    return many > 0 and len(dialogue.bookings) >= many and not _waits(dialogue) and only


def _is_of_what_is_held(sentence: Frase, rest: Frase, told: Criterios, dialogue: Dialogue) -> bool:
    """Whether it only makes sure of a moment, a doctor or a place of what is held: `é de manhã mesmo?`, `so 5 right?`."""
    if not dialogue.bookings or _waits(dialogue) or "?" not in sentence.text:
        return False
    sure = not told.is_empty and consists_of(rest.text, "confere", *_READ)
    return sure or consists_of(rest.text, "quando_e", "confere", *_READ)


def _waits(dialogue: Dialogue) -> bool:
    """Whether something was asked or shown last that an answer may be to."""
    pending = read_pending(dialogue.pending)
    return bool(pending.assunto) and pending.assunto != "cancelou" and not pending.largado


def what_stands(situacao: Situacao) -> Saida:
    """What was done and what is held, where it is asked whether it was, in words that tell no act."""
    return told_truly(Indagado(frozenset(), VAZIO, nega=False), situacao)


def told_truly(asked: Indagado, situacao: Situacao) -> Saida:
    """What was done and what is held, led by the act that was asked of."""
    lines = [_of_cancelling(asked, situacao)] if "foi_cancelado" in asked.atos or _cancelled_last(situacao) else []
    if "foi_mudado" in asked.atos:
        lines.append(situacao.mensagens.say("esta_mudado" if _changed(situacao) else "nada_mudado"))
    texts, held = situacao.mensagens, situacao.dialogue.bookings
    if lines:
        lines.append(texts.say("continua_marcada", lista=texts.bookings(held)) if held else texts.say("nada_ficou"))
        return Saida(fala="\n".join(lines), pendente=situacao.pendente)
    if asked.existe:
        situacao = msgspec.structs.replace(situacao, pendente=let_go(situacao.pendente))
    if not held and asked.existe:
        return own_bookings(situacao)
    if not held:
        again = still_offered(situacao)
        return msgspec.structs.replace(again, fala=texts.say("nada_ficou")) if again.pergunta else own_bookings(situacao)
    if not asked.dito.is_empty and not any(_fits(asked.dito, one, situacao) for one in held):
        told = (texts.say("nao_e_isso"), texts.say("continua_marcada", lista=texts.bookings(held)))
        return Saida(fala="\n".join(told), pendente=situacao.pendente)
    if asked.nega or _waits(situacao.dialogue) or not (asked.atos or not asked.dito.is_empty):
        return own_bookings(situacao)
    return Saida(fala=texts.say("esta_marcado", lista=texts.bookings(held)), pendente=situacao.pendente)


def _of_cancelling(asked: Indagado, situacao: Situacao) -> str:
    texts, gone = situacao.mensagens, cancelled(situacao.dialogue.feito)
    if not gone:
        return texts.say("nada_cancelado")
    sure = "foi_cancelado" in asked.atos and not asked.nega and asked.dito.is_empty
    return texts.say("esta_cancelado" if sure else "o_que_cancelei", lista=texts.bookings(gone))


def _cancelled_last(situacao: Situacao) -> bool:
    done = situacao.dialogue.feito
    return done is not None and done.ato == "cancelou" and bool(cancelled(situacao.dialogue.feito))


def _changed(situacao: Situacao) -> bool:
    return "rescheduled" in claims(situacao.dialogue.feito)


def _fits(told: Criterios, held: Booking, situacao: Situacao) -> bool:
    """Whether what a question tells is of an appointment; a bare figure is an hour of either half of the day, or the day."""
    specialty = situacao.specialty_of(held.clinic)
    if told.numeros and not told.horas:
        hours = tuple(f"{hour:02d}:00" for one in told.numeros for hour in (one % 12, one % 12 + 12))
        as_hour = msgspec.structs.replace(without(told, "numeros"), horas=(Hora(hours),))
        return holds_booking(as_hour, held, specialty) or holds_booking(told, held, specialty)
    return holds_booking(told, held, specialty)
