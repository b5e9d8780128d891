"""What a database says of itself, for whoever looks after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from crivo.kernel.storage.session import UnitOfWork


@dataclass(frozen=True, slots=True)
class Inspection:
    """The server's version, the role it is used in, the migration it stands at, and the rows of the tenant by table.

    `ultimo_registro` is the moment of the newest entry of its audit.
    """

    servidor: str
    papel: str
    migracao: str
    linhas: Mapping[str, int]
    ultimo_registro: datetime | None


async def inspect(uow: UnitOfWork) -> Inspection:
    """Look at the database through a unit of work; counts are of its tenant alone."""
    row = (
        await uow.connection.exec_driver_sql(
            "select current_setting('server_version') as servidor, current_user as papel, "
            "(select version_num from alembic_version) as migracao, (select count(*) from politicas) as politicas, "
            "(select count(*) from autorizacoes) as autorizacoes, (select count(*) from auditoria) as auditoria, "
            "(select count(*) from chaves_api) as chaves_api, "
            "(select em from auditoria order by seq desc limit 1) as ultimo_registro"
        )
    ).one()
    counts = {name: int(getattr(row, name)) for name in ("politicas", "autorizacoes", "auditoria", "chaves_api")}
    return Inspection(row.servidor, row.papel, row.migracao, counts, row.ultimo_registro)
