"""What a regra of the richer kind says against itself is told at import, and keeps nobody from importing it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crivo.autorizacoes.politicas.documento import to_document
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.nos import PoliticaInvalida

LIMITE = {"quantidade": 2, "periodo_dias": 365}
INTEIRA: dict[str, Any] = {
    "planos": ["OURO", "Prata"],
    "descricao": "Ressonância magnética de crânio",
    "tipo_atendimento": "ALTA_COMPLEXIDADE",
    "sexo": "F",
    "cpt_meses": 24,
    "valor_maximo": 1500.5,
    "limites": [{**LIMITE, "por": "REGRA"}],
    "documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_CLINICO"]],
}


CONDICOES: tuple[dict[str, Any], ...] = (
    {"documentos_obrigatorios": ["LAUDO_MEDICO"]},
    {"documentos_alternativos": [["LAUDO_MEDICO", "RECEITA_MEDICA"]]},
    {"carencia_min_dias": 30},
    {"restricoes_idade": {"min": 18}},
    {"restricoes_rede": "APENAS_CREDENCIADA"},
    {"limite_quantidade": 2},
    {"limites": [LIMITE]},
    {"valor_maximo": 100},
    {"sexo": "F"},
    {"cpt_meses": 24},
)


def document(**regra: Any) -> bytes:
    cabeca = {"administradora_id": "ADM-001", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    return json.dumps({**cabeca, "regras": [{"regra_id": "R-0", "codigo": "4030*", "cobertura": "COBERTA", **regra}]}).encode()


def avisos(**regra: Any) -> list[tuple[str, str]]:
    return [(aviso.codigo, aviso.caminho) for aviso in read_politica(document(**regra)).relatorio.avisos]


def faults(**regra: Any) -> list[tuple[str, str]]:
    with pytest.raises(PoliticaInvalida) as caught:
        read_politica(document(**regra))
    return [(problema.codigo, problema.caminho) for problema in caught.value.problemas]


def test_a_regra_that_states_everything_is_imported_as_it_stands_and_leaves_no_doubt() -> None:
    assert avisos(**INTEIRA) == []
    (regra,) = json.loads(to_document(read_politica(document(**INTEIRA)).politica))["regras"]
    assert {campo: regra[campo] for campo in INTEIRA} == INTEIRA


@pytest.mark.parametrize("nada", [None, [], ""])
def test_a_field_that_states_nothing_leaves_the_document_as_it_was(nada: Any) -> None:
    campos = [campo for campo, valor in INTEIRA.items() if isinstance(valor, type(nada)) or nada is None]
    vazios = {campo: nada for campo in campos if nada != "" or campo == "descricao"}
    assert to_document(read_politica(document(**vazios)).politica) == to_document(read_politica(document()).politica)


@pytest.mark.parametrize(
    ("regra", "esperado"),
    [
        ({"planos": ["OURO"], "plano_id": "PRATA"}, [("plano_e_planos", "regras[0].plano_id")]),
        ({"planos": ["OURO", "*"]}, [("plano_repetido_em_planos", "regras[0].planos")]),
        ({"cpt_meses": 36}, [("cpt_acima_da_lei", "regras[0].cpt_meses")]),
        ({"cpt_meses": 24, "tipo_atendimento": "EXAME"}, [("cpt_fora_da_lei", "regras[0].cpt_meses")]),
        ({"limites": [LIMITE, {"quantidade": 5, "periodo_dias": 30}]}, [("limite_contraditorio", "regras[0].limites")]),
        ({"limites": [LIMITE, {"quantidade": 1, "periodo_dias": 30}]}, []),
        ({"limites": [LIMITE], "limite_quantidade": 3}, [("limite_contraditorio", "regras[0].limite_quantidade")]),
        ({"documentos_alternativos": [["LAUDO_MEDICO"]]}, [("documento_repetido", "regras[0].documentos_alternativos")]),
        (
            {"documentos_obrigatorios": ["LAUDO_MEDICO"], "documentos_alternativos": [["LAUDO_MEDICO", "RECEITA_MEDICA"]]},
            [("documento_repetido", "regras[0].documentos_alternativos")],
        ),
        (
            {"documentos_alternativos": [["LAUDO_MEDCO", "LAUDO_MEDICO"]]},
            [("documento_desconhecido", "regras[0].documentos_alternativos[0][0]")],
        ),
        ({"cobertura": "NAO_COBERTA", "sexo": "F"}, [("restricao_sem_cobertura", "regras[0].cobertura")]),
        ({"cobertura": "CONDICIONAL"}, [("condicional_sem_condicao", "regras[0].cobertura")]),
        ({"cobertura": "CONDICIONAL", "coparticipacao_percentual": 20}, [("condicional_sem_condicao", "regras[0].cobertura")]),
        ({"cobertura": "CONDICIONAL", "restricoes_rede": "LIVRE"}, [("condicional_sem_condicao", "regras[0].cobertura")]),
        *(({"cobertura": "CONDICIONAL", **condicao}, []) for condicao in CONDICOES),
        ({"excecoes": [{"motivo": "rede_nao_credenciada", "instrucao": "Ligar."}]}, [("excecao_sem_efeito", "regras[0].excecoes")]),
        ({"excecoes": [{"motivo": "restricao_idade", "instrucao": "Ligar."}]}, []),
    ],
)
def test_a_contradiction_is_told_where_it_stands(regra: dict[str, Any], esperado: list[tuple[str, str]]) -> None:
    assert avisos(**regra) == esperado


@pytest.mark.parametrize(
    ("regra", "caminho"),
    [
        ({"sexo": "X"}, "regras[0].sexo"),
        ({"cpt_meses": 0}, "regras[0].cpt_meses"),
        ({"valor_maximo": -1}, "regras[0].valor_maximo"),
        ({"valor_maximo": "R$ 10"}, "regras[0].valor_maximo"),
        ({"tipo_atendimento": "RAIO_X"}, "regras[0].tipo_atendimento"),
        ({"limites": [{"quantidade": 0, "periodo_dias": 1}]}, "regras[0].limites[0].quantidade"),
        ({"limites": [{"quantidade": 1, "periodo_dias": 0}]}, "regras[0].limites[0].periodo_dias"),
        ({"limites": [{"quantidade": 1, "periodo_dias": 1, "por": "FAMILIA"}]}, "regras[0].limites[0].por"),
        ({"limites": [{"quantidade": 1}]}, "regras[0].limites[0].periodo_dias"),
        ({"documentos_alternativos": [[]]}, "regras[0].documentos_alternativos[0]"),
        ({"documentos_alternativos": ["LAUDO_MEDICO"]}, "regras[0].documentos_alternativos[0]"),
        ({"planos": [""]}, "regras[0].planos[0]"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_stands(regra: dict[str, Any], caminho: str) -> None:
    assert [onde for _, onde in faults(**regra)] == [caminho]
