"""Rows that the chain vouches for: an entry keeps a digest of the row as it is stored, and the row is held against it ever after.

A digest is over what is stored, byte for byte: where a field is kept encrypted, over its ciphertext, so that a destroyed key breaks none.
A column that is null is left out of it, so that a column that comes later breaks none of before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final

import msgspec

from crivo.kernel.storage.session import UnitOfWork

DIGESTS: Final = "digests"
"""Under which name the particulars of an entry keep the seals of rows, each by the row's."""
RELEASED: Final = "livre"
"""In a seal's place: from here on the chain vouches for the row no more, until it is sealed again."""
_DOMAIN: Final = "crivo.linha.1"
_NOW: Final = "select {row_name}, {columns} from {table} r where r.tenant_id = %(tenant)s and ({when}) and {conditions}"
_ENCODER: Final = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class SealedTable:
    """A table whose rows are sealed: what names a row within a tenant (ids alone), and every column that is sealed, in order.

    `json` columns are read as text. Only rows that `when` (SQL over `r`) holds for are expected to have a seal.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    json: frozenset[str] = frozenset()
    when: str = "true"
    _fields: Callable[[object], tuple[object, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_fields", attrgetter(*self.columns))

    @property
    def selected(self) -> str:
        """The columns as they are read, in order."""
        return ", ".join(f"r.{name}::text as {name}" if name in self.json else f"r.{name}" for name in self.columns)

    @property
    def row_name(self) -> str:
        """SQL of what an entry calls a row, after the table's name."""
        return " || ':' || ".join(f"r.{name}::text" for name in self.key)

    def seal(self, values: Sequence[object]) -> str:
        """SHA-256 of a row's columns as hex: of a JSON object of those that are not null, in order, after the table's name.

        Instants are in UTC, bytes in base64, what is neither text nor a whole number as text.
        """
        told = dict(zip(self.columns, [one.astimezone(UTC) if type(one) is datetime else one for one in values], strict=True))
        if None in values:
            told = {name: one for name, one in told.items() if one is not None}
        return hashlib.sha256(_ENCODER.encode((_DOMAIN, self.name, told))).hexdigest()

    def seal_of(self, row: object) -> tuple[str, str]:
        """What an entry calls a row that is at hand as a value, and its seal; the value's fields are named as the columns."""
        name = ":".join([str(getattr(row, part)) for part in self.key])
        return f"{self.name}:{name}", self.seal(self._fields(row))


async def read_seals(uow: UnitOfWork, table: SealedTable, where: Mapping[str, object]) -> dict[str, str]:
    """The seals of the rows whose columns have these values, as they are stored now; those that need none are left out."""
    conditions = " and ".join(f"r.{name} = %({name})s" for name in where)
    statement = _NOW.format(row_name=table.row_name, columns=table.selected, table=table.name, when=table.when, conditions=conditions)
    rows = await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id, **where})
    return {f"{table.name}:{row[0]}": table.seal(row[1:]) for row in rows}


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The seals to keep where rows went from some to others; a row that needs none any more is released."""
    gone = dict.fromkeys(before.keys() - after.keys(), RELEASED)
    return {**{name: seal for name, seal in after.items() if before.get(name) != seal}, **gone}
