"""What public calls hold of a proponente: told whole, and written over at their request as long as no call has decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.storage import apagados, projetos

_KEPT: Final = (
    "O edital {edital} já decidiu sobre o projeto {projeto}: é processo administrativo público, que a lei manda guardar "
    "(Lei 8.159/1991; Lei 12.527/2011; LGPD, art. 16, I)."
)


class AcervoDeTriagem:
    """The projects of a person: their own, and those of an organisation that they answer for."""

    aplicacao: Final[Aplicacao] = "triagem"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """Projects have no keys: they are looked for by what they say of their proponente."""
        return await apagados.of_person(uow, identidade)

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each project as it was submitted, with the names and digests of its files."""
        loaded = [await projetos.load_one(uow, one) for one in registros]
        return [
            {
                "projeto": one.projeto,
                "arquivos": [
                    {"arquivo": file.arquivo, "sha256": file.sha256.hex(), "tamanho_bytes": file.tamanho_bytes} for file in one.documentos
                ],
            }
            for one in loaded
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """The projects that people have decided on."""
        found = await apagados.decided(uow, registros)
        return {one: _KEPT.format(edital=edital, projeto=projeto) for one, (edital, projeto) in found.items()}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Write over the projects; a screening under way finds them blank."""
        return await apagados.blank(uow, registros)

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """The projects of calls imported before a moment, but for those that people have decided on."""
        old = await apagados.older_than(uow, limite)
        kept = await apagados.decided(uow, old)
        return [one for one in old if one not in kept]

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Nothing: projects are not sealed."""
        return 0
