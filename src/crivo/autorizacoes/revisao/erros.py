"""How a review is refused."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class ReservaDeOutro(CrivoError):
    """Somebody else has the decision in hand."""

    codigo: ClassVar[str] = "reserva_de_outra_pessoa"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra pessoa está revendo"


class ReservaAusente(CrivoError):
    """Whoever decides does not have the decision in hand, or no longer."""

    codigo: ClassVar[str] = "reserva_ausente"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Pegue a decisão antes de rever"


class ReservasDemais(CrivoError):
    """Whoever claims has as many decisions in hand as one person may."""

    codigo: ClassVar[str] = "reservas_demais"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Você já está com muitas decisões"


class RevisaoInvalida(CrivoError):
    """A decision that says too little, or contradicts itself."""

    codigo: ClassVar[str] = "revisao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A revisão não pode ser guardada assim"
