"""The made-up clinic: its silo, and its server without a network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from cenario import CLOCK, SEED, bearer, clinic_on, token_of
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.server import create_app
from crivo.clinicas.clinica.serving import Place, open_desk, prepare, verifier_of
from crivo.clinicas.clinica.store import Silo


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(clinic_on(8003), ClinicFolder(tmp_path / "clinic_c"), CLOCK)


@pytest.fixture
def silo(place: Place) -> Iterator[Silo]:
    prepare(place, lambda _: SEED)
    opened = place.open_silo()
    yield opened
    opened.close()


@pytest.fixture
async def client(place: Place) -> AsyncIterator[httpx.AsyncClient]:
    """Speaks to the clinic as its reception does."""
    prepare(place, lambda _: SEED)
    token = token_of(place.clinica.id, place.folder)
    app = create_app(place.clinica, lambda: open_desk(place), verifier_of(place))
    up, done = asyncio.Event(), asyncio.Event()

    async def live() -> None:  # in one task from beginning to end, which a fixture is not
        async with app.router.lifespan_context(app):
            up.set()
            await done.wait()

    living = asyncio.create_task(live())
    await up.wait()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8003", headers=bearer(token)) as speaking:
        yield speaking
    done.set()
    await living
