"""Nobody is left alone after an alarm: help is told again until it is said to be none. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import pytest

from anotadas import Recording, session
from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia
from crivo.clinicas.orquestrador.emergencia import Sobreaviso, answer, hear, phones_of
from crivo.clinicas.orquestrador.emergencia.resposta import after_alarm

AVC = "meu pai tá com a boca torta e falando enrolado"
AFTER = (
    "o que eu faço??",
    "e agora?",
    "o samu não atende",
    "tô sozinha",
    "to sozinho aqui",
    "ninguém atende",
    "só dá ocupado",
    "pra quem eu ligo?",
    "me ajuda",
    "ele piorou",
    "sim",
    "ok",
    "tem médico aí?",
    "marca agora pelo amor de deus",
    "quero falar com alguém",
)


@pytest.mark.parametrize("said", AFTER)
async def test_what_is_said_after_an_alarm_is_told_whom_to_call_and_not_that_it_was_not_understood(said: str) -> None:
    clinics = Recording()
    conversation = session(clinics)
    await conversation.say(AVC)
    reply = await conversation.say(said)
    assert reply.trace is not None
    assert reply.trace.plan.emergencia == "avc"
    assert "19" in reply.texto.split(".")[0]
    assert clinics.calls == []
    again = await conversation.say("e agora?")
    assert again.recado == "emergencia"


@pytest.mark.parametrize("said", ["o samu não atende", "ninguém atende", "o 192 tá ocupado", "nobody answers", "no contestan"])
async def test_where_nobody_answers_the_next_number_is_told(said: str) -> None:
    conversation = session(Recording())
    await conversation.say(AVC)
    reply = await conversation.say(said)
    assert "193" in reply.texto
    assert "UPA" in reply.texto


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        ("I want to kill myself", "what do I do?", "somebody is there to listen"),
        ("no quiero vivir más", "qué hago", "hay una persona para escuchar"),
        ("quero me matar", "to sozinha", "há uma pessoa para ouvir você"),
    ],
)
async def test_a_person_in_despair_is_answered_in_their_language_both_times(said: str, asked: str, told: str) -> None:
    conversation = session(Recording())
    idioma: Idioma = "en" if "kill" in said else "es" if "quiero" in said else "pt"
    assert (await conversation.say(said)).texto == answer("suicidio", idioma)
    reply = await conversation.say(asked)
    assert "188" in reply.texto
    assert told in reply.texto


async def test_a_calm_request_goes_on_after_one_line_of_reminder_each_time_and_distress_is_still_heard_after_it() -> None:
    conversation = session(Recording())
    await conversation.say(AVC)
    listed = await conversation.say("quais horários tem de cardiologia amanhã?")
    assert listed.recado is None
    assert listed.texto.splitlines()[0] == after_alarm("avc", "lembrete", "pt", "outro")
    assert "192" in (await conversation.say("quais horários tem de dermatologia?")).texto.splitlines()[0]
    assert "193" in (await conversation.say("o samu não atende, o que eu faço?")).texto


async def test_once_it_is_said_to_be_none_nothing_of_it_is_left() -> None:
    conversation = session(Recording())
    await conversation.say(AVC)
    await conversation.say("não é emergência, continuar")
    assert "192" not in (await conversation.say("quais horários tem de dermatologia?")).texto


async def test_another_patient_of_an_operator_begins_without_the_alarm() -> None:
    conversation = session(Recording(), papel="operador", paciente=None)
    await conversation.say("paciente Ana Souza, CPF 529.982.247-25, horários de cardiologia")
    await conversation.say("o pai dela está com a boca torta e falando enrolado agora")
    reply = await conversation.say("próximo paciente: Bruno Lima Reis, CPF 111.444.777-35")
    assert reply.recado is None
    assert "192" not in reply.texto


def test_what_is_meant_for_a_person_of_the_reception_is_answered_by_them() -> None:
    assert hear("e o que eu trago?", Sobreaviso("avc"), "pt", follows=False) is None
    assert hear("quero me matar", Sobreaviso("avc"), "pt", follows=False) is not None


@pytest.mark.parametrize("tipo", ["avc", "intoxicacao", "suicidio", "violencia"])
@pytest.mark.parametrize("idioma", ["pt", "en", "es"])
def test_each_short_text_names_a_number_of_its_kind(tipo: TipoDeEmergencia, idioma: Idioma) -> None:
    numbers = {phone.numero for phone in phones_of(tipo)}
    for said in (after_alarm(tipo, "ainda", idioma), after_alarm(tipo, "nao_atende", idioma), after_alarm(tipo, "lembrete", idioma)):
        assert any(number in said for number in numbers)
