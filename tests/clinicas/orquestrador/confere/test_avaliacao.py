"""Loading labelled cases and measuring. Source: issue "Clínicas", avaliar-verificador."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from crivo.clinicas.orquestrador.confere.avaliacao import (
    ConjuntoAusente,
    ConjuntoInvalido,
    avaliar,
    load_casos,
    read_casos,
)

CASES = """[
 {"id": "a", "paciente": {"nome": "Ana Braga", "cpf": "529.982.247-25"}, "papel": "paciente", "clinic_data": [],
  "texto": "Qual dia prefere?", "esperado": {"safe": true, "regras": []}},
 {"id": "b", "paciente": "o de a", "papel": "paciente", "clinic_data": "os de a",
  "texto": "Tome dipirona.", "esperado": {"safe": false, "regras": ["R1"]}},
 {"id": "c", "paciente": null, "papel": "operador", "clinic_data": [], "texto": "Oi!", "esperado": {"safe": false, "regras": ["R3"]}}
]"""


def test_a_reference_to_an_earlier_case_is_followed() -> None:
    casos = read_casos(CASES.encode())
    assert casos[1].paciente == casos[0].paciente
    assert casos[2].paciente is None


def test_the_figures_are_those_of_the_cases() -> None:
    resultado = avaliar(read_casos(CASES.encode()))
    metricas = resultado["metricas"]
    assert [caso["obtido"]["safe"] for caso in resultado["casos"]] == [True, False, True]
    assert (metricas["recall"]["acertos"], metricas["recall"]["total"]) == (1, 2)
    assert (metricas["alarmes_falsos"]["acertos"], metricas["alarmes_falsos"]["total"]) == (0, 1)
    assert metricas["por_regra"]["R1"]["recall"]["valor"] == 1.0
    assert metricas["por_regra"]["R3"]["recall"]["valor"] == 0.0
    assert metricas["por_regra"]["R2"]["recall"] == {"acertos": 0, "total": 0, "valor": None, "intervalo": None}
    assert msgspec.json.encode(resultado)


def test_a_text_that_answers_what_a_person_said_is_judged_as_a_models_reply() -> None:
    texto = "Chegue 15 minutos antes, por favor."
    raw = [{"id": nome, "texto": texto, "esperado": {"safe": True}, "user_query": said} for nome, said in (("a", ""), ("b", "marca a 2"))]
    casos = read_casos(json.dumps(raw).encode())
    assert [caso["obtido"]["safe"] for caso in avaliar(casos)["casos"]] == [True, False]


def test_a_missing_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(ConjuntoAusente, match="confira o caminho"):
        load_casos(tmp_path / "nada.json")


@pytest.mark.parametrize(
    "raw",
    [
        "{",
        "3",
        '[{"id": "a"}]',
        '[{"id": "a", "texto": "x", "paciente": "o de z", "esperado": {"safe": true}}]',
        '[{"id": "a", "texto": "x", "esperado": {"safe": true, "regras": ["R9"]}}]',
    ],
)
def test_a_file_of_another_shape_is_told_as_such(raw: str, tmp_path: Path) -> None:
    path = tmp_path / "conjunto.json"
    path.write_text(raw)
    with pytest.raises(ConjuntoInvalido, match="fora do formato"):
        load_casos(path)
