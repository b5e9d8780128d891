from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Paciente
from crivo.clinicas.orquestrador.entende.pessoas.identidade import (
    Identificacao,
    asks_for_another,
    find_person,
    goes_back_to,
    identify,
    read_cpf,
    read_name,
)


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


@pytest.mark.parametrize("said", ["152998224725", "529982247251", "529.982.247-251", "00529982247250", "telefone 11529982247255"])
def test_more_figures_in_a_row_than_a_cpf_has_hold_none(said: str) -> None:
    assert read_cpf(said) is None
    assert find_person(f"Joana da Silva Prado {said}") is None


def test_name_then_cpf_make_a_patient() -> None:
    """Blueprint 1.6: full name and CPF."""
    known, said = identify(Identificacao(), "Ana Braga")
    assert (known.paciente, "CPF" in said) == (None, True)
    known, _ = identify(known, "12")
    assert known.paciente is None
    known, said = identify(known, "529.982.247-25")
    assert known.paciente == Paciente("Ana Braga", "529.982.247-25")
    assert "Ana" in said


@pytest.mark.parametrize(
    ("said", "name", "rest"),
    [
        ("marca pra Maria Souza, CPF 529.982.247-25, com o dr heitor dia 15", "Maria Souza", "marca com o dr heitor dia 15"),
        ("para joana da silva prado cpf 52998224725", "joana da silva prado", ""),
        ("próxima paciente: Rosa Maria Leal, 529.982.247-25, dermatologista", "Rosa Maria Leal", "dermatologista"),
        ("cancela a consulta da Maria Souza (CPF: 529.982.247-25)", "Maria Souza", "cancela a consulta"),
    ],
)
def test_a_name_before_a_cpf_is_a_person_and_the_rest_is_what_is_asked(said: str, name: str, rest: str) -> None:
    found = find_person(said)
    assert found is not None
    assert (found.paciente, found.resto) == (Paciente(name, "529.982.247-25"), rest)


@pytest.mark.parametrize(
    "said",
    [
        "cpf 529.982.247-25",
        "marca com o dr heitor, cpf 529.982.247-25",
        "o Dr. Heitor Lima 529.982.247-25",
        "Ana Braga, 529.982.247-26",
        "Errei um dígito. 529.982.247-25",
        "ai perdão esse é o meu, o da Zilda é outro 529 982 247 25",
        "Com quem é a consulta da Maria de Lourdes na semana que vem? CPF 529.982.247-25",
        "oi",
    ],
)
def test_without_a_full_name_and_a_valid_cpf_nobody_is_found(said: str) -> None:
    assert find_person(said) is None


def test_an_operator_turns_to_another_patient_at_the_beginning_of_a_message_alone() -> None:
    assert asks_for_another("próximo paciente, por favor") == ""
    assert asks_for_another("agora é outra pessoa: tem ortopedista?") == "tem ortopedista?"
    assert asks_for_another("quais são os outros pacientes?") is None


def test_an_operator_goes_back_to_a_patient_who_was_served() -> None:
    ana, bia = Paciente("Ana Braga", "529.982.247-25"), Paciente("Bia Lima", "111.444.777-35")
    assert goes_back_to("voltando para a Ana Braga, cancela a consulta", (ana, bia)) == (ana, "cancela a consulta")
    assert goes_back_to("volta pra Carla", (ana, bia)) is None
    assert goes_back_to("cancela a consulta", (ana, bia)) is None


def test_name_and_cpf_may_come_in_one_answer() -> None:
    known, said = identify(Identificacao(de_outra=True), "Ana Braga, cpf 529.982.247-25")
    assert known.paciente == Paciente("Ana Braga", "529.982.247-25")
    assert "consultas de Ana" in said
