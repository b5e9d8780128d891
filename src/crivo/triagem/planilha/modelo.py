"""The workbook that people fill in: a sheet of notas, one of habilitação, and how to. Every text in it is text, never a formula."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import xlsxwriter

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.edital import Criterio
from crivo.triagem.palavras import number, shown
from crivo.triagem.planilha.conferencia import LEIA
from crivo.triagem.planilha.quadro import QuadroDeNotas

_SITUACOES: Final = ("habilitado", "inabilitado", "pendência")
_TITULO_MAXIMO: Final = 300
_NAME_MAXIMO: Final = 20  # of what a validation says above its words: Excel takes 32
_FORMATS: Final[dict[str, dict[str, Any]]] = {
    "titulo": {"bold": True, "font_size": 16},
    "rotulo": {"bold": True, "valign": "top"},
    "prosa": {"text_wrap": True, "valign": "top"},
    "cabecalho": {"bold": True, "text_wrap": True, "valign": "top", "font_color": "#FFFFFF", "bg_color": "#071D41", "border": 1},
    "texto": {"valign": "top", "num_format": "@"},
    "longo": {"valign": "top", "text_wrap": True, "num_format": "@"},
    "nota": {"valign": "top", "num_format": "0.00"},
}
_HOW: Final = (
    "Preencha a folha Notas: uma linha para cada projeto e cada pessoa que o avaliou. Quem avaliou pode vir pelo nome ou pelo e-mail.",
    "Escreva só o número em cada nota, como 8,5. Deixe vazia a nota que não houve; enquanto faltar uma, a avaliação não conta.",
    "Cole valores, e não fórmulas. Não mescle células e não mude os nomes das colunas; a ordem delas não importa.",
    "Na folha Habilitação, escreva habilitado, inabilitado ou pendência, e o motivo. Linha deixada em branco não muda nada.",
    "Para acrescentar uma avaliação, acrescente uma linha. Linha que se apaga aqui não apaga nada no crivo.",
    "Ao enviar, o crivo mostra antes o que entra e o que muda, e aponta pela célula o que estiver errado.",
)


@dataclass(frozen=True, slots=True)
class LinhaDoModelo:
    """A project, and who judges it, by name or e-mail."""

    codigo: str
    titulo: str
    avaliadores: tuple[str, ...]


def write_modelo(quadro: QuadroDeNotas, linhas: Sequence[LinhaDoModelo]) -> bytes:
    """The workbook, as an import takes it once it is filled in."""
    out = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        formats = {nome: book.add_format(style) for nome, style in _FORMATS.items()}
        _write_notas(book, formats, quadro, linhas)
        _write_habilitacao(book, formats, linhas)
        _write_leia(book, formats, quadro)
    return out.getvalue()


def titulo_of(criterio: Criterio) -> str:
    """The heading of a critério's column: `C1 Mérito (0 a 10)`."""
    return f"{criterio.id} {criterio.nome}".strip() + f" ({number(criterio.nota_min)} a {number(criterio.nota_max)})"


def _write_notas(book: Any, formats: dict[str, Any], quadro: QuadroDeNotas, linhas: Sequence[LinhaDoModelo]) -> None:
    columns = [("Projeto", 12), ("Título", 44), ("Avaliador", 32), *[(titulo_of(one), 16) for one in quadro.criterios], ("Parecer", 60)]
    sheet = _sheet(book, formats, "Notas", columns)
    rows = list(_rows(linhas))
    last = max(len(rows) + 500, 1_000)
    for at, one in enumerate(quadro.criterios, start=3):
        sheet.data_validation(1, at, last, at, _scale(one))
    for row, (codigo, titulo, quem) in enumerate(rows, start=1):
        sheet.write_string(row, 0, codigo, formats["texto"])
        sheet.write_string(row, 1, _said(titulo), formats["texto"])
        if quem:
            sheet.write_string(row, 2, quem, formats["texto"])
        for at in range(len(quadro.criterios)):
            sheet.write_blank(row, 3 + at, None, formats["nota"])
        sheet.write_blank(row, 3 + len(quadro.criterios), None, formats["longo"])


def _write_habilitacao(book: Any, formats: dict[str, Any], linhas: Sequence[LinhaDoModelo]) -> None:
    sheet = _sheet(book, formats, "Habilitação", [("Projeto", 12), ("Título", 44), ("Situação", 16), ("Motivo", 60)])
    words = ", ".join(_SITUACOES)
    options = {"validate": "list", "source": list(_SITUACOES), "error_title": "Situação", "error_message": f"Escreva uma destas: {words}."}
    sheet.data_validation(1, 2, len(linhas) + 500, 2, options)
    for row, one in enumerate(linhas, start=1):
        sheet.write_string(row, 0, one.codigo, formats["texto"])
        sheet.write_string(row, 1, _said(one.titulo), formats["texto"])
        sheet.write_blank(row, 2, None, formats["texto"])
        sheet.write_blank(row, 3, None, formats["longo"])


def _write_leia(book: Any, formats: dict[str, Any], quadro: QuadroDeNotas) -> None:
    sheet = book.add_worksheet(LEIA)
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 90)
    sheet.write_string(0, 0, "Como preencher", formats["titulo"])
    said = [("Edital", f"{quadro.nome} ({quadro.edital_id})"), *[(f"{at}.", words) for at, words in enumerate(_HOW, start=1)]]
    said += [(f"Critério {one.id}", f"{one.nome}: de {number(one.nota_min)} a {number(one.nota_max)}.") for one in quadro.criterios]
    for row, (rotulo, words) in enumerate(said, start=1):
        sheet.write_string(row, 0, rotulo, formats["rotulo"])
        sheet.write_string(row, 1, words, formats["prosa"])


def _sheet(book: Any, formats: dict[str, Any], nome: str, columns: Sequence[tuple[str, int]]) -> Any:
    sheet = book.add_worksheet(nome)
    # Screen readers look for a name that begins so, to say the heading of each cell.
    book.define_name(f"'{nome}'!ColumnTitle", f"='{nome}'!$A$1")
    sheet.freeze_panes(1, 1)
    for at, (titulo, width) in enumerate(columns):
        sheet.set_column(at, at, width)
        sheet.write_string(0, at, titulo, formats["cabecalho"])
    return sheet


def _scale(one: Criterio) -> dict[str, Any]:
    between = f"De {number(one.nota_min)} a {number(one.nota_max)}."
    return {
        "validate": "decimal",
        "criteria": "between",
        "minimum": float(one.nota_min),
        "maximum": float(one.nota_max),
        "error_title": f"Nota de {one.id}"[:_NAME_MAXIMO],
        "error_message": f"{between} Escreva só o número, como 8,5.",
    }


def _rows(linhas: Sequence[LinhaDoModelo]) -> Iterator[tuple[str, str, str]]:
    for one in linhas:
        for quem in one.avaliadores or ("",):
            yield one.codigo, one.titulo, quem


def _said(text: str) -> str:
    return mask_cpfs(shown(text))[:_TITULO_MAXIMO]
