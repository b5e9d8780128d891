"""The registry of clinics: the six of the source, and one more."""

from __future__ import annotations

from datetime import datetime

import pytest

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.planner.embutido import plan
from crivo.clinicas.registro import REGISTRO_PADRAO, Clinica, Registro, read_registro
from crivo.kernel.clock import BRASILIA

SEVENTH = Clinica("clinic_g", "Clínica G", "Cardiologia", 8007, "http://127.0.0.1:8007/mcp")
MORNING = datetime(2028, 9, 12, 8, tzinfo=BRASILIA)


def test_the_six_clinics_are_the_sources_with_their_specialties_and_ports() -> None:
    """Blueprint 1.3: six clinics, two for each of three specialties."""
    assert [(clinica.id, clinica.especialidade, clinica.porta) for clinica in REGISTRO_PADRAO] == [
        ("clinic_a", "Cardiologia", 8001),
        ("clinic_b", "Dermatologia", 8002),
        ("clinic_c", "Cardiologia", 8003),
        ("clinic_d", "Ortopedia", 8004),
        ("clinic_e", "Ortopedia", 8005),
        ("clinic_f", "Dermatologia", 8006),
    ]


@pytest.mark.parametrize("said", ["tem cardiologista?", "compara as clínicas de cardiologia"])
def test_a_seventh_clinic_is_asked_as_soon_as_the_registry_has_it(said: str) -> None:
    """Blueprint 1.7: adding a clinic is registering it."""
    registro = Registro((*REGISTRO_PADRAO, SEVENTH))
    made, _ = plan(said, Dialogue(MORNING, registro))
    assert [step.clinic for step in made.steps] == ["clinic_a", "clinic_c", "clinic_g"]
    named, _ = plan("horários da clínica G", Dialogue(MORNING, registro))
    assert [step.clinic for step in named.steps] == ["clinic_g"]


def test_a_registry_is_read_from_json() -> None:
    raw = (
        b'{"clinics": [{"id": "clinic_g", "nome": "G", "especialidade": "Cardiologia", "porta": 8007, "url": "http://127.0.0.1:8007/mcp"}]}'
    )
    assert read_registro(raw).find("clinic_g") == Clinica("clinic_g", "G", "Cardiologia", 8007, "http://127.0.0.1:8007/mcp")
