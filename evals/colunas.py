"""The rules by columns beside the stages, over pedidos and políticas drawn at random: how often the two disagree."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

import evals.enunciado  # noqa: F401 - finds the generator, which lives with the tests
from por_colunas import disagreements

_PEDIDOS_A_PART: Final = 2_000
_CATALOGUES: Final = 10  # what is published, and nine drafts
_SHOWN: Final = 3


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m evals.colunas --pares 1000000`: prints how many pairs of pedido and catalogue were decided both ways, and how many differ.

    The exit code is 1 where any does.
    """
    parser = argparse.ArgumentParser(prog="python -m evals.colunas", description="Compara as regras por colunas com as etapas.")
    parser.add_argument("--pares", type=int, default=100_000, help="quantos pares de pedido e catálogo (padrão: 100000)")
    parser.add_argument("--semente", type=int, default=1, help="semente do sorteio (padrão: 1)")
    parser.add_argument("--processos", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(argv)
    seeds = [given.semente * 1_000_000 + part for part in range(-(-given.pares // (_PEDIDOS_A_PART * _CATALOGUES)))]
    pares = divergentes = 0
    with ProcessPoolExecutor(given.processos, mp_context=get_context("spawn")) as pool:
        for counted, found in pool.map(_part, seeds):
            pares += counted
            divergentes += len(found)
            for one in found[: max(0, _SHOWN - divergentes + len(found))]:
                sys.stdout.write(json.dumps(one, ensure_ascii=False) + "\n")
    sys.stdout.write(f"{pares} pares de pedido e catálogo, {divergentes} divergentes\n")
    return 1 if divergentes else 0


def _part(semente: int) -> tuple[int, list[tuple[str, str, str]]]:
    pares, found = 0, []
    for counted, them in disagreements(_PEDIDOS_A_PART, semente, rascunhos=_CATALOGUES - 1):
        pares += counted
        found += [(one.pedido.decode(), str(one.colunas), str(one.etapas)) for one in them]
    return pares, found


if __name__ == "__main__":
    sys.exit(main())
