"""Nothing irreversible on a guess: what cancels or changes is said back and asked once, whoever plans it."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import Atendimento, attending, planning, step
from crivo.clinicas.orquestrador.entende.acordo import answer_in
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.linguagem.botoes import cancel_message

HEITOR = "Dr. Heitor Guimarães"
MINE = ("clinic_c", HEITOR, "2028-09-15", "16:00")
LATER = ("clinic_c", HEITOR, "2028-09-21", "14:00")
NOEMI = ("clinic_f", "Dra. Noemi Sampaio", "2028-09-20", "08:00")
BOOK = "marca com o Dr. Heitor dia 15 às 16h"


async def after(*said: str) -> Atendimento:
    """A conversation, planned by code, after these messages."""
    visit = attending()
    for one in (BOOK, *said):
        await visit.say(one, "embutido")
    return visit


async def test_a_cancellation_is_said_back_before_it_is_done() -> None:
    """Design, "Nothing irreversible on a guess"."""
    visit = await after()
    asked = await visit.say("cancela", "embutido")
    assert asked.plan.steps == ()
    assert asked.texto == "É a consulta de sexta-feira, 15/09, às 16:00, com o Dr. Heitor Guimarães (Clínica C). Cancelo?"
    assert visit.held() == {MINE}
    assert "Cancelei" in (await visit.say("sim", "embutido")).texto
    assert visit.held() == set()


async def test_a_change_is_said_back_with_what_it_was_and_what_it_becomes() -> None:
    visit = await after()
    asked = await visit.say("remarca para o dia 21 às 14h", "embutido")
    assert "15/09, às 16:00" in asked.texto
    assert "21/09, às 14:00" in asked.texto
    assert visit.held() == {MINE}
    await visit.say("pode mudar", "embutido")
    assert visit.held() == {LATER}


@pytest.mark.parametrize(
    "yes",
    [
        "sim",
        "isso",
        "pode",
        "pode cancelar",
        "ok",
        "tá",
        "claro, por favor",
        "isso mesmo",
        "confirmo",
        "cancela",
        "sim, a do dia 15",
        "yes",
        "sí",
    ],
)
async def test_a_clear_yes_does_what_was_said_back(yes: str) -> None:
    assert (await after("quero desmarcar", yes)).held() == set()


@pytest.mark.parametrize(
    "other",
    [
        "não",
        "não, deixa marcado",
        "ih não, deixa marcado, desculpa",
        "melhor não",
        "mudei de ideia",
        "talvez",
        "acho que sim",
        "it",
        "it's",
        "that's",
        "that's nice",
        "essa aí",
        "hmm essa",
        "sim, mas antes me diz o endereço",
        "espera",
        "sim?",
        "obrigado",
        "qual o endereço?",
        "e se eu cancelar perco alguma coisa?",
        "tem dermatologista?",
        "muda para o dia 21 às 14h",
        "sim, a do dia 20",
        "quero cancelar não",
        "quero desmarcar",
        "asdf",
    ],
)
async def test_what_is_no_clear_yes_cancels_nothing(other: str) -> None:
    assert (await after("quero desmarcar", other)).held() == {MINE}


@pytest.mark.parametrize(("said", "left"), [("s", set()), ("S", set()), ("s.", set()), ("n", {MINE}), ("N", {MINE}), ("n!", {MINE})])
async def test_a_letter_answers_what_was_proposed(said: str, left: set[tuple[str, str, str, str]]) -> None:
    visit = await after("cancela")
    answered = await visit.say(said, "embutido")
    assert visit.held() == left
    assert "Cancelo?" not in answered.texto


@pytest.mark.parametrize("said", ["Clínica S", "s?", "n?"])
async def test_a_letter_within_something_else_answers_nothing(said: str) -> None:
    assert (await after("cancela", said)).held() == {MINE}


async def test_a_letter_answers_whether_a_slot_shall_be_booked() -> None:
    assert len((await after("cancela", "sim", "quero cardiologista", "tanto faz", "s")).held()) == 1
    assert (await after("cancela", "sim", "quero cardiologista", "tanto faz", "n")).held() == set()


async def test_a_question_in_between_leaves_the_proposal_open_and_says_so() -> None:
    visit = await after("cancela", "qual o endereço?")
    assert "Ainda não fiz nada" in (await visit.say("qual o telefone?", "embutido")).texto
    await visit.say("sim", "embutido")
    assert visit.held() == set()


async def test_another_request_drops_the_proposal_and_says_so() -> None:
    visit = await after("cancela")
    listed = await visit.say("tem dermatologista?", "embutido")
    assert "não cancelei a consulta de sexta-feira, 15/09" in listed.texto
    await visit.say("sim", "embutido")
    assert visit.held() == {MINE}


async def test_all_that_would_go_is_listed_and_asked_once() -> None:
    visit = await after("marca também com a Dra. Noemi dia 20 às 8h")
    asked = await visit.say("cancela as duas", "embutido")
    assert "15/09, às 16:00" in asked.texto
    assert "20/09, às 08:00" in asked.texto
    assert visit.held() == {MINE, NOEMI}
    await visit.say("sim, as duas", "embutido")
    assert visit.held() == set()


async def test_a_yes_that_names_one_of_several_does_that_one_alone() -> None:
    visit = await after("marca também com a Dra. Noemi dia 20 às 8h", "cancela as duas", "sim, cancela só a da Noemi")
    assert visit.held() == {MINE}


async def test_the_button_of_an_appointment_is_the_act() -> None:
    visit = await after()
    said = cancel_message(visit.dialogue.bookings[0], visit.dialogue.registro)
    await visit.say(said, "embutido")
    assert visit.held() == set()


async def test_a_models_cancellation_is_asked_about_as_well() -> None:
    visit = attending(planning(step("clinic_c", "cancel_appointment", doctor=HEITOR, date="2028-09-15", time="16:00")))
    await visit.say(BOOK, "embutido")
    asked = await visit.say("cancela a minha consulta")
    assert (asked.planejador, asked.plan.steps) == ("modelo", ())
    assert visit.held() == {MINE}
    await visit.say("sim")
    assert visit.held() == set()


async def test_an_appointment_made_elsewhere_is_cancelled_when_told_in_full_and_agreed_to() -> None:
    visit = await after()
    visit.dialogue = type(visit.dialogue)(
        visit.dialogue.now,
        visit.dialogue.registro,
        "paciente",
        visit.dialogue.doctors,
        paciente=visit.dialogue.paciente,
        quem=visit.dialogue.quem,
    )
    asked = await visit.say("Tenho consulta dia 15 às 16h com o Dr. Heitor e não vou poder ir, cancela?", "embutido")
    assert asked.plan.steps == ()
    assert visit.held() == {MINE}
    await visit.say("Sim, cancela a do Dr. Heitor dia 15 às 16h", "embutido")
    assert visit.held() == set()


@pytest.mark.parametrize(
    ("said", "answer"), [("cancela", "outra"), ("muda", "sim"), ("sim", "sim"), ("não", "nao"), ("sim ou não?", "outra")]
)
def test_a_verb_agrees_to_its_own_act_alone(said: str, answer: str) -> None:
    assert answer_in(read_sentence(said), "sim_mudar") == answer
