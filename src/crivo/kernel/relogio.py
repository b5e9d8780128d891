"""Whether the machine's clock can be gone by: ids, deadlines and the audit are all dated with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.kernel.storage.session import UnitOfWork

FIRST_DAY: Final = datetime(2025, 1, 1, tzinfo=UTC)  # no machine runs this program in an earlier year
_NEWEST: Final = "select max(em) from (select em from auditoria order by seq desc limit 100) as ultimos"
_TOLERATED: Final = timedelta(minutes=1)  # by which the clocks of two machines may differ


class RelogioErrado(CrivoError):
    """The machine's clock tells a time before this program was made."""

    codigo: ClassVar[str] = "relogio_errado"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "O relógio desta máquina está errado"


def require_sane(clock: Clock) -> None:
    """Refuse to begin by a clock that was never set. Raises RelogioErrado."""
    now = clock.now()
    if now < FIRST_DAY:
        raise RelogioErrado(
            f"Ele marca {now.astimezone(BRASILIA):%d/%m/%Y %H:%M}: prazos e registros sairiam com datas erradas. Acerte-o antes, por "
            "exemplo com 'timedatectl set-ntp true'. Nada foi gravado."
        )


async def behind(uow: UnitOfWork, clock: Clock) -> str | None:
    """That the clock is behind what the tenant's audit has noted already, and what to do (pt-BR); None where it is not.

    Nothing is refused for it: it may be that the clock was ahead before, and is right now.
    """
    row = (await uow.connection.exec_driver_sql(_NEWEST)).first()
    newest, now = (None if row is None else row[0]), clock.now()
    if newest is None or newest - now <= _TOLERATED:
        return None
    told, noted = now.astimezone(BRASILIA), newest.astimezone(BRASILIA)
    return (
        f"o relógio desta máquina marca {told:%d/%m/%Y %H:%M}, antes do último registro da auditoria, de {noted:%d/%m/%Y %H:%M}. "
        "Se ele está errado, acerte-o: o que for feito agora fica com a hora errada"
    )
