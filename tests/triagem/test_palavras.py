from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, get_args

import pytest

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.triagem import palavras
from crivo.triagem.achados import Autor, HabilitacaoSugerida, Motivo, Situacao, Status, Tipo
from crivo.triagem.edital import Fase


@pytest.mark.parametrize(
    ("palavras_de", "valores"),
    [
        (palavras.HABILITACAO, HabilitacaoSugerida),
        (palavras.SITUACAO, Situacao),
        (palavras.MOTIVO, Motivo),
        (palavras.TIPO, Tipo),
        (palavras.STATUS, Status),
        (palavras.AUTOR, Autor),
        (palavras.FASE, Fase),
    ],
)
def test_every_value_has_words_and_no_two_the_same(palavras_de: Mapping[str, str | Rotulo], valores: Any) -> None:
    said = {codigo: dita.palavra if isinstance(dita, Rotulo) else dita for codigo, dita in palavras_de.items()}
    assert tuple(said) == get_args(valores)
    assert len(set(said.values())) == len(said)
    assert not [texto for texto in said.values() if "_" in texto or not texto[0].isupper()]


def test_numbers_are_written_as_in_brazil() -> None:
    assert palavras.number(1234567) == "1.234.567"
    assert palavras.number(Decimal("7.50")) == "7,5"
    assert palavras.number(Decimal("1250.9"), 2) == "1.250,90"
    assert palavras.number(0) == "0"
    assert palavras.percent(0.413) == "41%"


def test_counts_agree_with_their_noun() -> None:
    assert [palavras.count(n, "projeto", "projetos") for n in (0, 1, 2000)] == ["0 projetos", "1 projeto", "2.000 projetos"]


def test_days_and_moments_are_written_day_first() -> None:
    assert palavras.day(date(2026, 11, 2)) == "02/11/2026"
    assert palavras.moment(datetime(2026, 11, 2, 9, 5, tzinfo=UTC)) == "02/11/2026 às 09h05"


@pytest.mark.parametrize(
    ("escrito", "mostrado"),
    [
        ("52998224725", "***.982.247-**"),
        ("529.982.247-25", "***.982.247-**"),
        ("529.982.247-26", "***.982.247-**"),  # wrong digits still point to somebody
        ("11222333000181", "11.222.333/0001-81"),
        ("12ABC34501DE35", "12.ABC.345/01DE-35"),
        ("12345", "***"),
        ("  ", ""),
    ],
)
def test_a_cpf_shows_its_middle_and_a_cnpj_all(escrito: str, mostrado: str) -> None:
    assert palavras.identifier(escrito) == mostrado


@pytest.mark.parametrize(
    ("texto", "mascarado"),
    [
        ("CPF nº 529.982.247-25, residente", "CPF nº ***.982.247-**, residente"),
        ("cpf 52998224725.", "cpf ***.982.247-**."),
        ("cpf 529982247-25", "cpf ***.982.247-**"),
        ("cpf 529 982 247 25", None),
        ("MARIA DAS DORES 52998224725", "MARIA DAS DORES ***.982.247-**"),
        ("fone 85999998888", "fone 85999998888"),
        ("CNPJ 11.222.333/0001-81 e 11222333000181", "CNPJ 11.222.333/0001-81 e 11222333000181"),
        ("pasta/52998224725/rg.pdf", "pasta/***.982.247-**/rg.pdf"),
        ("rg_52998224725.pdf", "rg_***.982.247-**.pdf"),
        ("código 152998224725", "código 152998224725"),
        ("R$ 529.982.247,25", "R$ 529.982.247,25"),
    ],
)
def test_cpfs_inside_a_text_are_masked_and_nothing_else(texto: str, mascarado: str | None) -> None:
    if mascarado is None:
        assert "529" not in mask_cpfs(texto)
    else:
        assert mask_cpfs(texto) == mascarado


@pytest.mark.parametrize(
    ("notas", "habilitacoes", "dito"),
    [
        (0, 0, ""),
        (1, 0, "1 nota ficou sem uma boa resposta do modelo"),
        (
            12,
            1,
            "12 notas ficaram sem uma boa resposta do modelo e a habilitação de 1 projeto ficou sem a leitura de um documento pelo modelo",
        ),
        (0, 2, "A habilitação de 2 projetos ficou sem a leitura de um documento pelo modelo"),
    ],
)
def test_what_a_model_left_is_counted_in_words(notas: int, habilitacoes: int, dito: str) -> None:
    assert palavras.lacking_said(notas, habilitacoes) == dito
