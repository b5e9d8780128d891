"""The journeys on which a model may fail, one for each part that a model has in the three applications: the rows of a matrix."""

from jornadas.jornada import Chegada, Jornada, Mundo
from jornadas.matriz import (
    BY_NAME,
    JORNADAS,
    NENHUMA,
    Ended,
    Modo,
    Tenants,
    a_provider,
    done,
    fault_of,
    is_second,
    travel,
    travel_all,
    wrong,
)

__all__ = [
    "BY_NAME",
    "JORNADAS",
    "NENHUMA",
    "Chegada",
    "Ended",
    "Jornada",
    "Modo",
    "Mundo",
    "Tenants",
    "a_provider",
    "done",
    "fault_of",
    "is_second",
    "travel",
    "travel_all",
    "wrong",
]
