"""Spreadsheets of notas, as people would fill them in, and the edital that they are held against. Everybody in it is made up."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import openpyxl

from crivo.triagem.edital import Criterio
from crivo.triagem.planilha.quadro import Pessoa, QuadroDeNotas

CABECALHO = ("Projeto", "Avaliador", "C1", "C2", "Parecer")
RITA, DAVI = Pessoa("Rita Melo", "rita@avalia.exemplo"), Pessoa("Davi Sena", "davi@avalia.exemplo")
QUADRO = QuadroDeNotas(
    "ED-1",
    "Edital ED-1",
    1,
    (Criterio("C1", "Mérito"), Criterio("C2", "Alcance", peso=Decimal(2), nota_min=Decimal(1), nota_max=Decimal(5))),
    ("P0001", "P0002", "P0003", "P0004"),
    frozenset({"P0004"}),
    (RITA, DAVI, Pessoa("Ana Luz", "ana@avalia.exemplo"), Pessoa("ana  luz", "ana.luz@avalia.exemplo")),
)
Linha = Sequence[object]


def livro(
    *linhas: Linha, cabecalho: Linha = CABECALHO, habilitacao: Sequence[Linha] = (), mexe: Callable[[Any], None] = lambda _: None
) -> bytes:
    """A workbook with a sheet of notas, and one of habilitação where there are rows of it; `mexe` does anything else to it."""
    book: Any = openpyxl.Workbook()
    book.active.title = "Notas"
    for linha in (cabecalho, *linhas):
        book.active.append(list(linha))
    if habilitacao:
        sheet = book.create_sheet("Habilitação")
        for linha in (("Projeto", "Situação", "Motivo"), *habilitacao):
            sheet.append(list(linha))
    mexe(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_part(content: bytes, nome: str, part: bytes) -> bytes:
    """The same workbook with one part more, or another in its place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            if name != nome:
                copy.writestr(name, source.read(name))
        copy.writestr(nome, part)
    return out.getvalue()
