"""The rules of each tenant as published, compiled once per catalogue version and shared by every decision made under it."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.mapeamento.storage import published_at as formatos_at
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.sucessao import Publicada, succeed
from crivo.kernel.storage.session import UnitOfWork

_KEPT = 16


class Vigentes:
    """The last few compiled catalogues, by tenant and version; a version never changes, so what is kept is never stale."""

    def __init__(self) -> None:
        self._fluxos: OrderedDict[tuple[str, int], tuple[Fluxo, Catalogo]] = OrderedDict()

    async def current(self, uow: UnitOfWork) -> tuple[int, Fluxo]:
        """The tenant's catalogue version as this transaction sees it, and its rules."""
        versao = await storage.catalogo_versao(uow)
        return versao, await self.at(uow, versao)

    async def catalogo(self, uow: UnitOfWork) -> tuple[int, Catalogo]:
        """The tenant's catalogue version as this transaction sees it, and its políticas, indexed."""
        versao = await storage.catalogo_versao(uow)
        return versao, (await self._kept(uow, versao))[1]

    async def at(self, uow: UnitOfWork, versao: int) -> Fluxo:
        """The tenant's rules as of a catalogue version, past ones too."""
        return (await self._kept(uow, versao))[0]

    async def _kept(self, uow: UnitOfWork, versao: int) -> tuple[Fluxo, Catalogo]:
        key = (uow.scope.tenant_id, versao)
        kept = self._fluxos.get(key)
        if kept is None:
            catalogo = Catalogo.of(await politicas_at(uow, versao))
            kept = (Fluxo(catalogo, await storage.campos_at(uow, versao), await formatos_at(uow, versao)), catalogo)
            self._fluxos[key] = kept
            if len(self._fluxos) > _KEPT:
                self._fluxos.popitem(last=False)
        self._fluxos.move_to_end(key)
        return kept


async def politicas_at(uow: UnitOfWork, versao: int) -> tuple[Politica, ...]:
    """The políticas that were published, and not revoked, at a catalogue version, each ending where a later version closes it."""
    return succeed(await publicadas_at(uow, versao))


async def publicadas_at(uow: UnitOfWork, versao: int) -> list[Publicada]:
    """The políticas that were published, and not revoked, at a catalogue version, as they were published."""
    rows = await storage.published_at(uow, versao)
    return [Publicada(msgspec.json.decode(conteudo, type=Politica), encerra) for conteudo, encerra in rows]
