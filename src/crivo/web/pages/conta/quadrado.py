"""A QR code as part of a page: drawn by this server, so that the secret in it is shown to no other."""

from __future__ import annotations

from typing import Final

import segno
from markupsafe import Markup

_BORDER_MODULES: Final = 4  # that readers need to find it


def qr_code(text: str) -> Markup:
    """The QR code of a text, dark on white whatever the page's theme, as wide as its place."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(omitsize=True, border=_BORDER_MODULES, dark="#000", light="#fff")
    return Markup(drawn)  # noqa: S704 - drawn out of squares: nothing of the text itself is in it
