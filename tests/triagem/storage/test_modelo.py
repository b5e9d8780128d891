"""The tables that the source names, with every column that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import text

from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

SEED = next(iter((Path(__file__).parents[4] / "shared/seeds").glob("002_*.txt")), None)
TABLES = ("triagem_ia_execucoes", "triagem_ia_resultados", "triagem_ia_notas")
ROW = re.compile(r"^\| (\w+) \| ([A-Z]+(?:\(\d,\d\))?)(?: \w+)? \|", re.MULTILINE)
# A tenant is named by its id, which is a text everywhere here.
KEPT_AS = {"UUID": "uuid", "TEXT": "text", "INTEGER": "integer", "BOOLEAN": "boolean", "JSONB": "jsonb", "TIMESTAMPTZ": "timestamptz"}


def asked(table: str) -> dict[str, str]:
    assert SEED is not None
    section = SEED.read_text(encoding="utf-8").split(f"### `{table}`")[1].split("\n## ")[0].split("\n### ")[0]
    named = {column: kind for column, kind in ROW.findall(section) if column != "Coluna"}
    kinds = {column: KEPT_AS.get(kind, kind.lower().replace("decimal", "numeric")) for column, kind in named.items()}
    return {**kinds, **({"tenant_id": "text"} if "tenant_id" in kinds else {})}


async def found(database: Database, scope: Scope, table: str) -> dict[str, str]:
    statement = text(
        "select attname, replace(format_type(atttypid, atttypmod), 'timestamp with time zone', 'timestamptz') from pg_attribute "
        "where attrelid = cast(:table as regclass) and attnum > 0 and not attisdropped"
    )
    async with database.unit_of_work(scope) as uow:
        return {str(name): str(kind) for name, kind in (await uow.connection.execute(statement, {"table": table})).all()}


@pytest.mark.skipif(SEED is None, reason="the source documents are not beside this checkout")
@pytest.mark.parametrize("table", TABLES)
async def test_every_column_that_the_source_names_is_there_with_its_type(database: Database, scope: Scope, table: str) -> None:
    """Triagem 2/1, Triagem 2/2, Triagem 2/3: the three tables of a screening."""
    columns = asked(table)
    assert len(columns) > 5
    kept = await found(database, scope, table)
    assert {column: kept.get(column) for column in columns} == columns
