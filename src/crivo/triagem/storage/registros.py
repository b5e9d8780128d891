"""What is noted of an act: in the seed's `logs_auditoria`, for reports, and in the chain that nobody can rewrite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.storage.editais import to_json

_WRITE: Final = """
    insert into logs_auditoria (tenant_id, id, ator, acao, entidade, entidade_id, dados, created_at)
    select %(tenant)s, n.id, %(ator)s, %(acao)s, %(entidade)s, n.de, n.dados::jsonb, %(em)s
    from unnest(%(ids)s::uuid[], %(de)s::text[], %(dados)s::text[]) as n (id, de, dados)"""


async def note(
    uow: UnitOfWork,
    new_id: UUID,
    em: datetime,
    acao: str,
    edital: str,
    entidade: str,
    entidade_id: str,
    dados: Mapping[str, Any] | None = None,
) -> None:
    """Note an act of the scope's actor on something of an edital, by whose code it is found again; `dados` holds no personal data.

    Call it last: the chain is locked until the unit of work ends.
    """
    await note_all(uow, em, acao, edital, entidade, [(new_id, entidade_id, dados or {})])


async def note_all(
    uow: UnitOfWork, em: datetime, acao: str, edital: str, entidade: str, notas: Sequence[tuple[UUID, str, Mapping[str, Any]]]
) -> None:
    """The same of one act to many: the id of each note, of what it tells, and its particulars."""
    told = [(new_id, of, {"edital": edital, **dados}) for new_id, of, dados in notas]
    values = {
        "tenant": uow.scope.tenant_id,
        "ids": [new_id for new_id, _, _ in told],
        "ator": uow.scope.ator,
        "acao": acao,
        "entidade": entidade,
        "de": [of for _, of, _ in told],
        "dados": [to_json(dados) for _, _, dados in told],
        "em": em,
    }
    await uow.connection.exec_driver_sql(_WRITE, values)
    await audit.append(uow, em, [audit.NewEntry(acao=acao, alvo=f"{entidade}:{of}", dados=dados) for _, of, dados in told])
