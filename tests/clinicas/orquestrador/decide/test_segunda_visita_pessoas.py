"""What a second visitor met: one person's proposal and appointment are never another's, and no intention is a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.confere import Known, verify_text
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Paciente
from crivo.clinicas.protocol import Slot

Converse = Callable[..., CasoObtido]

ANA, JOSE, CARLA = "529.982.247-25", "168.995.350-09", "111.444.777-35"
AGENDA_OF_OTHERS = {"377.559.926-67", "574.946.470-90"}
FOR_THE_FATHER = ("cardiologista pro meu pai amanhã às 9 da manhã", f"José Carlos Souza {JOSE}")
OWN = ("marca ortopedia pra mim amanhã às 8", "sim")


def booked(case: CasoObtido) -> set[tuple[str, str, str]]:
    """CPF, day and hour of each new booking."""
    return {(one.cpf, one.date, one.time) for held in case.estado.values() for one in held if one.cpf not in AGENDA_OF_OTHERS}


@pytest.mark.parametrize(
    "said", ["pra mim, o mesmo dia, cardiologista de tardezinha", "e pra mim, amanhã mesmo, cardiologista no fim da tarde"]
)
def test_what_was_proposed_for_one_person_is_not_taken_over_for_another(converse: Converse, said: str) -> None:
    case = converse(*FOR_THE_FATHER, said, "sim")
    assert "09:00" not in case.turnos[2].texto
    assert booked(case) == {(ANA, "2025-07-17", "17:30")}


def test_a_wish_for_another_that_fits_the_same_slot_is_shown_and_not_booked(converse: Converse) -> None:
    assert booked(converse(*FOR_THE_FATHER, "pra mim quero cardiologista amanhã de manhã")) == set()


@pytest.mark.parametrize(
    "said", ["cancela a do meu pai", "muda a da minha irmã pro dia 31 no mesmo horário", "a da minha mãe, desmarca", "cancela a da Carla"]
)
def test_the_appointment_of_somebody_for_whom_nothing_is_held_is_never_the_speakers(converse: Converse, said: str) -> None:
    case = converse(*OWN, said, "sim")
    assert "não há consulta marcada para" in case.turnos[2].texto
    assert "17/07, às 08:00" in case.turnos[2].texto
    assert booked(case) == {(ANA, "2025-07-17", "08:00")}


@pytest.mark.parametrize(
    "said",
    [
        f"agora pra minha irmã Carla Souza, mesma médica, dia 24 às 8, o cpf dela é {CARLA}",
        f"marca pra minha irmã Carla Souza também, com a mesma médica, dia 24 às 8h, cpf {CARLA}",
    ],
)
def test_a_relative_named_before_the_wish_and_the_cpf_is_booked_for_and_hers_is_moved(converse: Converse, said: str) -> None:
    case = converse(*OWN, said, "muda a da minha irmã pro dia 31 no mesmo horário", "sim")
    assert booked(case) == {(ANA, "2025-07-17", "08:00"), (CARLA, "2025-07-31", "08:00")}
    assert not any(turn.recusa for turn in case.turnos)


def test_one_known_by_name_may_be_the_relation_that_is_told(converse: Converse) -> None:
    case = converse("ortopedista pra Carla Souza dia 24 às 8", CARLA, "sim", "cancela a da minha irmã", "sim")
    assert booked(case) == set()


@pytest.mark.parametrize("said", ["sí, cancélala", "sí, anúlala", "yes, cancel it"])
def test_a_yes_that_repeats_the_act_cancels(converse: Converse, said: str) -> None:
    asked = ("necesito un cardiólogo para el martes 22 por la mañana", "el de las 9:30", "creo que no voy a poder ir, ¿la puedo cancelar?")
    assert booked(converse(*asked, said)) == set()


@pytest.mark.parametrize("said", ["ay, me equivoqué, deshaz eso", "ah não, me enganei, desfaz isso"])
def test_an_intention_is_no_name(converse: Converse, said: str) -> None:
    case = converse("quiero el dermatólogo de niños el lunes 21 a las 8", "sí", said, "sí")
    assert not any("CPF de" in turn.texto for turn in case.turnos[2:])
    assert booked(case) == set()


@pytest.mark.parametrize("named", ["Tereza Souza", "Cláudio Souza"])
def test_one_booked_for_may_be_called_as_a_doctor_is(dialogue: Dialogue, named: str) -> None:
    held = Booking("clinic_f", "Dra. Norma Tavares", "2025-07-17", "11:00", para=named)
    doctors = ("Dra. Norma Tavares", "Dra. Tereza Galvão", "Dr. Cláudio Serpa")
    known = Known(doctors, bookings=(held,), people=(named,))
    said = f"Suas consultas:\n- quinta-feira, 17/07, às 11:00, com a Dra. Norma Tavares (Clínica F) para {named.split()[0]}"
    own = Paciente("Ana Souza", ANA)
    assert verify_text(said, (), own, "paciente", registro=dialogue.registro, now=dialogue.now, extra_safe=known).safe
    wrong = said.replace("Norma Tavares", "Tereza Galvão")
    assert not verify_text(wrong, (), own, "paciente", registro=dialogue.registro, now=dialogue.now, extra_safe=known).safe


@pytest.mark.parametrize(
    "head",
    [
        "De Cardiologia, exatamente assim não encontrei. Nas horas que você pediu, só em outros dias, fora de quinta-feira, 17/07:",
        "De Cardiología, exactamente así el jueves, 17/07 no encontré. A las horas que pidió, otros días:",
    ],
)
def test_the_day_on_which_there_is_nothing_may_be_named(dialogue: Dialogue, head: str) -> None:
    offer = Offer("clinic_c", Slot("Dra. Dulce Amorim", "", "2025-07-18", "08:00"))
    known = Known(("Dra. Dulce Amorim",), offers=(offer,))
    said = f"{head}\n18/07, 08:00, Dra. Dulce Amorim (Clínica C)"
    own = Paciente("Ana Souza", ANA)
    assert verify_text(said, (), own, "paciente", registro=dialogue.registro, now=dialogue.now, extra_safe=known).safe
    wrong = said.replace("18/07", "17/07")
    assert not verify_text(wrong, (), own, "paciente", registro=dialogue.registro, now=dialogue.now, extra_safe=known).safe
