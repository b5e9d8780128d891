"""What a model is shown to plan a turn: registry and catalogue as data, where the conversation stands, and what was said, masked."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Offer
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.entende.mascara import masked
from crivo.clinicas.orquestrador.entende.mencoes import context_of
from crivo.clinicas.orquestrador.ferramentas import PLANNED, USOS
from crivo.clinicas.orquestrador.linguagem.formatos import written_day
from crivo.clinicas.registro import Registro
from crivo.kernel.llm.port import Dado, Parte

_HISTORY: Final = 12  # earlier messages that are shown, the last of them


def parts_of(utterance: str, dialogue: Dialogue) -> tuple[Parte, ...]:
    """The parts of the question, what every conversation shares first."""
    return (
        f"Cadastro das clínicas:\n{_written(_registry(dialogue.registro))}",
        f"Catálogo das ferramentas:\n{_written(_catalogue())}",
        Dado("quem trabalha onde", _written(_directory(dialogue))),
        f"Agora: {dialogue.now:%Y-%m-%d %H:%M}, {written_day(dialogue.now.date().isoformat(), 'pt')}.",
        f"Quem fala: {dialogue.papel}.",
        Dado("situação da conversa", _written(_state(dialogue))),
        Dado("mensagem de agora", masked(utterance, dialogue)),
    )


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _registry(registro: Registro) -> list[dict[str, str]]:
    return [{"id": one.id, "nome": one.nome, "especialidade": one.especialidade} for one in registro]


def _catalogue() -> list[dict[str, Any]]:
    return [{"action": one.name, "parameters": sorted(one.parameters), "faz": USOS[one].faz} for one in PLANNED]


def _directory(dialogue: Dialogue) -> dict[str, tuple[str, ...]]:
    return dict(sorted(context_of(dialogue).directory.items()))


def _state(dialogue: Dialogue) -> dict[str, Any]:
    pending = read_pending(dialogue.pending)
    return {
        "horarios_mostrados": [_offer(number, offer) for number, offer in enumerate(dialogue.offers, 1)],
        "consultas_da_pessoa": [
            {"clinic": one.clinic, "doctor": one.doctor, "date": one.date, "time": one.time} for one in dialogue.bookings
        ],
        "assunto_em_aberto": pending.assunto,
        "horario_proposto": _offer(0, pending.proposta) if pending.proposta else None,
        "mensagens_anteriores": [masked(said, dialogue) for said in dialogue.utterances[-_HISTORY:]],
    }


def _offer(number: int, offer: Offer) -> dict[str, Any]:
    slot = offer.slot
    shown = {"clinic": offer.clinic, "doctor": slot.doctor, "date": slot.date, "time": slot.time, "specialty": slot.specialty}
    return {"numero": number, **shown} if number else shown
