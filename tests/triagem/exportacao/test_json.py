from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.achados import Evidencia, Irregularidade, Resultado
from crivo.triagem.exportacao import to_json

EVIDENCIA = {"arquivo", "pagina", "trecho"}
NOTA = {"criterio", "nota_sugerida", "justificativa", "confianca", "evidencias"}
ITEM = {"requisito", "situacao", "motivo", "eliminatorio", "evidencia", "autor"}
PROJETO = {"projeto_id", "habilitacao_sugerida", "habilitacao_motivo", "docs_completos", "itens", "notas"}
IRREGULARIDADE = {"tipo", "projetos", "arquivo", "campo", "valor", "evidencia"}


def read(resultado: Resultado) -> Any:
    return json.loads(to_json(resultado))


def test_every_field_of_the_design_is_there_null_where_there_is_nothing(resultado: Resultado) -> None:
    """Design, Shapes: `--formato json`."""
    documento = read(resultado)
    assert set(documento) == {"edital_id", "execucao_id", "projetos", "irregularidades"}
    triado, failed = documento["projetos"]
    assert set(triado) >= PROJETO
    assert {nome: failed[nome] for nome in PROJETO} == {
        "projeto_id": "P002",
        "habilitacao_sugerida": None,
        "habilitacao_motivo": "",
        "docs_completos": None,
        "itens": [],
        "notas": [],
    }
    certidao, ilegivel = triado["itens"]
    assert set(certidao) >= ITEM
    assert set(certidao["evidencia"]) == EVIDENCIA
    assert (ilegivel["motivo"], ilegivel["evidencia"]) == (None, None)
    assert set(triado["notas"][0]) >= NOTA
    assert all(set(sinal) >= IRREGULARIDADE for sinal in documento["irregularidades"])
    assert (documento["irregularidades"][1]["valor"], documento["irregularidades"][1]["campo"]) == (None, None)


def test_numbers_are_numbers(resultado: Resultado) -> None:
    nota = read(resultado)["projetos"][0]["notas"][0]
    assert (nota["nota_sugerida"], nota["confianca"]) == (7.25, 0.8)
    assert b'"nota_sugerida":7.25' in to_json(resultado)


def test_a_cpf_in_a_quote_is_masked(resultado: Resultado) -> None:
    assert "529.982.247-25" not in to_json(resultado).decode()
    assert "***.982.247-**" in to_json(resultado).decode()


def test_what_is_exported_reads_back_as_it_was(resultado: Resultado) -> None:
    back = msgspec.json.decode(to_json(resultado), type=Resultado)
    assert to_json(back) == to_json(resultado)
    assert back.irregularidades == resultado.irregularidades
    assert back.projetos[1] == resultado.projetos[1]
    assert back.projetos[0].notas == resultado.projetos[0].notas


PLAIN = st.text(st.characters(exclude_categories=("Nd", "Cs")), max_size=20)
EVIDENCIAS = st.builds(
    Evidencia,
    arquivo=st.none() | PLAIN,
    pagina=st.none() | st.integers(1, 500),
    trecho=PLAIN,
    projeto=st.none() | PLAIN.filter(bool),
    campo=st.none() | PLAIN.filter(bool),
    par=st.none() | st.integers(0, 9),
    semelhanca=st.none() | st.floats(0, 1),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(EVIDENCIAS, max_size=4))
def test_any_evidence_reads_back_as_it_was(evidencias: list[Evidencia]) -> None:
    sinal = Irregularidade(tipo="similaridade", projetos=("A", "B"), valor=0.5, evidencia=tuple(evidencias))
    resultado = Resultado("E", "X", (), (sinal,))
    assert msgspec.json.decode(to_json(resultado), type=Resultado) == resultado
