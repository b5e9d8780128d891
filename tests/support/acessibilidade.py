"""What axe finds on a page that is open in a browser."""

from __future__ import annotations

import asyncio
from typing import Final

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

_AXE = Axe()
_LONGEST_SECONDS: Final = 120.0  # a browser whose scripts are off runs no timers, and axe would be waited for without an end


async def findings(page: Page) -> list[str]:
    """Each rule that the page breaks, with the places that break it; every rule of axe counts."""
    # Colours on their way from one to another have no contrast to speak of.
    await page.evaluate(
        "Promise.allSettled(document.getAnimations().filter((a) => a.effect.getTiming().iterations < 9).map((a) => a.finished))"
    )
    async with asyncio.timeout(_LONGEST_SECONDS):
        result = await _AXE.run(page)
    return [
        f"{violation['id']}: {', '.join(str(target) for node in violation['nodes'] for target in node['target'])}"
        for violation in result.response["violations"]
    ]
