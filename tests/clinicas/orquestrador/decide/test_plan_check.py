"""What code checks on a plan, whoever made it."""

from __future__ import annotations

from crivo.clinicas.orquestrador.contracts import Dialogue, Plan, Step
from crivo.clinicas.orquestrador.decide.plan_check import asked_specialties, check_plan, read_plan
from crivo.clinicas.registro import REGISTRO_PADRAO


def listing(step_id: int, clinic: str) -> Step:
    return Step(step_id, clinic, "list_available_slots")


def test_a_specialty_that_was_asked_in_part_is_completed() -> None:
    """Blueprint 2.3.1/10: what a plan leaves out is added."""
    checked, reports = check_plan(Plan((listing(1, "clinic_a"),)), REGISTRO_PADRAO, ("Cardiologia",))
    assert [step.clinic for step in checked.steps] == ["clinic_a", "clinic_c"]
    assert [(report.achado, report.valor) for report in reports] == [("clinica_acrescentada", "clinic_c")]


def test_a_clinic_that_was_named_is_left_alone() -> None:
    checked, reports = check_plan(Plan((listing(1, "clinic_a"),)), REGISTRO_PADRAO)
    assert [step.clinic for step in checked.steps] == ["clinic_a"]
    assert reports == ()


def test_an_unknown_clinic_is_dropped_and_what_waited_for_it_waits_no_more() -> None:
    """Blueprint 2.3.1/1: only clinics of the registry."""
    steps = (listing(1, "clinic_z"), Step(2, "clinic_a", "query", {"query": "x"}, (1,)))
    checked, reports = check_plan(Plan(steps), REGISTRO_PADRAO)
    assert checked.steps == (Step(2, "clinic_a", "query", {"query": "x"}),)
    assert reports[0].achado == "clinica_desconhecida"


def test_identity_in_a_plan_is_taken_out() -> None:
    """Blueprint 1.6: the orchestrator alone fills name and CPF in."""
    given = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00", "cpf": "529.982.247-25"}
    checked, reports = check_plan(Plan((Step(1, "clinic_a", "book_appointment", given),)), REGISTRO_PADRAO)
    assert set(checked.steps[0].parameters) == {"doctor", "date", "time"}
    assert reports[0].achado == "parametro_indevido"
    assert "529" not in reports[0].valor


def test_a_models_plan_is_read_with_its_reasoning_and_checked(dialogue: Dialogue) -> None:
    """Blueprint 2.3.1/4, Blueprint 2.3.1/11: JSON alone; reasoning before the steps."""
    raw = '{"reasoning": ["cardio"], "steps": [{"step_id": 1, "clinic": "clinic_a", "action": "list_available_slots", "parameters": {}}]}'
    made, reports = read_plan(raw, "quero um cardiologista", dialogue)
    assert [step.clinic for step in made.steps] == ["clinic_a", "clinic_c"]
    assert made.raciocinio == ("cardio",)
    assert len(reports) == 1


def test_an_unknown_action_of_a_model_is_dropped_and_reported(dialogue: Dialogue) -> None:
    """Blueprint 2.3.1/2: only tools of the catalogue."""
    made, reports = read_plan('[{"step_id": 1, "clinic": "clinic_a", "action": "drop_table"}]', "oi", dialogue)
    assert made.steps == ()
    assert [(report.achado, report.valor) for report in reports] == [("acao_desconhecida", "drop_table")]


def test_what_is_no_json_becomes_a_raw_response_and_a_polite_question(dialogue: Dialogue) -> None:
    """Blueprint 2.3.1/12: what cannot be read becomes a `raw_response`."""
    made, reports = read_plan("Claro! Vou listar os horários.", "tem cardiologista?", dialogue)
    assert [step.action for step in made.steps] == ["raw_response"]
    assert made.pergunta is not None
    assert reports[0].achado == "json_ilegivel"


def test_only_a_specialty_without_doctor_or_clinic_asks_for_all_its_clinics(dialogue: Dialogue) -> None:
    assert asked_specialties("tem médico do coração?", dialogue) == ("Cardiologia",)
    assert asked_specialties("tem cardiologista na clínica A?", dialogue) == ()
    assert asked_specialties("o Dr. Fernando tem horário?", dialogue) == ()
