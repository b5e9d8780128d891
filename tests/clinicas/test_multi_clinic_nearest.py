"""Blueprint 5.4: both cardiology clinics are asked, and the one with the nearest slot is booked. Six processes, real HTTP."""

from __future__ import annotations

import asyncio

import pytest

from federacao import ANA, Federation, planned


async def test_both_clinics_are_listed_and_the_nearest_slot_is_booked(federation: Federation) -> None:
    """Blueprint 1.5, Blueprint 2.3.1/10, Blueprint 2.3.3/3, Blueprint 6/5.4: both clinics are asked, the nearest slot is marked."""
    async with federation.speaking() as session:
        listed = await session.say("quero o horário mais próximo com cardiologista")
        assert planned(listed) == {("clinic_a", "list_available_slots"), ("clinic_c", "list_available_slots")}
        lines = [line for line in listed.texto.splitlines() if line[:1].isdigit()]
        assert len(lines) == 10
        day = next(line for line in listed.texto.splitlines() if line.endswith("/07"))
        assert "18/07" in day
        assert listed.texto.index(day) < listed.texto.index(lines[0])
        assert "10:00" in lines[0]
        assert "Clínica C" in lines[0]
        assert "mais cedo" in lines[0]
        assert not any("mais cedo" in line for line in lines[1:])
        assert any("Clínica A" in line for line in lines)
        booked = await session.say("pode ser o mais cedo")
        assert planned(booked) == {("clinic_c", "book_appointment")}
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-18", "10:00", ANA.cpf)]}


async def test_a_booking_moves_to_another_clinic_by_booking_there_and_cancelling_here(federation: Federation) -> None:
    """Blueprint 4.1/4: each clinic holds only what was booked in it."""
    async with federation.speaking() as session:
        await session.say("quero marcar uma consulta com cardiologista")
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        assert planned(await session.say("quero mudar para o Dr. Ricardo Lopes dia 21 às 9h")) == set()
        moved = await session.say("sim")
        assert planned(moved) == {("clinic_a", "book_appointment"), ("clinic_c", "cancel_appointment")}
        assert moved.trace is not None
        assert [call.action for call in moved.trace.calls if call.finalidade == "passo"] == ["book_appointment", "cancel_appointment"]
        assert federation.held() == {"clinic_a": [("Dr. Ricardo Lopes", "2025-07-21", "09:00", ANA.cpf)]}


async def test_a_move_goes_on_to_its_end_though_whoever_waits_for_it_leaves(federation: Federation) -> None:
    async with federation.speaking() as session:
        await session.say("quero marcar uma consulta com cardiologista")
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        await session.say("quero mudar para o Dr. Ricardo Lopes dia 21 às 9h")
        began = asyncio.Event()
        waiting = asyncio.create_task(session.say("sim", lambda _: began.set()))
        await began.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert "21/07" in (await session.say("quais são as minhas consultas?")).texto
        assert federation.held() == {"clinic_a": [("Dr. Ricardo Lopes", "2025-07-21", "09:00", ANA.cpf)]}


@pytest.mark.parametrize(
    ("said", "clinics"),
    [("tem dermatologista?", {"clinic_b", "clinic_f"}), ("preciso de um médico de osso", {"clinic_d", "clinic_e"})],
)
async def test_every_specialty_asks_all_of_its_clinics(federation: Federation, said: str, clinics: set[str]) -> None:
    """Blueprint 1.5, Blueprint 2.3.1/10: one step for each clinic of the specialty."""
    async with federation.speaking() as session:
        assert planned(await session.say(said)) == {(clinic, "list_available_slots") for clinic in clinics}
