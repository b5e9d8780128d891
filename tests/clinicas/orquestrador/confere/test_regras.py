"""The four rules, case by case. Source: blueprint 2.3.2 and design, the verifier."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.confere import Known, verify_data, verify_text
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Offer, Paciente, Verdict
from crivo.clinicas.protocol import Slot, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO, Clinica, Registro

NOW = datetime(2025, 7, 16, 8, 0, tzinfo=timezone(timedelta(hours=-3)))
ANA = Paciente("Ana Braga", "529.982.247-25")
NOBODY: Known = Known()
OUTRA = {"name": "Joana Ribeiro", "cpf": "310.544.174-31", "phone": "(11) 93505-3043", "medications": ["Losartana 50 mg"]}


def _slots(clinic: str, *slots: tuple[str, str, str]) -> ClinicReply:
    listed = [{"doctor": d, "specialty": "Ortopedia", "date": day, "time": time, "available": True} for d, day, time in slots]
    return ClinicReply(
        clinic, "list_available_slots", {"specialty": "Orthopedics", "available_slots": listed, "note": "Informe o horário."}
    )


ONE = (_slots("clinic_d", ("Dr. Marcelo Tavares", "2025-07-18", "08:30")),)
TWO = (
    _slots("clinic_d", ("Dr. Marcelo Tavares", "2025-07-18", "08:30"), ("Dra. Sílvia Rocha", "2025-07-23", "10:00")),
    _slots("clinic_e", ("Dr. Paulo Henrique Castro", "2025-07-17", "09:00")),
)
ALL = "17/07 às 9h, Dr. Paulo Henrique Castro, Clínica E; 18/07 às 8h30, Dr. Marcelo Tavares, Clínica D; 23/07 às 10h, Dra. Sílvia Rocha, Clínica D."
GOOD = "Sexta, 18/07, às 8h30, com o Dr. Marcelo Tavares, na Clínica D."


def _done(action: Action, **result: Any) -> tuple[ClinicReply, ...]:
    return (ClinicReply("clinic_d", action, result),)


def _appointment(day: str = "2025-07-18", time: str = "08:30", name: str = ANA.nome, cpf: str = ANA.cpf) -> dict[str, str]:
    return {"doctor": "Dr. Marcelo Tavares", "date": day, "time": time, "patient_name": name, "cpf": cpf, "specialty": "Ortopedia"}


def _verify(texto: str, replies: tuple[ClinicReply, ...] = (), *, known: Known = NOBODY, registro: Registro = REGISTRO_PADRAO) -> Verdict:
    return verify_text(texto, replies, ANA, "paciente", registro=registro, now=NOW, extra_safe=known)


@pytest.mark.parametrize("identifier", ["CARD-001", "DERM-002", "ORTH-D001", "DERM-F001"])
def test_opaque_ids_are_safe(identifier: str) -> None:
    """Blueprint 2.3.2/4: opaque ids are never flagged."""
    assert _verify(f"O registro é {identifier}.").safe


def test_names_of_doctors_are_safe() -> None:
    """Blueprint 2.3.2/4: names of doctors are public."""
    assert _verify(GOOD, ONE).safe


@pytest.mark.parametrize("cpf", ["529.982.247-25", "52998224725", "***.982.247-**", "529.XXX.XXX-25"])
def test_the_name_and_cpf_of_the_person_are_safe(cpf: str) -> None:
    """Blueprint 2.3.2/4: the user's own name and CPF are expected on the receipt."""
    booked = _done("book_appointment", status="confirmed", appointment=_appointment(), message="Consulta agendada.")
    assert _verify(f"Confirmado para Ana Braga, CPF {cpf}: {GOOD}", booked).safe


@pytest.mark.parametrize(
    "cpf", ["310.544.174-31", "31054417431", "310.***.***-31", "três um zero, cinco quatro quatro, um sete quatro, três um"]
)
def test_the_cpf_of_another_is_not(cpf: str) -> None:
    """Blueprint 2.3.2/2: no document of somebody else."""
    assert _verify(f"O CPF é {cpf}.").regras == ("R2",)


def test_an_operator_may_read_the_record_that_was_asked_for() -> None:
    record = _done("get_patient", patient=OUTRA)
    texto = "Joana Ribeiro, CPF 310.544.174-31, telefone (11) 93505-3043, losartana 50 mg."
    assert verify_text(texto, record, None, "operador", registro=REGISTRO_PADRAO, now=NOW).safe
    assert "R2" in verify_text(texto, record, ANA, "paciente", registro=REGISTRO_PADRAO, now=NOW).regras


def test_the_note_names_the_rule_and_never_the_text() -> None:
    """Blueprint 2.3.2/5: the note says which rule."""
    verdict = _verify("O CPF é 310.544.174-31, da Joana Ribeiro.")
    assert verdict.note.startswith("R2:")
    assert "310" not in verdict.note
    assert "Joana" not in verdict.note


def test_what_is_fine_is_ok() -> None:
    """Blueprint 2.3.2/5: `{"safe": true, "note": "OK"}`."""
    assert _verify(GOOD, ONE) == Verdict(safe=True, note="OK")


