"""How long work may wait for the database: whoever asks at a page or by the API hears soon that it does not answer, jobs wait longer.

PostgreSQL ends a statement that takes too long. A server that is frozen, or cut off, ends nothing: then this side hangs up.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Protocol

_MARGIN_SECONDS: Final = 3.0  # after PostgreSQL's own limit, by which an answer has come from a server that lives


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds for a connection to be free or made, for the first word on it, and for each statement."""

    connection_seconds: float
    first_word_seconds: float
    statement_seconds: float

    @property
    def statement_timeout(self) -> str:
        """As PostgreSQL takes it."""
        return f"{round(self.statement_seconds * 1000)}ms"

    @property
    def silence_seconds(self) -> float:
        """How long a statement is waited for before this side hangs up."""
        return self.statement_seconds + _MARGIN_SECONDS


PATIENT: Final = Patience(connection_seconds=15.0, first_word_seconds=10.0, statement_seconds=900.0)
PROMPT: Final = Patience(connection_seconds=3.0, first_word_seconds=2.0, statement_seconds=15.0)
AT_ONCE: Final = Patience(connection_seconds=1.8, first_word_seconds=1.8, statement_seconds=1.8)


class Line(Protocol):
    """A connection to PostgreSQL, as its driver has it."""

    @property
    def closed(self) -> bool:
        """Whether it is no more."""
        ...

    def fileno(self) -> int:
        """Its socket."""
        ...


class Watch:
    """Over one line while a unit of work has it: hangs up where the server keeps silent for longer than it may.

    What waits on the line then fails, as if the server had left; nothing is cancelled, for that would ask the server once more.
    """

    def __init__(self, line: Line, patience: Patience) -> None:
        self.hung_up = False
        self._line = line
        self._patience = patience
        self._has_heard = False
        self._later: asyncio.TimerHandle | None = None

    def begin(self, *, many: bool = False) -> None:
        """Something was asked; `many` statements at once, each with a limit of its own, are waited for as jobs are."""
        self.end()
        first = self._patience.first_word_seconds
        seconds = (PATIENT.silence_seconds if many else self._patience.silence_seconds) if self._has_heard else first
        self._later = asyncio.get_running_loop().call_later(seconds, self._hang_up)

    def heard(self) -> None:
        """It was answered."""
        self._has_heard = True
        self.end()

    def end(self) -> None:
        """Nothing is waited for."""
        if self._later is not None:
            self._later.cancel()
            self._later = None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """For as long as the block lasts something is asked."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def _hang_up(self) -> None:
        self.hung_up = True
        if self._line.closed:
            return  # its number may be another socket's by now
        with suppress(OSError), socket.socket(fileno=os.dup(self._line.fileno())) as same:
            same.shutdown(socket.SHUT_RDWR)
