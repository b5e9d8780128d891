"""A queue of bytes between two tasks that may run at very different speeds, in constant memory.

Many HTTP clients read an answer only after they have sent all of their request. Without somewhere to put what they do not
read yet, such a client and the server would wait for each other for ever.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Final, Self

_MEMORY_BYTES: Final = 1_000_000
_DISK_BYTES: Final = 256_000_000
_CHUNK_BYTES: Final = 65_536


class Spool:
    """Bytes in the order they were put: the first megabyte in memory, the rest in a file without a name under `folder`.

    Past `largest_bytes` whoever puts waits until all of it was taken. For one task that puts and one that takes.
    """

    def __init__(self, folder: Path, largest_bytes: int = _DISK_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=_MEMORY_BYTES, dir=str(folder))  # noqa: SIM115 - closed by __aexit__
        self._largest_bytes = largest_bytes
        self._written = 0
        self._read = 0
        self._finished = False
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    async def put(self, data: bytes) -> None:
        """Add bytes; waits where too much lies here untaken."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._written < self._largest_bytes)
            self._file.seek(self._written)
            self._file.write(data)
            self._written += len(data)
            self._changed.notify_all()

    async def finish(self) -> None:
        """Say that nothing more will be put."""
        async with self._changed:
            self._finished = True
            self._changed.notify_all()

    async def take(self) -> bytes:
        """The next bytes, at most 64 KiB; empty at the end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._read < self._written or self._finished)
            self._file.seek(self._read)
            data = self._file.read(_CHUNK_BYTES)
            self._read += len(data)
            if self._read == self._written:
                self._file.seek(0)
                self._file.truncate()
                self._written = self._read = 0
                self._changed.notify_all()
            return data
