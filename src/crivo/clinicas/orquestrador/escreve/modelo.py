"""The responder behind `contracts.Responder` that asks a model: it is given what code verified, without who it is for.

Source: blueprint 2.3.3. Questions, refusals and courtesies of the plan are the code's own words and stand after the model's.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.confere import Known, verify_text
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Offer, Plan
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.mascara import is_of_appointments, masked, masked_value
from crivo.clinicas.orquestrador.entende.selecao import Selecao, select
from crivo.clinicas.orquestrador.escreve.embutido import write as write_embedded
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name
from crivo.clinicas.orquestrador.linha import PACKAGE, Linha
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.port import Dado, Question

# Source: blueprint 2.3.3, rule 9: the earliest slot is marked.
_EARLIEST: Final = re.compile(r"mais cedo|mais próximo|primeiro|earliest|soonest|first|más temprano|más próximo|primero", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^\s*(\d{1,3})\)\s+(.*)$", re.MULTILINE)


class Redigido(msgspec.Struct, frozen=True):
    """The text that a model wrote."""

    texto: str


class ModelResponder:
    """A model's responder for one conversation."""

    def __init__(self, linha: Linha) -> None:
        self._linha = linha

    async def write(self, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
        """The text for the person; the embedded one's where there is nothing for a model to word. Raises ModeloIndisponivel."""
        if not is_worded_by_model(replies):
            return write_embedded(utterance, plan, replies, dialogue)
        question = Question(
            agente="clinicas.responder",
            prompt=load_prompt(PACKAGE, "responder.md"),
            partes=(Dado("dados do turno", msgspec.json.encode(_payload(utterance, plan, replies, dialogue)).decode()),),
            resposta=Redigido,
            nonce=self._linha.nonce,
            temperatura=0.3,
            conferir=lambda answer: fault(answer.texto, plan, replies, dialogue),
            espera_seconds=self._linha.prazos.responder,
        )
        written = await self._linha.ask(question)
        return "\n".join(part for part in (written.texto.strip(), plan.fala, plan.pergunta) if part)


def is_worded_by_model(replies: tuple[ClinicReply, ...]) -> bool:
    """Whether there is something for a model to word: answers of the agenda; patients' records are shown to none."""
    return any(reply.result is not None for reply in replies) and is_of_appointments(replies)


def fault(texto: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str | None:
    """What is wrong with a model's text beside the four rules, in words for it: its language, or the order in which one chooses."""
    if not texto.strip():
        return "O texto veio vazio."
    if language_of(texto) != plan.idioma:
        return f"O texto precisa estar em {_LANGUAGES[plan.idioma]}."
    selecao = select(plan, replies, dialogue)
    offers = selecao.ofertas
    lines = [(int(number), line) for number, line in _NUMBERED.findall(texto)]
    if [number for number, _ in lines] != list(range(1, len(offers) + 1)):
        return "Cada horário precisa de uma linha própria, numerada a partir de 1 na ordem dada, e nada mais é numerado assim."
    if not all(_is_of(line, offer, dialogue) for (_, line), offer in zip(lines, offers, strict=True)):
        return "Cada linha numerada precisa do dia, da hora, do médico e da clínica do horário que tem esse número."
    earliest = min(range(len(offers)), key=lambda place: (offers[place].slot.date, offers[place].slot.time), default=0)
    if len(offers) > 1 and not selecao.continua and not _EARLIEST.search(lines[earliest][1]):
        return f"A linha {earliest + 1} precisa dizer que é o horário mais cedo."
    untold = [count for count in (selecao.mais, selecao.fora) if count and not re.search(rf"(?<!\d){count}(?!\d)", texto)]
    return f"O texto precisa dizer que há mais {untold[0]} horários." if untold else None


_LANGUAGES: Final = {"pt": "português", "en": "inglês", "es": "espanhol"}


def _is_of(line: str, offer: Offer, dialogue: Dialogue) -> bool:
    """Whether a line tells that slot and no other."""
    own = dialogue
    slots = {"specialty": offer.slot.specialty, "available_slots": [msgspec.to_builtins(offer.slot)], "note": ""}
    alone = (ClinicReply(offer.clinic, VER_HORARIOS.name, slots),)
    verdict = verify_text(line, alone, own.paciente, own.papel, registro=own.registro, now=own.now, extra_safe=Known())
    return verdict.safe and offer.slot.time in line


def _payload(utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> dict[str, Any]:
    selecao = select(plan, replies, dialogue)
    return {
        "user_query": masked(utterance, dialogue),
        "idioma": plan.idioma,
        "papel": dialogue.papel,
        "clinic_data": [_told(reply, selecao, dialogue) for reply in replies],
        "horarios": [_numbered(number, offer, dialogue) for number, offer in enumerate(selecao.ofertas, 1)],
        "mais": selecao.mais,
        "fora": selecao.fora,
        "como_pedido": all(grupo.assim for grupo in selecao.grupos),
        "continua": selecao.continua,
    }


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
