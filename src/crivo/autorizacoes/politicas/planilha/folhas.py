"""A file as the tables it holds: its sheets with merged cells filled, the row of headings found, and what stands above it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.autorizacoes.politicas.planilha.celulas import text
from crivo.autorizacoes.politicas.planilha.colunas import CABECA, guess, means, plainly
from crivo.kernel.planilha.arquivo import open_arquivo
from crivo.kernel.planilha.celulas import LinhaDeValores, Valor, letter
from crivo.kernel.planilha.erros import PlanilhaGrandeDemais, PlanilhaIlegivel

LINHAS_MAXIMO: Final = 100_000  # of all sheets together
_CELULAS_MAXIMO: Final = 4_000_000
_TOP: Final = 60  # rows among which the headings are looked for
_DELIMITERS: Final = (";", "\t", ",")
_RANGE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_ESCAPED: Final = re.compile(r"'+[=+\-@＝＋－＠\t\r\n]")
_CSV: Final = "CSV"
_EXACT_POINTS: Final = 3
_LEAST_POINTS: Final = 4
_VALUE_MAXIMO: Final = 32_767 * 4


@dataclass(frozen=True, slots=True)
class Folha:
    """A sheet with its rows; those between that are empty are left out."""

    nome: str
    linhas: tuple[LinhaDeValores, ...]
    oculta: bool
    largas: frozenset[tuple[int, int]]
    """(row, column) from where a merged range goes over several columns."""
    comentarios: tuple[tuple[str, str], ...] = ()
    """What people noted beside cells, by the cell's address in the sheet."""
    colunas_ocultas: frozenset[int] = frozenset()
    """The columns, from 0 on, that nobody sees."""


@dataclass(frozen=True, slots=True)
class Quadro:
    """A table in a sheet: its headings by column, the row they stand in, and the rows under them."""

    folha: Folha
    cabecalho: int
    titulos: tuple[str, ...]
    linhas: tuple[LinhaDeValores, ...]
    acima: tuple[LinhaDeValores, ...]

    def column(self, coluna: int) -> Iterator[Valor]:
        """The cells of a column that hold something."""
        return (linha.celulas[coluna] for linha in self.linhas if coluna < len(linha.celulas) and linha.celulas[coluna] is not None)


