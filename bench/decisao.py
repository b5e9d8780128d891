"""One decision, from the bytes of a pedido to the bytes of decision and trail, beside ZEN evaluating RF4's rules alone."""

from __future__ import annotations

from bench.linhas import Linha, Meta, measured
from bench.medida import interleaved, one_core
from bench.pedidos import HOJE, Carga, describe_mistura
from bench.zen_rf4 import KEY, MOTIVOS_KEY, TRACED, Zen, check_agreement, context_of

META = Meta(">=", 1)  # three times it is the aim once the stages are compiled


def run(carga: Carga, rodadas: int) -> list[Linha]:
    """Decisions a second on one core: against ZEN with its trace, and for information against less of ZEN."""
    fluxo, engine = carga.fluxo(), Zen.load()
    trilhas = [fluxo.decide(pedido, HOJE) for pedido in carga.pedidos]
    check_agreement(engine, trilhas)
    contexts = [context_of(trilha) for trilha in trilhas]
    evaluate = engine.engine.evaluate

    def decide_all() -> None:
        for pedido in carga.pedidos:
            trilha = fluxo.decide(pedido, HOJE)
            trilha.encode()
            trilha.decisao()

    def evaluate_all() -> None:
        for context in contexts:
            evaluate(KEY, context, TRACED)

    def evaluate_all_untraced() -> None:
        for context in contexts:
            evaluate(KEY, context)

    def evaluate_motivos() -> None:
        for context in contexts:
            evaluate(MOTIVOS_KEY, context, TRACED)

    with one_core():
        seconds = interleaved(rodadas, decide_all, evaluate_all, evaluate_all_untraced, evaluate_motivos)
    nosso, traced, untraced, motivos = (len(carga.pedidos) / s for s in seconds)
    nota = (
        f"Seis etapas com trilha, de bytes a bytes, contra só as regras do RF4 no ZEN (resposta igual nos {len(carga.pedidos)} pedidos). "
        f"Mistura: {describe_mistura(carga)}."
    )
    unidade = "decisões/s"
    return [
        measured("uma decisão × ZEN com trace", unidade, nosso, traced, meta=META, execucoes=rodadas, nota=nota),
        measured("uma decisão × ZEN sem trace", unidade, nosso, untraced, meta=None, execucoes=rodadas, nota="Para informação."),
        measured(
            "uma decisão × ZEN com trace, só os motivos",
            unidade,
            nosso,
            motivos,
            meta=None,
            execucoes=rodadas,
            nota="Para informação: motivos, pendências e decisão preliminar, sem o resto da resposta do RF4.",
        ),
    ]
