"""Stored installations: what an earlier version of the program left in its database, as SQL, and what it said of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from crivo.kernel.storage.cluster import RUNTIME_ROLE
from crivo.kernel.storage.urls import libpq_url

AQUI: Final = Path(__file__).parents[1] / "kernel" / "storage" / "instalacoes"
CABECALHO: Final = "-- crivo: "


@dataclass(frozen=True)
class Guardada:
    """Of which schema it is, what made it, what is in it and what is not, and of each decision the digest of its document then."""

    esquema: str
    commit: str
    feito: tuple[str, ...]
    sem: Mapping[str, str]
    decisoes: Mapping[str, str]


def esquemas() -> list[str]:
    """The schemas that an installation is stored of, oldest first."""
    return sorted(file.name.removesuffix(".sql.gz") for file in AQUI.glob("*.sql.gz"))


def read(esquema: str) -> tuple[Guardada, str]:
    """What is told of a stored installation, and its statements."""
    head, _, statements = gzip.decompress((AQUI / f"{esquema}.sql.gz").read_bytes()).decode().partition("\n")
    told = json.loads(head.removeprefix(CABECALHO))
    return Guardada(**{**told, "feito": tuple(told["feito"])}), statements


def restore(admin_url: str, esquema: str) -> Guardada:
    """Put a stored installation into an empty database, as its owner."""
    told, statements = read(esquema)
    with psycopg.connect(libpq_url(admin_url), autocommit=True) as connection:
        if connection.execute("select 1 from pg_roles where rolname = %s", (RUNTIME_ROLE,)).fetchone() is None:
            connection.execute(f"create role {RUNTIME_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit")
        connection.execute(statements.encode())
    return told
