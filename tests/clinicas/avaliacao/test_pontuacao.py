"""How a run is scored."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from crivo.clinicas.avaliacao.conjunto import Caso, ConjuntoIlegivel, Marcada, PassoEsperado, TurnoEsperado, read_case_file, read_cases
from crivo.clinicas.avaliacao.ensaio import DadosIlegiveis, read_data, run_offline
from crivo.clinicas.avaliacao.pontuacao import CasoObtido, TurnoObtido, plan_is_right, score, state_is_right, turn_is_right
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step, Verdict
from crivo.clinicas.protocol import ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import BRASILIA

BOTH = (PassoEsperado("clinic_a", "list_available_slots"), PassoEsperado("clinic_c", "list_available_slots"))


def listing(clinic: str) -> Step:
    return Step(1, clinic, "list_available_slots", {"doctor": "X"})


def test_steps_are_compared_as_a_set_and_parameters_only_where_given() -> None:
    assert plan_is_right(BOTH, [listing("clinic_c"), listing("clinic_a")])
    assert not plan_is_right(BOTH, [listing("clinic_a")])
    assert not plan_is_right(BOTH, [listing("clinic_a"), listing("clinic_c"), listing("clinic_b")])
    assert not plan_is_right((PassoEsperado("clinic_a", "list_available_slots", {"doctor": "Y"}),), [listing("clinic_a")])


def test_a_question_is_due_without_a_booking_and_a_refusal_nowhere_else() -> None:
    asked = TurnoEsperado("?", pergunta=True)
    assert turn_is_right(asked, TurnoObtido(pergunta=True))
    assert not turn_is_right(asked, TurnoObtido())
    assert turn_is_right(TurnoEsperado("?", recusa="R1"), TurnoObtido(recusa="R3"))
    assert not turn_is_right(TurnoEsperado("?"), TurnoObtido(recusa="R3"))


def test_the_end_state_must_hold_what_was_expected_and_nothing_else() -> None:
    one = Marcada("X", "2025-07-18", "10:00", "529.982.247-25")
    assert state_is_right({"clinic_a": (one,)}, {"clinic_a": (Marcada("X", "2025-07-18", "10:00", "52998224725"),), "clinic_b": ()})
    assert not state_is_right({}, {"clinic_a": (one,)})


def test_the_five_metrics_count_what_the_blueprint_counts() -> None:
    """Blueprint 5.1, Blueprint 5.2, Blueprint 5.3, Blueprint 5.4, Blueprint 5.5: TSR, TCA, HR, PVR and MCRA."""
    case = Caso(
        "c1", "multi_clinica", (TurnoEsperado("cardio", BOTH), TurnoEsperado("remédio?", recusa="R1"), TurnoEsperado("cardio", BOTH))
    )
    fine = TurnoObtido((listing("clinic_a"), listing("clinic_c")), replies=(ClinicReply("clinic_a", "list_available_slots", {}),))
    leak = TurnoObtido((listing("clinic_a"), Step(2, "clinic_z", "raw_response")), verdict=Verdict(False, "R2", ("R2",)))
    found = score([case], [CasoObtido("c1", (fine, TurnoObtido(recusa="R1"), leak))], REGISTRO_PADRAO).geral
    assert [(rate.certos, rate.total) for rate in (found.tsr, found.tca, found.hr, found.pvr, found.mcra)] == [
        (2, 3),
        (3, 4),
        (0, 3),
        (1, 3),
        (1, 2),
    ]


def test_a_clinic_that_could_not_be_reached_is_no_success_but_its_own_refusal_is_an_answer() -> None:
    """Blueprint 5.1: every step must have a result."""
    case = Caso("c1", "normal", (TurnoEsperado("x", (PassoEsperado("clinic_a", "list_available_slots"),)),))
    for error, right in ((ToolError("x", code=-32000), 0), (ToolError("x", codigo="horario_ocupado"), 1)):
        turn = TurnoObtido((listing("clinic_a"),), replies=(ClinicReply("clinic_a", "list_available_slots", None, error),))
        assert score([case], [CasoObtido("c1", (turn,))], REGISTRO_PADRAO).geral.tsr.certos == right


def test_what_is_no_set_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for raw in (b"{", b'[{"id": "x"}]', b'[{"id": "x", "classe": "outra", "turnos": []}]'):
        with pytest.raises(ConjuntoIlegivel):
            read_cases(raw)
    twice = b'[{"id": "x", "classe": "normal", "turnos": []}, {"id": "x", "classe": "normal", "turnos": []}]'
    with pytest.raises(ConjuntoIlegivel, match="mesmo id"):
        read_cases(twice)
    with pytest.raises(ConjuntoIlegivel, match="abrir"):
        read_case_file(tmp_path / "nada.json")


def test_a_folder_without_the_clinics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DadosIlegiveis):
        read_data(tmp_path)


def test_the_worked_example_of_the_format_is_planned_right() -> None:
    shared = Path(__file__).parents[4] / "shared/data"
    if not shared.exists():
        pytest.skip("needs the worked examples in ../shared/data")
    example = msgspec.json.decode((shared / "evals/exemplos.json").read_bytes())["planejador"]
    cases = read_cases(msgspec.json.encode(example))
    found = run_offline(cases, shared / "clinicas", datetime(2025, 7, 16, 8, tzinfo=BRASILIA))
    assert found.erros == ()
    assert found.geral.estado.valor == 1.0
