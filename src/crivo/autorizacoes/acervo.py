"""What authorizations hold of a person: told whole, and sealed where it was stored before there were keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import text

from crivo.autorizacoes.entregas.storage import told_of
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.leitura import PedidoIlegivel, read_pedido
from crivo.autorizacoes.revisao import storage as revisoes
from crivo.autorizacoes.seladas import AUTORIZACOES, REVISOES
from crivo.autorizacoes.storage import find_many, seal_again
from crivo.autorizacoes.titular import titular_of
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.audit import DIGESTS, NewEntry, append, read_seals
from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork

_AT_A_TIME: Final = 200
_OLDER: Final = r"""
    select a.id from autorizacoes a where a.tenant_id = :tenant and substring(a.pedido for 4) <> '\x00637331'::bytea
      and not exists (select 1 from chaves_de_pessoas k where k.tenant_id = a.tenant_id and k.id = a.id)
    order by a.id limit :limite"""


class AcervoDeAutorizacoes:
    """The decisions about a person. Nothing in them must be kept once the person asks for them to be erased."""

    aplicacao: Final[Aplicacao] = "autorizacoes"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """None: every decision has its key."""
        return ()

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Nothing: all that tells of somebody is under the key."""
        return 0

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """All decisions from before a moment that have their key still."""
        return await uow.cofre.older(uow, self.aplicacao, limite)

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each decision with its pedido, its trail, its reviews, and when others were told of it."""
        found = [one for one in await find_many(uow, registros) if isinstance(one, Autorizacao)]
        return [
            {
                "id": one.id,
                "recebida_em": one.recebida_em,
                "decisao_final": one.decisao_final,
                "pedido": msgspec.Raw(one.pedido),
                "decisao": msgspec.Raw(one.decisao),
                "trilha": msgspec.Raw(one.trilha),
                "revisoes": await revisoes.reviews_of(uow, one.id),
                "avisos": await told_of(uow, one.id),
            }
            for one in sorted(found, key=lambda one: one.id)
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """None: a decision's result, dates and digest stay anyway."""
        return {}

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Seal up to 200 decisions that were stored in the clear, each with an entry that names its new digest; how many."""
        rows = await uow.connection.execute(text(_OLDER), {"tenant": uow.scope.tenant_id, "limite": _AT_A_TIME})
        ids = [row.id for row in rows]
        if not ids:
            return 0
        found = [one for one in await find_many(uow, ids) if isinstance(one, Autorizacao)]
        sealed = await seal_again(uow, [(one, _titular(one)) for one in found])
        await revisoes.seal_again(uow, ids)
        entries = [await _entry(uow, before, after) for before, after in zip(found, sealed, strict=True)]
        await append(uow, em, entries)
        return len(sealed)


async def _entry(uow: UnitOfWork, before: Autorizacao, after: Autorizacao) -> NewEntry:
    """What seals the row anew, and those of its reviews: they stand otherwise now."""
    linha, selo = AUTORIZACOES.seal_of(after)
    selos = {linha: selo, **await read_seals(uow, REVISOES, {"autorizacao_id": after.id})}
    dados = {"digest": after.digest.hex(), "digest_anterior": before.digest.hex(), DIGESTS: selos}
    return NewEntry(acao="autorizacao.selada", alvo=str(after.id), dados=dados)


def _titular(autorizacao: Autorizacao) -> Identidade:
    """Whom a decision is about; of one whose texts were spoiled nobody can tell."""
    try:
        trilha = msgspec.json.decode(autorizacao.trilha, type=Trilha)
        return titular_of(read_pedido(autorizacao.pedido), trilha.etapas.normalizacao.pedido_normalizado)
    except (msgspec.DecodeError, PedidoIlegivel):
        return Identidade()
