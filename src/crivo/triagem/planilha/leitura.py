"""A file of notas read against an edital, whatever format it is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from crivo.kernel.planilha.arquivo import open_arquivo
from crivo.kernel.planilha.celulas import Folha
from crivo.triagem.planilha.conferencia import LINHAS_MAXIMO, Lida, check_folhas
from crivo.triagem.planilha.quadro import QuadroDeNotas
from crivo.triagem.planilha.tabela_csv import read_csv

_MORE = 1_000  # rows above the headings, at most


def read_planilha(content: bytes, quadro: QuadroDeNotas) -> Lida:
    """What the file says, with every fault by its cell. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    with folhas_of(content) as folhas:
        return check_folhas(folhas, quadro)


@contextmanager
def folhas_of(content: bytes) -> Iterator[Sequence[Folha]]:
    """The sheets of a file, for as long as the block lasts. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    aberto = open_arquivo(content)
    if aberto.formato == "csv":
        yield [read_csv(content, LINHAS_MAXIMO + _MORE)]
        return
    from crivo.kernel.planilha.livro import reading  # here, as hardly any start needs it

    with reading(content, aberto, LINHAS_MAXIMO + _MORE) as folhas:
        yield folhas
