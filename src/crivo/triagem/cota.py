"""What an organisation has of public calls: the editais, the projects in force, and the bytes of documents that are kept."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.cotas import POR_NOME, CotaAtingida, Valores, hold_cota, refusal
from crivo.kernel.storage.session import UnitOfWork

_EDITAIS: Final = "select count(*) from editais where tenant_id = %s"
_PROJETOS: Final = "select count(*) from projetos where tenant_id = %s and retirado_em is null"
# As they stand sealed; what third persons sent counts, and is never refused for want of room.
_BYTES: Final = """
    select (select coalesce(sum(octet_length(conteudo)), 0) from arquivos where tenant_id = %(tenant)s)
         + (select coalesce(sum(octet_length(conteudo)), 0) from diligencia_documentos where tenant_id = %(tenant)s)
         + (select coalesce(sum(octet_length(conteudo)), 0) from recurso_papeis where tenant_id = %(tenant)s)"""


async def count_editais(uow: UnitOfWork) -> int:
    """The editais of the organisation."""
    return int((await uow.connection.exec_driver_sql(_EDITAIS, (uow.scope.tenant_id,))).scalar_one())


async def count_projetos(uow: UnitOfWork) -> int:
    """The projects in force in all of them."""
    return int((await uow.connection.exec_driver_sql(_PROJETOS, (uow.scope.tenant_id,))).scalar_one())


async def count_bytes(uow: UnitOfWork) -> int:
    """The bytes of documents that are kept, each content once."""
    return int((await uow.connection.exec_driver_sql(_BYTES, {"tenant": uow.scope.tenant_id})).scalar_one())


async def begin_bytes(uow: UnitOfWork) -> tuple[int, Decimal] | None:
    """The bytes that there are before an import and how many there may be, where the organisation has such a quota."""
    limite = await hold_cota(uow, "bytes_documentos")
    return None if limite is None else (await count_bytes(uow), limite)


async def require_bytes(uow: UnitOfWork, antes: tuple[int, Decimal] | None) -> None:
    """Raises CotaAtingida where an import, all of it stored in this unit of work, made more bytes than there may be."""
    if antes is None:
        return
    before, limite = antes
    after = await count_bytes(uow)
    if after > before and after > limite:
        raise CotaAtingida(refusal(POR_NOME["bytes_documentos"], Decimal(before), limite, after - before))


async def measure(uow: UnitOfWork, _em: datetime) -> Valores:
    """What the organisation uses of its quotas of editais, projects and bytes."""
    counted = await count_editais(uow), await count_projetos(uow), await count_bytes(uow)
    return dict(zip(("editais", "projetos", "bytes_documentos"), map(Decimal, counted), strict=True))
