"""The tables of the queue, as its library makes them."""

from __future__ import annotations

from pathlib import Path
from typing import LiteralString

from procrastinate.schema import SchemaManager


def queue_schema() -> LiteralString:
    """What makes the queue's tables in an empty schema: many statements in one text."""
    return SchemaManager.get_schema()


def queue_version() -> str:
    """The last of the library's own migrations that `queue_schema` has in it, as `03.04.00_50_post_add_retry_failed_job_procedure`."""
    return max(step.stem for step in Path(SchemaManager.get_migrations_path()).glob("*.sql"))
