"""What a model is shown to plan a turn: registry and catalogue as data, where the conversation stands, and what was said, masked."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.mascara import masked
from crivo.clinicas.orquestrador.entende.mencoes import context_of
from crivo.clinicas.orquestrador.ferramentas import PLANNED, USOS
from crivo.clinicas.orquestrador.linguagem.formatos import written_day
from crivo.clinicas.registro import Registro
from crivo.kernel.llm.port import Dado, Parte

_HISTORY: Final = 12  # earlier messages that are shown, the last of them
_LONGEST_TOLD: Final = 600  # characters of what was said back last


def parts_of(utterance: str, dialogue: Dialogue) -> tuple[Parte, ...]:
    """The parts of the question: what every conversation shares, what all turns of one share, and at the end what this turn alone has.

    A service keeps a common beginning, and bills and reads it for less. Nothing that changes stands before something that does not.
    """
    return (
        f"Cadastro das clínicas:\n{_written(_registry(dialogue.registro))}",
        f"Catálogo das ferramentas:\n{_written(_catalogue())}",
        f"Quem fala: {dialogue.papel}.",
        Dado("quem trabalha onde", _written(_directory(dialogue))),
        Dado("situação da conversa", _written(_state(dialogue))),
        f"Agora: {dialogue.now:%Y-%m-%d %H:%M}, {written_day(dialogue.now.date().isoformat(), 'pt')}.",
        Dado("últimas palavras da recepção", _bounded(masked(dialogue.ultima_fala, dialogue))),
        Dado("mensagem de agora", masked(utterance, dialogue)),
    )


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _registry(registro: Registro) -> list[dict[str, str]]:
    return [{"id": one.id, "nome": one.nome, "especialidade": one.especialidade} for one in registro]


def _catalogue() -> list[dict[str, Any]]:
    return [{"action": one.name, "parameters": sorted(one.parameters), "faz": USOS[one].faz} for one in PLANNED]


def _directory(dialogue: Dialogue) -> dict[str, dict[str, tuple[str, ...]]]:
    """Every doctor with the clinics where they work and what these file them under: `Ortopedia de joelho`, `Arritmologia`."""
    known = sorted(context_of(dialogue).directory.items())
    return {name: {"clinics": clinics, "specialties": dialogue.ramos.get(name, ())} for name, clinics in known}


def _state(dialogue: Dialogue) -> dict[str, Any]:
    pending, para = read_pending(dialogue.pending), dialogue.para
    return {
        "mensagens_anteriores": [masked(said, dialogue) for said in dialogue.utterances[-_HISTORY:]],
        "consultas_da_pessoa": [_booking(one, dialogue) for one in dialogue.bookings],
        "horarios_mostrados": [_offer(number, offer) for number, offer in enumerate(dialogue.offers, 1)],
        "proxima_consulta_para": masked(para.quem, dialogue) if para is not None else None,
        "assunto_em_aberto": pending.assunto,
        "horario_proposto": _offer(0, pending.proposta) if pending.proposta else None,
    }


def _booking(one: Booking, dialogue: Dialogue) -> dict[str, str]:
    """An appointment held; whose it is where somebody else's, as the person called them (`seu filho`), never by name."""
    told = {"clinic": one.clinic, "doctor": one.doctor, "date": one.date, "time": one.time, "specialty": one.specialty}
    return {**told, "de": masked(one.quem, dialogue)} if one.quem else told


def _bounded(text: str) -> str:
    """A long text by its beginning and its end: what was asked stands last, and the slots in between are told apart."""
    if len(text) <= _LONGEST_TOLD:
        return text
    return f"{text[: _LONGEST_TOLD // 2].rstrip()} […] {text[-_LONGEST_TOLD // 2 :].lstrip()}"


def _offer(number: int, offer: Offer) -> dict[str, Any]:
    slot = offer.slot
    shown = {"clinic": offer.clinic, "doctor": slot.doctor, "date": slot.date, "time": slot.time, "specialty": slot.specialty}
    return {"numero": number, **shown} if number else shown
