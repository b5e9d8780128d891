"""A question is not an order; neither is a supposition, what somebody else did, or what is denied."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import attending

HEITOR = "Dr. Heitor Guimarães"
MINE = ("clinic_c", HEITOR, "2028-09-15", "16:00")
NO_ORDERS = (
    "posso cancelar até quando?",
    "e se eu quiser desmarcar depois, paga multa?",
    "minha irmã cancelou a dela",
    "não cancela não",
    "não quero cancelar",
    "se eu cancelar perco?",
    "dá pra cancelar depois?",
    "qual o prazo pra remarcar?",
    "como faço pra cancelar?",
    "vocês cancelaram minha consulta?",
    "não é pra cancelar, viu",
    "talvez eu cancele, te aviso",
    "posso desmarcar em cima da hora?",
    "caso eu precise cancelar, falo com quem?",
    "meu marido desmarcou a dele",
    "can I cancel later?",
    "hasta cuando puedo cancelar?",
    "my sister cancelled hers",
    "no cancele nada",
)


@pytest.mark.parametrize("said", NO_ORDERS)
async def test_what_is_no_order_is_answered_and_nothing_is_proposed(said: str) -> None:
    visit = attending()
    await visit.say("marca com o Dr. Heitor dia 15 às 16h", "embutido")
    trace = await visit.say(said, "embutido")
    assert trace.plan.steps == ()
    assert trace.plan.pergunta is None
    assert trace.plan.recusa is None
    assert "16:00" in trace.texto  # what is booked is told
    await visit.say("sim", "embutido")
    assert visit.held() == {MINE}


@pytest.mark.parametrize("said", ["posso cancelar até quando?", "cancelamento tem taxa?", "quanto custa pra remarcar?"])
async def test_what_we_do_not_know_is_said_and_no_fee_is_made_up(said: str) -> None:
    texto = (await attending().say(said, "embutido")).texto
    assert "não tenho informação" in texto
    assert "recepção" in texto


@pytest.mark.parametrize(
    "said",
    [
        "minha irmã marcou com o Dr. Gustavo dia 18 às 9h",
        "já marquei com o Dr. Gustavo dia 18 às 9h",
        "tenho consulta com o Dr. Gustavo dia 18 às 9h",
        "e se eu marcasse com o Dr. Gustavo dia 18 às 9h?",
        "obrigado",
        "valeu, até lá",
        "boa noite",
        "marca com o Dr. Heitor dia 15 às 16h",
    ],
)
async def test_nothing_more_is_booked_by_what_asks_for_no_booking(said: str) -> None:
    visit = attending()
    await visit.say("marca com o Dr. Heitor dia 15 às 16h", "embutido")
    await visit.say(said, "embutido")
    assert visit.held() == {MINE}


async def test_a_greeting_wishes_for_no_time_of_day() -> None:
    morning = await attending().say("boa tarde, tem cardiologista?", "embutido")
    plain = await attending().say("tem cardiologista?", "embutido")
    assert morning.texto == plain.texto


@pytest.mark.parametrize("said", ["marca com o Dr. Heitor dia 13 às 9h30... não, dia 15 às 16h", "Dr. Heitor dia 15 às 14h, digo, 16h"])
async def test_of_a_time_corrected_in_the_same_breath_the_last_is_asked_about_and_booked(said: str) -> None:
    visit = attending()
    await visit.say(said, "embutido")
    assert visit.held() == set()
    await visit.say("isso", "embutido")
    assert visit.held() == {MINE}


@pytest.mark.parametrize(("said", "place"), [("3️⃣", 3), ("②", 2), ("2️⃣ por favor", 2)])
async def test_a_number_as_a_picture_is_the_number_in_the_list(said: str, place: int) -> None:
    visit = attending()
    await visit.say("tem cardiologista?", "embutido")
    offer = visit.dialogue.offers[place - 1]
    await visit.say(said, "embutido")
    assert visit.held() == {(offer.clinic, offer.slot.doctor, offer.slot.date, offer.slot.time)}
