"""One thing that was looked at, and how it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Estado = Literal["bem", "opcional", "mal"]

LITTLE_SPACE: Final = 200_000_000  # bytes: below this, a full disk is near


@dataclass(frozen=True, slots=True)
class Exame:
    """`mal` is broken and needed, `opcional` can be done without; `ato` mends it: a command, or a setting.

    `codigo` is for machines, and stays the same from version to version.
    """

    codigo: str
    nome: str
    estado: Estado
    detalhe: str
    ato: str = ""


def gigabytes(amount: int) -> str:
    """An amount of bytes, as people read it: `1,5 GB`."""
    return f"{amount / 1e9:.1f} GB".replace(".", ",")
