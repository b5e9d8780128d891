"""Dates on the command line, as people write them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar

import typer

from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.datas_escritas import read_date

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


def date_of(texto: str | None, opcao: str) -> date | None:
    """The day that an option names, however people write it; None where it names none. Raises DataInvalida."""
    if texto is None:
        return None
    found = read_date(texto)
    if found is None:
        raise DataInvalida(f"Escreva a data de {opcao} como 2026-11-20.")
    return date.fromisoformat(found)
