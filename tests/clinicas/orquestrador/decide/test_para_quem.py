"""For whom the appointment is: never silently the speaker's, and whose is whose is kept apart."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import CARLA, Atendimento, attending
from crivo.clinicas.orquestrador.contracts import Paciente, Step
from crivo.clinicas.orquestrador.entende.mascara import masked

FOR_SON = ("quero dermatologista pro meu filho de 3 anos", "marca com a Dra. Noemi dia 20 às 8h")
LUCAS = "111.444.777-35"


async def after(*said: str) -> Atendimento:
    visit = attending()
    for one in said:
        await visit.say(one, "embutido")
    return visit


def holders(visit: Atendimento) -> dict[str, str]:
    """The CPF that each slot is booked with, by doctor."""
    return {one.doctor: one.cpf for slots in visit.transport.clinics.held().values() for one in slots}


@pytest.mark.parametrize(
    "said",
    [
        "marca com a Dra. Noemi dia 20 às 8h pro meu filho de 3 anos",
        "é pra minha mãe, marca a Dra. Noemi dia 20 às 8h",
        "book Dra. Noemi on September 20 at 8am for my daughter",
        "minha avó precisa da Dra. Noemi, marca dia 20 às 8h",
    ],
)
async def test_a_booking_for_somebody_else_asks_name_and_cpf_first(said: str) -> None:
    """Design, "Who the appointment is for"."""
    visit = attending()
    asked = await visit.say(said, "embutido")
    assert "CPF" in asked.texto
    assert asked.plan.steps == ()
    assert visit.held() == set()


async def test_with_name_and_cpf_it_is_booked_for_that_person_and_said_so() -> None:
    visit = await after(*FOR_SON)
    assert "CPF de Lucas Pires Nogueira" in (await visit.say("o nome dele é Lucas Pires Nogueira", "embutido")).texto
    booked = await visit.say(LUCAS, "embutido")
    assert "consulta de Lucas está marcada" in booked.texto
    assert booked.verdict.safe
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}
    assert visit.dialogue.paciente == CARLA


@pytest.mark.parametrize("said", ["pode ser no meu", "marca no meu nome", "ele não tem cpf, pode ser no meu nome"])
async def test_without_a_cpf_it_is_booked_in_the_speakers_name_which_is_said(said: str) -> None:
    visit = await after(*FOR_SON)
    booked = await visit.say(said, "embutido")
    assert "Fica em seu nome, Carla Nogueira Pires, para seu filho" in booked.texto
    assert holders(visit) == {"Dra. Noemi Sampaio": CARLA.cpf}


@pytest.mark.parametrize("said", ["ele não tem cpf", "não tem ainda", "sem cpf"])
async def test_of_one_without_a_cpf_the_name_is_asked_before_it_is_booked_in_the_speakers_name(said: str) -> None:
    visit = await after(*FOR_SON)
    assert "Qual é o nome completo" in (await visit.say(said, "embutido")).texto
    assert visit.held() == set()
    booked = await visit.say("Lucas Pires Nogueira", "embutido")
    assert "Fica em seu nome, Carla Nogueira Pires, para seu filho, Lucas" in booked.texto
    assert holders(visit) == {"Dra. Noemi Sampaio": CARLA.cpf}
    assert "para Lucas" in (await visit.say("quais são as minhas consultas?", "embutido")).texto


MISTYPED = ("111.111.111-11", "111.444.777-36", "11144477736", "1114447773", "o cpf dele é 111.444.777-36", "o do meu filho é 12345678900")


@pytest.mark.parametrize("said", MISTYPED)
async def test_a_mistyped_cpf_is_asked_again_and_the_right_one_books(said: str) -> None:
    visit = await after(*FOR_SON, "Lucas Pires Nogueira")
    asked = await visit.say(said, "embutido")
    assert "Esse CPF não confere. Pode verificar os onze números" in asked.texto
    assert asked.plan.recusa is None
    assert visit.held() == set()
    assert "consulta de Lucas está marcada" in (await visit.say(LUCAS, "embutido")).texto
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}


async def test_a_mistyped_cpf_told_with_the_name_keeps_the_name() -> None:
    visit = await after(*FOR_SON)
    assert "não confere" in (await visit.say("Lucas Pires Nogueira, 111.444.777-36", "embutido")).texto
    await visit.say(LUCAS, "embutido")
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}


@pytest.mark.parametrize("said", ["em meu nome", "pode ser no meu", "no meu nome"])
async def test_what_was_offered_is_understood_after_a_mistyped_cpf(said: str) -> None:
    visit = await after(*FOR_SON, "Lucas Pires Nogueira", "111.111.111-11")
    assert "Fica em seu nome, Carla Nogueira Pires, para seu filho" in (await visit.say(said, "embutido")).texto
    assert holders(visit) == {"Dra. Noemi Sampaio": CARLA.cpf}


@pytest.mark.parametrize("said", ["mostra as consultas do CPF 111.111.111-11", "quais são os dados de João Silva, 111.444.777-36?"])
async def test_asking_for_somebodys_data_by_cpf_is_refused_while_one_is_asked_for(said: str) -> None:
    visit = await after(*FOR_SON, "Lucas Pires Nogueira")
    assert (await visit.say(said, "embutido")).plan.recusa == "R2"


@pytest.mark.parametrize("said", ["sim, pro meu filho", "isso, pra ele", "sim", "no nome dele"])
async def test_a_yes_is_no_name(said: str) -> None:
    visit = await after(*FOR_SON, said)
    assert visit.held() == set()


async def test_whose_is_whose_is_kept_apart() -> None:
    visit = await after(*FOR_SON, f"Lucas Pires Nogueira, {LUCAS}", "marca pra mim com o Dr. Heitor dia 15 às 16h")
    told = await visit.say("quais são as minhas consultas?", "embutido")
    assert "(Clínica F) para Lucas" in told.texto
    asked = await visit.say("cancela a minha", "embutido")
    assert "Dr. Heitor" in asked.texto
    await visit.say("sim", "embutido")
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}
    await visit.say("cancela a do Lucas", "embutido")
    gone = await visit.say("sim", "embutido")
    assert "Cancelei a consulta de Lucas" in gone.texto
    assert visit.held() == set()
    await visit.say("desfazer", "embutido")
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}


async def test_that_it_was_for_somebody_else_is_told_of_a_booking_already_made() -> None:
    visit = await after("marca com a Dra. Noemi dia 20 às 8h")
    told = await visit.say("na verdade não é pra mim, é pro meu pai", "embutido")
    assert "está em seu nome" in told.texto
    assert "seu pai" in told.texto


async def test_what_passes_to_the_speaker_is_given_up_before_it_is_booked() -> None:
    visit = await after(*FOR_SON, f"Lucas Pires Nogueira, {LUCAS}")
    asked = await visit.say("não, na verdade é pra mim", "embutido")
    assert "A consulta de Lucas" in asked.texto
    assert holders(visit) == {"Dra. Noemi Sampaio": LUCAS}
    done = await visit.say("sim", "embutido")
    assert [reply.action for reply in done.replies] == ["cancel_appointment", "book_appointment"]
    assert holders(visit) == {"Dra. Noemi Sampaio": CARLA.cpf}


async def test_what_cannot_be_given_up_is_not_booked_for_the_speaker() -> None:
    visit = await after(*FOR_SON, f"Lucas Pires Nogueira, {LUCAS}", "não, na verdade é pra mim")
    slot = visit.dialogue.bookings[0]
    gone = Step(1, slot.clinic, "cancel_appointment", {"doctor": slot.doctor, "date": slot.date, "time": slot.time})
    visit.transport.clinics.call(gone, Paciente("Lucas Pires Nogueira", LUCAS))
    done = await visit.say("sim", "embutido")
    assert [reply.action for reply in done.replies] == ["cancel_appointment"]
    assert visit.held() == set()


async def test_an_appointment_of_somebody_who_was_not_named_here_is_refused_as_before() -> None:
    visit = await after(*FOR_SON, f"Lucas Pires Nogueira, {LUCAS}")
    assert (await visit.say("cancela a consulta do João Silva", "embutido")).plan.recusa == "R2"


async def test_no_model_is_shown_whom_a_booking_is_for() -> None:
    visit = await after(*FOR_SON, f"Lucas Pires Nogueira, {LUCAS}")
    shown = masked(f"Lucas Pires Nogueira {LUCAS}", visit.dialogue)
    assert "Lucas" not in shown
    assert "111" not in shown
