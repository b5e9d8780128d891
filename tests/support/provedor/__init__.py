"""A provider of models for tests, at a port of this machine: it answers as it is told, and misbehaves as it is told."""

from provedor.faltas import (
    FALTAS,
    FALTAS_DE_CAMPOS,
    FALTAS_DE_FLUXO,
    FALTAS_DE_TROCA,
    FALTAS_DE_VETORES,
    Falta,
    FaltaDeVetores,
    QualquerFalta,
    altered,
)
from provedor.pedido import Pedido
from provedor.roteiro import Anotado, Provedor, always, sometimes
from provedor.servidor import provedor_no_ar

__all__ = [
    "FALTAS",
    "FALTAS_DE_CAMPOS",
    "FALTAS_DE_FLUXO",
    "FALTAS_DE_TROCA",
    "FALTAS_DE_VETORES",
    "Anotado",
    "Falta",
    "FaltaDeVetores",
    "Pedido",
    "Provedor",
    "QualquerFalta",
    "altered",
    "always",
    "provedor_no_ar",
    "sometimes",
]
