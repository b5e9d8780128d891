"""The README and `docs/` speak of commands, settings, files and headings that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from comandos_ditos import fault, told
from crivo.kernel.settings import names

ROOT = Path(__file__).parents[1]
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")
_SETTING = re.compile(r"\bCRIVO_[A-Z][A-Z_]*[A-Z]\b")
_NOT_SETTINGS = re.compile(r"CRIVO_TEST_")


def _pages() -> Iterator[Path]:
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


PAGES = [page for page in _pages() if page.name != "CHANGELOG.md" and "decisions" not in page.parts]  # these tell of what was


def _anchors(page: Path) -> set[str]:
    """The headings of a page, as a link names them."""
    heads = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_names_is_one_with_those_options(page: Path) -> None:
    assert [found for found in map(fault, told(page.read_text())) if found] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_setting_that_a_page_names_is_one(page: Path) -> None:
    said = {name for name in _SETTING.findall(page.read_text()) if not _NOT_SETTINGS.match(name)}
    assert said - set(names()) == set()


@pytest.mark.parametrize("page", list(_pages()), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    lost = []
    for link in (one or other for one, other in _LINK.findall(_FENCED.sub("", page.read_text()))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            lost.append(link)
    assert lost == []


def test_a_command_or_an_option_that_is_not_there_is_found() -> None:
    assert fault("crivo politicas publicar-tudo") is not None
    assert fault("crivo servir --portas 80") is not None
    assert fault("crivo servir --porta 80") is None
    assert list(told("a `crivo doutor` b\n```\n$ crivo banco migrar   # c\n```\n")) == ["crivo banco migrar", "crivo doutor"]
