"""An emergency goes before anything else, on every turn, whoever plans. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from anotadas import Recording, session
from cenario import MORNING
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Papel, Plan, Step
from crivo.clinicas.orquestrador.conversa.agentes import Agents
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.decide.modelo.resposta import PlanoProposto, plan_of
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.emergencia import answer
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.trace import Event
from crivo.clinicas.protocol import Slot
from crivo.clinicas.turnos import turno_of

INFARTO = "dor no peito faz meia hora q vai pro braço esquerdo, tem cardiologista hoje?"
HELD = Booking("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00", "Cardiologia")


class Insists:
    """A planner of a model that books whatever is said."""

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        when = {"doctor": HELD.doctor, "date": HELD.date, "time": HELD.time}
        return Plan((Step(1, "clinic_c", "book_appointment", when),)), {}


class Alarmed:
    """A planner of a model that hears an emergency in anything."""

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        return plan_of(PlanoProposto(emergencia="respiracao"), utterance, dialogue), {}


async def test_the_answer_says_first_where_help_is_and_no_clinic_is_asked() -> None:
    clinics = Recording()
    conversation = session(clinics)
    reply = await conversation.say(INFARTO)
    assert reply.texto.startswith("Ligue agora para o 192 (SAMU)")
    assert clinics.calls == []
    turno = turno_of(INFARTO, reply, conversation.dialogue)
    assert (turno.emergencia, [phone.numero for phone in turno.telefones], turno.ofertas) == ("coracao", ["192", "193"], ())


@pytest.mark.parametrize("papel", ["paciente", "operador"])
async def test_help_is_told_before_anybody_is_asked_who_they_are(papel: Papel) -> None:
    reply = await session(Recording(), papel=papel, paciente=None).say("minha mãe desmaiou agora e não responde")
    assert "192" in reply.texto
    assert "nome" not in reply.texto


async def test_a_model_that_insists_on_booking_is_not_even_asked() -> None:
    clinics = Recording()
    reply = await session(clinics, Agents(Insists(), EmbeddedResponder(), "modelo", "modelo")).say(INFARTO)
    assert reply.trace is not None
    assert (reply.trace.plan.emergencia, reply.trace.plan.steps, clinics.calls) == ("coracao", (), [])


async def test_a_model_may_add_an_alarm_that_code_did_not_hear() -> None:
    clinics = Recording()
    reply = await session(clinics, Agents(Alarmed(), EmbeddedResponder(), "modelo", "modelo")).say("quero ver os horários de amanhã")
    assert reply.texto == answer("respiracao", "pt")
    assert reply.trace is not None
    assert reply.trace.plan.emergencia == "respiracao"


async def test_a_yes_after_an_emergency_confirms_nothing_that_was_asked_before_it() -> None:
    conversation = session(Recording())
    conversation.dialogue = msgspec.structs.replace(conversation.dialogue, bookings=(HELD,), pending={"assunto": "cancelar"})
    await conversation.say("quero cancelar, ai, minha boca entortou agora e não consigo falar direito")
    assert conversation.dialogue.pending == {}
    assert conversation.dialogue.bookings == (HELD,)


@pytest.mark.parametrize("said", ["sim", "ok", "pode marcar", "isso", "tá bom"])
async def test_a_yes_after_an_emergency_takes_no_slot_that_was_shown_before_it(said: str) -> None:
    clinics = Recording()
    conversation = session(clinics)
    shown = Offer(HELD.clinic, Slot(HELD.doctor, HELD.specialty, HELD.date, HELD.time))
    waiting = write_pending(Pendente("listado", proposta=shown))
    conversation.dialogue = msgspec.structs.replace(conversation.dialogue, offers=(shown,), pending=waiting)
    await conversation.say(INFARTO)
    reply = await conversation.say(said)
    assert "192" in reply.texto
    await conversation.say("Não é emergência, continuar")
    reply = await conversation.say(said)
    assert clinics.calls.count("book_appointment") == 0
    assert "Não marquei nada. Quer continuar?" in reply.texto


async def test_a_conversation_goes_on_once_it_is_said_to_be_none() -> None:
    conversation = session(Recording())
    await conversation.say(INFARTO)
    reply = await conversation.say("Não é emergência, continuar")
    assert reply.texto.startswith("Que bom que não é uma emergência")
    again = await conversation.say("Não é emergência, continuar")
    assert again.texto != reply.texto  # of nothing that was said, nothing is taken back


async def test_the_log_keeps_the_kind_and_never_the_words(tmp_path: Path) -> None:
    logs = tmp_path / "dados" / "logs"
    before = os.umask(0)  # as wide as a machine may have it
    try:
        await session(Recording(), log=PipelineLog(logs, b"k" * 32)).say(INFARTO)
    finally:
        os.umask(before)
    file = logs / f"pipeline_{MORNING:%Y%m%d}.jsonl"
    modes = [one.stat().st_mode & 0o777 for one in (file, logs, logs.parent)]
    assert modes == [0o600, 0o700, 0o700], "nobody but its owner reads it"
    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert msgspec.json.decode(line)["planner"]["emergencia"] == "coracao"
    assert "peito" not in line


async def test_whoever_watches_hears_of_the_text_at_once() -> None:
    heard: list[Event] = []
    await session(Recording()).say(INFARTO, heard.append)
    assert [msgspec.to_builtins(event)["tipo"] for event in heard] == ["plano", "texto"]
