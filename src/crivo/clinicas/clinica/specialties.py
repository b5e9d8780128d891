"""The name that a clinic's specialty has in its answers. Source: blueprint 2.2, 2.3.3 and 3.5 (`_SPECIALTY = "Cardiology"`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec


def specialty_of(especialidade: str) -> str:
    """The English name that the blueprint's answers carry, or the registry's own name where there is none on file."""
    return _names().get(especialidade, especialidade)


@cache
def _names() -> Mapping[str, str]:
    raw = resources.files("crivo.clinicas.clinica").joinpath("specialties.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])
