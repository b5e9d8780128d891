"""The sessions that a person has open, and how they end them: one, or all but the one at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from crivo.kernel import audit
from crivo.kernel.access.sessoes import IDLE_LASTS
from crivo.kernel.storage.session import UnitOfWork

_LIST: Final = """
    select id_digest, criada_em, vista_em, navegador, origem from sessoes
    where tenant_id = %s and ator = %s and tipo = 'sessao' and falta is null and expira_em > %s and coalesce(vista_em, criada_em) > %s
    order by vista_em desc, id_digest"""
_END: Final = "delete from sessoes where tenant_id = %s and ator = %s and tipo = 'sessao' and id_digest = %s"
_END_OTHERS: Final = "delete from sessoes where tenant_id = %s and ator = %s and tipo = 'sessao' and id_digest <> %s"


@dataclass(frozen=True, slots=True)
class SessaoAberta:
    """A session as its person sees it. `numero` names it and opens nothing: it is the digest that is kept of its secret."""

    numero: str
    criada_em: datetime
    vista_em: datetime
    navegador: str
    origem: str
    esta: bool


async def list_sessoes(uow: UnitOfWork, now: datetime, esta: str) -> Sequence[SessaoAberta]:
    """The scope's actor's sessions that are open, the last used first; `esta` is the id of the one at hand."""
    rows = await uow.connection.exec_driver_sql(_LIST, (uow.scope.tenant_id, uow.scope.ator, now, now - IDLE_LASTS))
    this = _digest(esta)
    return tuple(
        [SessaoAberta(r.id_digest.hex(), r.criada_em, r.vista_em, r.navegador, r.origem, bytes(r.id_digest) == this) for r in rows]
    )


async def end_sessao(uow: UnitOfWork, em: datetime, numero: str) -> None:
    """End one session of the scope's actor by its number; one that is over, or is another's, is no fault and changes nothing."""
    try:
        digest = bytes.fromhex(numero)
    except ValueError:
        return
    await _ended(uow, em, _END, digest)


async def end_others(uow: UnitOfWork, em: datetime, esta: str) -> None:
    """End every session of the scope's actor but the one at hand, whose id is given."""
    await _ended(uow, em, _END_OTHERS, _digest(esta))


async def _ended(uow: UnitOfWork, em: datetime, statement: str, digest: bytes) -> None:
    done = await uow.connection.exec_driver_sql(statement, (uow.scope.tenant_id, uow.scope.ator, digest))
    if done.rowcount:
        await audit.append(uow, em, [audit.NewEntry(acao="sessoes_encerradas", alvo=uow.scope.ator, dados={"quantas": done.rowcount})])


def _digest(session_id: str) -> bytes:
    return hashlib.sha256(session_id.encode()).digest()
