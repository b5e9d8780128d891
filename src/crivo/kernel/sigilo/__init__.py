"""Personal data under keys that can be destroyed: what is kept of a person is kept sealed, and erasing it is destroying its key."""

from crivo.kernel.sigilo.cifra import Chave, is_sealed
from crivo.kernel.sigilo.cofre import Aplicacao, Cofre, Guardada
from crivo.kernel.sigilo.erros import ChaveMestraErrada, DadosApagados, DadosViolados
from crivo.kernel.sigilo.identidade import Identidade, identidade_of
from crivo.kernel.sigilo.partilhada import Partilhada, open_under_all, seal_under_all

__all__ = [
    "Aplicacao",
    "Chave",
    "ChaveMestraErrada",
    "Cofre",
    "DadosApagados",
    "DadosViolados",
    "Guardada",
    "Identidade",
    "Partilhada",
    "identidade_of",
    "is_sealed",
    "open_under_all",
    "seal_under_all",
]
