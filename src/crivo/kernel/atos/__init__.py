"""Something that was done, and who notes it: without the database that keeps the chain, which not everybody has who acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from crivo.kernel.tenancy import Scope


class NewEntry(msgspec.Struct, frozen=True, gc=False):
    """Something that was done: an action, what it was done to, and its particulars. Never personal data."""

    acao: str
    alvo: str
    dados: Mapping[str, Any] = {}


class Registrar(Protocol):
    """Notes what a scope's actor did."""

    async def registrar(self, scope: Scope, entries: Sequence[NewEntry]) -> None:
        """Note acts that were done just now. Raises AtoSemRegistro where not even a file takes them."""
        ...
