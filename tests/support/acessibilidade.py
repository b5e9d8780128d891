"""What axe finds on a page that is open in a browser."""

from __future__ import annotations

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

_AXE = Axe()


async def findings(page: Page) -> list[str]:
    """Each rule that the page breaks, with the places that break it; every rule of axe counts."""
    # Colours on their way from one to another have no contrast to speak of.
    await page.evaluate(
        "Promise.allSettled(document.getAnimations().filter((a) => a.effect.getTiming().iterations < 9).map((a) => a.finished))"
    )
    result = await _AXE.run(page)
    return [
        f"{violation['id']}: {', '.join(str(target) for node in violation['nodes'] for target in node['target'])}"
        for violation in result.response["violations"]
    ]
