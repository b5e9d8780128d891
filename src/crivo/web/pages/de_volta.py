"""Where somebody is led who opens an address that only takes a form, or one with a filter that there is not."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from urllib.parse import parse_qsl, urlencode

from starlette.routing import compile_path

from crivo.web.access import ACCESS

_OF_AN_EDITAL = "/triagem-ia"  # the page of an edital, under whose address its forms stand


def page_above(path: str) -> str:
    """The nearest page above an address that takes a form, which is what whoever reloads it means; the first page above all."""
    while path:
        for page in (path, path + _OF_AN_EDITAL):
            if any(pattern.match(page) for pattern in _pages()):
                return page
        path = path.rpartition("/")[0]
    return "/"


def without(query: str, names: Collection[str]) -> str:
    """The query of an address without these parameters, as what follows its path."""
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in names]
    return f"?{urlencode(kept)}" if kept else ""


@cache
def _pages() -> tuple[re.Pattern[str], ...]:
    """What a browser opens: no program's address, no file, no stream."""
    named = [path for method, path in ACCESS if method == "GET" and not path.startswith(("/api/", "/static/"))]
    return tuple(
        [compile_path(path)[0] for path in named if not path.endswith(("/eventos", "/andamento", "/exportacao", "/arquivo", "/exemplo"))]
    )