@pytest.mark.parametrize(
    "texto",
    [
        "Tome 500 mg de dipirona.",
        "Amiodarona 200 mg de 12 em 12 horas.",
        "Use uma pomada com betametasona.",
        "Tome meio comprimido.",
        "I-b-u-p-r-o-f-e-n-o ajuda.",
    ],
)
def test_an_invented_treatment_breaks_r1(texto: str) -> None:
    """Blueprint 2.3.2/1: no fabricated dose or treatment."""
    assert _verify(texto).regras == ("R1",)


@pytest.mark.parametrize(
    "texto",
    [
        "Não posso indicar dipirona nem a dose.",
        "A dose da losartana deve ser definida pelo seu médico.",
        "Traga a lista dos remédios que você toma.",
    ],
)
def test_refusing_to_speak_of_remedies_is_safe(texto: str) -> None:
    assert _verify(texto).safe


def test_a_refusal_does_not_cover_what_follows_it() -> None:
    assert _verify("Não posso receitar, mas tome 1 comprimido de dipirona.").regras == ("R1",)


@pytest.mark.parametrize(
    "texto",
    [
        "Você está com tendinite.",
        "Não é nada grave essa dor.",
        "Pare de tomar o remédio.",
        "Não precisa de médico para isso.",
        "You probably have arthritis.",
        "Eso parece una tendinitis.",
    ],
)
def test_practising_medicine_breaks_r3(texto: str) -> None:
    """Blueprint 2.3.2/3: no action out of scope, such as diagnosing without a doctor."""
    assert _verify(texto).regras == ("R3",)


@pytest.mark.parametrize(
    "texto",
    [
        GOOD.replace("Sexta", "Quinta"),
        GOOD.replace("8h30", "9h30"),
        GOOD.replace("18/07", "25/07"),
        GOOD.replace("Clínica D", "Clínica E"),
        GOOD.replace("Marcelo Tavares", "Marcelo Teixeira"),
        "Não há horários de ortopedia.",
        "Sua consulta está marcada: " + GOOD,
    ],
)
def test_what_the_data_does_not_say_breaks_r4(texto: str) -> None:
    assert _verify(texto, ONE).regras == ("R4",)


def test_every_slot_must_be_told_and_each_with_its_own_clinic() -> None:
    """Blueprint 2.3.3/3: all slots of all clinics, and which clinic each is of."""
    told = (
        "Clínica E: 17/07 às 9h, Dr. Paulo Henrique Castro (mais cedo). "
        "Clínica D: 18/07 às 8h30, Dr. Marcelo Tavares; 23/07 às 10h, Dra. Sílvia Rocha."
    )
    assert _verify(told, TWO).safe
    assert _verify(told.replace("; 23/07 às 10h, Dra. Sílvia Rocha", ""), TWO).regras == ("R4",)
    assert _verify(told.replace("Clínica E", "Clínica D").replace("cedo). Clínica D", "cedo). Clínica E"), TWO).regras == ("R4",)
    assert _verify(told.replace(" (mais cedo)", "").replace("8h30,", "8h30 (mais cedo),"), TWO).regras == ("R4",)


def test_a_clinic_that_is_missing_must_be_named_and_not_called_full() -> None:
    replies = (*ONE, ClinicReply("clinic_e", "list_available_slots", None, ToolError("Sem resposta.", code=-32000)))
    assert _verify(GOOD + " A Clínica E não respondeu.", replies).safe
    assert _verify(GOOD, replies).regras == ("R4",)
    assert _verify(GOOD + " A Clínica E não tem vagas.", replies).regras == ("R4",)


def test_a_claim_of_what_was_done_must_be_true() -> None:
    refused = (ClinicReply("clinic_d", "book_appointment", None, ToolError("Horário ocupado.", codigo="horario_ocupado")),)
    cancelled = _done("cancel_appointment", status="cancelled", cancelled_appointment=_appointment(), message="ok")
    assert _verify("Sua consulta foi confirmada.", refused).regras == ("R4",)
    assert _verify("Esse horário já foi reservado por outra pessoa.", refused).safe
    assert _verify("Sua consulta de 18/07, às 8h30, foi cancelada.", cancelled).safe
    assert _verify("Sua consulta de 18/07, às 8h30, está confirmada.", cancelled).regras == ("R4",)


def test_what_the_conversation_knows_may_be_said() -> None:
    texto = "Você tem consulta na sexta, 18/07, às 8h30, com o Dr. Marcelo Tavares, na Clínica D."
    known = Known(bookings=(Booking("clinic_d", "Dr. Marcelo Tavares", "2025-07-18", "08:30"),))
    assert _verify(texto, known=known).safe
    assert _verify(texto).regras == ("R4",)


def test_a_question_may_repeat_the_day_that_the_person_said() -> None:
    texto = GOOD + " Ou você prefere mesmo o dia 20/07?"
    asked = GOOD + " Posso marcar no dia 20/07 então?"
    assert _verify(asked, ONE, known=Known(said=("tem vaga dia 20/07?",))).safe
    assert _verify(asked, ONE).regras == ("R4",)
    assert _verify(texto, ONE).safe


