"""The official conformance suite, its release and its coming one, against a clinic's server: both generations of the protocol."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

import perfil_mcp
from cenario import free_port
from ferramentas_node import NodeTools

# Which suite, and how much of it. The second and the third are the same suite on the two generations of the protocol.
RELEASED = ("conformance", ("--suite", "all"))
COMING = ("conformance-next", ("--suite", "all", "--spec-version", "2025-11-25"))
SESSIONLESS = ("conformance-next", ("--requirements", "2026-07-28"))
SUMMARY = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)
UNSCORED = re.compile(r"^  [✓✗] ([\w-]+) \((?:extension|pending|added-after-release)\)$", re.MULTILINE)

# Where a server speaks to its client in the middle of a call. A clinic never does: its answer is one JSON document.
SPEAKS_BACK = {
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
}
# All that the suite asks of a server that has tools of its own and nothing else; the other scenarios want fixtures by name.
OF_ANY_CLINIC = {"server-initialize", "ping", "tools-list", "dns-rebinding-protection"}
OF_ANY_SESSIONLESS_CLINIC = {
    "tools-list",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
}


@dataclass(frozen=True)
class Servers:
    """Where each of the servers of `perfil_mcp` answers."""

    clinic: str
    profile: str
    channel: str


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    ports = [free_port() for _ in range(3)]
    command = [sys.executable, perfil_mcp.__file__, str(tmp_path_factory.mktemp("perfil")), *map(str, ports)]
    with subprocess.Popen(command) as process:
        try:
            for port in ports:
                until_listening(port, process)
            yield Servers(*(f"http://127.0.0.1:{port}/mcp" for port in ports))
        finally:
            process.terminate()


def until_listening(port: int, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the servers ended while starting"
        time.sleep(0.05)
    raise AssertionError("the servers do not answer")


@dataclass(frozen=True)
class Outcome:
    """The scenarios that were run, those of which a check failed, those that count for nothing, and all that was told."""

    run: set[str]
    failed: set[str]
    unscored: set[str]
    told: str


def outcome(tools: NodeTools, package: str, url: str, chosen: tuple[str, ...]) -> Outcome:
    done = tools.conformance(package, "server", "--url", url, *chosen)
    results = {name: int(failed) for name, _, failed in SUMMARY.findall(done.stdout)}
    assert results, done.stdout[-2000:] + done.stderr[-2000:]
    failed = {name for name, count in results.items() if count}
    return Outcome(set(results), failed, set(UNSCORED.findall(done.stdout)), done.stdout[-4000:])


@pytest.mark.parametrize(("package", "chosen", "least"), [(*RELEASED, 32), (*COMING, 33), (*SESSIONLESS, 37)])
def test_every_scenario_passes_where_a_server_may_speak_back(
    tools: NodeTools, servers: Servers, package: str, chosen: tuple[str, ...], least: int
) -> None:
    """Design, real MCP: the official conformance suite passes on a test-only fixture profile of the same server."""
    found = outcome(tools, package, servers.channel, chosen)
    assert found.failed <= found.unscored, found.told
    assert len(found.run - found.unscored) >= least


@pytest.mark.parametrize(
    ("package", "chosen", "beyond"), [(*RELEASED, SPEAKS_BACK), (*COMING, SPEAKS_BACK), (*SESSIONLESS, {"tools-call-with-progress"})]
)
def test_mounted_as_a_clinic_is_the_same_server_passes_all_but_what_needs_it_to_speak_back(
    tools: NodeTools, servers: Servers, package: str, chosen: tuple[str, ...], beyond: set[str]
) -> None:
    found = outcome(tools, package, servers.profile, chosen)
    assert found.failed - found.unscored == beyond, found.told


@pytest.mark.parametrize(
    ("package", "chosen", "asked"),
    [(*RELEASED, OF_ANY_CLINIC), (*COMING, OF_ANY_CLINIC), (*SESSIONLESS, OF_ANY_SESSIONLESS_CLINIC)],
)
def test_a_clinic_itself_passes_all_that_is_asked_of_any_server(
    tools: NodeTools, servers: Servers, package: str, chosen: tuple[str, ...], asked: set[str]
) -> None:
    """Design, real MCP: the tools scenarios on the production one."""
    found = outcome(tools, package, servers.clinic, chosen)
    assert asked <= found.run - found.failed, found.told
