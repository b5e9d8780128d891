"""Programs as children of a process that has imported them already: to start one costs a fork, and not seconds of imports.

From its first line on a program is as ever: a process of its own, which signals reach and which ends with a code. That it starts
from nothing is shown where it is run as a command (`tests/cli`, `clinicas/clinica/test_supervisor.py`).
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

_MOULD = multiprocessing.get_context("forkserver")
_MOULD.set_forkserver_preload(["crivo.clinicas.clinica.server", "crivo.clinicas.clinica.process", "crivo.web.server"])


@dataclass
class Forked:
    """A running program, with what these tests ask of a `subprocess.Popen`."""

    _process: ForkServerProcess
    _lifeline: int
    stdout: Any = field(default=None)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: signal.Signals | int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return code

    def communicate(self) -> None:
        """Wait for its end, and let go of it."""
        self.wait()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        if self.stdout is not None:
            self.stdout.close()


def fork(
    program: Callable[..., int | None],
    *arguments: Any,
    environment: Mapping[str, str] | None = None,
    files: int | None = None,
    stderr: Path | None = None,
    says: bool = False,
) -> Forked:
    """Start a program; its standard input ends with this process. `says`: what it writes is read here; `files`: that it may hold open."""
    ends, lifeline = os.pipe()
    heard, said = os.pipe() if says else (None, None)
    log = os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if stderr is not None else None
    try:
        handed = {name: _Handed(fd) for name, fd in (("stdin", ends), ("stdout", said), ("stderr", log)) if fd is not None}
        process = _MOULD.Process(target=_run, args=(program, arguments, handed, environment, files), name=program.__name__, daemon=True)
        process.start()
    finally:
        for fd in (ends, said, log):
            if fd is not None:
                os.close(fd)
    return Forked(process, lifeline, os.fdopen(heard, encoding="utf-8") if heard is not None else None)


@dataclass(frozen=True)
class _Handed:
    """An open file on its way into the child, where it is a number again."""

    fd: int

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _taken, (DupFd(self.fd),)


def _taken(handed: Any) -> int:
    taken: int = handed.detach()
    return taken


def _run(
    program: Callable[..., int | None],
    arguments: tuple[Any, ...],
    handed: Mapping[str, int],
    environment: Mapping[str, str] | None,
    files: int | None,
) -> None:
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if name in handed:
            os.dup2(handed[name], number)
            os.close(handed[name])
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)  # multiprocessing has put nothing in its place
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    if files is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    sys.exit(program(*arguments))
