"""Personal data under keys that can be destroyed: what is kept of a person is kept sealed, and erasing it is destroying its key."""

from crivo.kernel.sigilo.cifra import Chave, is_sealed
from crivo.kernel.sigilo.cofre import Aplicacao, Cofre, Guardada
from crivo.kernel.sigilo.erros import ChaveMestraErrada, DadosApagados, DadosViolados
from crivo.kernel.sigilo.identidade import Identidade, identidade_of

__all__ = [
    "Aplicacao",
    "Chave",
    "ChaveMestraErrada",
    "Cofre",
    "DadosApagados",
    "DadosViolados",
    "Guardada",
    "Identidade",
    "identidade_of",
    "is_sealed",
]