def open_folhas(content: bytes) -> tuple[Folha, ...]:
    """All sheets of a file, by what its bytes are. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    aberto = open_arquivo(content)
    if aberto.formato == "csv":
        return (Folha(_CSV, tuple(_csv_rows(content)), False, frozenset()),)
    from crivo.kernel.planilha.livro import reading_values  # here, as hardly any start needs it

    found, rows, cells = [], 0, 0
    with reading_values(content, aberto, LINHAS_MAXIMO) as folhas:
        for folha in folhas:
            starts = _downwards(folha.mescladas)
            fill: dict[int, dict[int, Valor]] = {}
            kept = []
            for linha in folha.linhas():
                filled = _filled(linha, fill.pop(linha.numero, {}))
                for last, column in starts.get(linha.numero, ()):
                    for below in range(linha.numero + 1, last + 1):
                        fill.setdefault(below, {})[column] = _at(filled.celulas, column)
                if any(celula is not None for celula in filled.celulas):
                    kept.append(filled)
                    rows, cells = rows + 1, cells + len(filled.celulas)
                    _bound(rows, cells)
            largas = frozenset(_wide(folha.mescladas))
            found.append(Folha(folha.nome, tuple(kept), folha.oculta, largas, folha.comentarios, folha.colunas_ocultas))
    return tuple(found)


def _bound(rows: int, cells: int) -> None:
    if rows > LINHAS_MAXIMO or cells > _CELULAS_MAXIMO:
        raise PlanilhaGrandeDemais(f"A planilha passa de {LINHAS_MAXIMO:_} linhas, o limite. Divida-a em duas.".replace("_", "."))


def _wide(mescladas: Sequence[str]) -> Iterator[tuple[int, int]]:
    for one in mescladas:
        match = _RANGE.fullmatch(one)
        if match is not None and match[1] != match[3]:
            yield int(match[2]), _column(match[1])


def _downwards(mescladas: Sequence[str]) -> dict[int, list[tuple[int, int]]]:
    """By the first row of each range that goes over several rows: its last row, and its first column."""
    starts: dict[int, list[tuple[int, int]]] = {}
    rows = 0
    for one in mescladas:
        match = _RANGE.fullmatch(one)
        if match is not None and int(match[4]) > int(match[2]) and match[1] == match[3]:
            rows += int(match[4]) - int(match[2])
            _bound(0, rows)
            starts.setdefault(int(match[2]), []).append((int(match[4]), _column(match[1])))
    return starts


def _filled(linha: LinhaDeValores, values: dict[int, Valor]) -> LinhaDeValores:
    if not values:
        return linha
    celulas = list(linha.celulas)
    for column, value in values.items():
        celulas += [None] * (column + 1 - len(celulas))
        if celulas[column] is None:
            celulas[column] = value
    return linha._replace(celulas=tuple(celulas))


def _column(letters: str) -> int:
    number = 0
    for char in letters:
        number = 26 * number + ord(char) - 64
    return number - 1


def _at(celulas: Sequence[Valor], coluna: int) -> Valor:
    return celulas[coluna] if coluna < len(celulas) else None


# --- CSV


def _csv_rows(content: bytes) -> Iterator[LinhaDeValores]:
    texto = _decoded(content)
    csv.field_size_limit(_VALUE_MAXIMO)
    delimiter = _delimiter(texto)
    cells = 0
    try:
        for number, row in enumerate(csv.reader(io.StringIO(texto, newline=""), delimiter=delimiter, strict=True), start=1):
            cells += len(row)
            _bound(number, cells)
            celulas = tuple([_csv_cell(cell) for cell in row])
            if any(celula is not None for celula in celulas):
                yield LinhaDeValores(number, celulas)
    except csv.Error:
        raise PlanilhaIlegivel("O CSV tem aspas que não fecham, ou uma célula longa demais. Salve-o de novo, ou envie em .xlsx.") from None


def _csv_cell(escrito: str) -> Valor:
    if not escrito.strip():
        return None
    return escrito[1:] if _ESCAPED.match(escrito) else escrito


def _delimiter(texto: str) -> str:
    """What parts the cells: of the first lines, the sign that is there most often, outside of quotes."""
    counts = dict.fromkeys(_DELIMITERS, 0)
    for line in texto[:20_000].splitlines()[:_TOP]:
        plain = re.sub(r'"[^"]*"', "", line)
        for sign in _DELIMITERS:
            counts[sign] += plain.count(sign)
    if counts[";"] and counts[";"] * 2 >= counts[","]:
        return ";"  # commas are within texts and numbers, too
    return max(_DELIMITERS, key=lambda sign: counts[sign])


def _decoded(content: bytes) -> str:
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


# --- the table in a sheet


def find_quadro(folha: Folha, conhecidos: frozenset[str] = frozenset(), *, anyway: bool = False) -> Quadro | None:
    """The table of a sheet, by the row whose cells are most like headings; `conhecidos` are headings of a map, `anyway` takes any row."""
    best, points = -1, 0
    for at, linha in enumerate(folha.linhas[:_TOP]):
        scored = _points(linha, conhecidos)
        if scored > points:
            best, points = at, scored
    if points < _LEAST_POINTS:
        best = next((at for at, linha in enumerate(folha.linhas[:_TOP]) if sum(isinstance(one, str) for one in linha.celulas) > 1), -1)
        if best < 0 or not anyway:
            return None
    titulos, under = _titles(folha, best)
    return Quadro(folha, folha.linhas[best].numero, titulos, folha.linhas[under:], folha.linhas[:best])


def _points(linha: LinhaDeValores, conhecidos: frozenset[str]) -> int:
    texts = [one.strip() for one in linha.celulas if isinstance(one, str)]
    regras = [titulo for titulo, campo in guess(texts).items() if campo not in CABECA]
    known = sum(one in conhecidos for one in texts)
    if max(known, len(regras)) < 2:
        return 0
    return max(_EXACT_POINTS * known, sum(_EXACT_POINTS if plainly(one) else 1 for one in regras))


def _titles(folha: Folha, at: int) -> tuple[tuple[str, ...], int]:
    """The headings, those of two rows put together, and where the rows under them begin."""
    linha = folha.linhas[at]
    tops = [text(one) for one in linha.celulas]
    below = folha.linhas[at + 1] if at + 1 < len(folha.linhas) else None
    spans = sorted(column for row, column in folha.largas if row == linha.numero)
    under = at + 1
    if spans and below is not None and below.numero == linha.numero + 1:
        subs = [text(one) for one in below.celulas]
        width = max(len(tops), len(subs))
        tops += [""] * (width - len(tops))
        subs += [""] * (width - len(subs))
        last = ""
        for column in range(width):
            last = tops[column] or last
            top = tops[column] or (last if column > spans[0] else "")
            sub = subs[column]
            tops[column] = top if not sub or sub == top else f"{top} {sub}".strip()
        under = at + 2
    return _unique(tops), under


def _unique(titulos: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    found = []
    for column, titulo in enumerate(titulos):
        nome = " ".join(titulo.split()) or f"Coluna {letter(column)}"
        seen[nome] = seen.get(nome, 0) + 1
        found.append(nome if seen[nome] == 1 else f"{nome} ({seen[nome]})")
    return tuple(found)


def labels(linhas: Sequence[LinhaDeValores]) -> Iterator[tuple[str, Valor, LinhaDeValores, int]]:
    """(campo of the head, value, row, column) of what is said as `Versão: 3.1`, in one cell or in two beside each other."""
    for linha in linhas:
        cells, taken = list(linha.celulas), -1
        for at, celula in enumerate(cells):
            if at <= taken or not isinstance(celula, str):
                continue
            label, colon, rest = celula.partition(":")
            campo = means(label)
            if campo not in CABECA or not plainly(label):
                continue
            if colon and rest.strip():
                yield campo, rest.strip(), linha, at
                continue
            beside = next((column for column in range(at + 1, len(cells)) if cells[column] is not None), None)
            if beside is not None:
                taken = beside
                yield campo, cells[beside], linha, beside
