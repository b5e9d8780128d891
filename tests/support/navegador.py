"""A page in a real browser that complains of nothing: no console error, nothing against the content policy, no other host asked."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, ConsoleMessage, Page, Request, async_playwright, expect

from acessibilidade import findings

# The first has no windows: the same engine, and half of the work for a page.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in _NAMES if (found := shutil.which(name))), None)
IS_MISSING = CHROMIUM is None and "CI" not in os.environ
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
Theme = Literal["light", "dark"]


_RUNNING: list[Browser] = []  # the browser of this process, while its tests run


@asynccontextmanager
async def one_browser() -> AsyncIterator[None]:
    """The browser that every page of this process is opened in, each in a context of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        _RUNNING.append(browser)
        yield
        _RUNNING.clear()
        await browser.close()


@asynccontextmanager
async def opened(address: str, theme: Theme = "light", width: int = 1280, scripts: bool = True, refused: int = 0) -> AsyncIterator[Page]:
    """A page over `address`; fails at its end when the browser complained of anything, or another host was asked for anything.

    `refused` is the one status of pages that the journey is refused with on purpose: browsers complain of it too.
    """
    complaints: list[str] = []
    on_purpose = f"the server responded with a status of {refused} "

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and on_purpose not in message.text:
            complaints.append(message.text)

    def look(request: Request) -> None:
        if not request.url.startswith((address, "data:")):
            complaints.append(request.url)

    context = await _RUNNING[0].new_context(
        base_url=address,
        color_scheme=theme,
        viewport={"width": width, "height": 800},
        java_script_enabled=scripts,
        locale="pt-BR",
    )
    async with context:
        page = await context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", look)
        yield page
        await page.wait_for_load_state("networkidle")
    assert complaints == []


async def let_in(page: Page, link: str) -> None:
    """Sign in with a link, and open no page yet."""
    answer = await page.context.request.post("/entrar", form={"token": link})
    assert "Sua conta" in await answer.text()


async def enter(page: Page, link: str) -> None:
    """Sign in with a link as people do: on the page that it opens, and from there to the first page."""
    await page.goto(f"/entrar?token={link}")
    await page.get_by_role("button", name="Entrar no crivo").click()
    await page.wait_for_url("**/")
    await expect(page.get_by_label("Sua conta")).to_be_visible()


async def fits(page: Page) -> bool:
    """Whether nothing is wider than the window, once the page is all there."""
    await page.wait_for_load_state()  # a page on its way in has no document to measure yet
    return bool(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


async def approve(page: Page, name: str) -> None:
    """Nothing is wider than the window, and axe finds nothing; a picture is kept for whoever wants to look.

    The journey waits for something of the page first: what is looked at is whatever stands there now.
    """
    assert await fits(page), name
    if folder := os.environ.get("CRIVO_TEST_FOTOS"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    assert await findings(page) == [], name
