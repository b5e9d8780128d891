"""Reused text in a labelled set of made-up projects: how much of it is found, and how much of what is found is it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the labelled set lives, outside the product

from crivo.kernel.taxas import taxa
from crivo.triagem.irregularidades.texto import find_texto_reutilizado
from reuso import DISFARCES, Metade, Par, draw_editais

META: Final = Meta(">=", 0.95)


@dataclass(frozen=True, slots=True)
class Reuso:
    """The pairs of a set of editais: reused ones by disguise, those flagged, and how many honest ones there were."""

    reusos: dict[tuple[int, Par], str]
    achados: frozenset[tuple[int, Par]]
    honestos: int

    @property
    def certos(self) -> int:
        """Flagged, and rightly."""
        return len(self.achados & self.reusos.keys())


def reuse(metade: Metade = "relato", semente: int = 1) -> list[Linha]:
    """Recall and precision with their 95% intervals on one half of the set; the product was tuned on the other."""
    found = measure(metade, semente)
    by_kind = ", ".join(f"{nome} {_of_kind(found, nome)}" for nome, _ in DISFARCES)
    kinds = f"{len(found.reusos)} reusos entre {found.honestos} pares honestos. Por disfarce: {by_kind}."
    return [
        _row("texto reutilizado: revocação", found.certos, len(found.reusos), kinds),
        _row("texto reutilizado: precisão", found.certos, len(found.achados), "Pares sinalizados que são mesmo reuso."),
    ]


def measure(metade: Metade, semente: int) -> Reuso:
    """Screen every edital of the half."""
    editais = draw_editais(metade, semente)
    reusos = {(at, par): nome for at, edital in enumerate(editais) for par, nome in edital.reusos.items()}
    achados = frozenset(
        (at, frozenset(sign.projetos)) for at, edital in enumerate(editais) for sign in find_texto_reutilizado(edital.chamada, edital.lidos)
    )
    return Reuso(reusos, achados, sum(edital.pares for edital in editais) - len(reusos))


def _row(linha: str, certos: int, total: int, nota: str) -> Linha:
    found = taxa(certos, total)
    low, high = (f"{100 * (bound or 0):.1f}".replace(".", ",") for bound in (found.de, found.ate))
    interval = f"Intervalo de 95 % (Wilson): {low} % a {high} %."
    return measured(linha, "pares", certos, total, meta=META, execucoes=total, nota=f"{interval} {nota}")


def _of_kind(found: Reuso, nome: str) -> str:
    of_kind = [pair for pair, kind in found.reusos.items() if kind == nome]
    return f"{sum(pair in found.achados for pair in of_kind)}/{len(of_kind)}"
