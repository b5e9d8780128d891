"""The result as a spreadsheet: a summary and the three tables, with headings that stay in sight and can be filtered."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import xlsxwriter

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Resultado
from crivo.triagem.conclusoes import NADA, Concluido
from crivo.triagem.edital import Chamada
from crivo.triagem.exportacao.celulas import Celula, Coluna, Linha, Tabela
from crivo.triagem.exportacao.tabelas import NomeTabela, has_notas, tabulate
from crivo.triagem.irregularidades.sinais import SINAIS
from crivo.triagem.palavras import DECISAO_HUMANA, HABILITACAO, modelo_name, moment

LINHAS_MAXIMO: Final = 1_048_575  # under the heading; what Excel can hold
CELULA_MAXIMO: Final = 32_767
_CORTE: Final = " […] (texto cortado: passa do que uma célula comporta)"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FORMATS: Final[dict[str, dict[str, Any]]] = {
    "titulo": {"bold": True, "font_size": 16},
    "rotulo": {"bold": True, "valign": "top"},
    "aviso": {"italic": True, "text_wrap": True, "valign": "top"},
    "cabecalho": {"bold": True, "text_wrap": True, "valign": "top", "font_color": "#FFFFFF", "bg_color": "#071D41", "border": 1},
    "texto": {"valign": "top", "num_format": "@"},
    "longo": {"valign": "top", "text_wrap": True, "num_format": "@"},
    "nota": {"valign": "top", "num_format": "#,##0.00"},
    "fracao": {"valign": "top", "num_format": "0%"},
    "inteiro": {"valign": "top", "num_format": "#,##0"},
}


def to_xlsx(
    resultado: Resultado, chamada: Chamada, gerada_em: datetime, concluido: Concluido = NADA, tabela: NomeTabela | None = None
) -> bytes:
    """The workbook: Resumo and every table on sheets of its own (Avaliação is Leitura assistida where there are no notas), but for those of
    what people concluded where there is nothing of it; or one table alone.

    Every text is written as text, so that nothing in it can be a formula or a link; a CPF is masked.
    """
    out = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        writer = _Writer(book)
        book.set_properties(
            {"title": f"Triagem: {_fit(chamada.edital.nome)}", "comments": DECISAO_HUMANA, "created": gerada_em.replace(tzinfo=None)}
        )
        if tabela is None:
            writer.write_resumo(resultado, chamada, gerada_em, concluido)
        for nome in _sheets(concluido) if tabela is None else (tabela,):
            writer.write_tabela(tabulate(nome, resultado, chamada, concluido))
    return out.getvalue()


def _sheets(concluido: Concluido) -> Iterator[NomeTabela]:
    yield from ("habilitacao", "avaliacao", "irregularidades")
    if concluido.decisoes:
        yield "decisoes"
    if concluido.casos:
        yield "casos"
    if concluido.recursos:
        yield "recursos"
    if concluido.avaliacoes:
        yield "notas"
    if concluido.ranking:
        yield "ranking"


class _Writer:
    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self._book = book
        self._formats = {nome: book.add_format(style) for nome, style in _FORMATS.items()}

    def write_resumo(self, resultado: Resultado, chamada: Chamada, gerada_em: datetime, concluido: Concluido) -> None:
        sheet = self._new_sheet("Resumo")
        sheet.set_column(0, 0, 44)
        sheet.set_column(1, 1, 70)
        sheet.write_string(0, 0, "Triagem", self._formats["titulo"])
        for row, (rotulo, valor) in enumerate(_resumo(resultado, chamada, gerada_em, concluido), start=1):
            sheet.write_string(row, 0, rotulo, self._formats["rotulo"])
            if isinstance(valor, int):
                sheet.write_number(row, 1, valor, self._formats["inteiro"])
            else:
                sheet.write_string(row, 1, _fit(valor), self._formats["aviso" if rotulo == _LEIA else "longo"])

    def write_tabela(self, tabela: Tabela) -> None:
        """The rows on as many sheets as they need; one at least, with its headings."""
        linhas = iter(tabela.linhas)
        part, full = 1, True
        while full:
            nome = tabela.titulo if part == 1 else f"{tabela.titulo} ({part})"
            full = self._write_sheet(nome, tabela.colunas, linhas)
            part += 1

    def _write_sheet(self, nome: str, colunas: tuple[Coluna, ...], linhas: Iterator[Linha]) -> bool:
        sheet = self._new_sheet(nome)
        # Screen readers look for a name that begins so, to say the heading of each cell.
        self._book.define_name(f"'{nome}'!ColumnTitle", f"='{nome}'!$A$1")
        for column, coluna in enumerate(colunas):
            sheet.set_column(column, column, coluna.largura)
        sheet.freeze_panes(1, 1)
        for column, coluna in enumerate(colunas):
            sheet.write_string(0, column, coluna.titulo, self._formats["cabecalho"])
        last = 0
        for last, linha in enumerate(linhas, start=1):
            for column, (coluna, celula) in enumerate(zip(colunas, linha, strict=True)):
                self._write_celula(sheet, last, column, coluna, celula)
            if last == LINHAS_MAXIMO:
                break
        sheet.autofilter(0, 0, last, len(colunas) - 1)
        return last == LINHAS_MAXIMO

    def _write_celula(self, sheet: Any, row: int, column: int, coluna: Coluna, celula: Celula) -> None:
        if isinstance(celula, str):
            sheet.write_string(row, column, _fit(celula), self._formats["longo" if coluna.tipo == "longo" else "texto"])
        elif isinstance(celula, int):
            sheet.write_number(row, column, celula, self._formats["inteiro"])
        elif isinstance(celula, Decimal | float):
            sheet.write_number(row, column, float(celula), self._formats[coluna.tipo])

    def _new_sheet(self, nome: str) -> Any:
        sheet = self._book.add_worksheet(nome)
        sheet.set_landscape()
        sheet.set_paper(9)  # A4
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        sheet.set_footer(f"&L{DECISAO_HUMANA}&RPágina &P de &N")
        return sheet


_LEIA: Final = "Leia antes"


def _resumo(resultado: Resultado, chamada: Chamada, gerada_em: datetime, concluido: Concluido) -> Iterator[tuple[str, str | int]]:
    """What the first sheet says, line by line."""
    edital = chamada.edital
    yield _LEIA, f"{DECISAO_HUMANA} As irregularidades são sinais para verificar, nunca vereditos. CPFs aparecem mascarados."
    yield "Edital", f"{edital.nome} ({edital.id})"
    if edital.orgao:
        yield "Órgão", edital.orgao
    yield "Execução", resultado.execucao_id
    yield "Gerada em", moment(gerada_em)
    yield "Projetos triados", len(resultado.projetos)
    sugeridas = Counter(projeto.habilitacao_sugerida for projeto in resultado.projetos)
    for sugerida, rotulo in HABILITACAO.items():
        yield f"Sugestão de habilitação: {rotulo.palavra.lower()}", sugeridas[sugerida]
    decididas = Counter(one.decisao for one in concluido.decisoes.values())
    for decisao, rotulo in HABILITACAO.items():
        yield f"Decisão de pessoas: {rotulo.palavra.lower()}", decididas[decisao]
    if concluido.decisoes:
        yield "Decisões diferentes da sugestão", sum(one.difere for one in concluido.decisoes.values())
    yield "Projetos que não puderam ser triados", sum(projeto.erro is not None for projeto in resultado.projetos)
    yield "Notas sugeridas", _notas(resultado)
    notas = [nota for projeto in resultado.projetos for nota in projeto.notas]
    if notas:
        yield "Sem nota: o modelo absteve-se ou não respondeu", sum(nota.nota_sugerida is None for nota in notas)
        yield "Sugeridas por", ", ".join(sorted({modelo_name(nota) for nota in notas}))
    sinais = Counter(sinal.tipo for sinal in resultado.irregularidades)
    for tipo in SINAIS:
        yield f"Sinais: {tipo.palavra.lower()}", sinais[tipo.codigo]


def _notas(resultado: Resultado) -> str | int:
    if has_notas(resultado):
        return sum(nota.nota_sugerida is not None for projeto in resultado.projetos for nota in projeto.notas)
    return "Nenhuma: sem modelo, a leitura assistida mostra as passagens de cada projeto que falam de cada critério."


def _fit(texto: str) -> str:
    """The text as a cell can hold it, and saying so where it was cut."""
    limpo = _SURROGATE.sub("�", mask_cpfs(texto))
    return limpo if len(limpo) <= CELULA_MAXIMO else limpo[: CELULA_MAXIMO - len(_CORTE)] + _CORTE
