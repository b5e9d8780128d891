"""The tables of a silo, and how one of an earlier version becomes one of this."""

from __future__ import annotations

import sqlite3
from typing import Final

VERSION: Final = 2
_FIRST: Final = """
create table slots (
    id integer primary key,
    doctor text not null,
    specialty text not null,
    date text not null,
    time text not null,
    available integer not null check (available in (0, 1)),
    patient_name text,
    cpf text,
    -- What is compared, however a file that was imported spells it.
    cpf_digits text generated always as (replace(replace(replace(cpf, '.', ''), '-', ''), ' ', '')) virtual,
    unique (doctor, date, time),
    check ((patient_name is null) = (cpf is null)),
    check (available = 0 or cpf is null)
);
create table patients (patient_id text primary key, record text not null);
-- Whether the slots are the sample's, to which those of coming days are added.
create table sample (is_sample integer not null check (is_sample in (0, 1)));
"""
# The digest of the booking's code, and how often another was tried in its place. What was booked before has none.
_CODES: Final = """
alter table slots add column codigo_resumo blob;
alter table slots add column tentativas integer not null default 0;
create index slots_held on slots (cpf_digits) where available = 0;
"""
_STEPS: Final = (_FIRST, _CODES)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables that are there; 0 where there are none."""
    version: int = connection.execute("pragma user_version").fetchone()[0]
    return version


def bring_up(connection: sqlite3.Connection) -> None:
    """Bring the tables to this version, inside the transaction that is open; what they hold stays."""
    for statements in _STEPS[version_of(connection) :]:
        for statement in statements.split(";\n"):
            connection.execute(statement)
    connection.execute(f"pragma user_version = {VERSION}")
