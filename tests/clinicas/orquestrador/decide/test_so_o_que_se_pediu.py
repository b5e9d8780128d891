"""Nothing is booked, moved or cancelled that was not asked for: choices after a booking, and answers that name another one."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import Atendimento, attending

HEITOR = ("clinic_c", "Dr. Heitor Guimarães", "2028-09-15", "16:00")
NOEMI = ("clinic_f", "Dra. Noemi Sampaio", "2028-09-20", "08:00")
BOTH = "marca o Dr. Heitor dia 15 às 16h e a Dra. Noemi dia 20 às 8h"


async def after(*said: str) -> Atendimento:
    visit = attending()
    for one in said:
        await visit.say(one, "embutido")
    return visit


@pytest.mark.parametrize("said", ["na vdd só a Dra. Noemi, tira o Heitor", "só a Dra. Noemi, cancela o Dr. Heitor", "tira o Heitor"])
async def test_of_two_bookings_only_the_one_that_is_taken_out_is_proposed_to_be_cancelled(said: str) -> None:
    visit = await after(BOTH)
    asked = await visit.say(said, "embutido")
    assert "Heitor" in asked.texto
    assert "Noemi" not in asked.texto
    assert visit.held() == {HEITOR, NOEMI}
    await visit.say("sim", "embutido")
    assert visit.held() == {NOEMI}


async def test_a_yes_that_tells_what_stays_cancels_the_other_and_never_that() -> None:
    visit = await after(BOTH, "só a Dra. Noemi, tira o Heitor", "sim, só a Dra. Noemi dia 20 às 8h")
    assert visit.held() == {NOEMI}


async def test_a_doctor_taken_out_where_nothing_is_held_with_him_cancels_nothing() -> None:
    visit = await after("marca a Dra. Noemi dia 20 às 8h")
    asked = await visit.say("tira o Heitor", "embutido")
    assert "Cancelo" not in asked.texto
    assert visit.held() == {NOEMI}


@pytest.mark.parametrize("said", ["yes, both of them", "sim, as duas", "yes both"])
async def test_a_yes_to_both_after_two_bookings_books_no_third(said: str) -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h e me mostra a Dra. Noemi", "a Dra. Noemi dia 20 às 8h também")
    assert visit.held() == {HEITOR, NOEMI}
    await visit.say(said, "embutido")
    assert visit.held() == {HEITOR, NOEMI}


@pytest.mark.parametrize("said", ["no mesmo dia, mas às 9h", "Apologies, I misread my calendar: same day but 9 am", "no mesmo dia às 9h"])
async def test_the_same_day_at_another_time_is_of_what_was_just_booked_and_of_nobody_else(said: str) -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h")
    made = await visit.say(said, "embutido")
    assert not any(step.action == "book_appointment" for step in made.plan.steps)
    assert visit.held() == {HEITOR}


async def test_a_change_asked_beside_a_listing_is_of_the_doctor_it_names() -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h")
    asked = await visit.say("muda a do Dr. Heitor do dia 15 às 16h pro dia 21 às 14h e já me passa os horários da Dra. Noemi", "embutido")
    assert "21/09, às 14:00, com o Dr. Heitor" in asked.texto
    assert {step.action for step in asked.plan.steps} == {"list_available_slots"}
    await visit.say("isso, muda a do Dr. Heitor. a Noemi eu vejo depois", "embutido")
    assert visit.held() == {("clinic_c", "Dr. Heitor Guimarães", "2028-09-21", "14:00")}


@pytest.mark.parametrize("said", ["isso. mas o Dr. Heitor eu vejo depois", "isso, mas espera", "isso, muda. ou melhor, não"])
async def test_an_answer_that_hesitates_about_what_was_proposed_changes_nothing(said: str) -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h", "muda pro dia 21 às 14h", said)
    assert visit.held() == {HEITOR}


async def test_a_booking_on_behalf_of_somebody_asks_whose_it_is() -> None:
    visit = attending()
    asked = await visit.say("I'm booking on behalf of my boss. Dra. Noemi on September 20 at 8am", "embutido")
    assert "CPF" in asked.texto
    assert visit.held() == set()


@pytest.mark.parametrize(
    "said", ["não vai dar dia 15, joga pra semana seguinte no mesmo dia e hora", "passa para a outra semana, no mesmo dia e hora"]
)
async def test_the_week_after_at_the_same_day_and_time_is_counted_from_what_is_held(said: str) -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h")
    asked = await visit.say(said, "embutido")
    assert "22/09, às 16:00" in asked.texto


async def test_of_places_in_a_list_the_one_said_last_is_asked_about_and_taken() -> None:
    visit = await after("me mostra a Dra. Noemi")
    third = visit.dialogue.offers[2].slot
    await visit.say("o dois não o três quero o três", "embutido")
    assert visit.held() == set()
    await visit.say("isso o três", "embutido")
    assert {(date, time) for _, _, date, time in visit.held()} == {(third.date, third.time)}


async def test_what_is_taken_back_after_a_pause_is_not_booked() -> None:
    visit = await after("marca o Dr. Heitor dia 15 às 16h, opa calma, dia 21 às 14h", "isso")
    assert visit.held() == {("clinic_c", "Dr. Heitor Guimarães", "2028-09-21", "14:00")}
