"""The end of the chain, for people to read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from crivo.kernel.audit.chain import Entry
from crivo.kernel.audit.ledger import entry_of
from crivo.kernel.storage.session import UnitOfWork

_LATEST: Final = """
    select tenant_id, seq, em, ator, acao, alvo, dados, digest_anterior, digest from auditoria
    where tenant_id = %(tenant)s and seq < coalesce(%(antes_de)s, 9223372036854775807)
      and (%(ator)s = '' or ator = %(ator)s or starts_with(ator, %(ator)s || ':'))
      and (cardinality(%(acoes)s::text[]) = 0 or acao = any (%(acoes)s::text[]))
      and (%(desde)s::timestamptz is null or em >= %(desde)s::timestamptz)
      and (%(ate)s::timestamptz is null or em < %(ate)s::timestamptz)
    order by seq desc limit %(limite)s"""


@dataclass(frozen=True, slots=True)
class Recorte:
    """Which entries are asked for: by an actor or a kind of actor ("chave"), by actions, from `desde` until before `ate`; empty is all."""

    ator: str = ""
    acoes: tuple[str, ...] = ()
    desde: datetime | None = None
    ate: datetime | None = None


async def list_latest(uow: UnitOfWork, limite: int, antes_de: int | None = None, recorte: Recorte | None = None) -> tuple[Entry, ...]:
    """The tenant's last entries before one of a number, or before the end; the newest first."""
    wanted = recorte or Recorte()
    values = {
        "tenant": uow.scope.tenant_id,
        "antes_de": antes_de,
        "ator": wanted.ator,
        "acoes": list(wanted.acoes),
        "desde": wanted.desde,
        "ate": wanted.ate,
        "limite": limite,
    }
    rows = await uow.connection.exec_driver_sql(_LATEST, values)
    return tuple(entry_of(row) for row in rows)
