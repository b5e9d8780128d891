"""What is measured of an installation, said once: the name by Prometheus' conventions, the labels, and what it tells whoever looks.

Counts of a process stand in its own registry. A label holds a word of a closed list, an id of a clinic, a task, a route or a model, and
never what was sent or whose it was: not even the organisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

Tipo = Literal["contador", "medidor", "histograma"]
SEGUNDOS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each count began is as many lines again, and Prometheus finds that out by itself

PROCESSO: Final = CollectorRegistry()
"""What this process counts, whoever in it does."""


@dataclass(frozen=True, slots=True)
class Medida:
    """One metric: `significado` is what it tells (pt-BR), in a sentence for whoever watches."""

    nome: str
    tipo: Tipo
    significado: str
    rotulos: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Valor:
    """What a metric is now, under these labels, in the order in which it names them."""

    medida: Medida
    valor: float
    rotulos: tuple[str, ...] = ()


def counter(medida: Medida, registry: CollectorRegistry = PROCESSO) -> Counter:
    """Counts it."""
    return Counter(medida.nome, medida.significado, medida.rotulos, registry=registry)


def histogram(medida: Medida, limites: tuple[float, ...] = SEGUNDOS, registry: CollectorRegistry = PROCESSO) -> Histogram:
    """Keeps how its values are spread; `limites` are the upper ends of its buckets."""
    return Histogram(medida.nome, medida.significado, medida.rotulos, registry=registry, buckets=limites)


TRABALHOS: Final = Medida(
    "crivo_trabalhos_total",
    "contador",
    "Trabalhos da fila que este processo terminou: feito, falhou (será tentado de novo) ou desistiu.",
    ("tarefa", "fim"),
)
TRABALHO_SEGUNDOS: Final = Medida("crivo_trabalho_seconds", "histograma", "Quanto levou cada trabalho da fila.", ("tarefa",))
MODELO_CHAMADAS: Final = Medida(
    "crivo_modelo_chamadas_total",
    "contador",
    "Perguntas a um modelo, pelo desfecho: respondida, repetida (já estava paga), provisoria (com defeito, e não guardada) ou a falha "
    "que houve.",
    ("modelo", "desfecho"),
)
MODELO_TOKENS: Final = Medida(
    "crivo_modelo_tokens_total", "contador", "Tokens pagos a um modelo, de entrada e de saída.", ("modelo", "sentido")
)
MODELO_CUSTO: Final = Medida(
    "crivo_modelo_custo_dolares_total",
    "contador",
    "Dólares pagos a um modelo; o que não tem preço não conta.",
    ("modelo",),
)
MODELO_SEGUNDOS: Final = Medida("crivo_modelo_seconds", "histograma", "Quanto levou cada resposta paga de um modelo.", ("modelo",))
ENTREGAS: Final = Medida(
    "crivo_entregas_total",
    "contador",
    "Avisos de decisões que este processo tratou: entregue, adiada (será tentada de novo), desistiu ou cancelada (o pedido foi apagado).",
    ("fim",),
)

CONTADAS: Final = (TRABALHOS, TRABALHO_SEGUNDOS, MODELO_CHAMADAS, MODELO_TOKENS, MODELO_CUSTO, MODELO_SEGUNDOS, ENTREGAS)

FINS: Final = ("feito", "falhou", "desistiu")

trabalhos, trabalho_segundos = counter(TRABALHOS), histogram(TRABALHO_SEGUNDOS)
modelo_chamadas, modelo_tokens, modelo_custo = counter(MODELO_CHAMADAS), counter(MODELO_TOKENS), counter(MODELO_CUSTO)
modelo_segundos = histogram(MODELO_SEGUNDOS)
entregas = counter(ENTREGAS)
