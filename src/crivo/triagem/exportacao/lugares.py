"""A result on its way out: the JSON of the contract, and a table that a spreadsheet opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from crivo.triagem.classificacao.definicao import AMPLA
from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.classificacao.publicado import LugarPublicado, ResultadoPublicado
from crivo.triagem.exportacao.celulas import Celula, Coluna, Tabela
from crivo.triagem.exportacao.para_csv import write_csv

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_BEFORE: Final = (Coluna("Projeto", 12), Coluna("Categoria", 24), Coluna("Lugar", 8), Coluna("Situação", 18), Coluna("Vaga", 18))
_AFTER: Final = (
    Coluna("Nota base", 10),
    Coluna("Bônus", 8),
    Coluna("Nota final", 10),
    Coluna("Desempate", 16),
    Coluna("Motivo", 60, "longo"),
)


class ComId(Protocol):
    """A critério, as far as a table needs it."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


def lugares_to_json(publicado: ResultadoPublicado) -> bytes:
    """The rows as the contract says them; numbers are exact."""
    return _ENCODER.encode(publicado)


def lugares_to_csv(publicado: ResultadoPublicado, criterios: Sequence[ComId]) -> bytes:
    """A line a project, with a column for the mean of each critério."""
    columns = (*_BEFORE, *(Coluna(f"Média {one.id}", 10) for one in criterios), *_AFTER)
    return write_csv(Tabela("Resultado", columns, (_cells(one, criterios) for one in publicado.projetos)))


def _cells(linha: LugarPublicado, criterios: Sequence[ComId]) -> tuple[Celula, ...]:
    vaga = "Ampla concorrência" if linha.vaga == AMPLA else linha.vaga
    means = [linha.notas.get(one.id) for one in criterios]
    head = (linha.projeto_id, linha.categoria, linha.posicao, SITUACAO[linha.situacao], vaga)
    return (*head, *means, linha.nota_base, linha.bonus, linha.nota_final, linha.desempate, linha.motivo)
