"""What the form of a pedido refuses by itself."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class ConfiraARegra(CrivoError):
    """A form that was sent before what its regra asks was shown."""

    codigo: ClassVar[str] = "confira_a_regra"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Confira antes de enviar"
