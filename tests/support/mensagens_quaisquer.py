"""Messages that no client would send: bytes of any kind, JSON of any shape, and calls that are almost right. Many hold a secret."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

SECRET = "987.654.321-00"  # is never to come back, whatever carried it
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "teste", "version": "1"},
}
_TEXTS = st.text() | st.just(SECRET) | st.sampled_from(["\x00" + SECRET, SECRET * 50, f"Zoé {SECRET}", "2025-02-30", "25:61"])
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS
VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3), max_leaves=8)


def wild(tools: Sequence[str]) -> st.SearchStrategy[dict[str, Any]]:
    """A message of which any part may be anything."""
    params = VALUES | st.fixed_dictionaries({"name": st.sampled_from(tools) | VALUES, "arguments": VALUES}, optional={"_meta": VALUES})
    params |= st.fixed_dictionaries({"requestId": VALUES, "progressToken": VALUES})
    methods = st.sampled_from(["tools/call", "tools/list", "ping", "initialize", "notifications/cancelled", "notifications/progress"])
    return st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | VALUES, "method": methods | VALUES},
        optional={"id": st.integers() | VALUES.filter(lambda value: SECRET not in repr(value)), "params": params},
    )


def almost_right(tools: Sequence[str], arguments: Sequence[str]) -> st.SearchStrategy[dict[str, Any]]:
    """A request whose method, tool or arguments are not those of any tool."""
    given = st.dictionaries(st.sampled_from(arguments) | _TEXTS, VALUES, max_size=5) | VALUES
    params = st.fixed_dictionaries(
        {"name": st.sampled_from(tools) | _TEXTS, "arguments": given}, optional={"_meta": st.just(META) | VALUES}
    )
    methods = st.sampled_from(["tools/call", "tools/call", "tools/call", f"tools/{SECRET}"])
    return st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": st.integers(), "method": methods, "params": params})


def bodies(tools: Sequence[str], arguments: Sequence[str]) -> st.SearchStrategy[bytes]:
    """The bytes of anything."""
    documents = st.one_of(almost_right(tools, arguments), wild(tools), VALUES)
    return documents.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=300)
