"""Every row that the chain vouches for, held against what its latest entry sealed of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import text

from crivo.kernel.audit.seals import RELEASED, SealedTable
from crivo.kernel.storage.session import UnitOfWork

RowMotivo = Literal["registro_alterado", "registro_ausente", "registro_sem_selo"]
_PAGE: Final = 500
# One statement, so one snapshot: a row that is being written is seen with its entry or not at all. A text that was spoiled is no JSON
# any more, which a pattern bears; quotes inside of a JSON string are escaped, so that no text of people's can pass for a seal.
_READ: Final = """
    select coalesce(s.linha, {row_name}) as linha, s.selo, s.seq, r.tenant_id is not null as presente, coalesce({when}, false) as espera,
           {columns}
    from (
        select distinct on (m[1]) m[1] as linha, m[2] as selo, a.seq
        from auditoria a cross join lateral regexp_matches(a.dados, :pattern, 'g') as m
        where a.tenant_id = :tenant and strpos(a.dados, :mark) > 0
        order by m[1], a.seq desc
    ) s full join (select * from {table} where tenant_id = :tenant) r on {row_name} = s.linha"""


_BARE: Final = f"{_READ} where r.tenant_id is not null and {{when}} and coalesce(s.selo, :released) = :released limit :limit"
COMPLETE: Final = "auditoria.selada"
"""The action of the entry after which every row of the tenant is to have its seal."""
_IS_COMPLETE: Final = "select exists (select from auditoria where tenant_id = %s and acao = %s)"


@dataclass(frozen=True, slots=True)
class RowBreak:
    """A row (`table:id`) that is not what the entry `seq` sealed, that is gone, or that no entry (None) ever sealed."""

    linha: str
    motivo: RowMotivo
    seq: int | None


@dataclass(frozen=True, slots=True)
class RowsVerification:
    """How many rows were held against their seals, how many have none, and those that do not stand."""

    linhas: int
    sem_selo: int
    quebras: tuple[RowBreak, ...]


async def verify_rows(uow: UnitOfWork, table: SealedTable, *, complete: bool) -> RowsVerification:
    """Seal each vouched-for row of a table again and compare; in constant memory.

    Where the tenant's rows are not `complete`ly sealed, some being from before there were seals, a row without one is only counted.
    """
    held, bare, breaks = 0, 0, list[RowBreak]()
    async with uow.connection.stream(text(_about(_READ, table)), _values(uow, table), execution_options={"yield_per": _PAGE}) as rows:
        async for linha, seal, seq, present, expected, *columns in rows:
            name = f"{table.name}:{linha}"
            if seal is None or seal == RELEASED:
                bare += present and expected
                if complete and present and expected:
                    breaks.append(RowBreak(name, "registro_sem_selo", seq))
                continue
            held += 1
            if not present:
                breaks.append(RowBreak(name, "registro_ausente", seq))
            elif table.seal(columns) != seal:
                breaks.append(RowBreak(name, "registro_alterado", seq))
    return RowsVerification(held, bare, tuple(breaks))


async def read_unsealed(uow: UnitOfWork, table: SealedTable, limit: int) -> dict[str, str]:
    """Seals for rows that have none yet, at most `limit` of them."""
    rows = await uow.connection.execute(text(_about(_BARE, table)), {**_values(uow, table), "released": RELEASED, "limit": limit})
    return {f"{table.name}:{row[0]}": table.seal(row[5:]) for row in rows}


async def is_complete(uow: UnitOfWork) -> bool:
    """Whether every row of the tenant is to have its seal."""
    return bool((await uow.connection.exec_driver_sql(_IS_COMPLETE, (uow.scope.tenant_id, COMPLETE))).scalar_one())


def _about(statement: str, table: SealedTable) -> str:
    return statement.format(columns=table.selected, table=table.name, row_name=table.row_name, when=table.when)


def _values(uow: UnitOfWork, table: SealedTable) -> dict[str, object]:
    mark = f'"{table.name}:'
    return {"tenant": uow.scope.tenant_id, "mark": mark, "pattern": f'{mark}([0-9a-f:-]+)":"([0-9a-f]{{64}}|{RELEASED})"'}
