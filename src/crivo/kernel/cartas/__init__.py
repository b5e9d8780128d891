"""Letters that go out by an outbox: kept in the transaction of the act that causes them, and delivered by a job afterwards."""

from crivo.kernel.cartas.carta import Anexo, Carta, CartaInvalida, EnderecoInvalido, masked, read_endereco
from crivo.kernel.cartas.correio import Correio
from crivo.kernel.cartas.guardada import CartaGuardada, Situacao

__all__ = [
    "Anexo",
    "Carta",
    "CartaGuardada",
    "CartaInvalida",
    "Correio",
    "EnderecoInvalido",
    "Situacao",
    "masked",
    "read_endereco",
]
