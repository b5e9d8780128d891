from __future__ import annotations

import pytest

from crivo.clinicas.argumentos import ArgumentosInvalidos, read_arguments
from crivo.clinicas.ferramentas import BookAppointment, CancelAppointment, ListAvailableSlots, ListPatients

RIGHT = {"doctor": "Fernando", "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga", "cpf": "529.982.247-25"}


def test_right_arguments_are_read() -> None:
    assert read_arguments(BookAppointment, RIGHT).patient_name == "Ana Braga"


@pytest.mark.parametrize("given", [None, {}, {"doctor": None}])
def test_an_optional_argument_may_be_left_out(given: object) -> None:
    assert read_arguments(ListAvailableSlots, given).doctor is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "objeto JSON"),
        ({"doctor": "Fernando"}, "Falta o argumento date"),
        (RIGHT | {"Ana Braga": "1"}, "não conhece"),
        (RIGHT | {"date": 20250718}, "argumento date"),
        (RIGHT | {"date": ["2025-07-18"]}, "argumento date"),
        (RIGHT | {"cpf": None}, "argumento cpf"),
        (RIGHT | {"doctor": ""}, "argumento doctor"),
        (RIGHT | {"doctor": "x" * 201}, "argumento doctor"),
        (RIGHT | {"patient_name": "   "}, "argumento patient_name"),
        (RIGHT | {"patient_name": "Ana\x00Braga"}, "caracteres de controle"),
        (RIGHT | {"patient_name": "Ana\ud800"}, "caracteres de controle"),
    ],
)
def test_wrong_arguments_are_refused_without_quoting_them(given: object, told: str) -> None:
    with pytest.raises(ArgumentosInvalidos, match=told) as caught:
        read_arguments(CancelAppointment, given)
    assert "Braga" not in caught.value.mensagem
    assert "529" not in caught.value.mensagem


def test_a_tool_without_arguments_takes_none() -> None:
    assert read_arguments(ListPatients, {}) == ListPatients()
    with pytest.raises(ArgumentosInvalidos, match="não recebe nenhum"):
        read_arguments(ListPatients, {"limit": 3})
