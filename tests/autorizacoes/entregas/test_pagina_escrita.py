"""What the page tells a receiver to do is what makes a message of ours pass, and another one not."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crivo.autorizacoes.entregas.assinatura import headers_of, written

PAGE = Path(__file__).parents[3] / "docs/entregas.md"


def told() -> Callable[..., bool]:
    """The function that the page shows, as whoever copies it would have it."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - our own page
    found: Callable[..., bool] = names["veio_do_crivo"]
    return found


def test_the_function_of_the_page_tells_ours_from_others() -> None:
    check, now = told(), datetime(2026, 11, 20, 13, tzinfo=UTC)
    before, after = b"a" * 32, b"b" * 32
    corpo = b'{"type":"exemplo"}'
    headers = headers_of("um", now, corpo, (after, before))
    for segredo in (before, after):
        assert check(headers, corpo, written(segredo), now.timestamp() + 200)
    assert not check(headers, corpo + b" ", written(after), now.timestamp())
    assert not check(headers, corpo, written(b"c" * 32), now.timestamp())
    assert not check(headers, corpo, written(after), now.timestamp() + 301)
    assert not check({**headers, "webhook-id": "outro"}, corpo, written(after), now.timestamp())
