"""A database URL in the spellings that its readers want."""

from __future__ import annotations

from typing import Final

_SCHEMES: Final = ("postgresql+psycopg://", "postgresql://", "postgres://")


def is_postgres(url: str) -> bool:
    """Whether the URL names a PostgreSQL, in any of the usual spellings."""
    return url.startswith(_SCHEMES)


def libpq_url(url: str) -> str:
    """The URL as libpq, and so psycopg, reads it."""
    return "postgresql://" + _rest(url)


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy reads it, with psycopg as its driver."""
    return "postgresql+psycopg://" + _rest(url)


def _rest(url: str) -> str:
    for scheme in _SCHEMES:
        if url.startswith(scheme):
            return url.removeprefix(scheme)
    raise ValueError("not a PostgreSQL URL")
