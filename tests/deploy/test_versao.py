"""One version: where it is told, in the changelog, and by the steps of a release."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

RAIZ = Path(__file__).parents[2]
TOLD = ("pyproject.toml", "uv.lock", "CHANGELOG.md", "deploy/kubernetes/kustomization.yaml")
_HEADING = re.compile(r"^## (\S+) — (unreleased|\d{4}-\d{2}-\d{2})$", re.MULTILINE)


def versions(root: Path) -> set[str]:
    """Every version that a checkout says it is of."""
    project, lock, changes, cluster = ((root / name).read_text(encoding="utf-8") for name in TOLD)
    heading = _HEADING.search(changes)
    assert heading
    found = (
        re.search(r'^version = "(.+)"$', project, re.MULTILINE),
        re.search(r'^name = "crivo"\nversion = "(.+)"$', lock, re.MULTILINE),
        re.search(r'newTag: "(.+)"', cluster),
    )
    return {heading[1], *(one[1] for one in found if one)}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a release reads and writes, in a repository of its own whose checks are done at once."""
    for name in (*TOLD, ".ci/release"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((RAIZ / name).read_bytes())
    (tmp_path / "Makefile").write_text("check test test-install:\n\t@echo $@ >> checked\n")
    (tmp_path / ".gitignore").write_text("checked\n.venv\n")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/uv").write_text("#!/bin/sh\nmkdir -p dist\necho numpy==1\n")
    (tmp_path / ".venv/bin/uv").chmod(0o755)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.email", "quem@exemplo.org")
    git(tmp_path, "config", "user.name", "Quem")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "antes")
    return tmp_path


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def release(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, root / ".ci/release", *words], cwd=root, capture_output=True, text=True, check=False)


def test_all_that_tells_a_version_tells_the_same() -> None:
    assert versions(RAIZ) == {version("crivo")}


def test_only_the_newest_heading_may_be_unreleased_and_dates_go_down() -> None:
    told = [when for _, when in _HEADING.findall((RAIZ / "CHANGELOG.md").read_text(encoding="utf-8"))]
    assert told
    assert "unreleased" not in told[1:]
    dates = [when for when in told if when != "unreleased"]
    assert dates == sorted(dates, reverse=True)


def test_a_release_is_checked_dated_committed_and_tagged_and_the_next_one_opened(checkout: Path) -> None:
    (now,) = versions(checkout)
    done = release(checkout)
    assert done.returncode == 0, done.stderr
    assert (checkout / "checked").read_text().split() == ["check", "test", "test-install"]
    assert git(checkout, "tag") == f"v{now}"
    assert git(checkout, "log", "-1", "--format=%s") == f"Version {now}"
    heading = _HEADING.search((checkout / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert heading
    assert heading[2] != "unreleased"
    assert (checkout / f"dist/crivo-{now}-constraints.txt").read_text() == "numpy==1\n"
    assert release(checkout, "--next", "9.8.7").returncode == 0
    assert versions(checkout) == {"9.8.7"}


@pytest.mark.parametrize("why", ["uncommitted", "again", "checks", "not released yet", "no version"])
def test_what_cannot_be_released_is_told_and_nothing_is_tagged_anew(checkout: Path, why: str) -> None:
    words: tuple[str, ...] = ()
    match why:
        case "uncommitted":
            (checkout / "novo").touch()
        case "again":
            assert release(checkout).returncode == 0
            git(checkout, "clean", "-fdq")
        case "checks":
            (checkout / "Makefile").write_text("check:\n\t@false\n")
            git(checkout, "commit", "--quiet", "--all", "--message", "quebrado")
        case "not released yet":
            words = ("--next", "9.8.7")
        case _:
            assert release(checkout).returncode == 0
            words = ("--next", "nove")
    before = git(checkout, "tag"), git(checkout, "rev-parse", "HEAD")
    refused = release(checkout, *words)
    assert refused.returncode != 0
    assert (git(checkout, "tag"), git(checkout, "rev-parse", "HEAD")) == before
