"""What a cell says of a code, a network and an age; what would lose something by a guess is told. Source: design, RF3."""

from __future__ import annotations

from typing import Any

import pytest

from crivo.autorizacoes.politicas.planilha.celulas import Falha, codigos, faixa, is_long, rede, refers


@pytest.mark.parametrize(
    "escrito",
    [
        "40304393 e 40304394",
        "40304393/40304394",
        "40304393 / 40304394",
        "40304393\n40304394",
        "4.03.04.39-3; 40304394",
        "40304393 ou 40304394",
    ],
)
def test_a_list_of_codes_however_it_is_written_is_each_of_them(escrito: str) -> None:
    assert codigos(escrito) == [("40304393", ""), ("40304394", "")]


def test_codes_with_their_names_are_each_read_with_its_own() -> None:
    assert codigos("40304361 - Hemograma; 40304370 - VHS") == [("40304361", "Hemograma"), ("40304370", "VHS")]
    assert codigos("40304361 - Hemograma 1 a 2") == [("40304361", "Hemograma 1 a 2")]
    assert codigos("4.03.04.36-1") == [("4.03.04.36-1", "")]
    assert codigos("RM-CRANIO") == [("RM-CRANIO", "")]


@pytest.mark.parametrize(
    ("escrito", "codigo", "dito"),
    [
        ("40304381 a 40304390", "faixa_de_codigos", "4030*"),
        ("10000018 / 19", "codigo_abreviado", "cada código inteiro"),
        ("40301010, 028 e 036", "codigo_abreviado", "cada código inteiro"),
        ("40304361 e seguintes", "codigo_abreviado", "cada código inteiro"),
        ("40304397-40304399", "faixa_de_codigos", "ponto e vírgula"),
        ("40304397 – 40304399", "faixa_de_codigos", "ponto e vírgula"),
        ("de 40304381 até 40304390; 40304399", "faixa_de_codigos", "ponto e vírgula"),
        ("403043xx", "coringa_em_letras", "escreva 403043*"),
        ("4.03.04.xx-x", "coringa_em_letras", "escreva 40304*"),
        ("TUSS 40304361", "codigo_entre_palavras", "só o código"),
        ("40304361 - Hemograma e 40304370 - VHS", "codigo_entre_palavras", "ponto e vírgula"),
    ],
)
def test_what_names_several_codes_in_another_way_is_refused_with_what_to_write(escrito: str, codigo: str, dito: str) -> None:
    read: Any = codigos(escrito)
    assert isinstance(read, Falha)
    assert read.codigo == codigo
    assert dito in read.mensagem


def test_a_letter_at_the_end_of_a_code_that_is_no_tuss_code_is_its_own() -> None:
    assert codigos("1234X") == [("1234X", "")]
    assert (is_long("403043610"), is_long("40304361"), is_long("RM-CRANIO-1")) == (True, False, False)


@pytest.mark.parametrize("escrita", ["Rede própria", "Só rede própria", "própria"])
def test_an_own_network_is_narrower_than_the_accredited_one_and_is_refused(escrita: str) -> None:
    assert isinstance(rede(escrita, "Rede"), Falha)


@pytest.mark.parametrize("escrita", ["maior de 21", "maiores de 18", "acima de 50", "> 14"])
def test_an_age_that_does_not_say_whether_it_is_within_is_refused(escrita: str) -> None:
    assert isinstance(faixa(escrita), Falha)


@pytest.mark.parametrize("escrito", ["idem", "Idem", "ver acima", "conf. contrato", '"', "vide tabela anexa"])
def test_a_cell_that_points_elsewhere_says_nothing_of_its_own(escrito: str) -> None:
    found = refers(escrito)
    assert found is not None
    assert "o que vale" in found.mensagem
    assert refers("conforme") is None
