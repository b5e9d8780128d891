"""`POST /api/autorizacoes` at saturation, decision and trail stored, beside a neighbour that makes one INSERT and answers a constant."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Final

from bench.disparo import CONEXOES, fire
from bench.instalacao import Instalacao
from bench.linhas import Linha, Meta, measured
from bench.pedidos import Carga
from bench.rajada import Rajada
from bench.servidor import Servidor
from bench.vizinho import CAMINHO

META_RITMO: Final = Meta(">=", 0.5)
META_CAUDA: Final = Meta("<=", 5)
SEGUNDOS: Final = 2.0


def run(instalacao: Instalacao, carga: Carga, rodadas: int, segundos: float = SEGUNDOS) -> list[Linha]:
    """Answers a second by turns, the neighbour's burst after ours, and how far the slowest hundredth lags behind the median."""
    pedidos = instalacao.pasta / "pedidos.ndjson"
    pedidos.write_bytes(b"\n".join(carga.pedidos) + b"\n")
    with Servidor(instalacao) as nosso, Servidor(instalacao, ("-m", "bench.vizinho")) as par:
        nossas, deles = _bursts(instalacao, nosso, par, pedidos, rodadas, segundos)
    p50, p99 = median(burst.p50_ms for burst in nossas), median(burst.p99_ms for burst in nossas)
    aceitas = sum(burst.aceitas for burst in nossas)
    return [
        measured(
            "POST /api/autorizacoes × vizinho com um INSERT",
            "respostas/s",
            median(burst.por_segundo for burst in nossas),
            median(burst.por_segundo for burst in deles),
            meta=META_RITMO,
            execucoes=rodadas,
            nota=f"{CONEXOES} conexões abertas, {aceitas} decisões guardadas com trilha; a carga vem de outro processo da máquina.",
        ),
        measured(
            "p99 × p50 da mesma carga",
            "ms",
            p99,
            p50,
            meta=META_CAUDA,
            execucoes=rodadas,
            nota=f"No vizinho, na mesma máquina e hora: {_tail(deles):.1f}×.",
        ),
    ]


def _tail(bursts: list[Rajada]) -> float:
    """How many times the median an answer of the slowest hundredth takes."""
    return median(burst.p99_ms for burst in bursts) / median(burst.p50_ms for burst in bursts)


def _bursts(
    instalacao: Instalacao, nosso: Servidor, par: Servidor, pedidos: Path, rodadas: int, segundos: float
) -> tuple[list[Rajada], list[Rajada]]:
    nossas, deles = [], []
    for rodada in range(rodadas + 1):
        ours = fire(instalacao, nosso.porta, "/api/autorizacoes", pedidos, segundos)
        theirs = fire(instalacao, par.porta, CAMINHO, pedidos, segundos)
        if rodada:  # the first warms both up
            nossas.append(ours)
            deles.append(theirs)
    return nossas, deles
