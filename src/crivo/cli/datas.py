"""Dates on the command line, as people write them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar

import typer

from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind

Desde = Annotated[
    str | None,
    typer.Option("--desde", metavar="DATA", help="Só as recebidas a partir desta data, como 2026-11-20."),
]


class DataInvalida(CrivoError):
    """A date on the command line that is none."""

    codigo: ClassVar[str] = "data_invalida"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A data não serve"


def instant(texto: str | None) -> datetime | None:
    """The instant that `--desde` names, in Brasília where no zone is named. Raises DataInvalida."""
    if texto is None:
        return None
    try:
        found = datetime.fromisoformat(texto)
    except ValueError:
        raise DataInvalida("Escreva a data de --desde como 2026-11-20, ou com hora: 2026-11-20T14:30.") from None
    return found if found.tzinfo else found.replace(tzinfo=BRASILIA)
