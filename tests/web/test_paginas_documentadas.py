"""What the documentation says of roles is what the access table holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from crivo.kernel.access import PAPEIS, TABELA
from crivo.web.access import ACCESS, OF_PROGRAMS

DOC = Path(__file__).parents[2] / "docs/paginas.md"
SESSION = [
    (path, frozenset(TABELA[acao].papeis)) for (_, path), acao in ACCESS.items() if acao != "publica" and not path.startswith(OF_PROGRAMS)
]


def documented() -> Mapping[str, frozenset[str]]:
    """The roles of each beginning of an address, as the table of the page says."""
    heading, _, *rows = re.findall(
        r"^\|.*\|$", DOC.read_text(encoding="utf-8").split("## Who sees what")[1].split("\n## ")[0], re.MULTILINE
    )
    names = [cell.strip(" `") for cell in heading.strip("|").split("|")][2:]
    found: dict[str, frozenset[str]] = {}
    for row in rows:
        addresses, _, *marks = [cell.strip() for cell in row.strip("|").split("|")]
        roles = frozenset(name for name, mark in zip(names, marks, strict=True) if mark == "●")
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", addresses), roles)
    return found


def roles_of(path: str, table: Mapping[str, frozenset[str]]) -> frozenset[str] | None:
    beginnings = [one for one in table if path == one or (one != "/" and path.startswith(f"{one}/"))]
    return table[max(beginnings, key=len)] if beginnings else None


@pytest.mark.parametrize(("path", "papeis"), SESSION)
def test_the_page_about_pages_says_who_may_use_each_address(path: str, papeis: frozenset[str]) -> None:
    assert roles_of(path, documented()) == papeis


def test_every_role_and_no_address_that_is_gone_is_documented() -> None:
    table = documented()
    assert frozenset().union(*table.values()) == frozenset(PAPEIS)
    assert [one for one in table if not any(path == one or path.startswith(f"{one}/") for path, _ in SESSION)] == []
