"""What an import cannot decide by itself is told, with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.kernel.errors import Problem


def avisos(*regras: dict[str, Any], **head: Any) -> list[Problem]:
    base = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01", **head}
    completas = [{"regra_id": f"R-{n}", "codigo": "40304361", "cobertura": "COBERTA", **regra} for n, regra in enumerate(regras)]
    return list(read_politica(json.dumps({**base, "regras": completas}, ensure_ascii=False, indent=1).encode()).relatorio.avisos)


def test_a_sentence_that_rules_something_and_was_not_read_is_quoted() -> None:
    (aviso,) = avisos({"observacoes": "Exame de sangue. Somente com indicação de especialista."})
    assert (aviso.codigo, aviso.caminho) == ("observacao_nao_lida", "regras[0].observacoes")
    assert "“Somente com indicação de especialista”" in aviso.mensagem
    assert aviso.linha is not None


@pytest.mark.parametrize(
    "regra",
    [
        {"observacoes": "Hemograma com contagem de plaquetas."},
        {"observacoes": "Alternativa: 40304370 - Hemograma com plaquetas.", "cobertura": "NAO_COBERTA"},
        {"observacoes": "Exige laudo médico.", "documentos_obrigatorios": ["LAUDO_MEDICO"]},
        {"observacoes": "Procedimento estético; não substitui o código 30101620, que segue regra própria.", "cobertura": "NAO_COBERTA"},
    ],
)
def test_what_was_read_or_rules_nothing_is_not_told(regra: dict[str, Any]) -> None:
    assert avisos(regra) == []


@pytest.mark.parametrize(
    "frase",
    [
        "Deve passar por auditoria médica.",
        "É preciso apresentar laudo.",
        "Não é permitido em regime ambulatorial.",
        "Permitido só em hospital dia.",
        "Requer avaliação do médico perito.",
        "Restrito a pacientes com IMC acima de 35.",
        "Bloqueado para beneficiários inadimplentes.",
        "A partir da segunda sessão, exigir novo pedido.",
        "Sem direito a acompanhante.",
        "Indicado para diabéticos tipo 1.",
        "Quando houver recidiva, solicitar biópsia.",
        "Se houver contraindicação, negar.",
        "masc.",
        "Fem",
        "Grau entre -5 e -10",
        "Grau de -5 a -10",
    ],
)
def test_a_rule_in_everyday_words_is_told_as_unread(frase: str) -> None:
    assert [aviso.codigo for aviso in avisos({"observacoes": frase})] == ["observacao_nao_lida"]


def test_an_unknown_document_is_told_with_the_nearest_known() -> None:
    (aviso,) = avisos({"documentos_obrigatorios": ["LAUDO_MEDCO"]})
    assert (aviso.codigo, aviso.caminho) == ("documento_desconhecido", "regras[0].documentos_obrigatorios[0]")
    assert "`LAUDO_MEDICO`" in aviso.mensagem
    for other in ("XPTO", "RELATORIO_CARDIOLOGISTA", "RELATORIO_ONCOLOGISTA"):  # another word is no misspelling
        (outro,) = avisos({"documentos_obrigatorios": [other]})
        assert "quis dizer" not in outro.mensagem


def test_one_plano_in_three_spellings_is_told_once() -> None:
    (aviso,) = avisos({"plano_id": "OURO"}, {"plano_id": "Ouro"}, {"plano_id": " ouro "}, {"plano_id": "PRATA"})
    assert aviso.codigo == "plano_com_varias_grafias"
    assert all(grafia in aviso.mensagem for grafia in ("`OURO`", "`Ouro`", "`ouro`"))


def test_a_regra_of_a_plano_that_is_not_declared_is_told() -> None:
    (aviso,) = avisos({"plano_id": "PRATA"}, {"plano_id": "ouro"}, planos=["OURO"])
    assert (aviso.codigo, aviso.caminho) == ("plano_nao_declarado", "regras[0].plano_id")


def test_two_regras_for_the_same_pedidos_that_say_otherwise_are_told_with_what_differs() -> None:
    """PRD RF3: the first in the document decides, which nobody who wrote both can have meant."""
    (aviso,) = avisos(
        {"limite_quantidade": 2}, {"codigo": "4.03.04.36-1", "plano_id": "*", "cobertura": "NAO_COBERTA", "limite_quantidade": 5}
    )
    assert (aviso.codigo, aviso.caminho) == ("regras_contrarias", "regras[1]")
    assert aviso.linha is not None
    for told in ("`R-1`", "`R-0`", "`cobertura` e `limite_quantidade`", "só a primeira vale"):
        assert told in aviso.mensagem


@pytest.mark.parametrize("outra", [{}, {"plano_id": "OURO", "cobertura": "NAO_COBERTA"}, {"tabela": "TUSS", "limite_quantidade": 1}])
def test_regras_that_agree_or_are_for_other_pedidos_are_not_told(outra: dict[str, Any]) -> None:
    assert avisos({}, outra) == []


def test_what_is_written_in_one_line_names_no_line_of_a_conflict() -> None:
    regras = [{"regra_id": um, "codigo": "40304361", "cobertura": cobre} for um, cobre in (("A", "COBERTA"), ("B", "NAO_COBERTA"))]
    base = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01", "regras": regras}
    for indent, dito in ((None, False), (1, True)):
        (aviso,) = read_politica(json.dumps(base, indent=indent).encode()).relatorio.avisos
        assert (aviso.codigo, "na linha" in aviso.mensagem) == ("regras_contrarias", dito)
