"""Looks for words in everything that an installation keeps: every table as text, every file as bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import psycopg

from crivo.kernel.storage.urls import libpq_url


def spellings(*words: str) -> list[str]:
    """Words as they may stand somewhere: as they are, in small letters, escaped as JSON does, and a CPF with its points and without."""
    found: set[str] = set()
    for word in words:
        found |= {word, word.lower(), word.encode("unicode_escape").decode()}
        digits = "".join(filter(str.isdigit, word))
        if len(digits) == 11:
            found |= {digits, f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}", f"{digits[:9]}-{digits[9:]}"}
    return sorted(found)


def in_tables(admin_url: str, tenant_id: str, words: Iterable[str]) -> list[tuple[str, str]]:
    """Every table that has one of these words in any column of any row, with the word; columns of bytes are read as bytes.

    Of tables that are divided by tenant, the rows of that one: other tests speak of the same people.
    """
    found = []
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute("set row_security = off")
        tables = connection.execute(
            "select c.oid::regclass::text, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') "
            "from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = 'public' and c.relkind in ('r', 'p')"
        ).fetchall()
        for table, divided in tables:
            whose = "t.tenant_id = %s" if divided else "%s <> ''"
            for word in words:
                as_hex = word.encode().hex()
                hit = connection.execute(
                    f"select 1 from {table} t where {whose} and (strpos(t::text, %s) > 0 or strpos(t::text, %s) > 0) limit 1",  # noqa: S608 - names of tables
                    (tenant_id, word, as_hex),
                ).fetchone()
                if hit:
                    found.append((str(table), word))
    return found


def in_files(folder: Path, words: Iterable[str]) -> list[tuple[str, str]]:
    """Every file under a folder that has one of these words, with the word."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found += [(str(path.relative_to(folder)), word) for word in words if word.encode() in content]
    return found


def in_postgres(admin_url: str, tenant_id: str, words: list[str], under: str = ".") -> list[tuple[str, str]]:
    """Every table of a test's server, and every file under its data folder: pages of before and the write-ahead log too.

    As its own superuser, who alone sees all rows and says where the files are.
    """
    superuser = admin_url.replace("crivo_dono@", "postgres@")
    with psycopg.connect(libpq_url(superuser), autocommit=True) as owner:
        owner.execute("checkpoint")
        where = owner.execute("show data_directory").fetchone()
    assert where is not None
    return [*in_tables(superuser, tenant_id, words), *in_files(Path(where[0]) / under, words)]
