"""What is held is told when it is asked for in few words, and no word that is no name is read as a doctor's. Source: design, "What a plan holds"."""

from __future__ import annotations

import msgspec
import pytest

from anotadas import Recording, session
from crivo.clinicas.orquestrador.contracts import Booking

HELD = Booking("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00", "Cardiologia")


@pytest.mark.parametrize("said", ["what do I have booked?", "quais tenho?", "marcou?", "ficou marcado?", "qué tengo reservado?"])
async def test_what_is_held_is_told(said: str) -> None:
    conversation = session(Recording())
    conversation.dialogue = msgspec.structs.replace(conversation.dialogue, bookings=(HELD,))
    reply = await conversation.say(said)
    assert "Dr. Fernando Mendes" in reply.texto
    assert reply.trace is not None
    assert reply.trace.plan.recusa is None


async def test_what_an_illness_is_stays_refused() -> None:
    reply = await session(Recording()).say("what do I have, doctor? my head hurts a bit")
    assert reply.trace is not None
    assert reply.trace.plan.recusa == "R3"


@pytest.mark.parametrize("said", ["esse doutor? kkk", "esse doutor kkk", "o doutor podia me ver"])
async def test_what_follows_the_title_written_out_is_no_name(said: str) -> None:
    reply = await session(Recording()).say(said)
    assert reply.trace is not None
    assert reply.trace.plan.pergunta is not None
    assert "Não encontrei" not in reply.texto


async def test_a_name_after_it_still_is() -> None:
    assert "Não encontrei" in (await session(Recording()).say("quero o doutor Percival")).texto
