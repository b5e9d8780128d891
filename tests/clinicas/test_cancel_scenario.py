"""Blueprint 5.1: list, book, cancel. Six processes, real HTTP."""

from __future__ import annotations

from federacao import Federation, planned


async def test_a_booking_is_listed_made_and_cancelled(federation: Federation) -> None:
    """Blueprint 2.5/3, Blueprint 2.3.1/9, Blueprint 6/5.1: the flow of a cancellation."""
    async with federation.speaking() as session:
        listed = await session.say("quero marcar uma consulta com cardiologista")
        assert planned(listed) == {("clinic_a", "list_available_slots"), ("clinic_c", "list_available_slots")}
        booked = await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        assert planned(booked) == {("clinic_c", "book_appointment")}
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-18", "10:00", "529.982.247-25")]}
        asked = await session.say("preciso cancelar minha consulta")
        assert planned(asked) == set()
        assert "sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes (Clínica C). Cancelo?" in asked.texto
        cancelled = await session.say("sim")
        assert planned(cancelled) == {("clinic_c", "cancel_appointment")}
        assert "18/07" in cancelled.texto
        assert federation.held() == {}
        assert session.dialogue.bookings == ()


async def test_what_was_cancelled_is_offered_again(federation: Federation) -> None:
    async with federation.speaking() as session:
        await session.say("quero marcar uma consulta com cardiologista")
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        without = await session.say("quais horários tem cardiologista?")
        await session.say("cancela minha consulta")
        await session.say("pode cancelar")
        again = await session.say("quais horários tem cardiologista?")
        assert "18/07" not in without.texto
        assert "18/07" in again.texto