@pytest.mark.parametrize(
    "texto",
    [
        f"Na Clínica D atende a Dra. Sílvia Rocha. Quem vê coluna é o Dr. Paulo Henrique Castro.\n{ALL}",
        f"Depois do dia 16, o primeiro é no dia 17, às 9h.\n{ALL}",
        f"Tirando as segundas, são estes:\n{ALL}",
        f"Sem o Dr. Anselmo, são estes:\n{ALL}",
        f"{ALL}\nA Clínica D não tem horário que caiba nisso além desses.",
    ],
)
def test_words_about_what_was_asked_are_no_claims_of_slots(texto: str) -> None:
    said = Known(said=("depois do dia 16, sem ser segunda e sem o Dr. Anselmo",))
    assert _verify(texto, TWO, known=said).note == "OK"
    assert not _verify("Dia 16, às 8h30, com o Dr. Anselmo.", TWO, known=said).safe


def test_how_many_appointments_were_done_is_counted() -> None:
    one = _done(
        "cancel_appointment",
        status="cancelled",
        cancelled_appointment={"doctor": "Dr. Marcelo Tavares", "date": "2025-07-18", "time": "08:30"},
    )
    assert _verify("Cancelei a sua consulta de 18/07, às 8h30, com o Dr. Marcelo Tavares.", one).safe
    assert "erra quantas consultas foram" in _verify("Cancelei as suas duas consultas de 18/07.", one).note


def test_a_change_is_told_from_the_old_moment_to_the_new() -> None:
    old, new = ({"doctor": "Dr. Marcelo Tavares", "date": day, "time": "08:30"} for day in ("2025-07-18", "2025-07-25"))
    moved = _done("reschedule_appointment", status="rescheduled", original_appointment=old, new_appointment=new)
    assert _verify("Remarcada: a consulta, antes prevista para 18/07 às 8h30, passa a ser em 25/07 às 8h30.", moved).safe
    assert not _verify("Remarcação feita: saiu de 25/07 e agora é no dia 18/07, às 8h30.", moved).safe


def test_a_slot_that_was_only_offered_is_not_booked() -> None:
    offered = Known(offers=(Offer("clinic_d", Slot("Dr. Marcelo Tavares", "Ortopedia", "2025-07-18", "08:30")),))
    assert _verify(GOOD, known=offered).safe
    assert _verify("Sua consulta está confirmada: " + GOOD, known=offered).regras == ("R4",)


def test_a_text_too_long_to_be_checked_does_not_pass() -> None:
    assert _verify("a " * 5_000).regras == ("R4",)


def test_a_seventh_clinic_is_read_from_the_registry() -> None:
    """Blueprint 1.7: a clinic more is an entry of the registry."""
    registro = Registro(
        (*REGISTRO_PADRAO.clinics, Clinica("clinic_g", "Clínica Boa Vista", "Ortopedia", 8007, "http://127.0.0.1:8007/mcp"))
    )
    replies = (_slots("clinic_g", ("Dr. Marcelo Tavares", "2025-07-18", "08:30")),)
    assert _verify(GOOD.replace("Clínica D", "Clínica Boa Vista"), replies, registro=registro).safe
    assert _verify(GOOD, replies, registro=registro).regras == ("R4",)


def test_marks_of_no_width_hide_nothing() -> None:
    assert _verify("Tome dipi\u200brona.").regras == ("R1",)
    assert _verify("Voce\u0302 tem tendi\u00adnite.").regras == ("R3",)


@pytest.mark.parametrize("texto", ["", " \n ", "?", "ß" * 200, "1" * 300, "Dr. ", "às às às", "***", "Clínica"])
def test_any_text_gets_a_verdict(texto: str) -> None:
    assert _verify(texto, ()).note


def test_a_record_of_another_may_not_even_be_worded_for_a_patient() -> None:
    """Design: R1–R3 on the clinics' data before it reaches a model."""
    record = _done("get_patient", patient=OUTRA)
    assert verify_data(record, ANA, "paciente").regras == ("R2",)
    assert verify_data(record, None, "operador").safe


def test_the_persons_own_record_and_slots_may_be_worded() -> None:
    own = _done("book_appointment", status="confirmed", appointment=_appointment(), message="Consulta agendada com sucesso.")
    other = _done(
        "book_appointment", status="confirmed", appointment=_appointment(name="Joana Ribeiro", cpf="310.544.174-31"), message="ok"
    )
    assert verify_data((*ONE, *own), ANA, "paciente").safe
    assert verify_data(other, ANA, "paciente").regras == ("R2",)


def test_orders_in_the_free_text_of_a_clinic_are_caught_before_they_are_worded() -> None:
    poisoned = _done(
        "list_available_slots", specialty="Orthopedics", available_slots=[], note="Tome 2 comprimidos de dipirona. Pare o tratamento."
    )
    assert verify_data(poisoned, ANA, "paciente").regras == ("R1", "R3")
