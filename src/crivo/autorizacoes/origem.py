"""By which door a pedido came, as it tells itself: a guia of TISS, a Claim of FHIR, or none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crivo.autorizacoes.contracts import PedidoNormalizado


def porta_of(pedido: PedidoNormalizado) -> str:
    """The door in a few words (pt-BR); empty for a pedido in JSON. What a pedido says of itself proves nothing."""
    extras = pedido.extras
    for nome, dito in (("tiss", "guia TISS"), ("fhir", "Claim FHIR")):
        de = extras.get(nome)
        if isinstance(de, Mapping) and (place := _place(de)):
            return f"{dito}, {place}"
    return ""


def _place(de: Mapping[str, Any]) -> str:
    item, itens = de.get("item"), de.get("itens")
    if not (isinstance(item, int) and isinstance(itens, int) and isinstance(de.get("mensagem"), str)):
        return ""
    return "item único" if itens == 1 else f"item {item} de {itens}"
