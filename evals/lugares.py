"""The classificação beside the independent statement of its seven rules, over calls drawn at random and all of the smallest ones."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the statement lives, outside the product

from oraculo_lugares.comparacao import Placar
from oraculo_lugares.sorteadas import draw, smallest

CHAMADAS: Final = 20_000
TUDO: Final = Meta(">=", 1)
_A_PART: Final = 1_000
_LUGARES: Final = ((0, 1, 1), (1, 1, 1), (1, 2, 0), (0, 2, 1), (2, 1, 1), (0, 0, 2))
"""Broad places, and those of each of two cotas."""


def places(chamadas: int = CHAMADAS) -> list[Linha]:
    """A row for the drawn calls, and one for every call of up to four projects, three notas and two cotas."""
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        drawn = pool.map(_drawn, [(min(_A_PART, chamadas - done), done) for done in range(0, chamadas, _A_PART)])
        small = pool.map(_small, _LUGARES)
        return [
            _row("classificação sorteada × enunciado independente das regras", _sum(drawn)),
            _row("todas as chamadas de até 4 projetos, 3 notas e 2 cotas × enunciado", _sum(small)),
        ]


def _drawn(part: tuple[int, int]) -> Placar:
    casos, semente = part
    sorte = random.Random(semente)  # noqa: S311 - the same calls each time, not secrets
    return Placar().compare(draw(sorte) for _ in range(casos))


def _small(lugares: tuple[int, int, int]) -> Placar:
    return Placar().compare(smallest((lugares,)))


def _sum(partes: Iterable[Placar]) -> Placar:
    whole = Placar()
    for parte in partes:
        whole.casos += parte.casos
        whole.divergentes += parte.divergentes
        whole.contagens += parte.contagens
    return whole


def _row(nome: str, placar: Placar) -> Linha:
    told = ", ".join(f"{situacao} {vezes}" for situacao, vezes in placar.contagens.most_common())
    agree = placar.casos - placar.divergentes
    nota = f"Situação, lugar, vaga, médias, notas, bônus e desempate de cada projeto. Projetos: {told}."
    return measured(nome, "chamadas", agree, placar.casos, meta=TUDO, execucoes=placar.casos, nota=nota)
