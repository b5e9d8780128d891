"""The model that people fill in is read as it was written, and the annotated copy comes back with its faults and without them."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import openpyxl

from crivo.triagem.edital import AvaliacaoDada, HabilitacaoDada
from crivo.triagem.planilha.anotada import annotate
from crivo.triagem.planilha.leitura import read_planilha
from crivo.triagem.planilha.modelo import LinhaDoModelo, write_modelo
from planilhas import QUADRO, livro

LINHAS = [LinhaDoModelo("P0001", "=1+1", ("Rita Melo", "Davi Sena")), LinhaDoModelo("P0002", "CPF 529.982.247-25", ())]


def opened(content: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content))


def saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_model_has_a_row_for_each_project_and_person_and_nothing_in_it_is_a_formula() -> None:
    notas = opened(write_modelo(QUADRO, LINHAS))["Notas"]
    assert [[cell.value for cell in row] for row in notas.iter_rows(max_col=7)] == [
        ["Projeto", "Título", "Avaliador", "C1 Mérito (0 a 10)", "C2 Alcance (1 a 5)", "Parecer", None],
        ["P0001", "=1+1", "Rita Melo", None, None, None, None],
        ["P0001", "=1+1", "Davi Sena", None, None, None, None],
        ["P0002", "CPF ***.982.247-**", None, None, None, None, None],
    ]
    assert notas["B2"].data_type == "s"
    scales = {(str(one.sqref), one.formula1, one.formula2) for one in notas.data_validations.dataValidation}
    assert scales == {("D2:D1001", "0.0", "10.0"), ("E2:E1001", "1.0", "5.0")}


def test_the_model_as_it_comes_is_right_and_says_nothing() -> None:
    lida = read_planilha(write_modelo(QUADRO, LINHAS), QUADRO)
    assert (lida.avaliacoes, lida.habilitacoes, lida.problemas.total, lida.avisos.total, lida.em_branco) == ([], [], 0, 0, 5)


def test_the_model_filled_in_is_what_is_read() -> None:
    book = opened(write_modelo(QUADRO, LINHAS))
    book["Notas"]["D2"], book["Notas"]["E2"], book["Notas"]["F2"] = 8.25, "4,5", "Muito bom."
    book["Habilitação"]["C3"], book["Habilitação"]["D3"] = "pendência", "Falta a ata."
    lida = read_planilha(saved(book), QUADRO)
    assert lida.problemas.total == 0
    assert lida.avaliacoes == [AvaliacaoDada("P0001", "rita@avalia.exemplo", {"C1": Decimal("8.25"), "C2": Decimal("4.5")}, "Muito bom.")]
    assert lida.habilitacoes == [HabilitacaoDada("P0002", "pendencia", "Falta a ata.")]


def test_the_annotated_copy_says_what_is_wrong_beside_each_row_and_is_read_again_without_it() -> None:
    content = livro(("P0001", "Rita Melo", 12, None, "=sim"), ("P0002", "Rita Melo", "8,5", 4, None), ("P0003", None, 5, 4, None))
    copy = opened(annotate(content, read_planilha(content, QUADRO)))["Notas"]
    assert [copy[f"F{at}"].value for at in range(1, 5)] == [
        "Problemas",
        "Notas!C2: 12 passa do máximo 10 de C1 (Mérito).\nNotas!E2: a célula é uma fórmula. Copie a célula e cole só o valor.",
        None,
        "Notas!B4: falta quem avaliou, por e-mail ou nome.",
    ]
    assert copy["C2"].fill.fgColor.rgb == copy["B4"].fill.fgColor.rgb == "FFFFD9D6"
    assert (copy["D3"].value, copy["E2"].value) == (4, "(fórmula)")
    copy["C2"], copy["E2"], copy["B4"] = 9, None, "Davi Sena"
    again = read_planilha(saved(copy.parent), QUADRO)
    assert (again.problemas.total, len(again.avaliacoes)) == (0, 3)
