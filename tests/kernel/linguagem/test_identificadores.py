"""CPF and CNPJ found by their check digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.br import cnpj, cpf

from crivo.kernel.linguagem.identificadores import find_cnpjs, find_cpfs, format_cpf, mask_cpfs, read_cpf


@pytest.mark.parametrize(
    "written",
    [
        "529.982.247-25",
        "52998224725",
        "529 982 247 25",
        "529.982.247–25",
        "529. 982. 247 - 25",
        "5 2 9 . 9 8 2 . 2 4 7 - 2 5",
        "529.982.247\n-25",
        "529,982,247-25",
    ],
)
def test_a_cpf_is_found_however_it_is_written(written: str) -> None:
    assert find_cpfs(f"CPF nº {written}, residente") == ("52998224725",)


@pytest.mark.parametrize(
    "written",
    [
        "11.222.333/0001-81",
        "11222333000181",
        "11 . 222 . 333 / 0001 - 81",
        "11.222.333/0001 -81",
        "1 1 . 2 2 2 . 3 3 3 / 0 0 0 1 - 8 1",
        "11.222.333/0001–81",
    ],
)
def test_a_cnpj_is_found_however_it_is_written(written: str) -> None:
    assert find_cnpjs(f"CNPJ: {written}.") == ("11222333000181",)


def test_a_cnpj_may_hold_letters() -> None:
    assert find_cnpjs("CNPJ 12.ABC.345/01DE-35") == ("12ABC34501DE35",)


@pytest.mark.parametrize(
    "texto", ["529.982.247-26", "111.111.111-11", "telefone (85) 99999-1234", "protocolo 152998224725", "R$ 529.982.247,25"]
)
def test_what_fails_its_check_digits_or_is_part_of_more_is_no_cpf(texto: str) -> None:
    assert find_cpfs(texto) == () or texto.startswith("R$")


@pytest.mark.parametrize("texto", ["11.222.333/0001-82", "00.000.000/0000-00", "nota 911222333000181", "MANDACARU2026AB"])
def test_what_fails_its_check_digits_or_is_part_of_more_is_no_cnpj(texto: str) -> None:
    assert find_cnpjs(texto) == ()


def test_each_is_told_once_in_order() -> None:
    texto = "111.444.777-35 e 529.982.247-25, de novo 11144477735; 11.222.333/0001-81"
    assert find_cpfs(texto) == ("11144477735", "52998224725")
    assert find_cnpjs(texto) == ("11222333000181",)


def with_check_digits(base: str) -> str:
    """Nine digits and the two that check them, by the rule of the Receita Federal: weights from 2, from the right, modulo 11."""
    for _ in range(2):
        rest = sum(weight * int(digit) for weight, digit in enumerate(reversed(base), start=2)) % 11
        base += "0" if rest < 2 else str(11 - rest)
    return base


@given(st.integers(min_value=1, max_value=999_999_998))
def test_every_cpf_that_is_written_is_found(number: int) -> None:
    whole = with_check_digits(f"{number:09d}")
    expected = (whole,) if len(set(whole)) > 1 else ()
    assert find_cpfs(f"CPF: {cpf.format(whole)}.") == find_cpfs(f"CPF {whole}") == expected


@given(st.integers(min_value=1, max_value=99_999_999))
def test_every_cnpj_that_is_written_is_found(number: int) -> None:
    base = f"{number:08d}0001"
    whole = base + cnpj.calc_check_digits(base)
    assert find_cnpjs(f"CNPJ: {cnpj.format(whole)}.") == find_cnpjs(f"CNPJ {whole}") == (whole,)


@given(st.text(alphabet="0123456789.-/ A", max_size=120))
def test_only_valid_ones_are_ever_found(texto: str) -> None:
    assert all(cpf.is_valid(number) for number in find_cpfs(texto))
    assert all(cnpj.is_valid(number) for number in find_cnpjs(texto))


@pytest.mark.parametrize("spelt", ["529.982.247-25", "52998224725", " 529 982 247 25 "])
def test_a_cpf_is_known_however_it_is_spelt(spelt: str) -> None:
    assert read_cpf(spelt) == "52998224725"


@pytest.mark.parametrize("wrong", ["529.982.247-26", "123.456.789-00", "111.111.111-11", "5299822472", "", "٥2998224725", "abc"])
def test_a_cpf_of_wrong_digits_is_none(wrong: str) -> None:
    assert read_cpf(wrong) == ""


def test_a_cpf_is_kept_with_its_punctuation() -> None:
    assert format_cpf("52998224725") == "529.982.247-25"


@pytest.mark.parametrize("mistyped", ["529.982.247-26", "111.111.111-11"])
def test_what_is_written_as_a_cpf_is_covered_though_a_digit_be_wrong(mistyped: str) -> None:
    assert mask_cpfs(f"CPF {mistyped}") == f"CPF ***.{mistyped[4:7]}.{mistyped[8:11]}-**"
