"""A script for a provider in a process of its own: each answer names the model that was asked."""

from __future__ import annotations

from provedor.faltas import Campos
from provedor.pedido import Pedido


def campos(pedido: Pedido) -> Campos:
    """The model's name."""
    return {"eco": pedido.modelo}
