from __future__ import annotations

import pytest

from crivo.clinicas.clinica.cpf import cpf_digits, format_cpf


@pytest.mark.parametrize("spelt", ["529.982.247-25", "52998224725", " 529 982 247 25 "])
def test_a_cpf_is_known_however_it_is_spelt(spelt: str) -> None:
    assert cpf_digits(spelt) == "52998224725"


@pytest.mark.parametrize("wrong", ["529.982.247-26", "123.456.789-00", "111.111.111-11", "5299822472", "", "٥2998224725", "abc"])
def test_a_cpf_of_wrong_digits_is_none(wrong: str) -> None:
    assert cpf_digits(wrong) is None


def test_a_cpf_is_kept_with_its_punctuation() -> None:
    assert format_cpf("52998224725") == "529.982.247-25"
