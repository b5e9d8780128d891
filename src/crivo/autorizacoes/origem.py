"""By which door a pedido came and in which message, as it tells itself: a guia of TISS, a Claim of FHIR, or none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from crivo.autorizacoes.contracts import PedidoNormalizado

_ALONE: Final = "item único"


class Mensagem(NamedTuple):
    """The guia or Claim that a pedido is an item of, by who sent it and its number there, and the digest of the message it came in.

    A guia that was corrected keeps its number and comes in another message.
    """

    guia: tuple[str, ...]
    digest: str


def porta_of(pedido: PedidoNormalizado) -> str:
    """The door in a few words (pt-BR); empty for a pedido in JSON. What a pedido says of itself proves nothing."""
    extras = pedido.extras
    for nome, dito in (("tiss", "guia TISS"), ("fhir", "Claim FHIR")):
        de = extras.get(nome)
        if isinstance(de, Mapping) and (place := _place(de)):
            return f"{dito}, {place}"
    return ""


def stands_alone(pedido: PedidoNormalizado) -> bool:
    """Whether the decision of a pedido answers for all that was sent with it: what is an item of several is answered with the others."""
    places = [_place(de) for nome in ("tiss", "fhir") if isinstance(de := pedido.extras.get(nome), Mapping)]
    return not any(place and place != _ALONE for place in places)


def mensagem_of(pedido: PedidoNormalizado) -> Mensagem | None:
    """The message that a pedido came in; None where it came by itself, or in one without a number. It proves nothing either."""
    return mensagem_em(pedido.extras)


def mensagem_em(extras: Mapping[str, Any]) -> Mensagem | None:
    """The same, of what a pedido says beside its own fields."""
    for nome, guia_of in (("tiss", _guia), ("fhir", _claim)):
        de = extras.get(nome)
        if isinstance(de, Mapping) and _place(de):
            guia = guia_of(de)
            return Mensagem((nome, *guia), str(de["mensagem"])) if guia else None
    return None


def _guia(de: Mapping[str, Any]) -> tuple[str, ...]:
    return _texts(de, ("guia", "origem", "por"), ("guia", "origem", "valor"), ("guia", "numero"))


def _claim(de: Mapping[str, Any]) -> tuple[str, ...]:
    number = _texts(de, ("claim", "identifier", "value")) or _texts(de, ("claim", "id"))
    if not number:
        return ()
    system = _texts(de, ("claim", "identifier", "system")) or ("",)
    return (*number, *system, *(_texts(de, ("remetente",)) or ("",)))


def _texts(de: Mapping[str, Any], *paths: tuple[str, ...]) -> tuple[str, ...]:
    """The texts at these places; nothing where any of them is not there."""
    found = []
    for path in paths:
        value: Any = de
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if not isinstance(value, str) or not value:
            return ()
        found.append(value)
    return tuple(found)


def _place(de: Mapping[str, Any]) -> str:
    item, itens = de.get("item"), de.get("itens")
    if not (isinstance(item, int) and isinstance(itens, int) and isinstance(de.get("mensagem"), str)):
        return ""
    return _ALONE if itens == 1 else f"item {item} de {itens}"
