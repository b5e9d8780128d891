"""The journeys on which a model may fail, one for each part that a model has in the three applications: the rows of a matrix."""

from jornadas.autorizacoes import DE_AUTORIZACOES
from jornadas.clinicas import DE_CLINICAS
from jornadas.jornada import Chegada, Jornada, Mundo
from jornadas.triagem import DE_TRIAGEM

JORNADAS = (*DE_AUTORIZACOES, *DE_CLINICAS, *DE_TRIAGEM)

__all__ = ["JORNADAS", "Chegada", "Jornada", "Mundo"]
