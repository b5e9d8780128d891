from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Paciente
from crivo.clinicas.orquestrador.identidade import Identificacao, identify, read_cpf, read_name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Ana Braga", "Ana Braga"),
        ("  me chamo Ana  Braga. ", "Ana Braga"),
        ("meu nome é João D'Ávila", "João D'Ávila"),
        ("oi, sou a Maria das Dores", "Maria das Dores"),
        ("Ana-Lúcia O. Prado", "Ana-Lúcia O. Prado"),
        ("Ana", None),
        ("Ana 2", None),
        ("", None),
        ("quero marcar uma consulta", None),
        ("a b " * 60, None),
    ],
)
def test_a_full_name_is_read_out_of_an_answer(said: str, name: str | None) -> None:
    assert read_name(said) == name


@pytest.mark.parametrize(
    ("said", "cpf"),
    [
        ("529.982.247-25", "529.982.247-25"),
        ("é 52998224725", "529.982.247-25"),
        ("529 982 247 25", "529.982.247-25"),
        ("529.982.247-24", None),
        ("111.111.111-11", None),
        ("não tenho", None),
        ("5299822472", None),
    ],
)
def test_a_cpf_is_read_and_its_digits_are_checked(said: str, cpf: str | None) -> None:
    assert read_cpf(said) == cpf


def test_name_then_cpf_make_a_patient() -> None:
    """Blueprint 1.6."""
    known, said = identify(Identificacao(), "Ana Braga")
    assert (known.paciente, "CPF" in said) == (None, True)
    known, _ = identify(known, "12")
    assert known.paciente is None
    known, said = identify(known, "529.982.247-25")
    assert known.paciente == Paciente("Ana Braga", "529.982.247-25")
    assert "Ana" in said
