"""Locks between processes, in files that no other user of the machine can open, let alone hold; and folders of work that end with it.

The system frees a lock however its process ends. POSIX only.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PAUSE_SECONDS: Final = 0.02
_CLOSED: Final = 0o077
# Folders of work in the data folder, by how their names begin: each is locked by whoever works in it.
_WORK: Final = ("edital-", "avaliacao-", "copia-")


class Held(Exception):
    """Another process holds a lock for longer than one waits; `pid` is which, or None where it did not say."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(f"held by {pid}")
        self.pid: Final = pid


def make_private(folder: Path) -> None:
    """Make a folder that its owner alone may enter, or close it. Raises PermissionError for one that is another's, or no folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), folder.parent.stat().st_uid}:
        raise PermissionError(folder)
    if found.st_mode & _CLOSED:
        folder.chmod(0o700)


def make_closed(folder: Path) -> None:
    """Make a folder, and those above that are not there, for its owner alone; one that is there keeps its mode. Raises OSError."""
    if not folder.is_dir():
        make_closed(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def alone_with(file: Path, wait_seconds: float) -> Iterator[None]:
    """Only one process at a time is in here, for each file. The file stands where no other user may enter. Raises Held."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        _take(descriptor, wait_seconds)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)  # for whoever waits in vain
        yield
    finally:
        os.close(descriptor)


@contextmanager
def working_folder(data_dir: Path, prefix: str) -> Iterator[Path]:
    """A folder of one's own in the data folder, gone at the end; where the process was killed, the next one sweeps it."""
    folder, descriptor = _locked_folder(data_dir, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def sweep(data_dir: Path) -> int:
    """Remove the folders of work whose process is gone; how many."""
    swept = 0
    for prefix in _WORK:
        for folder in data_dir.glob(f"{prefix}*"):
            with suppress(OSError):  # one that another works in, has just removed, or that is another user's
                swept += _removed(folder)
    return swept


def _take(descriptor: int, wait_seconds: float) -> None:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                said = os.pread(descriptor, 20, 0)
                raise Held(int(said) if said.isdigit() else None) from None
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def _locked_folder(data_dir: Path, prefix: str) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=data_dir))
        with suppress(FileNotFoundError):  # swept before it was locked, in that one instant
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if folder.exists():
                return folder, descriptor
            os.close(descriptor)


def _removed(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
    finally:
        os.close(descriptor)
    return True
