"""Faults that many rows have alike are one thing to mend. Source: design, RF3."""

from __future__ import annotations

from crivo.autorizacoes.politicas.planilha.repetidos import once_each
from crivo.kernel.errors import Problem


def test_equal_faults_of_a_column_are_told_once_with_their_rows() -> None:
    problems = [Problem("não diz se cobre", f"P!C{row}", row, "cobertura_desconhecida") for row in (2, 3, 9)]
    problems += [
        Problem("não diz se cobre", "P!D3", 3, "cobertura_desconhecida"),
        Problem("outra coisa", "P!C4", 4, "cobertura_desconhecida"),
        Problem("falta", "versao"),
        Problem("falta", "versao"),
    ]
    told = once_each(problems)
    assert [(one.problem.caminho, one.outras) for one in told] == [
        ("P!C2", (3, 9)),
        ("P!D3", ()),
        ("P!C4", ()),
        ("versao", ()),
        ("versao", ()),
    ]
    assert told[0].tambem == "e em mais 2 linhas, até a 9"
