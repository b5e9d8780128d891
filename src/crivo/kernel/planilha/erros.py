"""What keeps a file from being read as a spreadsheet."""

from __future__ import annotations

from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind

TITULO: Final = "A planilha não pôde ser importada"


class PlanilhaIlegivel(CrivoError):
    """A file that is no spreadsheet that is read here, or one that is not read for safety."""

    codigo: ClassVar[str] = "planilha_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = TITULO


class PlanilhaGrandeDemais(CrivoError):
    """A spreadsheet over a limit."""

    codigo: ClassVar[str] = "planilha_grande_demais"
    kind: ClassVar[Kind] = Kind.TOO_LARGE
    titulo: ClassVar[str] = TITULO
