"""A batch of pedidos from file to file in two processes, beside ZEN in a loop; and how much memory it takes as the batch grows."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured
from bench.medida import interleaved
from bench.pedidos import HOJE, Carga
from bench.zen_rf4 import KEY, TRACED, Zen, check_agreement, context_of
from crivo.autorizacoes.lote import Rules, run_lote

PROCESSOS: Final = 2
META_RITMO = Meta(">=", 4)
META_MEMORIA = Meta("<=", 1.1)
_ZEN_LINES: Final = 20_000
_SAMPLE_SECONDS: Final = 0.02


def run(carga: Carga, linhas: int, rodadas: int, pasta: Path) -> list[Linha]:
    """Lines a second against ZEN, and the peak of memory against that of a tenth of the lines; files are made in `pasta`."""
    pasta.mkdir(parents=True, exist_ok=True)
    todas, decimo, contextos, saida = (pasta / nome for nome in ("pedidos.ndjson", "decimo.ndjson", "contextos.ndjson", "saida.ndjson"))
    rules = Rules(carga.politicas, {}, HOJE)
    zen_lines = min(linhas, _ZEN_LINES)
    try:
        _write_pedidos(carga, linhas, todas)
        _write_pedidos(carga, max(1, linhas // 10), decimo)
        _write_contexts(carga, zen_lines, contextos)
        nosso, par = interleaved(rodadas, lambda: _decide_file(todas, saida, rules), _zen_loop(contextos))
        _check_saida(saida, linhas)
        rows = [
            measured(
                f"lote de {linhas} linhas em {PROCESSOS} processos × ZEN em laço",
                "linhas/s",
                linhas / nosso,
                zen_lines / par,
                meta=META_RITMO,
                execucoes=rodadas,
                nota=f"De arquivo a arquivo; o ZEN lê {zen_lines} linhas já normalizadas em um processo (json.loads + evaluate com trace).",
            )
        ]
        if sys.platform == "linux":
            rows.append(_memory(rules, todas, decimo, linhas, saida))
        return rows
    finally:
        for arquivo in (todas, decimo, contextos, saida):
            arquivo.unlink(missing_ok=True)


def _memory(rules: Rules, todas: Path, decimo: Path, linhas: int, saida: Path) -> Linha:
    nosso, par = (_peak_megabytes(rules, entrada, saida) for entrada in (todas, decimo))
    return measured(
        f"memória do lote: {linhas} linhas × {linhas // 10}",
        "MB",
        nosso,
        par,
        meta=META_MEMORIA,
        execucoes=1,
        nota="Soma dos picos de memória residente do processo e dos seus filhos.",
    )


def _decide_file(entrada: Path, saida: Path, rules: Rules) -> None:
    with entrada.open("rb") as lida, saida.open("wb") as escrita:
        run_lote(lida, escrita, rules, processos=PROCESSOS)


def _zen_loop(contextos: Path) -> Callable[[], None]:
    evaluate = Zen.load().engine.evaluate

    def loop() -> None:
        with contextos.open("rb") as lines:
            for line in lines:
                evaluate(KEY, json.loads(line), TRACED)

    return loop


# --- the files


def _write_pedidos(carga: Carga, linhas: int, arquivo: Path) -> None:
    """The pedidos over and over, each time under new numbers."""
    with arquivo.open("wb") as escrita:
        for numero in range(linhas):
            volta, qual = divmod(numero, len(carga.pedidos))
            escrita.write(carga.pedidos[qual].replace(b'"P-', b'"P-%d-' % volta, 1) + b"\n")


def _write_contexts(carga: Carga, linhas: int, arquivo: Path) -> None:
    fluxo = carga.fluxo()
    trilhas = [fluxo.decide(pedido, HOJE) for pedido in carga.pedidos]
    check_agreement(Zen.load(), trilhas)
    contexts = [context_of(trilha) + b"\n" for trilha in trilhas]
    with arquivo.open("wb") as escrita:
        escrita.writelines(contexts[numero % len(contexts)] for numero in range(linhas))


def _check_saida(saida: Path, linhas: int) -> None:
    """A result for every line, and every one a decision: a rate of faults would be no rate."""
    with saida.open("rb") as results:
        decided = sum(b'"decisao_final"' in line for line in results)
    if decided != linhas:
        raise AssertionError(f"{decided} decisions for {linhas} lines")


# --- memory


def _peak_megabytes(rules: Rules, entrada: Path, saida: Path) -> float:
    """The peak of resident memory, summed over a process of its own and its children, by the system's own high-water marks."""
    process = get_context("spawn").Process(target=_decide_file, args=(entrada, saida, rules))
    process.start()
    peaks: dict[int, int] = {}
    while process.is_alive():
        for pid in (process.pid or 0, *_children(process.pid or 0)):
            peaks[pid] = max(peaks.get(pid, 0), _high_water(pid))
        time.sleep(_SAMPLE_SECONDS)
    if process.exitcode:
        raise AssertionError("the batch did not end well")
    return sum(peaks.values()) / 1024


def _children(pid: int) -> list[int]:
    """The processes that this one started, by its threads; none once it is gone."""
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _high_water(pid: int) -> int:
    """Kilobytes; 0 once the process is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
