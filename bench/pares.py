"""All pairs of an edital's projects by cosine, exactly, beside faiss and usearch, and beside what the machine's own sgemm can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np

from bench.linhas import Linha, Meta, measured
from bench.medida import best_of
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.paridades import Vizinhos, todas_as_paridades

PROJETOS: Final = (2_000, 10_000, 20_000)
DIMENSOES: Final = 384
LIMIAR: Final = 0.85
MAIS_RAPIDO: Final = Meta("<=", 1)
DA_MAQUINA: Final = Meta(">=", 0.6)
_NEIGHBOURS: Final = 10
_USEARCH_RODADAS: Final = 3  # it takes tens of seconds
_SGEMM_ROWS: Final = 4096
_MEGABYTE: Final = 1_000_000
_CAN_TELL_MEMORY: Final = Path("/proc/self/clear_refs").exists()


def run(rodadas: int, projetos: tuple[int, ...] = PROJETOS) -> list[Linha]:
    """For each number of projects: time beside faiss and usearch, memory of each, and the share of the machine's sgemm rate."""
    return [linha for total in projetos for linha in _rows(total, rodadas)]


def find_ours(vetores: Matriz) -> int:
    """How many pairs there are; every project's nearest other is found on the way."""
    return sum(len(pares) for pares in todas_as_paridades(vetores, LIMIAR, Vizinhos(len(vetores))))


def find_faiss(vetores: Matriz) -> int:
    """How many pairs faiss finds: its range search tells each twice, and each row with itself."""
    import faiss

    index = faiss.IndexFlatIP(vetores.shape[1])
    index.add(vetores)
    limits, _, _ = index.range_search(vetores, LIMIAR)
    return (int(limits[-1]) - len(vetores)) // 2


def find_usearch(vetores: Matriz) -> int:
    """How many of the ten nearest of each row are within the threshold, each pair told twice: usearch has no exact range search."""
    from usearch.compiled import MetricKind
    from usearch.index import search

    found = search(vetores, vetores, _NEIGHBOURS, MetricKind.IP, exact=True)
    return (int((found.distances <= 1 - LIMIAR).sum()) - len(vetores)) // 2


def draw(total: int) -> Matriz:
    """Unit rows, one in a hundred nearly the same as another."""
    sorte = np.random.default_rng(1)
    rows = sorte.standard_normal((total, DIMENSOES), dtype=np.float32)
    copies = total // 100
    rows[-copies:] = rows[:copies] + 0.1 * sorte.standard_normal((copies, DIMENSOES), dtype=np.float32)
    return unit(rows)


def _rows(total: int, rodadas: int) -> list[Linha]:
    vetores = draw(total)
    found = {find_ours(vetores), find_faiss(vetores), find_usearch(vetores)}
    if len(found) != 1:
        raise AssertionError(f"os três não acharam os mesmos pares: {sorted(found)}")
    square = np.ascontiguousarray(np.random.default_rng(2).standard_normal((_SGEMM_ROWS, _SGEMM_ROWS), dtype=np.float32))
    product = np.empty_like(square)
    nosso, faiss, sgemm = best_of(
        rodadas, lambda: find_ours(vetores), lambda: find_faiss(vetores), lambda: np.matmul(square, square, out=product)
    )
    de_novo, usearch = best_of(_USEARCH_RODADAS, lambda: find_ours(vetores), lambda: find_usearch(vetores))
    memory = {nome: _peak_megabytes(total, nome) for nome in _FINDERS} if _CAN_TELL_MEMORY else {}
    nome = f"todos os pares de {total} projetos × {DIMENSOES}"
    pairs_rate = total * (total - 1) * DIMENSOES / nosso / 1e9
    sgemm_rate = 2 * _SGEMM_ROWS**3 / sgemm / 1e9
    how = f"A melhor de {rodadas} rodadas de cada um, por turnos."
    nota = f"{found.pop()} pares, os mesmos nos três; o nosso acha ainda o mais parecido de cada um. {how}"
    beside = f"Busca exata dos {_NEIGHBOURS} mais próximos; a melhor de {_USEARCH_RODADAS} rodadas."
    counted = f"Cada par contado uma vez, contra a multiplicação de matrizes da própria máquina. {how}"
    return [
        measured(f"{nome}, contra faiss range_search", "s", nosso, faiss, meta=MAIS_RAPIDO, execucoes=rodadas, nota=nota),
        measured(f"{nome}, contra usearch", "s", de_novo, usearch, meta=None, execucoes=_USEARCH_RODADAS, nota=beside),
        measured(f"{nome}, contra sgemm", "GFLOP/s", pairs_rate, sgemm_rate, meta=DA_MAQUINA, execucoes=rodadas, nota=counted),
        *(
            measured(f"{nome}, memória, contra {par}", "MB", memory["nosso"], memory[par], meta=None, execucoes=1, nota=_MEMORY_NOTE)
            for par in ("faiss", "usearch")
            if memory
        ),
    ]


_MEMORY_NOTE: Final = "Pico além dos próprios vetores, cada um num processo seu."
_FINDERS: Final[Mapping[str, Callable[[Matriz], int]]] = {"nosso": find_ours, "faiss": find_faiss, "usearch": find_usearch}


def _peak_megabytes(total: int, nome: str) -> float:
    """What a search adds, at its peak, to a process that has made the vectors and searched a few of them."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_added, total, nome).result()


def _added(total: int, nome: str) -> float:
    find, vetores = _FINDERS[nome], draw(total)
    find(draw(200))  # libraries are loaded, and their buffers made
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted anew from here on
    before = _status("VmRSS")
    find(vetores)
    return _status("VmHWM") - before


def _status(name: str) -> float:
    """A figure of this process in MB, as Linux tells it."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024 / _MEGABYTE
