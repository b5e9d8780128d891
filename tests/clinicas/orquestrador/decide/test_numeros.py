"""Numbers after a numbered list: one is that option of what was shown last, several at once choose nothing."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import Atendimento, attending

SIXTY = " ".join(str(number) for number in range(1, 61))


async def after(*said: str) -> Atendimento:
    visit = attending()
    for one in said:
        await visit.say(one, "embutido")
    return visit


@pytest.mark.parametrize("said", ["1 2 3 4 5", "1, 2, 3", "1 2", "13 14 15", "9 9 9", "1\n2\n3", SIXTY, f"{SIXTY} 100 101"])
async def test_several_numbers_at_once_choose_nothing_and_filter_nothing(said: str) -> None:
    visit = await after("quero cardiologista")
    shown = visit.dialogue.offers
    asked = await visit.say(said, "embutido")
    assert "só um dos números da lista" in asked.texto
    assert asked.plan.steps == ()
    assert visit.dialogue.offers == shown
    await visit.say("2", "embutido")
    chosen = shown[1]
    assert visit.held() == {(chosen.clinic, chosen.slot.doctor, chosen.slot.date, chosen.slot.time)}


@pytest.mark.parametrize("asked", ["dia 13 ou 14", "de manhã", "às 9h", "com o Dr. Heitor ou a Dra. Marina"])
@pytest.mark.parametrize("number", [1, 2])
async def test_a_number_after_any_numbered_list_is_that_option_of_it(asked: str, number: int) -> None:
    visit = await after("quero cardiologista", asked)
    shown = visit.dialogue.offers
    assert len(shown) > 1
    answered = await visit.say(str(number), "embutido")
    if "atende crianças" in answered.texto and answered.plan.pergunta:
        await visit.say("é para mim", "embutido")
    chosen = shown[number - 1]
    assert visit.held() == {(chosen.clinic, chosen.slot.doctor, chosen.slot.date, chosen.slot.time)}


async def test_a_number_is_no_hour_or_day_of_what_was_asked_before() -> None:
    visit = await after("quero cardiologista", "a partir do dia 13")
    ninth = visit.dialogue.offers[8]
    assert ninth.slot.time != "09:00"
    assert any(offer.slot.time == "09:00" for offer in visit.dialogue.offers)
    await visit.say("9", "embutido")
    assert visit.held() == {(ninth.clinic, ninth.slot.doctor, ninth.slot.date, ninth.slot.time)}


async def test_a_cpf_written_apart_is_no_choice_of_numbers() -> None:
    visit = await after("quero cardiologista")
    assert "números da lista" not in (await visit.say("529 982 247 25", "embutido")).texto
