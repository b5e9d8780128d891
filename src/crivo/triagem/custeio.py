"""What a screening would take, in work and in calls to a model, and what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from crivo.triagem.achados import Tipo
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Value
from crivo.triagem.quadro import Quadro


class Estimativa(Value, frozen=True, kw_only=True):
    """What an execução would take. `custo` in dollars, None where the model's price is not known; with no model nothing is paid for,
    and `sem_modelo` says so. Documents that nobody has read yet are not in it.

    `documentos` are counted by content; how many pages the unread ones have is known only once they are read.
    `projetos_inalterados` would come out of an earlier execução, with no work done: the model is not asked about them.
    `em_lote`: the model's service takes lotes; `custo_em_lote` is what it would cost in them, None where that is not known.
    `gasto_no_mes` is what the tenant's calls have cost since the month began, which counts against `limite_custo`.
    """

    edital_id: str
    tipo: Tipo
    projetos: int
    projetos_inalterados: int
    documentos: int
    documentos_por_ler: int
    paginas_lidas: int
    modelo: str
    simulado: bool
    chamadas: int
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    em_lote: bool = False
    custo_em_lote: Decimal | None = None
    sem_modelo: bool
    gasto_no_mes: Decimal
    limite_custo: Decimal | None


@dataclass(frozen=True, slots=True)
class Previsao:
    """The calls to a model that some projects would take, at most; `custo` in dollars, None where the price is not known."""

    chamadas: int
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None

    def times(self, share: float) -> Previsao:
        """The same for more projects like these."""
        custo = None if self.custo is None else self.custo * Decimal(share)
        return Previsao(round(self.chamadas * share), round(self.tokens_entrada * share), round(self.tokens_saida * share), custo)


def no_calls(_quadro: Quadro, _lidos: Sequence[ProjetoLido]) -> Previsao:
    """What projects take where there is no model."""
    return Previsao(0, 0, 0, Decimal(0))


@dataclass(frozen=True, slots=True)
class Custeio:
    """What grading projects would cost in calls to a model, and how much a month may; with no model, nothing.

    `lotes`: the model's service takes many questions at once, for less.
    """

    modelo: str = ""
    limite: Decimal | None = None
    estimar: Callable[[Quadro, Sequence[ProjetoLido]], Previsao] = no_calls
    simulado: bool = False
    lotes: bool = False
