"""What is noted of an act: in the seed's `logs_auditoria`, for reports, and in the chain that nobody can rewrite."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.storage.editais import to_json


async def note(
    uow: UnitOfWork, new_id: UUID, em: datetime, acao: str, entidade: str, entidade_id: str, dados: Mapping[str, Any] | None = None
) -> None:
    """Note an act of the scope's actor; `dados` holds no personal data. Call it last: the chain is locked until the unit of work ends."""
    particulars = dict(dados or {})
    await uow.connection.exec_driver_sql(
        "insert into logs_auditoria (tenant_id, id, ator, acao, entidade, entidade_id, dados, created_at) "
        "values (%s, %s, %s, %s, %s, %s, %s, %s)",
        (uow.scope.tenant_id, new_id, uow.scope.ator, acao, entidade, entidade_id, to_json(particulars), em),
    )
    await audit.append(uow, em, [audit.NewEntry(acao=acao, alvo=f"{entidade}:{entidade_id}", dados=particulars)])
