"""The end of the chain, for people to read."""

from __future__ import annotations

from crivo.kernel.audit.chain import Entry
from crivo.kernel.audit.ledger import entry_of
from crivo.kernel.storage.session import UnitOfWork


async def list_latest(uow: UnitOfWork, limite: int) -> tuple[Entry, ...]:
    """The tenant's last entries, the newest first."""
    rows = await uow.connection.exec_driver_sql(
        "select tenant_id, seq, em, ator, acao, alvo, dados, digest_anterior, digest from auditoria "
        "where tenant_id = %s order by seq desc limit %s",
        (uow.scope.tenant_id, limite),
    )
    return tuple(entry_of(row) for row in rows)
