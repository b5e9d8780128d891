"""Hosts of a small network on this machine: a network namespace each, joined by a bridge, or loopback addresses without root.

A host has an address and a folder of its own. What runs on one is ended with the network, by its pid; what a run that was killed left
behind is taken down by the next.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from crivo.kernel.storage.processes import program_of

_PREFIX: Final = "crv"
_NETWORK: Final = "10.83.{}"
_LOOPBACK: Final = "127.83.{}"
_MOST: Final = 200  # networks at once on one machine
_ENDS_WITH_ITS_PARENT: Final = 1  # PR_SET_PDEATHSIG
_STOP_SECONDS: Final = 30.0


class RedeFailed(Exception):
    """The network could not be made, or a program of it did not do what it was told."""


@dataclass(slots=True)
class Maquina:
    """One host: where it is reached, what it keeps, and what runs on it."""

    nome: str
    endereco: str
    pasta: Path
    espaco: str | None  # its network namespace
    ponta: str | None  # its end of the cable, on the bridge's side
    processos: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def command(self, *argv: str) -> list[str]:
        """The command line that runs a program on this host; the process is the program's own."""
        return [*argv] if self.espaco is None else ["ip", "netns", "exec", self.espaco, *argv]

    def start(self, *argv: str, env: Mapping[str, str], log: str = "saida.log") -> subprocess.Popen[bytes]:
        """A program of this host; what it says goes to a file in the host's folder."""
        with (self.pasta / log).open("ab") as said:
            command, given = self.command(*argv), dict(env)
            process = subprocess.Popen(
                command, env=given, cwd=self.pasta, stdin=subprocess.DEVNULL, stdout=said, stderr=said, preexec_fn=_die_together
            )
        self.processos.append(process)
        return process

    def unplug(self) -> None:
        """Pull the cable: nothing comes or goes, and nobody is told. Without namespaces there is no cable, and nothing happens."""
        if self.ponta is not None:
            _ip("link", "set", self.ponta, "down")

    def plug(self) -> None:
        """Put the cable back."""
        if self.ponta is not None:
            _ip("link", "set", self.ponta, "up")

    def stop(self) -> None:
        """End whatever runs on it: told to, and on the spot where that is not enough."""
        running = [process for process in self.processos if process.poll() is None]
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processos.clear()


@dataclass(frozen=True, slots=True)
class Rede:
    """The hosts by name, the network that they are in, and whether each stands in a namespace of its own."""

    maquinas: Mapping[str, Maquina]
    faixa: str
    separadas: bool

    def __getitem__(self, nome: str) -> Maquina:
        """The host of that name."""
        return self.maquinas[nome]


def can_separate() -> bool:
    """Whether this process may make network namespaces here."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    probe = f"{_PREFIX}{os.getpid()}probe"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, check=False).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return made


@contextmanager
def network(pasta: Path, nomes: Sequence[str], *, separadas: bool | None = None) -> Iterator[Rede]:
    """A network of so many hosts, for as long as the block lasts. Raises RedeFailed."""
    own = can_separate() if separadas is None else separadas
    pasta.mkdir(parents=True, exist_ok=True)
    number = os.getpid() % _MOST
    with ExitStack() as stack, _told_as_interruption():
        if own:
            _sweep()
            bridge = f"{_PREFIX}{os.getpid()}"
            _ip("link", "add", bridge, "type", "bridge")
            stack.callback(_ip, "link", "del", bridge)
            _ip("addr", "add", f"{_NETWORK.format(number)}.254/24", "dev", bridge)
            _ip("link", "set", bridge, "up")
        maquinas: dict[str, Maquina] = {}
        for at, nome in enumerate(nomes, 1):
            folder = pasta / nome
            folder.mkdir()
            where = (_NETWORK if own else _LOOPBACK).format(number) + f".{at}"
            maquina = Maquina(nome, where, folder, f"{_PREFIX}{os.getpid()}{nome}" if own else None, None)
            if own:
                stack.enter_context(_plugged(maquina, bridge, at))
            stack.callback(maquina.stop)
            maquinas[nome] = maquina
        yield Rede(maquinas, (_NETWORK if own else _LOOPBACK).format(number) + ".0/24", own)


@contextmanager
def _plugged(maquina: Maquina, bridge: str, at: int) -> Iterator[None]:
    assert maquina.espaco is not None
    outer, inner = f"{bridge}o{at}", f"{bridge}i{at}"
    _ip("netns", "add", maquina.espaco)
    try:
        _ip("link", "add", outer, "type", "veth", "peer", "name", inner)
        _ip("link", "set", inner, "netns", maquina.espaco)
        _ip("link", "set", outer, "master", bridge, "up")
        for words in (["addr", "add", f"{maquina.endereco}/24", "dev", inner], ["link", "set", inner, "up"], ["link", "set", "lo", "up"]):
            _ip("-n", maquina.espaco, *words)
        maquina.ponta = outer
        yield
    finally:
        _ip("netns", "del", maquina.espaco)  # and with it both ends of the cable


@contextmanager
def _told_as_interruption() -> Iterator[None]:
    """SIGTERM ends the block as Ctrl-C does, so that everything is taken down."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not the main thread, whose affair signals are
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _sweep() -> None:
    """Take down the networks of runs that are no more; one whose process lives is left alone."""
    shown = subprocess.run(["ip", "-o", "link", "show", "type", "bridge"], capture_output=True, text=True, check=False).stdout
    dead = set()
    for line in shown.splitlines():
        name = line.split(":")[1].strip()
        pid = name.removeprefix(_PREFIX)
        if name.startswith(_PREFIX) and pid.isdigit() and program_of(int(pid)) is None:
            dead.add(name)
    namespaces = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout
    for name in [line.split()[0] for line in namespaces.splitlines() if line.strip()]:
        if any(name.startswith(bridge) and not name[len(bridge) : len(bridge) + 1].isdigit() for bridge in dead):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    for bridge in dead:
        subprocess.run(["ip", "link", "del", bridge], capture_output=True, check=False)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RedeFailed(f"ip {' '.join(words)}: {done.stderr.strip()}")


def _die_together() -> None:
    """In the new process: end with whoever started it, however that ends."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_ENDS_WITH_ITS_PARENT, signal.SIGKILL)
