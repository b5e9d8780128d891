"""Who somebody is that a decision, a claim or a política names only by their mark in the register."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from starlette.requests import Request

from crivo.kernel.access import list_usuarios, names_of_reviewing_keys
from crivo.web.pages.atores import ator_em_palavras
from crivo.web.state import scope_of, state_of

_SOMEBODY = "uma pessoa que não está mais no cadastro"


async def names_of(request: Request) -> Mapping[str, str]:
    """The name of each person of the tenant, by how the register calls them."""
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        return {one.ator: one.nome for one in await list_usuarios(uow)}


async def keys_of(request: Request, autorizacao_id: UUID) -> Mapping[str, str]:
    """The name of the key by which reviews of a decision were made, by the review's id; none for those of people themselves."""
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        return await names_of_reviewing_keys(uow, str(autorizacao_id))


def name_of(ator: str, names: Mapping[str, str]) -> str:
    """How a page calls an actor."""
    known = names.get(ator)
    if known:
        return known
    return _SOMEBODY if ator.startswith("usuario:") else ator_em_palavras(ator, names)
