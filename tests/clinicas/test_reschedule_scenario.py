"""Blueprint 5.2: list, book, reschedule. Six processes, real HTTP."""

from __future__ import annotations

from federacao import BIA, Federation, planned


async def test_a_booking_is_moved_to_another_day(federation: Federation) -> None:
    """Blueprint 2.5/2, Blueprint 2.3.1/8, Blueprint 6/5.2: the flow of a change."""
    async with federation.speaking() as session:
        await session.say("quero marcar uma consulta com cardiologista")
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        asked = await session.say("preciso reagendar para o dia 19 as 14h")
        assert planned(asked) == set()
        assert "18/07, às 10:00" in asked.texto
        assert "19/07, às 14:00" in asked.texto
        moved = await session.say("isso")
        assert planned(moved) == {("clinic_c", "reschedule_appointment")}
        assert moved.trace is not None
        assert moved.trace.plan.steps[0].parameters == {
            "doctor": "Dr. Fernando Mendes",
            "original_date": "2025-07-18",
            "original_time": "10:00",
            "new_date": "2025-07-19",
            "new_time": "14:00",
        }
        assert [call.finalidade for call in moved.trace.calls] == ["passo", "prova"]
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-19", "14:00", "529.982.247-25")]}


async def test_a_slot_taken_between_listing_and_booking_is_told_and_the_store_is_intact(federation: Federation) -> None:
    async with federation.speaking() as ana, federation.speaking(BIA) as bia:
        await ana.say("quero marcar uma consulta com cardiologista")
        await bia.say("quero marcar uma consulta com cardiologista")
        await bia.say("pode ser com o Dr. Fernando dia 18 as 10h")
        late = await ana.say("pode ser com o Dr. Fernando dia 18 as 10h")
        assert "não está mais livre" in late.texto  # and nothing of who has it
        assert ana.dialogue.bookings == ()
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-18", "10:00", BIA.cpf)]}
