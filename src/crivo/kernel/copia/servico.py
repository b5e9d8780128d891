"""When the installation was copied: kept in the database with an entry of the audit, and told to whoever looks after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from crivo.kernel.audit import NewEntry, append
from crivo.kernel.autorizar import asks
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.copia.copiar import Copia
    from crivo.kernel.copia.restaurar import Restaurada

_ADD: Final = """
    insert into copias (id, feita_em, feita_por, bytes, sha256, esquema, cifrada)
    values (%(id)s, %(feita_em)s, %(feita_por)s, %(bytes)s, %(sha256)s, %(esquema)s, %(cifrada)s) on conflict do nothing"""
_LAST: Final = "select feita_em, feita_por, bytes, sha256, cifrada from copias order by feita_em desc limit 1"
_RETURNED: Final = "select 1 from auditoria where acao = 'banco.restaurado' and alvo = %(alvo)s limit 1"


@dataclass(frozen=True, slots=True)
class Ultima:
    """The newest copy that the database knows of: when and by whom it was made, the size and the digest of its file (SHA-256, hex)."""

    feita_em: datetime
    feita_por: str
    bytes: int
    sha256: str
    cifrada: bool


class Copias:
    """Notes the copies of an installation; whoever runs the machine makes them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("banco.copiar")
    async def anotar(self, scope: Scope, copia: Copia) -> None:
        """Keep that a copy was made."""
        manifest = copia.manifesto
        row = {
            "id": manifest.id,
            "feita_em": manifest.feita_em,
            "feita_por": manifest.feita_por,
            "bytes": copia.bytes,
            "sha256": copia.sha256,
            "esquema": manifest.esquema,
            "cifrada": copia.cifrada,
        }
        dados = {"bytes": copia.bytes, "sha256": copia.sha256, "linhas": manifest.linhas, "cifrada": copia.cifrada}
        async with self._database.unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql(_ADD, row)
            await append(uow, self._clock.now(), [NewEntry(acao="banco.copiado", alvo=f"copia:{manifest.id}", dados=dados)])

    @asks("banco.copiar")
    async def anotar_volta(self, scope: Scope, restaurada: Restaurada) -> None:
        """Keep that the installation is what a copy brought back, once: a try that was killed after it is ended by another."""
        manifest = restaurada.manifesto
        dados = {"feita_em": manifest.feita_em.isoformat(), "linhas": manifest.linhas, "esquema": manifest.esquema}
        async with self._database.unit_of_work(scope) as uow:
            if (await uow.connection.exec_driver_sql(_RETURNED, {"alvo": f"copia:{manifest.id}"})).first() is not None:
                return
            await append(uow, self._clock.now(), [NewEntry(acao="banco.restaurado", alvo=f"copia:{manifest.id}", dados=dados)])


async def last_copy(uow: UnitOfWork) -> Ultima | None:
    """The newest copy, of whatever organisation the unit of work is; None where none was made."""
    row = (await uow.connection.exec_driver_sql(_LAST)).first()
    return None if row is None else Ultima(row.feita_em, row.feita_por, int(row.bytes), row.sha256, bool(row.cifrada))


async def copied_at(uow: UnitOfWork) -> datetime | None:
    """When the newest copy was made; None where none was."""
    found = await last_copy(uow)
    return None if found is None else found.feita_em
