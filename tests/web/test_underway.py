"""What was begun is done to its end, though nobody waits for it any more."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from crivo.bootstrap import Container
from crivo.kernel.settings import Settings
from crivo.web.app import create_app
from crivo.web.underway import Underway


async def test_an_application_that_closes_waits_for_the_decisions_that_are_under_way(settings: Settings, container: Container) -> None:
    app = create_app(settings, lambda _: nullcontext(container))
    done = asyncio.Event()

    async def work() -> None:
        for _ in range(100):
            await asyncio.sleep(0)  # a turn of the loop, as anything that is waited for takes
        done.set()

    async with app.router.lifespan_context(app):
        app.state.web.decisoes.begin(work())
        assert not done.is_set()
    assert done.is_set()


async def test_what_fails_is_for_whoever_waits_and_nobody_else() -> None:
    underway = Underway()
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))

    async def fail() -> None:
        raise ValueError("nobody waits")

    waited = underway.begin(fail())
    underway.begin(fail())
    await underway.finish()
    with pytest.raises(ValueError, match="nobody waits"):
        waited.result()
    del waited
    assert complaints == []
