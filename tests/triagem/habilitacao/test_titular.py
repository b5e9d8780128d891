"""Whose name a document is in."""

from __future__ import annotations

import pytest

from crivo.triagem.edital import Proponente, Responsavel
from crivo.triagem.habilitacao.titular import belongs_to

ANA = Proponente("Ana Braga Lima", "529.982.247-25")
GRUPO = Proponente("Instituto Maré", "11.222.333/0001-81", responsavel=Responsavel("Ana Braga Lima", "529.982.247-25"))


@pytest.mark.parametrize(
    "texto",
    [
        "CPF 529.982.247-25",
        "Titular: ANA BRAGA LIMA",
        "Ana Braga Lima, CPF ***.982.247-**",
        "Cliente: Ana Braga Lima\nEnergia do Sul S.A., CNPJ 11.444.777/0001-61",
        "João Reis, CPF 111.444.777-35; Ana Braga Lima, moradora",
    ],
)
def test_a_document_is_the_proponentes_by_number_or_by_name(texto: str) -> None:
    assert belongs_to(texto, ANA, "DECLARACAO")


@pytest.mark.parametrize(
    "texto",
    ["Ana Braga Lima, CPF 111.444.777-35", "Ana Braga Lima, CPF ***.444.777-**", "111.444.777-35 - Ana Braga Lima", "João Reis"],
)
def test_a_namesake_with_another_number_is_somebody_else(texto: str) -> None:
    assert not belongs_to(texto, ANA, "DECLARACAO")


def test_an_organisation_whose_name_begins_alike_is_another() -> None:
    assert not belongs_to("Instituto Maré do Norte, CNPJ 11.444.777/0001-61", GRUPO, "ESTATUTO")
    assert not belongs_to("CNPJ 11.444.777/0001-61\nAberta em 2012\nInstituto Maré do Norte", GRUPO, "CARTAO_CNPJ")


def test_a_branch_is_the_same_organisation() -> None:
    assert belongs_to("CNPJ 11.222.333/0002-62", GRUPO, "CERTIDAO_FEDERAL")


def test_papers_of_a_person_may_be_of_whoever_answers_for_the_organisation() -> None:
    assert belongs_to("Nome: Ana Braga Lima", GRUPO, "DOCUMENTO_IDENTIDADE")
    assert not belongs_to("Nome: Ana Braga Lima", GRUPO, "CERTIDAO_FEDERAL")
