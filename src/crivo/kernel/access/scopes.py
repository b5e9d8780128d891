"""What an API key may do: a closed set, checked where a key is made and where it is used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeGuard

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sujeitos import ESCOPOS, Escopo


class EscopoDesconhecido(CrivoError):
    """A scope that no key can have."""

    codigo: ClassVar[str] = "escopo_desconhecido"
    kind: ClassVar[Kind] = Kind.INVALID


def read_escopos(texts: Iterable[str]) -> frozenset[Escopo]:
    """The scopes named. Raises EscopoDesconhecido for one that is not in the set, and for none at all."""
    named = list(texts)
    read = frozenset(text for text in named if _is_escopo(text))
    if not read or len(read) < len(set(named)):
        wrong = ", ".join(sorted(f"'{text}'" for text in set(named) - read))
        begun = f"Escopo desconhecido: {wrong}." if wrong else "Indique ao menos um escopo."
        raise EscopoDesconhecido(f"{begun} Os que existem são: {', '.join(ESCOPOS)}.")
    return read


def _is_escopo(text: str) -> TypeGuard[Escopo]:
    return text in ESCOPOS
