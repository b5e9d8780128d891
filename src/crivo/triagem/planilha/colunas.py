"""The columns of a sheet by their headings, in whatever order, case or accents they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from crivo.kernel.formas.palavras import nearest
from crivo.kernel.planilha.celulas import Celula, is_blank, written
from crivo.triagem.edital import Criterio
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.planilha.achados import Achados
from crivo.triagem.planilha.quadro import QuadroDeNotas, heading

Campo = Literal["projeto", "avaliador", "parecer", "situacao", "motivo"]
Assunto = Literal["notas", "habilitacao"]
PROBLEMAS: Final = "Problemas"
"""The column that the annotated copy has and that is not read when it comes back."""
_CAMPOS: Final[dict[str, Campo]] = {
    "projeto": "projeto",
    "codigo": "projeto",
    "codigo do projeto": "projeto",
    "avaliador": "avaliador",
    "avaliadora": "avaliador",
    "avaliador a": "avaliador",
    "quem avalia": "avaliador",
    "e mail": "avaliador",
    "email": "avaliador",
    "parecer": "parecer",
    "situacao": "situacao",
    "decisao": "situacao",
    "motivo": "motivo",
}
_IGNORADAS: Final = frozenset({"titulo", "titulo do projeto", "proponente", "categoria", heading(PROBLEMAS)})
_EXIGIDAS: Final[dict[Assunto, tuple[tuple[Campo, str], ...]]] = {
    "notas": (("projeto", "Projeto"), ("avaliador", "Avaliador")),
    "habilitacao": (("projeto", "Projeto"), ("situacao", "Situação")),
}
_DE: Final[dict[Assunto, tuple[Campo, ...]]] = {
    "notas": ("projeto", "avaliador", "parecer"),
    "habilitacao": ("projeto", "situacao", "motivo"),
}


@dataclass(frozen=True, slots=True)
class Colunas:
    """Where each thing stands in a row, counted from 0."""

    campos: dict[Campo, int]
    criterios: tuple[tuple[int, Criterio], ...]


def subject_of(cabecalho: Sequence[Celula]) -> Assunto:
    """What a sheet whose name does not tell is about, by its headings."""
    return "habilitacao" if any(_CAMPOS.get(heading(written(one))) == "situacao" for one in cabecalho) else "notas"


def read_colunas(assunto: Assunto, cabecalho: Sequence[Celula], linha: int, quadro: QuadroDeNotas, achados: Achados) -> Colunas | None:
    """What each column is; None where one that is needed is not there, so that no row could be read."""
    campos: dict[Campo, int] = {}
    criterios: dict[str, tuple[int, Criterio]] = {}
    for coluna, celula in enumerate(cabecalho):
        name = heading(written(celula))
        if not name:
            continue
        campo, criterio = _CAMPOS.get(name), quadro.by_criterio.get(name) if assunto == "notas" else None
        if criterio is not None:
            if criterio.id in criterios:
                achados.fail("coluna_repetida", linha, coluna, f"repete a coluna do critério {criterio.id}. Deixe uma só.")
            criterios.setdefault(criterio.id, (coluna, criterio))
        elif campo is not None and campo in _DE[assunto]:
            if campo in campos:
                achados.fail("coluna_repetida", linha, coluna, f"“{cite(written(celula))}” repete outra coluna. Deixe uma só.")
            campos.setdefault(campo, coluna)
        elif name not in _IGNORADAS:
            achados.fail("coluna_desconhecida", linha, coluna, _unknown(written(celula), assunto, quadro))
    lacking = [word for campo, word in _EXIGIDAS[assunto] if campo not in campos]
    if assunto == "notas" and not criterios:
        lacking.append("uma para cada critério")
    for word in lacking:
        achados.fail(
            "coluna_ausente", linha, 0, f"falta a coluna {word}. A primeira linha preenchida traz os nomes das colunas, como no modelo."
        )
    return None if lacking else Colunas(campos, tuple(criterios.values()))


def stray(colunas: Colunas, cabecalho: Sequence[Celula], linha: Sequence[Celula]) -> int | None:
    """The first column of a row that holds something under no heading."""
    return next((at for at, one in enumerate(linha) if not is_blank(one) and (at >= len(cabecalho) or is_blank(cabecalho[at]))), None)


def _unknown(escrito: str, assunto: Assunto, quadro: QuadroDeNotas) -> str:
    if assunto == "habilitacao":
        return f"“{cite(escrito)}” não é coluna da habilitação: são Projeto, Situação e Motivo. Apague a coluna ou corrija o nome."
    meant = nearest(escrito, [one.nome for one in quadro.criterios if one.nome] + [one.id for one in quadro.criterios])
    guess = f" Quis dizer “{cite(meant)}”?" if meant else ""
    return f"“{cite(escrito)}” não é critério deste edital, nem outra coluna que se leia.{guess} Corrija o nome, ou apague a coluna."
