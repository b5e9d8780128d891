"""What the outbox holds of people: letters to them, told whole and erased with their keys, files too. Source: LGPD, art. 18."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.cartas import storage
from crivo.kernel.cartas.saida import Pasta
from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork


class AcervoDeCartas:
    """Letters, each under a key of its own, found by the address and, where it was known, the CPF of whom they are to."""

    aplicacao: Final[Aplicacao] = "cartas"

    def __init__(self, pasta: Pasta) -> None:
        self._pasta = pasta

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """None: every letter has its key."""
        return []

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each letter as it was posted, and what became of it; of what went with it the names."""
        return [
            {
                "carta": one.id,
                "para": one.carta.para,
                "assunto": one.carta.assunto,
                "texto": one.carta.texto,
                "anexos": [file.nome for file in one.carta.anexos],
                "criada_em": one.criada_em,
                "situacao": one.situacao,
                "enviada_em": one.enviada_em,
                "motivo": one.motivo,
            }
            for one in await storage.some(uow, registros)
            if one.carta is not None
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """None: what an act decided is kept with the act, and not in the letter that told of it."""
        return {}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Clear what letters said; one that had not gone out does not, and the file of one that was written is removed."""
        await asyncio.to_thread(self._pasta.forget, uow.scope.tenant_id, registros)
        return await storage.clear(uow, registros)

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """The letters that were posted before a moment."""
        return await storage.older_than(uow, limite)

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Nothing: no letter was ever kept in the clear."""
        return 0
