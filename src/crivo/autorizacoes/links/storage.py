"""Links in the database: found by a digest of their secret, their codes as keyed digests."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.autorizacoes.links.contracts import Link
from crivo.kernel.storage.session import UnitOfWork

_COLUMNS: Final = "id, autorizacao_id, codigo_resumo, criado_em, criado_por, expira_em, erros, aberturas, revogado_em"
_ADD: Final = """
    insert into autorizacao_links (tenant_id, id, autorizacao_id, segredo_resumo, codigo_resumo, criado_em, criado_por, expira_em)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_FIND: Final = f"select {_COLUMNS} from autorizacao_links where tenant_id = %s and segredo_resumo = %s"
# Whoever tries at once is counted one after the other.
_HELD: Final = f"{_FIND} for update"
_LAST: Final = (
    f"select {_COLUMNS} from autorizacao_links where tenant_id = %s and autorizacao_id = %s order by criado_em desc, id desc limit 1"
)
_TURN: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.link:' || %s || ':' || %s::text, 0))"
_REVOKE: Final = """
    update autorizacao_links set revogado_em = %s where tenant_id = %s and autorizacao_id = %s and revogado_em is null returning id"""
_ERRED: Final = "update autorizacao_links set erros = erros + 1 where tenant_id = %s and id = %s"
_OPENED: Final = "update autorizacao_links set aberturas = aberturas + 1, erros = 0 where tenant_id = %s and id = %s"
_UNNAMED: Final = "Esta instalação"  # what an installation calls its first organisation: no name to whoever is outside
_NAME: Final = "select nome from tenants where id = %s"


async def add(
    uow: UnitOfWork, link_id: UUID, autorizacao_id: UUID, segredo_resumo: bytes, codigo_resumo: bytes, em: datetime, expira_em: datetime
) -> None:
    """Keep a link; the one that the decision had must have been revoked."""
    values = (uow.scope.tenant_id, link_id, autorizacao_id, segredo_resumo, codigo_resumo, em, uow.scope.ator, expira_em)
    await uow.connection.exec_driver_sql(_ADD, values)


async def hold_turn(uow: UnitOfWork, autorizacao_id: UUID) -> None:
    """Until the unit of work ends nobody else makes a link of a decision."""
    await uow.connection.exec_driver_sql(_TURN, (uow.scope.tenant_id, autorizacao_id))


async def find(uow: UnitOfWork, segredo_resumo: bytes, *, held: bool = False) -> Link | None:
    """The link of a secret; `held`, nobody else tries it until the unit of work ends."""
    return _read((await uow.connection.exec_driver_sql(_HELD if held else _FIND, (uow.scope.tenant_id, segredo_resumo))).one_or_none())


async def last_of(uow: UnitOfWork, autorizacao_id: UUID) -> Link | None:
    """The link that was made last of a decision."""
    return _read((await uow.connection.exec_driver_sql(_LAST, (uow.scope.tenant_id, autorizacao_id))).one_or_none())


async def revoke(uow: UnitOfWork, autorizacao_id: UUID, em: datetime) -> bool:
    """Have a decision's link open no more; False where it has none."""
    return (await uow.connection.exec_driver_sql(_REVOKE, (em, uow.scope.tenant_id, autorizacao_id))).one_or_none() is not None


async def note_error(uow: UnitOfWork, link_id: UUID) -> None:
    """Count a wrong code."""
    await uow.connection.exec_driver_sql(_ERRED, (uow.scope.tenant_id, link_id))


async def note_opened(uow: UnitOfWork, link_id: UUID) -> None:
    """Count that it was read; wrong codes of before do not count any more."""
    await uow.connection.exec_driver_sql(_OPENED, (uow.scope.tenant_id, link_id))


async def name_of_tenant(uow: UnitOfWork) -> str:
    """How the organisation is called; empty where nobody has named it."""
    nome = str((await uow.connection.exec_driver_sql(_NAME, (uow.scope.tenant_id,))).scalar_one_or_none() or "")
    return "" if nome == _UNNAMED else nome


def _read(row: Row[Any] | None) -> Link | None:
    if row is None:
        return None
    return Link(
        row.id,
        row.autorizacao_id,
        bytes(row.codigo_resumo),
        row.criado_em,
        row.criado_por,
        row.expira_em,
        row.erros,
        row.aberturas,
        row.revogado_em,
    )
