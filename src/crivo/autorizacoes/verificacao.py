"""Holds every stored decision against the audit entry that was sealed with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from sqlalchemy import text

from crivo.autorizacoes.storage import digest_of
from crivo.kernel.storage.session import UnitOfWork

DECIDIDA: Final = "autorizacao.decidida"
SELADA: Final = "autorizacao.selada"  # one that was stored in the clear, and is not any more: its newest digest counts

Motivo = Literal["alterada", "sem_registro", "ausente"]

_PAGE: Final = 200
# One statement, so one snapshot: a decision being stored meanwhile is seen with its entry or not at all.
_READ: Final = """
    select coalesce(a.id::text, e.alvo) as id, a.pedido, a.decisao, a.trilha, a.digest, e.dados
    from autorizacoes a
    full join (
        select distinct on (alvo) alvo, dados from auditoria where tenant_id = :tenant and acao = any(:acoes) order by alvo, seq desc
    ) e on e.alvo = a.id::text"""


class _Dados(msgspec.Struct):
    digest: str


@dataclass(frozen=True, slots=True)
class DecisaoQuebrada:
    """A decision that the audit does not vouch for: its bytes differ, it has no entry, or it is gone."""

    id: str
    motivo: Motivo


@dataclass(frozen=True, slots=True)
class Verificacao:
    """How many decisions were held against the audit, and those that do not stand."""

    decisoes: int
    quebras: tuple[DecisaoQuebrada, ...]


async def verify_decisoes(uow: UnitOfWork) -> Verificacao:
    """Recompute the digest of each stored decision and compare it with its audit entry; in constant memory."""
    decisoes = 0
    quebras: list[DecisaoQuebrada] = []
    values = {"tenant": uow.scope.tenant_id, "acoes": [DECIDIDA, SELADA]}
    async with uow.connection.stream(text(_READ), values, execution_options={"yield_per": _PAGE}) as rows:
        async for row in rows:
            if row.digest is None:
                quebras.append(DecisaoQuebrada(row.id, "ausente"))
                continue
            decisoes += 1
            if row.dados is None:
                quebras.append(DecisaoQuebrada(row.id, "sem_registro"))
            elif not digest_of(row.pedido, row.decisao, row.trilha) == bytes(row.digest) == _registered(row.dados):
                quebras.append(DecisaoQuebrada(row.id, "alterada"))
    return Verificacao(decisoes, tuple(quebras))


def _registered(dados: str) -> bytes | None:
    """The digest that an entry holds, or None where its text was spoiled."""
    try:
        return bytes.fromhex(msgspec.json.decode(dados, type=_Dados).digest)
    except (msgspec.DecodeError, ValueError):
        return None
