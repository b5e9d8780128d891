"""The rules by columns over a million pedidos, for what is published and for a draft, beside ZEN in a loop; and the memory it takes."""

from __future__ import annotations

import resource
import sys
from typing import Final

from bench.linhas import Linha, Meta, measured
from bench.medida import interleaved
from bench.pedidos import HOJE, Carga
from bench.zen_rf4 import KEY, TRACED, Zen, check_agreement, context_of
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.simulacao.avaliacao import evaluate
from crivo.autorizacoes.simulacao.colunas import Coletor, Colunas
from crivo.autorizacoes.simulacao.linha import Linha as Guardada
from crivo.autorizacoes.simulacao.linha import decode_linha, encode_linha

PEDIDOS: Final = 1_000_000
META = Meta(">=", 100)
META_TEMPO = Meta("<=", 3, "nosso")
_KILOBYTE: Final = 1024


def run(carga: Carga, rodadas: int) -> list[Linha]:
    """Pedidos a second by columns on two threads against ZEN one by one, and the seconds that two catalogues take, packed rows included."""
    fluxo, engine = carga.fluxo(), Zen.load()
    trilhas = [fluxo.decide(pedido, HOJE) for pedido in carga.pedidos]
    check_agreement(engine, trilhas)
    contexts = [context_of(trilha) for trilha in trilhas]
    packed = [encode_linha(Guardada.of(trilha.etapas.normalizacao)) for trilha in trilhas]
    before = _resident()
    colunas = _columns(packed)
    publicado, rascunho = Catalogo.of(carga.politicas), Catalogo.of(carga.politicas)

    def evaluate_all() -> None:
        evaluate(colunas, publicado)

    def zen_loop() -> None:
        for context in contexts:
            engine.engine.evaluate(KEY, context, TRACED)

    def simulate() -> None:
        read = _columns(packed)
        evaluate(read, publicado)
        evaluate(read, rascunho)

    nosso, par = interleaved(rodadas, evaluate_all, zen_loop)
    (inteira,) = interleaved(rodadas, simulate)
    rows = [
        measured(
            "simulação por colunas, 1.000.000 de pedidos × ZEN em laço",
            "pedidos/s",
            PEDIDOS / nosso,
            len(contexts) / par,
            meta=META,
            execucoes=rodadas,
            nota="RF3, RF4 e o desfecho, em duas linhas de execução, contra só as regras do RF4 no ZEN, um a um, com trace.",
        ),
        measured(
            "simulação inteira, 1.000.000 de pedidos",
            "s",
            inteira,
            None,
            meta=META_TEMPO,
            execucoes=rodadas,
            nota="Das linhas guardadas às colunas, e as duas decisões: pelo publicado e pelo rascunho. Sem o banco e sem abrir o selo.",
        ),
    ]
    if sys.platform == "linux":
        megabytes = (_resident() - before) / _KILOBYTE
        rows.append(measured("memória da simulação de 1.000.000", "MB", megabytes, None, meta=None, execucoes=1, nota="Pico a mais."))
    return rows


def _columns(packed: list[bytes]) -> Colunas:
    coletor = Coletor()
    while len(coletor) < PEDIDOS:
        for one in packed[: PEDIDOS - len(coletor)]:
            coletor.add(decode_linha(one))
    return coletor.done()


def _resident() -> int:
    """The most kilobytes that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
