"""Blueprint 5.3: list, book, reschedule, cancel in one conversation, and what is written down of it. Six processes, real HTTP."""

from __future__ import annotations

import json

from federacao import ANA, Federation

TURNS: tuple[tuple[str, list[str]], ...] = (
    ("quero marcar uma consulta com cardiologista", ["list_available_slots", "list_available_slots"]),
    ("pode ser com o Dr. Fernando dia 18 as 10h", ["book_appointment"]),
    ("preciso reagendar para o dia 19 as 14h", []),
    ("sim", ["reschedule_appointment"]),
    ("preciso cancelar minha consulta", []),
    ("pode cancelar", ["cancel_appointment"]),
)


async def test_the_three_flows_run_one_after_the_other(federation: Federation) -> None:
    """Blueprint 2.5/1, Blueprint 2.5/2, Blueprint 2.5/3, Blueprint 6/5.3: all in one conversation."""
    async with federation.speaking() as session:
        for said, actions in TURNS:
            reply = await session.say(said)
            assert reply.trace is not None
            assert [step.action for step in reply.trace.plan.steps] == actions
            assert all(answer.result is not None for answer in reply.trace.replies)
            assert reply.trace.verdict.safe
            assert reply.trace.autor == "responder"
        assert federation.held() == {}


async def test_name_and_cpf_are_asked_before_anything_else(federation: Federation) -> None:
    """Blueprint 1.6."""
    async with federation.speaking(None) as session:
        assert "nome completo" in session.greeting
        assert "qual é o seu nome completo?" in (await session.say("quero marcar uma consulta")).texto
        assert "CPF" in (await session.say("me chamo Ana Braga")).texto
        assert "não confere" in (await session.say("529.982.247-24")).texto
        taken_up = (await session.say("529.982.247-25")).texto  # what was asked at first
        assert (taken_up.startswith("Obrigado, Ana."), "Com qual especialidade" in taken_up) == (True, True)
        await session.say(TURNS[0][0])
        await session.say(TURNS[1][0])
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-18", "10:00", ANA.cpf)]}


async def test_identity_goes_only_into_the_three_tools_that_need_it(federation: Federation) -> None:
    """Blueprint 4.3/5: name and CPF are not sent in searches."""
    async with federation.speaking() as session:
        replies = [await session.say(said) for said, _ in TURNS]
    steps = [step for reply in replies if reply.trace for step in reply.trace.plan.steps]
    assert {"patient_name", "cpf"}.isdisjoint(name for step in steps for name in step.parameters)
    appointment = replies[1].trace and replies[1].trace.replies[0].result
    assert appointment
    assert appointment["appointment"]["cpf"] == ANA.cpf


async def test_the_log_has_every_turn_and_no_personal_data(federation: Federation) -> None:
    """Blueprint 5.6/3, Blueprint 6/5.6, Blueprint 4.2: JSON lines of each turn, without what a clinic or a person said."""
    path = federation.clinicas.data_dir / "logs/pipeline_20250716.jsonl"
    path.unlink(missing_ok=True)
    async with federation.speaking() as session:
        for said, _ in TURNS:
            await session.say(said)
    text = path.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["turno"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert {line["paciente"] for line in lines} != {None}
    assert [call["clinic"] for call in lines[5]["router"]] == ["clinic_c"]
    for secret in ("Ana", "Braga", "529.982", "52998224725", "982.247", "Fernando", "cardiologista", "cancelar"):
        assert secret not in text


async def test_an_operator_is_asked_whom_a_booking_is_for_and_it_is_then_made(federation: Federation) -> None:
    async with federation.speaking(None, "operador") as session:
        await session.say(TURNS[0][0])
        assert "De quem é a consulta" in (await session.say(TURNS[1][0])).texto
        assert federation.held() == {}
        await session.say("Ana Braga")
        assert "está marcada" in (await session.say(ANA.cpf)).texto
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-18", "10:00", ANA.cpf)]}
        assert "Cancelo?" in (await session.say(TURNS[4][0])).texto
        assert (await session.say(TURNS[5][0])).texto.startswith("Pronto")


async def test_an_empty_or_endless_message_is_answered_without_a_turn(federation: Federation) -> None:
    async with federation.speaking() as session:
        assert (await session.say("  ")).trace is None
        endless = await session.say("marcar " * 1000)
        assert endless.trace is None
        assert "longa demais" in endless.texto
        assert session.dialogue.utterances == ()
