"""Databases of their own to copy from and to come back to, on the server of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from uuid import uuid4

import pytest

from copiadas import Servidor, fill

_FILLED: Final = f"copia_cheia_{uuid4().hex[:8]}"


@pytest.fixture
def servidor(urls: tuple[str, str]) -> Iterator[Servidor]:
    """The server of the round; what was made on it is gone afterwards."""
    made = Servidor(urls[0])
    yield made
    made.do(*(f"drop database if exists {name} with (force)" for name in made.made))


@pytest.fixture
def new_database(servidor: Servidor) -> Callable[[], str]:
    """Makes an empty database, and tells where its owner connects."""

    def make() -> str:
        servidor.made.append(f"copia_{uuid4().hex[:8]}")
        return servidor.make(servidor.made[-1])

    return make


@pytest.fixture
def source(servidor: Servidor) -> str:
    """A database in which two organisations have chains and the queue has a job: one of a server's own, like the first that was filled."""
    if not servidor.has(_FILLED):
        fill(servidor.make(_FILLED))
    servidor.made.append(f"copia_{uuid4().hex[:8]}")
    return servidor.make(servidor.made[-1], _FILLED)
