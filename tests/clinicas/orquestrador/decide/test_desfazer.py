"""Taking back: for ten minutes what was cancelled or changed is given back while it is free."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from atendimento_por_modelo import CARLA, Atendimento, attending
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Step
from crivo.clinicas.protocol import UNREACHABLE, ToolError

HEITOR = "Dr. Heitor Guimarães"
MINE = ("clinic_c", HEITOR, "2028-09-15", "16:00")
LATER = ("clinic_c", HEITOR, "2028-09-21", "14:00")
SLOT = {"doctor": HEITOR, "date": "2028-09-15", "time": "16:00"}


async def cancelled() -> Atendimento:
    visit = attending()
    for said in ("marca com o Dr. Heitor dia 15 às 16h", "cancela", "sim"):
        await visit.say(said, "embutido")
    assert visit.held() == set()
    return visit


def later(visit: Atendimento, minutes: int) -> None:
    visit.dialogue = msgspec.structs.replace(visit.dialogue, now=visit.dialogue.now + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    "said",
    [
        "Desfazer",
        "desfaz",
        "mudei de ideia",
        "não, deixa marcado",
        "volta",
        "não era pra cancelar",
        "undo",
        "mudei de ideia, quero a do Dr. Heitor",
    ],
)
async def test_within_ten_minutes_the_slot_is_given_back(said: str) -> None:
    visit = await cancelled()
    later(visit, 10)
    back = await visit.say(said, "embutido")
    assert "está marcada: sexta-feira, 15/09, às 16:00" in back.texto
    assert visit.held() == {MINE}


async def test_a_change_is_moved_back() -> None:
    visit = attending()
    for said in ("marca com o Dr. Heitor dia 15 às 16h", "remarca para o dia 21 às 14h", "sim"):
        await visit.say(said, "embutido")
    assert visit.held() == {LATER}
    await visit.say("Desfazer", "embutido")
    assert visit.held() == {MINE}


async def test_a_move_to_another_clinic_is_moved_back() -> None:
    visit = attending()
    for said in ("marca com o Dr. Heitor dia 15 às 16h", "muda para o Dr. Gustavo dia 18 às 9h", "sim"):
        await visit.say(said, "embutido")
    assert {one[0] for one in visit.held()} == {"clinic_a"}
    await visit.say("Desfazer", "embutido")
    assert visit.held() == {MINE}


async def test_after_ten_minutes_it_is_told_and_what_there_is_is_shown() -> None:
    visit = await cancelled()
    later(visit, 11)
    late = await visit.say("Desfazer", "embutido")
    assert "dez minutos" in late.texto
    assert [step.action for step in late.plan.steps] == ["list_available_slots"]
    assert visit.held() == set()


async def test_a_slot_taken_meanwhile_is_told_and_others_are_shown() -> None:
    visit = await cancelled()
    visit.transport.clinics.call(Step(1, "clinic_c", "book_appointment", SLOT), Paciente("Bia Castro Lima", "111.444.777-35"))
    back = await visit.say("Desfazer", "embutido")
    assert "não está mais livre" in back.texto
    assert "13/09" in back.texto
    assert "09:30" in back.texto
    assert visit.dialogue.bookings == ()


async def test_the_same_message_twice_does_nothing_twice() -> None:
    visit = await cancelled()
    await visit.say("Desfazer", "embutido")
    again = await visit.say("Desfazer", "embutido")
    assert again.plan.steps == ()
    assert "Não há nada para desfazer" in again.texto
    assert visit.held() == {MINE}


async def test_while_the_clinic_is_away_it_stays_to_be_taken_back() -> None:
    visit = await cancelled()
    call = visit.transport.call

    async def away(step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        return Answer(ClinicReply(step.clinic, action, None, ToolError("fora do ar", code=UNREACHABLE)))

    visit.transport.call = away  # type: ignore[method-assign]
    assert "Não consegui falar com a Clínica C" in (await visit.say("Desfazer", "embutido")).texto
    visit.transport.call = call  # type: ignore[method-assign]
    await visit.say("Desfazer", "embutido")
    assert visit.held() == {MINE}


async def test_deixa_pra_la_after_a_cancellation_is_asked_about() -> None:
    visit = await cancelled()
    assert "Quer de volta?" in (await visit.say("deixa pra lá", "embutido")).texto
    assert visit.held() == set()
    await visit.say("quero", "embutido")
    assert visit.held() == {MINE}


async def test_a_change_of_mind_after_a_booking_is_not_told_that_nothing_changed() -> None:
    visit = attending()
    await visit.say("marca com o Dr. Heitor dia 15 às 16h", "embutido")
    asked = await visit.say("mudei de ideia", "embutido")
    assert "não mudei nada" not in asked.texto
    assert "A consulta de sexta-feira, 15/09" in asked.texto
    assert "continua marcada. Você quer cancelar ou mudar" in asked.texto
    assert visit.held() == {MINE}
    assert visit.dialogue.paciente == CARLA
