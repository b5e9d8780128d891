"""How an edital turns notas into places: the values of `edital.classificacao`, by the names of its file. Source: design, After the notas.

Points, weights and cuts are `Decimal`, exact as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

from crivo.triagem.condicao import Condicao, Value

NotaFinal = Literal["media_ponderada"]
Remanejamento = Literal["cotas", "categorias"]
AMPLA: Final = "AMPLA"
"""The vaga of whoever has a broad place; no cota is called so."""
TODAS: Final = "*"
"""The category of vagas for which every project competes that no other takes."""


class Corte(Value, frozen=True):
    """Below what a project is out: `nota_base`, the mean of a critério, and critérios in which a mean of 0 is enough."""

    nota_final_minima: Decimal | None = None
    por_criterio: Mapping[str, Decimal] = {}
    zero_elimina: tuple[str, ...] = ()


class Bonus(Value, frozen=True):
    """Points more, of `escala`, for whom `quando` holds."""

    id: str
    quando: Condicao
    pontos: Decimal
    clausula: str = ""


class PorCriterio(Value, frozen=True, tag_field="por", tag="criterio"):
    """The higher mean in a critério goes first."""

    criterio: str


class PorCampo(Value, frozen=True, tag_field="por", tag="campo"):
    """The higher value of a declared field goes first, or the lower one; who declares none, last."""

    campo: str
    maior: bool = True


class PorInscricao(Value, frozen=True, tag_field="por", tag="inscricao"):
    """Who sent the project earlier goes first; a project without a moment, last."""


class PorSorteio(Value, frozen=True, tag_field="por", tag="sorteio"):
    """A draw that anybody can repeat: the lower SHA-256 of `<semente>:<projeto_id>` goes first."""


Desempate = PorCriterio | PorCampo | PorInscricao | PorSorteio


class Cota(Value, frozen=True):
    """Places kept for those of whom `quando` holds."""

    id: str
    quando: Condicao
    vagas: int
    clausula: str = ""


class Vagas(Value, frozen=True):
    """The places of a category, of which the cotas keep theirs; `valor` in reais, of each. Precondition: Σ cotas ≤ `total`."""

    categoria: str
    total: int
    valor: Decimal | None = None
    cotas: tuple[Cota, ...] = ()

    @property
    def ampla(self) -> int:
        """The places that no cota keeps."""
        return self.total - sum(cota.vagas for cota in self.cotas)


class Classificacao(Value, frozen=True):
    """The rules of a call. `divergencia_maxima` is a percentage of a critério's range; `escala` the highest nota_base; without `semente`
    the edital's id is.
    """

    nota_final: NotaFinal = "media_ponderada"
    minimo_avaliadores: int = 1
    divergencia_maxima: Decimal | None = None
    escala: Decimal = Decimal(100)
    casas: int = 2
    corte: Corte = Corte()
    bonus: tuple[Bonus, ...] = ()
    bonus_maximo: Decimal | None = None
    desempate: tuple[Desempate, ...] = ()
    vagas: tuple[Vagas, ...] = ()
    remanejamento: tuple[Remanejamento, ...] = ()
    suplentes: int = 0
    semente: str = ""
