"""Files of lines that belong to the audit: their owner's alone, and one writer at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """A file, made for its owner alone where it is not there, and for nobody else at the same time. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def append_lines(path: Path, lines: bytes) -> None:
    """Add whole lines, on disk when it returns. Raises OSError."""
    with locked(path) as descriptor:
        end = os.fstat(descriptor).st_size
        torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"  # whoever wrote last was killed in the middle of a line
        os.pwrite(descriptor, b"\n" + lines if torn else lines, end)
        os.fsync(descriptor)


def read_all(descriptor: int) -> bytes:
    """All that an open file holds."""
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


def replace_all(descriptor: int, content: bytes) -> None:
    """Put something in the place of all that an open file holds."""
    os.pwrite(descriptor, content, 0)
    os.ftruncate(descriptor, len(content))
    os.fsync(descriptor)
