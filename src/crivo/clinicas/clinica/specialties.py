"""The name that a clinic's specialty has in its answers. Source: blueprint 2.2, 2.3.3 and 3.5 (`_SPECIALTY = "Cardiology"`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from crivo.kernel.linguagem.lexico import read_lexico


def specialty_of(especialidade: str) -> str:
    """The English name that the blueprint's answers carry, or the registry's own name where there is none on file."""
    return _names().get(especialidade, especialidade)


@cache
def _names() -> Mapping[str, str]:
    return read_lexico("crivo.clinicas.clinica", "specialties", dict[str, str])
