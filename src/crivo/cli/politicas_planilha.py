"""What `crivo politicas planilha` and `exportar` show and write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from crivo.autorizacoes.palavras import count
from crivo.cli.arquivos import STANDARD, open_saida
from crivo.cli.saida import emit_value, note, problem_value, say, table
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.autorizacoes.politicas.documento import Importada
    from crivo.autorizacoes.politicas.planilha.leitura import Cabeca
    from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas
    from crivo.autorizacoes.politicas.planilha.servico import LeituraDePlanilha

_SUFFIXES: Final = ("xlsx", "csv", "tsv", "xls", "xlsb", "xlsm", "ods")
_SHOWN: Final = 200
_ORIGENS: Final = {
    "dado": "pelo mapa dado",
    "guardado": "pelo mapa guardado desta administradora",
    "adivinhado": "por um palpite: confira, e corrija com --salvar-mapa e --mapa",
}


class SaidaNoTerminal(CrivoError):
    """A workbook that would be written on a terminal."""

    codigo: ClassVar[str] = "saida_obrigatoria"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta dizer onde gravar"


@dataclass(frozen=True, slots=True)
class Cabecalho:
    """The head of the document as the options state it."""

    administradora: str | None
    documento: str | None
    versao: str | None
    vigencia_inicio: str | None
    vigencia_fim: str | None

    @property
    def cabeca(self) -> Cabeca:
        """As the reading takes it."""
        from crivo.autorizacoes.politicas.planilha.leitura import Cabeca

        return Cabeca(self.administradora, self.documento, self.versao, self.vigencia_inicio, self.vigencia_fim)


def is_planilha(arquivo: str) -> bool:
    """Whether a file is named as a spreadsheet."""
    return arquivo.lower().rpartition(".")[2] in _SUFFIXES


def read_of_planilha(content: bytes) -> Importada:
    """The política of a spreadsheet whose columns are plain. Raises PlanilhaIlegivel, PlanilhaComProblemas."""
    from crivo.autorizacoes.politicas.planilha.leitura import read_planilha
    from crivo.autorizacoes.politicas.planilha.servico import PlanilhaComProblemas

    lida = read_planilha(content)
    if lida.importada is None:
        raise PlanilhaComProblemas(lida.problemas)
    return lida.importada


def show_mapa(arquivo: str, mapa: MapaDeColunas) -> None:
    """Write a map to a file."""
    from crivo.autorizacoes.politicas.planilha.mapa import write_mapa

    _write(arquivo, write_mapa(mapa).encode())


def show_leitura(arquivo: str, leitura: LeituraDePlanilha, politica: Mapping[str, Any] | None, *, as_json: bool) -> None:
    """The columns, the faults by cell, and what no regra says."""
    from crivo.autorizacoes.politicas.planilha.colunas import TITULOS
    from crivo.autorizacoes.politicas.planilha.repetidos import once_each

    lida = leitura.lida
    if as_json:
        emit_value(
            {
                "arquivo": arquivo,
                "serve": lida.importada is not None,
                "mapa_de": leitura.origem,
                "mapa": lida.mapa,
                "cabeca": dict(lida.cabeca),
                "colunas": lida.colunas,
                "linhas": lida.linhas,
                "regras_total": len(lida.importada.politica.regras) if lida.importada else None,
                "problemas": [problem_value(one) for one in lida.problemas],
                "avisos": [problem_value(one) for one in lida.avisos],
                "nao_ditas": [problem_value(one) for one in lida.nao_ditas],
                "politica": politica,
            }
        )
        return
    rows = [
        (f"{one.folha}!{one.letra}", one.titulo, TITULOS.get(one.campo, "?"), "; ".join(one.amostras).replace("\n", " "))
        for one in lida.colunas
    ]
    say(f"{arquivo}: colunas lidas {_origem(leitura)}.")
    table(("Coluna", "Título", "O que é", "Traz"), rows)
    for level, problems in (("", lida.problemas), ("aviso: ", lida.avisos), ("não lido: ", lida.nao_ditas)):
        told = once_each(problems)
        for one in told[:_SHOWN]:
            where = ", ".join(filter(None, (one.problem.caminho, one.tambem)))
            say(f"{arquivo}: {level}{where + ': ' if where else ''}{one.problem.mensagem}")
        if len(told) > _SHOWN:
            note(f"  … e mais {len(told) - _SHOWN}; veja com --json.")
    if lida.planos:
        planos = [f"{'todos' if plano == '*' else plano} ({count(quantas, 'regra', 'regras')})" for plano, quantas in lida.planos[:_SHOWN]]
        say(f"{arquivo}: planos: {', '.join(planos)}.")
    if lida.importada is not None:
        regras = count(len(lida.importada.politica.regras), "regra", "regras")
        unread = ", ".join(f"“{titulo}”" for titulo in lida.sem_resposta)
        say(
            f"{arquivo}: {regras}, sem o que está em {unread}. Diga no mapa o que é cada uma."
            if unread
            else f"{arquivo}: serve, com {regras}."
        )
        if politica is None:
            note("Nada foi guardado ainda. Confira e repita com --importar.")


def _origem(leitura: LeituraDePlanilha) -> str:
    if leitura.origem != "adivinhado" or leitura.novas is None:
        return _ORIGENS[leitura.origem]
    new = ", ".join(f"“{titulo}”" for titulo in leitura.novas)
    return _ORIGENS["guardado"] + (f"; {new} ele não conhece, e é um palpite: confira" if new else ", e confira o que mudou")


def write_file(saida: str, formato: str, content: Callable[[], bytes]) -> None:
    """Write what goes out; a workbook never on a terminal. Raises SaidaNoTerminal before anything is made."""
    if saida == STANDARD and formato == "xlsx" and sys.stdout.isatty():
        raise SaidaNoTerminal("A planilha não cabe no terminal. Diga onde gravar com --saida politica.xlsx.")
    _write(saida, content())


def _write(saida: str, content: bytes) -> None:
    with Path("/dev/null").open("rb") as nothing, open_saida(saida, nothing) as written:
        written.write(content)
    if saida != STANDARD:
        note(f"✓ Gravado em {saida}.")
