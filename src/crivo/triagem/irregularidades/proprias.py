"""The signs that are in one project alone: they are found with the rest of its judging, and joined over the edital.

Source: design, Hidden or instructing text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from crivo.triagem.achados import Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.irregularidades import instrucoes, ocultos
from crivo.triagem.irregularidades.sinais import SINAIS

_ORDER: Final = [sinal.codigo for sinal in SINAIS]


def find_no_projeto(lido: ProjetoLido, ler: instrucoes.Ler | None = None) -> tuple[Irregularidade, ...]:
    """The signs in one project, which depend on no other. `ler` reads what anybody sees, where meaning is told too."""
    ocultas = instrucoes.read_hidden(lido)
    return (*ocultos.find_no_projeto(lido, ocultas), *instrucoes.find_no_projeto(lido, ocultas, ler))


def in_order(achadas: Iterable[Sequence[Irregularidade]]) -> tuple[Irregularidade, ...]:
    """What was found in each of some projects, kind by kind; within a kind in the order of the projects."""
    found = [sign for signs in achadas for sign in signs]
    return tuple(sorted(found, key=lambda sign: _ORDER.index(sign.tipo)))
