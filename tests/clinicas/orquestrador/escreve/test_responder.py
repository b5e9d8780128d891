"""The embedded responder: everything the clinics answered, and nothing that they did not."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Paciente, Plan, Step
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder, write
from crivo.clinicas.orquestrador.preferencias import Busca, Criterios, Dia
from crivo.clinicas.protocol import Codigo, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import BRASILIA

DIALOGUE = Dialogue(datetime(2025, 7, 16, 8, tzinfo=BRASILIA), REGISTRO_PADRAO, paciente=Paciente("Ana Braga", "529.982.247-25"))


def listing(clinic: str, *slots: tuple[str, str, str, str]) -> ClinicReply:
    rows = [{"doctor": doctor, "specialty": branch, "date": date, "time": time, "available": True} for doctor, branch, date, time in slots]
    return ClinicReply(clinic, "list_available_slots", {"specialty": "Cardiologia", "available_slots": rows, "note": ""})


A = listing("clinic_a", ("Dra. Helena Prado", "Arritmologia", "2025-07-22", "08:00"))
C = listing(
    "clinic_c", ("Dr. Fernando Mendes", "Cardiologia", "2025-07-18", "10:00"), ("Dr. Fernando Mendes", "Cardiologia", "2025-07-19", "14:00")
)
LISTED = Plan()


_DOES: dict[str, Action] = {"confirmed": "book_appointment", "rescheduled": "reschedule_appointment", "cancelled": "cancel_appointment"}


def booked(status: str, **appointments: dict[str, Any]) -> ClinicReply:
    return ClinicReply("clinic_c", _DOES[status], {"status": status, "message": "", **appointments})


def held(date: str, time: str) -> dict[str, str]:
    return {
        "doctor": "Dr. Fernando Mendes",
        "date": date,
        "time": time,
        "patient_name": "Ana Braga",
        "cpf": "1",
        "specialty": "Cardiologia",
    }


def test_all_slots_of_all_clinics_come_together_the_earliest_first_and_marked() -> None:
    """Blueprint 2.3.3/2, Blueprint 2.3.3/3: every slot with day, time and doctor, and the earliest one marked."""
    lines = write("tem cardiologista?", LISTED, (A, C), DIALOGUE).split("\n")
    assert lines[1:3] == ["Sexta-feira, 18/07", "1) 10:00, com o Dr. Fernando Mendes (Clínica C) (o mais cedo)"]
    assert lines[3:5] == ["Sábado, 19/07", "2) 14:00, com o Dr. Fernando Mendes (Clínica C)"]
    assert lines[5:7] == ["Terça-feira, 22/07", "3) 08:00, com a Dra. Helena Prado (Clínica A), Arritmologia"]


def of_day(day: str) -> Plan:
    return Plan(buscas=(Busca(Criterios(especialidades=("Cardiologia",), dias=(Dia(day, day),))),))


def test_the_slots_of_the_day_that_was_asked_for_are_shown_and_the_others_counted() -> None:
    text = write("tem cardiologista dia 19?", of_day("2025-07-19"), (A, C), DIALOGUE)
    assert "1) 14:00" in text
    assert "18/07" not in text
    assert "E mais 2 fora disso" in text
    assert text.endswith("Posso marcar esse?")


def test_where_nothing_fits_the_nearest_are_shown_as_such() -> None:
    text = write("tem cardiologista dia 30?", of_day("2025-07-30"), (A, C), DIALOGUE)
    assert "exatamente assim não encontrei" in text
    assert "3) 08:00" in text


def test_a_clinic_without_an_answer_is_named_and_the_others_are_shown() -> None:
    away = ClinicReply("clinic_a", "list_available_slots", None, ToolError("recusada", code=-32000))
    text = write("tem cardiologista?", LISTED, (away, C), DIALOGUE)
    assert "Não consegui falar com a Clínica A agora" in text
    assert "18/07" in text


def test_a_change_that_could_not_reach_its_clinic_is_not_said_to_be_done() -> None:
    away = ClinicReply("clinic_a", "book_appointment", None, ToolError("recusada", code=-32000))
    text = write("marca", Plan(), (away,), DIALOGUE)
    assert "não fiz a mudança" in text
    assert "Pronto" not in text


def test_confirmations_tell_day_time_doctor_and_clinic() -> None:
    done = write("marca", Plan(), (booked("confirmed", appointment=held("2025-07-18", "10:00")),), DIALOGUE)
    assert done.splitlines() == [
        "Pronto, Ana! Sua consulta está marcada: sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes (Clínica C).",
        "Clínica C: Avenida das Palmeiras, 900, Meireles, telefone (85) 3000-0003.",
    ]
    moved = booked("rescheduled", original_appointment=held("2025-07-18", "10:00"), new_appointment=held("2025-07-19", "14:00"))
    assert "mudou de sexta-feira, 18/07" in write("muda", Plan(), (moved,), DIALOGUE)
    gone = booked("cancelled", cancelled_appointment=held("2025-07-19", "14:00"))
    assert "Cancelei a consulta de sábado, 19/07" in write("cancela", Plan(), (gone,), DIALOGUE)


def test_a_clinics_refusal_is_said_as_a_receptionist_would() -> None:
    taken = ClinicReply("clinic_c", "book_appointment", None, ToolError("x", codigo="horario_ocupado"))
    assert write("marca", Plan(), (taken,), DIALOGUE).startswith("Esse horário não está mais livre")
    strange = ClinicReply("clinic_c", "book_appointment", None, ToolError("x", code=-32602))
    assert write("marca", Plan(), (strange,), DIALOGUE).startswith("A Clínica C não conseguiu atender esse pedido")


def test_a_code_that_a_clinic_made_up_brings_up_no_text_meant_for_something_else() -> None:
    odd = ClinicReply("clinic_c", "book_appointment", None, ToolError("x", codigo=cast("Codigo", "marcada")))
    assert write("marca", Plan(), (odd,), DIALOGUE).startswith("Não foi possível concluir")


def test_a_clinic_without_free_slots_is_said_to_have_none() -> None:
    text = write("tem?", Plan(), (listing("clinic_b"),), DIALOGUE)
    assert text == "Clínica B não tem horários livres no momento."


def test_a_doctor_without_free_slots_does_not_speak_for_the_whole_clinic() -> None:
    asked = Plan((Step(1, "clinic_b", "list_available_slots", {"doctor": "Dra. Camila Duarte"}),))
    assert write("tem a Camila?", asked, (listing("clinic_b"),), DIALOGUE).startswith("Dra. Camila Duarte não tem horários livres")


def test_patients_are_told_by_id_and_condition_alone() -> None:
    found = ClinicReply("clinic_a", "list_patients", {"patients": [{"patient_id": "CARD-001", "condition": "Hipertensão arterial"}]})
    assert write("liste", Plan(), (found,), DIALOGUE) == "Clínica A: CARD-001 (Hipertensão arterial)."


async def test_the_text_is_in_the_language_of_the_plan() -> None:
    """Blueprint 2.3.3/2: in the language of the person."""
    assert "the earliest" in await EmbeddedResponder().write("any cardiologist?", Plan(idioma="en"), (A, C), DIALOGUE)
    assert "el más temprano" in write("¿hay cardiólogo?", Plan(idioma="es"), (A, C), DIALOGUE)
