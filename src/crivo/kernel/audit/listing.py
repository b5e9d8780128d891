"""The end of the chain, for people to read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from crivo.kernel.audit.chain import Entry
from crivo.kernel.audit.ledger import entry_of
from crivo.kernel.storage.session import UnitOfWork

_WANTED: Final = """
    from auditoria
    where tenant_id = %(tenant)s
      and (%(ator)s = '' or ator = %(ator)s or starts_with(ator, %(ator)s || ':'))
      and (cardinality(%(acoes)s::text[]) = 0 or acao = any (%(acoes)s::text[]))
      and (%(desde)s::timestamptz is null or em >= %(desde)s::timestamptz)
      and (%(ate)s::timestamptz is null or em < %(ate)s::timestamptz)
      and (%(busca)s = '' or seq::text = %(busca)s or strpos(lower(alvo || ' ' || dados), lower(%(busca)s)) > 0
           or acao = any (%(ditas)s::text[]) or ator = any (%(atores)s::text[]) or alvo = any (%(alvos)s::text[]))"""
_ENTRIES: Final = "select tenant_id, seq, em, ator, acao, alvo, dados, digest_anterior, digest"
_LATEST: Final = f"{_ENTRIES} {_WANTED} order by seq desc limit %(limite)s"
_COUNT: Final = f"select count(*) {_WANTED}"


@dataclass(frozen=True, slots=True)
class Recorte:
    """Which entries are asked for: by an actor or a kind of actor ("chave"), by actions, from `desde` until before `ate`; empty is all.

    `busca` is the entry's own number, or any part of what it speaks of; or else what those words are the name of: `ditas` are
    actions, `atores` and `alvos` as entries call them.
    """

    ator: str = ""
    acoes: tuple[str, ...] = ()
    desde: datetime | None = None
    ate: datetime | None = None
    busca: str = ""
    ditas: tuple[str, ...] = ()
    atores: tuple[str, ...] = ()
    alvos: tuple[str, ...] = ()


async def list_latest(uow: UnitOfWork, limite: int, recorte: Recorte | None = None) -> tuple[Entry, ...]:
    """The tenant's last entries; the newest first."""
    values = _values(uow, recorte or Recorte()) | {"limite": limite}
    return tuple(entry_of(row) for row in await uow.connection.exec_driver_sql(_LATEST, values))


async def list_sheet(
    uow: UnitOfWork, recorte: Recorte, pagina: int, tamanho: int, *, crescente: bool = False
) -> tuple[tuple[Entry, ...], int, int]:
    """A page of the entries asked for, how many there are, and its number, from 1: the last one where there are fewer."""
    values = _values(uow, recorte)
    total = int((await uow.connection.exec_driver_sql(_COUNT, values)).scalar_one())
    at = min(max(1, pagina), max(1, -(-total // tamanho)))
    choosing = f"{_ENTRIES} {_WANTED} order by seq {'asc' if crescente else 'desc'} limit %(limite)s offset %(antes)s"
    rows = await uow.connection.exec_driver_sql(choosing, values | {"limite": tamanho, "antes": (at - 1) * tamanho})
    return tuple(entry_of(row) for row in rows), total, at


def _values(uow: UnitOfWork, wanted: Recorte) -> dict[str, Any]:
    return {
        "tenant": uow.scope.tenant_id,
        "ator": wanted.ator,
        "acoes": list(wanted.acoes),
        "desde": wanted.desde,
        "ate": wanted.ate,
        "busca": wanted.busca,
        "ditas": list(wanted.ditas),
        "atores": list(wanted.atores),
        "alvos": list(wanted.alvos),
    }
