"""What an application says of what it holds of people: the port through which a person's request reaches all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from crivo.kernel.sigilo.cofre import Aplicacao
from crivo.kernel.sigilo.identidade import Identidade
from crivo.kernel.storage.session import UnitOfWork


class Acervo(Protocol):
    """The records of one application: each under a key that has its id, or looked for by what stands in it."""

    @property
    def aplicacao(self) -> Aplicacao:
        """As its keys name it."""
        ...

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """The records of a person that have no key."""
        ...

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Write over what no key keeps of these records, again where a restored copy brought it back; how many had something left."""
        ...

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """The records that are from before a moment and may be erased."""
        ...

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """All that is held in these records, ready for JSON; erased ones are left out."""
        ...

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """Those that must not be erased, each with the reason (pt-BR)."""
        ...

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Seal some of what was stored before there were keys; how many, 0 where nothing is left to do."""
        ...


class Silo(Protocol):
    """A holder of records outside of this database, under keys of its own."""

    @property
    def nome(self) -> str:
        """As people call it."""
        ...

    async def held(self, identidade: Identidade) -> list[dict[str, Any]]:
        """All that is held of a person, ready for JSON."""
        ...

    async def erase(self, identidade: Identidade, em: datetime) -> int:
        """Destroy the keys of all that is held of a person; how many records that were."""
        ...

    async def kept_by_law(self, identidade: Identidade) -> Mapping[str, str]:
        """The records of a person that must not be erased, each with the reason (pt-BR)."""
        ...

    async def was_erased(self, identidade: Identidade) -> bool:
        """Whether something of that person was erased before."""
        ...

    async def expire(self, limite: datetime, em: datetime) -> int:
        """Destroy the keys of what was stored before a moment; how many."""
        ...
