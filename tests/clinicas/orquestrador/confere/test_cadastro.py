"""What the registry says may be said; what only resembles it may not."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest

from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.confere.cadastro import without_registry
from crivo.clinicas.orquestrador.contracts import Paciente
from crivo.clinicas.registro import REGISTRO_PADRAO, Registro
from crivo.kernel.clock import BRASILIA

NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)
ANA = Paciente("Ana Braga", "529.982.247-25")
CLINIC_A = REGISTRO_PADRAO.clinics[0]


def verdict(texto: str, registro: Registro = REGISTRO_PADRAO) -> tuple[str, ...]:
    return verify_text(texto, (), ANA, "paciente", registro=registro, now=NOW).regras


@pytest.mark.parametrize(
    "texto",
    [
        f"Clínica A: telefone {CLINIC_A.telefone}.",
        f"Clínica A: fica em {CLINIC_A.endereco}.",
        f"Clínica A: funciona {CLINIC_A.horario_de_atendimento}.",
    ],
)
def test_a_clinics_own_facts_are_nobodys_personal_data(texto: str) -> None:
    assert verdict(texto) == ()


@pytest.mark.parametrize(
    "texto",
    [
        "Clínica A: telefone (85) 3000-0077.",
        "Ela mora na Rua das Acácias, 121, apto 3.",
        f"O telefone dela é (85) 98877-1234 e o nosso {CLINIC_A.telefone}.",
    ],
)
def test_a_telephone_or_street_that_the_registry_does_not_have_is_held_back(texto: str) -> None:
    assert "R2" in verdict(texto)


def test_a_fact_hides_nothing_that_stands_beside_it() -> None:
    texto = f"Clínica A: telefone {CLINIC_A.telefone}. O Dr. Inventado atende dia 18/07 às 10:00."
    assert "R4" in verdict(texto)


def test_a_registry_without_facts_leaves_a_text_as_it_is() -> None:
    bare = Registro(tuple(msgspec.structs.replace(one, **dict.fromkeys(("endereco", "telefone"), "")) for one in REGISTRO_PADRAO))
    texto = f"Clínica A: telefone {CLINIC_A.telefone}."
    assert without_registry(texto, bare) == texto
    assert "R2" in verdict(texto, bare)


def test_every_place_of_a_text_stays_where_it_was() -> None:
    texto = f"Pronto!\nClínica A: {CLINIC_A.endereco}, telefone {CLINIC_A.telefone}.\nAté logo"
    left = without_registry(texto, REGISTRO_PADRAO)
    assert len(left) == len(texto)
    assert left.split() == ["Pronto!", ":", ",", "telefone", ".", "Até", "logo"]
