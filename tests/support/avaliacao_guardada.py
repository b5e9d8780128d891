"""Evaluations of conversations as `crivo clinicas avaliar` leaves them, with figures of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from crivo.clinicas.avaliacao.pontuacao import Metricas
from crivo.kernel.taxas import taxa


def figures(certos: int, total: int) -> Metricas:
    """Every metric with the same count."""
    return Metricas(*[taxa(certos, total) for _ in Metricas.__struct_fields__])


def leave_evaluation(data_dir: Path, quando: str, planejador: str, certos: int, **more: Any) -> None:
    """Leaves an evaluation as the command does."""
    folder = data_dir / "avaliacoes"
    folder.mkdir(exist_ok=True)
    own = {"planejador": planejador, "casos": 40, "turnos": 50, "geral": figures(certos, 50), "classes": {"normal": figures(9, 10)}}
    document = {"metricas": {**own, "erros": ["n-01: plano"], **more}, "casos": [{"id": "n-01"}]}
    (folder / f"clinicas-{quando}.json").write_bytes(msgspec.json.encode(document))
