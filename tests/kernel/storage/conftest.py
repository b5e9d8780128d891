"""Databases that nothing is in yet, on the servers of the kernel's tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from crivo.kernel.storage.urls import libpq_url


@pytest.fixture
def empty_database(urls: tuple[str, str]) -> Iterator[str]:
    """The URL of a new database on the same server."""
    with _new_database(urls[0]) as url:
        yield url


@pytest.fixture
def empty_embedded(embedded_urls: tuple[str, str]) -> Iterator[str]:
    """The URL of a new database on the embedded server."""
    with _new_database(embedded_urls[0]) as url:
        yield url


@contextmanager
def _new_database(owner: str) -> Iterator[str]:
    name = f"vazio_{uuid4().hex[:8]}"
    creator = owner.replace("crivo_dono", "postgres") if "127.0.0.1" in owner else owner
    with psycopg.connect(libpq_url(creator), autocommit=True) as admin:
        admin.execute(f"create database {name}".encode())
        if "crivo_dono" in owner:
            admin.execute(f"alter database {name} owner to crivo_dono".encode())
    yield urlsplit(owner)._replace(path=f"/{name}").geturl()
    with psycopg.connect(libpq_url(creator), autocommit=True) as admin:
        admin.execute(f"drop database {name} with (force)".encode())
