"""Spreadsheets as five administradoras would keep them, none of which exists."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl


def livro(*folhas: tuple[str, Sequence[Any]], mexe: Callable[[Any], None] = lambda _: None) -> bytes:
    """A workbook of these sheets; `mexe` does anything else to it."""
    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for nome, linhas in folhas:
        sheet = book.create_sheet(nome)
        for linha in linhas:
            sheet.append(list(linha))
    mexe(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def aurora() -> bytes:
    """A title and the head above the table, two rows of headings, sections, notes under it, codes that became numbers."""

    def mexe(book: Any) -> None:
        sheet = book["Rol 2026"]
        sheet.merge_cells("A1:I1")
        sheet.merge_cells("E4:F4")
        for column in "ABCDGHI":
            sheet.merge_cells(f"{column}4:{column}5")
        sheet.merge_cells("D7:D8")
        sheet["H7"].number_format = "0%"
        sheet.row_dimensions[8].hidden = True
        book["Antiga"].sheet_state = "hidden"

    linhas = [
        ["AURORA SAÚDE — TABELA DE COBERTURA"],
        ["Administradora: AUR-9", None, "Versão", "2026.4"],
        ["Vigência", "01/01/2026 a 31/12/2026"],
        ["Código TUSS", "Procedimento", "Cobre?", "Plano", "Idade", None, "Documentos", "Copart.", "Obs"],
        [None, None, None, None, "mín", "máx", None, None, None],
        ["CAPÍTULO 4 — EXAMES"],
        [40304361, "Hemograma completo", "Sim", "Ouro", 18, 65, "Pedido médico; laudo ou relatório médico", 0.2, None],
        ["4.03.04.37-0", "Glicose", "S", None, None, None, "Pedido médico / Laudo médico", "30%", "Somente com CID informado."],
        ["30715016", "Artroscopia", "não", "Prata", None, None, "-", None, "Alternativa: 30715024."],
        ["* Valores sujeitos a auditoria."],
    ]
    return livro(("Rol 2026", linhas), ("Antiga", [["Código", "Cobertura"], ["1", "sim"]]), mexe=mexe)


def boreal() -> bytes:
    """A CSV as Excel writes it in Brazil: semicolons, cp1252, decimal commas, limits and waits in words."""
    linhas = (
        "Cód. Procedimento;Descrição;Situação da cobertura;Carência;Limite;Valor máximo;Sexo;Rede credenciada?;Autorização prévia",
        "20101015;Sessão de fisioterapia;Coberto;6 meses;até 40 sessões por ano;R$ 1.234,56;ambos;sim;x",
        "40901238;Ultrassom obstétrico;Condicional;300 dias;3 por gestação;;F;não;sim",
        "40808033;Mamografia;coberto;sem carência;2 por mês e 12 por ano;350,00;feminino;credenciada;não",
    )
    return "\r\n".join(linhas).encode("cp1252")


def cerrado() -> bytes:
    """A column for each plano, and what is covered marked with an X or not."""
    return livro(
        (
            "Planilha1",
            [
                ["Código", "Nome do procedimento", "Ouro", "Prata", "Validade (dias)", "Faixa etária", "Laudo médico"],
                ["10101012", "Consulta", "x", "x", 30, "todas", None],
                ["40304361", "Hemograma", "Sim", "Não", "60 dias", "a partir de 18 anos", "X"],
            ],
        )
    )


def delta() -> bytes:
    """A sheet for each plano, headings again after a page, rows said twice."""
    cabeca = ["Evento", "Descrição do evento", "Cobertura", "Carência em dias"]
    ouro = [cabeca, ["40304361", "Hemograma", "SIM", 30], cabeca, ["40304370", "Glicose", "SIM", 30], ["40304370", "Glicose", "SIM", 30]]
    return livro(("Ouro", ouro), ("Prata", [cabeca, ["40304361", "Hemograma", "NÃO", None]]), ("Capa", [["Delta Saúde"]]))


def estrela() -> bytes:
    """Everything wrong at once: a formula nobody calculated, a date for a code, errors, ages and words that say nothing."""

    def mexe(book: Any) -> None:
        sheet = book["Plan1"]
        sheet["C3"] = '=IF(A3>0,"sim","não")'
        sheet["A4"] = __import__("datetime").date(2026, 3, 4)
        sheet["D5"] = "#N/A"
        sheet["D5"].data_type = "e"

    linhas = [
        ["Código", "Descrição", "Cobertura", "Carência (dias)", "Idade", "Copart. %"],
        ["40304361", "Hemograma", "talvez", "muitos", "acima de 60", "vinte"],
        ["40304362", "B", None, 10, None, None],
        [None, "C", "sim", 10, None, None],
        ["40304364", "D", "sim", None, "65 a 18", 120],
        ["4,03E+07", "E", "sim", None, None, None],
        [None, "F", "sim", 30, None, None],
    ]
    return livro(("Plan1", linhas), mexe=mexe)
