"""Every row that the chain vouches for, held against what its latest entry sealed of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import text

from crivo.kernel.audit.seals import RELEASED, SealedTable
from crivo.kernel.storage.session import UnitOfWork

RowMotivo = Literal["registro_alterado", "registro_ausente"]
_PAGE: Final = 500
# One statement, so one snapshot: a row that is being written is seen with its entry or not at all. A text that was spoiled is no JSON
# any more, which a pattern bears; quotes inside of a JSON string are escaped, so that no text of people's can pass for a seal.
_READ: Final = """
    select s.linha, s.selo, s.seq, r.tenant_id is not null as presente, {columns}
    from (
        select distinct on (m[1]) m[1] as linha, m[2] as selo, a.seq
        from auditoria a cross join lateral regexp_matches(a.dados, :pattern, 'g') as m
        where a.tenant_id = :tenant and strpos(a.dados, :mark) > 0
        order by m[1], a.seq desc
    ) s left join {table} r on r.tenant_id = :tenant and {row_name} = s.linha
    where s.selo <> '{released}'"""


@dataclass(frozen=True, slots=True)
class RowBreak:
    """A row (`table:id`) that is not what the entry `seq` sealed, or that is gone."""

    linha: str
    motivo: RowMotivo
    seq: int


@dataclass(frozen=True, slots=True)
class RowsVerification:
    """How many rows were held against their seals, and those that differ."""

    linhas: int
    quebras: tuple[RowBreak, ...]


async def verify_rows(uow: UnitOfWork, table: SealedTable) -> RowsVerification:
    """Seal each vouched-for row of a table again and compare; in constant memory. Rows from before there were seals are not compared."""
    statement = _READ.format(columns=table.selected, table=table.name, row_name=table.row_name, released=RELEASED)
    mark = f'"{table.name}:'
    values = {"tenant": uow.scope.tenant_id, "mark": mark, "pattern": f'{mark}([0-9a-f:-]+)":"([0-9a-f]{{64}}|{RELEASED})"'}
    found, breaks = 0, list[RowBreak]()
    async with uow.connection.stream(text(statement.replace("::text", "\\:\\:text")), values, execution_options={"yield_per": _PAGE}) as rows:
        async for row in rows:
            linha, seal, seq, present, *columns = row
            found += 1
            if not present:
                breaks.append(RowBreak(f"{table.name}:{linha}", "registro_ausente", seq))
            elif table.seal(columns) != seal:
                breaks.append(RowBreak(f"{table.name}:{linha}", "registro_alterado", seq))
    return RowsVerification(found, tuple(breaks))
