"""A change that tells only the booking as it stands: it names what is changed, never what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Plan, Step
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.protocol import Slot
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import BRASILIA

NOW = datetime(2025, 7, 16, 8, tzinfo=BRASILIA)
FERNANDO = "Dr. Fernando Mendes"
DOCTORS: dict[str, tuple[str, ...]] = {FERNANDO: ("clinic_c",), "Dra. Lúcia Azevedo": ("clinic_f",)}
HELD = Booking("clinic_c", FERNANDO, "2025-07-18", "10:00", "Cardiologia")
SKIN = Booking("clinic_f", "Dra. Lúcia Azevedo", "2025-07-16", "15:00", "Dermatologia")
WEEKDAYS = ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo")


def of_fernando(*moments: tuple[str, str]) -> tuple[Offer, ...]:
    return tuple(Offer("clinic_c", Slot(FERNANDO, "Cardiologia", day, time)) for day, time in moments)


SHOWN = of_fernando(("2025-07-21", "09:00"), ("2025-07-25", "10:00"))


def said(utterance: str, *held: Booking, shown: tuple[Offer, ...] = SHOWN) -> Plan:
    state = Dialogue(NOW, REGISTRO_PADRAO, doctors=DOCTORS)
    return plan(utterance, msgspec.structs.replace(state, bookings=held, offers=shown))[0]


def changes(made: Plan) -> list[Step]:
    return [step for step in made.steps if step.action != "list_available_slots"]


def target(made: Plan) -> tuple[str, str]:
    (step,) = made.steps
    assert step.action == "reschedule_appointment"
    return step.parameters["new_date"], step.parameters["new_time"]


NAMES_WHAT_IS_HELD = (
    "Quero remarcar a consulta de sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes, na Clínica C",
    "Quero remarcar a consulta de sexta-feira, 18/07, às 10:00",
    "quero remarcar a consulta de sexta",
    "quero remarcar minha consulta de 18/07",
    "remarca a das 10h",
    "muda a das 10h, por favor",
    "quero mudar minha consulta de sexta às 10h com o Dr. Fernando",
    "trocar a consulta de sexta, 18/07",
    "quero trocar o horário da consulta do dia 18 às 10h",
    "preciso adiar a consulta de sexta-feira, às 10:00",
    "quero antecipar a consulta de sexta-feira, 18/07, às 10h",
    "desmarcar e remarcar a consulta de sexta, 18/07, às 10h",
    "quero desmarcar e remarcar a consulta do dia 18 às 10:00 com o Dr. Fernando",
    "preciso remarcar minha consulta com o Dr. Fernando Mendes, sexta, 10:00",
    "remarcar consulta sexta-feira 18/07 10:00 Dr. Fernando Mendes",
    "remarcar 18/07 10:00",
    "remarcar sexta 10h",
    "reagendar a consulta na Clínica C, sexta-feira, 18/07",
    "dá para remarcar a consulta que tenho na sexta, dia 18, às 10h?",
    "quero remarcar a consulta marcada para sexta-feira, às 10:00",
    "remarcar a consulta agendada para o dia 18 às 10h com o Dr. Fernando",
    "tenho consulta sexta, 18/07, às 10h e quero remarcar",
    "minha consulta é sexta às 10h, preciso mudar",
    "não vou poder ir na sexta às 10h, quero remarcar",
    "preciso transferir a consulta do Dr. Fernando Mendes de sexta-feira, 18/07, 10:00",
    "alterar a consulta de sexta-feira (18/07) às 10:00, para outro dia",
    "quero remarcar a consulta de sexta de manhã",
    "I want to reschedule my appointment on Friday, 07/18, at 10:00 with Dr. Fernando Mendes",
    "please move my Friday 10am appointment with Dr. Fernando",
    "reschedule the appointment on July 18 at 10:00, at Clinic C",
    "quiero cambiar la cita del viernes 18/07 a las 10:00 con el Dr. Fernando Mendes",
    "necesito reprogramar mi cita del viernes, a las 10:00",
)


@pytest.mark.parametrize("held", [(HELD,), (HELD, SKIN)], ids=["one", "two"])
@pytest.mark.parametrize("shown", [SHOWN, ()], ids=["shown", "unseen"])
@pytest.mark.parametrize("utterance", NAMES_WHAT_IS_HELD)
def test_a_change_that_tells_only_what_is_held_asks_for_when(utterance: str, shown: tuple[Offer, ...], held: tuple[Booking, ...]) -> None:
    """Blueprint 2.3.1/8: nothing is moved to a moment that nobody chose."""
    made = said(utterance, *held, shown=shown)
    assert not made.steps
    assert made.pergunta
    assert "18/07" in made.pergunta or "July 18" in made.pergunta
    assert "16/07" not in made.pergunta


@pytest.mark.parametrize(
    ("utterance", "moment"),
    [
        ("remarca a de sexta 18/07 às 10h para dia 21 às 9h", ("2025-07-21", "09:00")),
        ("quero remarcar a consulta de sexta-feira, 18/07, às 10:00, para o dia 21", ("2025-07-21", "09:00")),
        ("não vou poder ir na sexta às 10h, remarca para dia 21 às 9h", ("2025-07-21", "09:00")),
        ("quero remarcar a consulta marcada para sexta para segunda", ("2025-07-21", "09:00")),
        ("desmarcar e remarcar a de sexta para segunda", ("2025-07-21", "09:00")),
        ("muda para sexta que vem às 10h", ("2025-07-25", "10:00")),
        ("passa a de sexta para a outra sexta", ("2025-07-25", "10:00")),
        ("muda para outro dia às 10h", ("2025-07-25", "10:00")),
        ("remarca a consulta, dia 21 às 9h", ("2025-07-21", "09:00")),
        ("move my Friday 10am appointment to Monday at 9:00", ("2025-07-21", "09:00")),
        ("cambiar la cita del viernes a las 10:00 para el 25/07", ("2025-07-25", "10:00")),
    ],
)
def test_a_change_that_tells_where_to_is_done(utterance: str, moment: tuple[str, str]) -> None:
    assert target(said(utterance, HELD)) == moment


def test_another_time_of_the_day_that_is_held_is_where_to() -> None:
    shown = of_fernando(("2025-07-18", "16:00"), ("2025-07-25", "10:00"))
    assert target(said("remarca para sexta às 16h", HELD, shown=shown)) == ("2025-07-18", "16:00")


def test_a_bare_weekday_after_to_is_the_next_one_even_where_a_later_one_is_held() -> None:
    later = msgspec.structs.replace(HELD, date="2025-07-25")
    shown = of_fernando(("2025-07-18", "10:00"), ("2025-07-21", "09:00"))
    assert target(said("antecipa para sexta", later, shown=shown)) == ("2025-07-18", "10:00")
    assert not said("quero antecipar a consulta de sexta", later, shown=shown).steps


def test_the_answer_to_when_is_where_to_even_at_the_same_time() -> None:
    state = msgspec.structs.replace(Dialogue(NOW, REGISTRO_PADRAO, doctors=DOCTORS), bookings=(HELD,), offers=SHOWN)
    _, pending = plan(NAMES_WHAT_IS_HELD[0], state)
    made, _ = plan("dia 25, às 10h", msgspec.structs.replace(state, pending=pending))
    assert target(made) == ("2025-07-25", "10:00")


def test_a_wish_that_also_names_one_of_two_asks_which_and_then_when() -> None:
    state = msgspec.structs.replace(Dialogue(NOW, REGISTRO_PADRAO, doctors=DOCTORS), bookings=(HELD, SKIN), offers=SHOWN)
    made, pending = plan("quero remarcar para sexta", state)
    assert not made.steps
    assert made.pergunta
    assert "18/07" in made.pergunta
    assert "16/07" in made.pergunta
    made, _ = plan("a do Dr. Fernando", msgspec.structs.replace(state, pending=pending))
    assert not made.steps
    assert made.pergunta
    assert "16/07" not in made.pergunta


def test_cancelling_one_and_moving_another_are_still_two_things() -> None:
    made = said("cancela a de dermatologia e remarca a de sexta para dia 21 às 9h", HELD, SKIN)
    assert [step.action for step in made.steps] == ["cancel_appointment", "reschedule_appointment"]


ASKS = st.sampled_from(("quero remarcar", "preciso mudar", "quero trocar", "adiar", "antecipar", "desmarcar e remarcar"))
DAYS: tuple[Callable[[date], str], ...] = (
    lambda day: f"de {WEEKDAYS[day.weekday()]}",
    lambda day: f"de {day:%d/%m}",
    lambda day: f"do dia {day.day}",
    lambda day: f"de {WEEKDAYS[day.weekday()]}, {day:%d/%m}",
    lambda day: f", {WEEKDAYS[day.weekday()]}",
)
TIMES: tuple[Callable[[str], str], ...] = (lambda time: "", lambda time: f", às {time}", lambda time: f" das {time[:2]}h")


@settings(max_examples=200, deadline=None)
@given(
    ASKS,
    st.sampled_from(DAYS),
    st.sampled_from(TIMES),
    st.sampled_from(("", ", com o Dr. Fernando Mendes", ", na Clínica C")),
    st.integers(1, 14),
    st.sampled_from(("08:00", "10:00", "14:00")),
    st.booleans(),
    st.booleans(),
)
def test_whatever_is_held_its_own_day_and_time_never_move_it(
    ask: str, day: Callable[[date], str], time: Callable[[str], str], scope: str, ahead: int, at: str, shown: bool, alone: bool
) -> None:
    """Blueprint 2.3.1/8, of any booking in the next two weeks, alone or not, with its time on offer in another week or nothing shown."""
    held_on = NOW.date() + timedelta(days=ahead)
    held = msgspec.structs.replace(HELD, date=held_on.isoformat(), time=at)
    same_weekday = [(held_on + timedelta(days=shift)).isoformat() for shift in (-7, 7) if ahead + shift > 0]
    offers = of_fernando((same_weekday[-1], at)) if shown else ()
    made = said(f"{ask} a consulta {day(held_on)}{time(at)}{scope}", *(() if alone else (SKIN,)), held, shown=offers)
    assert changes(made) == []
