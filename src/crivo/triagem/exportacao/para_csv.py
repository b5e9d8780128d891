"""A table of the result as CSV."""

from __future__ import annotations

from crivo.kernel.planilha import escrita
from crivo.triagem.achados import Resultado
from crivo.triagem.conclusoes import NADA, Concluido
from crivo.triagem.edital import Chamada
from crivo.triagem.exportacao.celulas import Tabela
from crivo.triagem.exportacao.tabelas import NomeTabela, tabulate


def to_csv(resultado: Resultado, chamada: Chamada, tabela: NomeTabela = "habilitacao", concluido: Concluido = NADA) -> bytes:
    """One table: a line for each projeto and requisito, projeto and critério, sign, nota of a person, case, or place of the ranking.

    Text that a spreadsheet would run as a formula begins with an apostrophe; a CPF is masked.
    """
    return write_csv(tabulate(tabela, resultado, chamada, concluido))


def write_csv(feita: Tabela) -> bytes:
    """A table, in the same way."""
    return escrita.to_csv([coluna.titulo for coluna in feita.colunas], feita.linhas)
