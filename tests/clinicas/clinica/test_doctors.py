from __future__ import annotations

import pytest

from crivo.clinicas.clinica.doctors import find_doctors

DOCTORS = ("Dr. Marcelo Tavares", "Dr. Marcelo Tavares Filho", "Dra. Lúcia Azevedo", "Dr. Paulo Henrique Castro")


@pytest.mark.parametrize(
    ("spoken", "meant"),
    [
        ("Dra. Lúcia Azevedo", "Dra. Lúcia Azevedo"),
        ("LUCIA", "Dra. Lúcia Azevedo"),
        ("doutora azevedo", "Dra. Lúcia Azevedo"),
        ("paulo castro", "Dr. Paulo Henrique Castro"),
        ("Henri", "Dr. Paulo Henrique Castro"),
        ("Filho", "Dr. Marcelo Tavares Filho"),
        ("Marcelo Tavares", "Dr. Marcelo Tavares"),
    ],
)
def test_a_part_that_one_doctor_alone_has_means_that_doctor(spoken: str, meant: str) -> None:
    assert find_doctors(spoken, DOCTORS) == (meant,)


def test_a_part_that_two_doctors_have_means_both() -> None:
    assert find_doctors("Dr. Marcelo", DOCTORS) == DOCTORS[:2]


@pytest.mark.parametrize("spoken", ["", "Dr.", "Fernando", "l", "ulo", "Castro Paulo", "!?"])
def test_what_is_no_part_of_a_name_means_nobody(spoken: str) -> None:
    assert find_doctors(spoken, DOCTORS) == ()
