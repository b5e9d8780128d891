from __future__ import annotations

import pytest

from crivo.clinicas.codigos import are_letters, code_from, is_of_clinic, letters_of, may_be_of, read_code, written
from crivo.clinicas.codigos_ditos import concealed, told_code

CODE = code_from(b"a seed", "clinic_c")


def test_a_code_is_ten_characters_that_are_read_as_they_were_written() -> None:
    assert len(CODE) == 10
    assert not set(CODE) & set("AEIOULY01")
    spellings = (CODE, written(CODE), CODE.lower(), f" {written(CODE).lower()} ", written(CODE).replace("-", " "))
    assert {read_code(spelling) for spelling in spellings} == {CODE}


def test_a_code_tells_its_clinic_and_the_same_seed_makes_the_same() -> None:
    assert is_of_clinic(CODE, "clinic_c")
    assert not any(is_of_clinic(CODE, f"clinic_{letter}") for letter in "abdef")
    assert code_from(b"a seed", "clinic_c") == CODE
    assert len({code_from(str(number).encode(), "clinic_c") for number in range(2_000)}) == 2_000


def test_letters_that_are_taken_are_passed_over_and_the_code_is_still_known_for_that_clinics() -> None:
    first = letters_of("clinic_c")
    second = letters_of("clinic_c", {first})
    assert first != second
    assert are_letters(first)
    assert are_letters(second)
    assert not are_letters("AB")
    assert not are_letters("B")
    moved = code_from(b"a seed", "clinic_c", second)
    assert moved[2:] == CODE[2:]
    assert is_of_clinic(moved, "clinic_c", second)
    assert not is_of_clinic(moved, "clinic_c")
    assert may_be_of(moved, "clinic_c")
    assert may_be_of(CODE, "clinic_c", second)
    assert not may_be_of("BB" + CODE[2:], "clinic_c", second)


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("{code}", ""),
        ("o código é {code}", ""),
        ("meu código: {code}.", ""),
        ("cancela a consulta, código {code}", "cancela a consulta"),
        ("quero cancelar com o codigo {code} por favor", "quero cancelar por favor"),
        ("my code is {code}, cancel it", "cancel it"),
    ],
)
@pytest.mark.parametrize("spelled", [written(CODE), CODE, written(CODE).lower()])
def test_a_code_is_taken_out_of_what_is_said(said: str, rest: str, spelled: str) -> None:
    assert told_code(said.format(code=spelled)) == (CODE, rest)
    assert CODE not in concealed(said.format(code=spelled)).upper().replace("-", "")


def test_what_looks_like_a_code_and_is_none_is_a_wrong_one() -> None:
    assert told_code("o código é O1ILA-23456") == ("", "")


@pytest.mark.parametrize(
    "said",
    [
        "quero um cardiologista na sexta-feira às 10h30",
        "meu telefone é 2345678923",
        "(11) 98765-4321, CPF 529.982.247-25, CEP 12345-678",
        "pode ser 2025-07-18 ou segunda-feira?",
        "CRM-SP 123456, CARD-C001",
    ],
)
def test_everyday_words_and_numbers_are_no_code(said: str) -> None:
    assert told_code(said) is None
    assert concealed(said) == said
