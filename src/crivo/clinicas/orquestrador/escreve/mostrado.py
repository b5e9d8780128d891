"""What a model is shown of a turn, masked: the data that it words, and what else its text may say, beside which the text is judged.

Source: blueprint 2.3.3, `user_query` and `clinic_data[]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.confere.segunda_opiniao import Mostrado
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Dialogue, Offer, Plan
from crivo.clinicas.orquestrador.entende.mascara import masked, masked_value
from crivo.clinicas.orquestrador.entende.selecao import Selecao
from crivo.clinicas.orquestrador.escreve.conferencia import Encomenda
from crivo.clinicas.orquestrador.feito import cancelled
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name

_SAID_BEFORE: Final = 6  # messages of the person, the newest


def turn_data(encomenda: Encomenda) -> str:
    """What the writer of a text is shown, as JSON."""
    selecao, dialogue = encomenda.selecao, encomenda.dialogue
    return _json(
        {
            "user_query": masked(encomenda.utterance, dialogue),
            "idioma": encomenda.idioma,
            "papel": dialogue.papel,
            "clinic_data": [_told(reply, selecao, dialogue) for reply in encomenda.replies],
            "horarios": [_numbered(number, offer, dialogue) for number, offer in enumerate(selecao.ofertas, 1)],
            "mais": selecao.mais,
            "fora": selecao.fora,
            "como_pedido": all(grupo.assim for grupo in selecao.grupos),
            "continua": selecao.continua,
        }
    )


def shown_to_judge(encomenda: Encomenda, plan: Plan) -> Mostrado:
    """The same, and what a text may say beside it: what the person has and said, and what code put into it."""
    dialogue = encomenda.dialogue
    own = tuple(masked(part, dialogue) for part in (plan.fala, plan.pergunta) if part)
    beside = {
        "hoje": f"{dialogue.now:%Y-%m-%d}",
        "consultas": _held(dialogue.bookings, dialogue),
        "canceladas_antes": _held(cancelled(dialogue.feito), dialogue),
        "dito_antes": [masked(said, dialogue) for said in dialogue.utterances[-_SAID_BEFORE:]],
        "do_codigo": own,
    }
    return Mostrado(turn_data(encomenda), _json(beside), own)


def _json(value: dict[str, Any]) -> str:
    return msgspec.json.encode(value).decode()


def _held(bookings: Iterable[Booking], dialogue: Dialogue) -> list[dict[str, str]]:
    """Appointments without who they are for; of somebody else's nothing is told."""
    return [
        {"date": one.date, "time": one.time, "doctor": one.doctor, "clinica": clinic_name(one.clinic, dialogue.registro)}
        for one in bookings
        if not one.alheia
    ]


def _told(reply: ClinicReply, selecao: Selecao, dialogue: Dialogue) -> dict[str, Any]:
    error = None if reply.error is None else {"codigo": reply.error.codigo, "message": masked(reply.error.message, dialogue)}
    return {
        "clinic": reply.clinic,
        "clinica": clinic_name(reply.clinic, dialogue.registro),
        "action": reply.action,
        "result": masked_value(_shown(reply, selecao), dialogue),
        "error": error,
    }


def _shown(reply: ClinicReply, selecao: Selecao) -> dict[str, Any] | None:
    """An answer with no slots but those that are shown: the others are none of the model's business."""
    if reply.result is None or "available_slots" not in reply.result:
        return reply.result
    shown = [msgspec.to_builtins(offer.slot) for offer in selecao.ofertas if offer.clinic == reply.clinic]
    return {**reply.result, "available_slots": shown, "quantos_ha": len(reply.result["available_slots"])}


def _numbered(number: int, offer: Offer, dialogue: Dialogue) -> dict[str, Any]:
    slot = offer.slot
    when = {"date": slot.date, "time": slot.time, "doctor": slot.doctor, "specialty": slot.specialty}
    return {"numero": number, **when, "clinica": clinic_name(offer.clinic, dialogue.registro)}
