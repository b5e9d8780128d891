"""Who is meant by what somebody types: a CPF in any of its spellings, an e-mail, and nothing else."""

from __future__ import annotations

import pytest

from crivo.kernel.sigilo.identidade import Identidade, IdentidadeInvalida, identidade_of


@pytest.mark.parametrize("said", ["529.982.247-25", "52998224725", " 529982247-25 "])
def test_a_cpf_is_the_same_with_its_points_and_without(said: str) -> None:
    assert identidade_of(said) == Identidade(cpf="52998224725")


def test_an_email_is_the_same_in_any_case_of_its_letters() -> None:
    assert identidade_of(" Ana@Exemplo.ORG ") == Identidade(email="ana@exemplo.org")


@pytest.mark.parametrize("said", ["", "529.982.247-24", "111.111.111-11", "Ana", "ana@", "529"])
def test_what_is_neither_is_refused(said: str) -> None:
    with pytest.raises(IdentidadeInvalida):
        identidade_of(said)


def test_nothing_of_a_person_is_in_what_is_printed_of_them() -> None:
    assert repr(Identidade("52998224725", "ana@exemplo.org", "ADM|1")) == "Identidade()"
