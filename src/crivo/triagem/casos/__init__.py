"""Cases: the signs that one cause sets off, told as one thing to decide. Pure; who keeps and decides them is elsewhere."""

from crivo.triagem.casos.achado import CasoAchado, Gravidade
from crivo.triagem.casos.agrupar import casos_of

__all__ = ["CasoAchado", "Gravidade", "casos_of"]
