"""The evaluations that were run here, as `crivo clinicas avaliar` left them: the last one of each planner."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.avaliacao.conjunto import Classe
from crivo.clinicas.avaliacao.pontuacao import Metricas
from crivo.kernel.clock import BRASILIA
from crivo.kernel.settings import Planejador

PASTA: Final = "avaliacoes"  # under the data folder
_PLANEJADORES: Final[tuple[Planejador, ...]] = ("embutido", "modelo", "modelo_raciocinio")
_NAME: Final = re.compile(r"clinicas-(\d{8}-\d{6})\.json")
_MOST_FILES: Final = 40


class Guardada(msgspec.Struct, frozen=True):
    """The figures of one run: who planned, over how much, what came of it in all and by class, and what models did not do."""

    quando: datetime
    planejador: Planejador
    casos: int
    turnos: int
    geral: Metricas
    classes: dict[Classe, Metricas]
    erros: tuple[str, ...]
    falhas_do_modelo: dict[str, int]


class _Metricas(msgspec.Struct, frozen=True):
    planejador: Planejador
    casos: int
    turnos: int
    geral: Metricas
    classes: dict[Classe, Metricas]
    erros: tuple[str, ...]
    falhas_do_modelo: dict[str, int] = {}


class _Documento(msgspec.Struct, frozen=True):
    metricas: _Metricas


def last_of_each(data_dir: Path) -> tuple[Guardada, ...]:
    """The last evaluation of each planner, in the order of the planners; what cannot be read is passed over."""
    found: dict[Planejador, Guardada] = {}
    dated = sorted(
        ((match[1], path) for path in (data_dir / PASTA).glob("clinicas-*.json") if (match := _NAME.fullmatch(path.name))), reverse=True
    )
    for when, path in dated[:_MOST_FILES]:
        read = _read(when, path)
        if read is not None and read.planejador not in found:
            found[read.planejador] = read
            if len(found) == len(_PLANEJADORES):
                break
    return tuple(found[planejador] for planejador in _PLANEJADORES if planejador in found)


def _read(when: str, path: Path) -> Guardada | None:
    try:
        quando = datetime.strptime(when, "%Y%m%d-%H%M%S").replace(tzinfo=BRASILIA)
        metricas = msgspec.json.decode(path.read_bytes(), type=_Documento).metricas
    except (OSError, ValueError):  # msgspec's own errors are ValueErrors
        return None
    return Guardada(quando, **msgspec.structs.asdict(metricas))
