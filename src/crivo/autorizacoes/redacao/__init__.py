"""Whether a text about a decision may stand: all that it names must be an input, and the outcome must be told as it is."""

from crivo.autorizacoes.redacao.conferencia import Veredito, conferir
from crivo.autorizacoes.redacao.insumos import Campo, Decidido, Falha, Insumos

__all__ = ["Campo", "Decidido", "Falha", "Insumos", "Veredito", "conferir"]
