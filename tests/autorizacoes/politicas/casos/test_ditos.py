"""What a case expects is told in people's words."""

from __future__ import annotations

from typing import Any

import pytest

from crivo.autorizacoes.politicas.casos.ditos import campo_dito, valor_dito


@pytest.mark.parametrize(
    ("campo", "valor", "dito"),
    [
        ("motivos", ["acima_do_limite_por_periodo", "restricao_idade"], "acima do limite por período e idade fora da faixa"),
        ("decisao_final", "APROVADO_PARCIAL", "Aprovado em parte"),
        ("pendencias_documentais", ["LAUDO_MEDICO|RELATORIO_MEDICO"], "laudo médico ou relatório médico"),
        ("coparticipacao_percentual", 30, "30%"),
        ("conforme", False, "não"),
        ("motivos", [], "nada"),
        ("quantidade_aprovada", 1.5, "1,5"),
        ("ajustes", [{"acao_tipo": "OUTRO"}], '[{"acao_tipo":"OUTRO"}]'),
    ],
)
def test_fields_and_values_are_told_in_words(campo: str, valor: Any, dito: str) -> None:
    assert valor_dito(campo, valor) == dito
    assert "_" not in campo_dito(campo)
