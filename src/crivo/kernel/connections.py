"""What a connection may keep of a server that many share: how long a request's head may take, how long an answer may lie unread,
and how many connections there are at all.

Every connection notes when its wait began, and one sweep closes those that outstay; a request pays for no timer of its own.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

# Files that a process opens besides its connections: the database's, the clinics', the models', those of imports and of streams.
_OTHER_FILES: Final = 160
_FEWEST: Final = 16
_MOST: Final = 4_096
_LONGEST_QUEUE: Final = 128
_STALLED_SECONDS: Final = 1.0  # shorter than this a pause is a network's, and no reason to cut anybody
_SHED: Final = 32  # one part in so many goes at once, so that a flood is not looked through for each newcomer
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Limites:
    """Of one server. `head_seconds` from the beginning, or from the answer before, to a whole head; `fila`: not yet taken in."""

    conexoes: int
    fila: int
    head_seconds: float = 10.0
    head_bytes: int = 65_536
    unread_seconds: float = 30.0


def limites_of(files: int) -> Limites:
    """Connection limits for a process, from its limit of open files; they leave room for database, logs and files."""
    fila = max(_FEWEST, min(_LONGEST_QUEUE, files // 8))
    return Limites(max(_FEWEST, min(_MOST, files - _OTHER_FILES - fila)), fila)


def limites_here() -> Limites:
    """The limits that the system's own on open files leaves to this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return limites_of(_MOST * 2 if soft == resource.RLIM_INFINITY else soft)


class Stage(IntEnum):
    """What a connection is at, in the order in which they are given up where there are too many."""

    WAITING = 0  # for the whole head of a request
    SENDING = 1  # the body of a request comes in
    UNREAD = 2  # an answer is not being read
    WORKING = 3  # a request is being answered; never given up for another's sake
    CLOSING = 4


class ServingConfig(uvicorn.Config):
    """How every server of crivo is run: connections within limits, and nothing spoken but HTTP/1.1."""

    def __init__(self, app: Any, limites: Limites | None = None, **chosen: Any) -> None:
        self.limites = limites_here() if limites is None else limites
        fila = self.limites.fila
        super().__init__(app, http=Connection, ws="none", log_config=None, access_log=False, server_header=False, backlog=fila, **chosen)


class Connection(HttpToolsProtocol):
    """One connection of a server."""

    config: ServingConfig

    def __init__(
        self, config: ServingConfig, server_state: ServerState, app_state: dict[str, Any], _loop: asyncio.AbstractEventLoop | None = None
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limites = config.limites
        self._since = self._heard_at = self.loop.time()
        self._unread_since: float | None = None
        self._is_idle = False  # nothing was heard since the last answer: how long that may last is `timeout_keep_alive`'s to say
        self._head_bytes = 0
        self._in_body = False

    @property
    def stage(self) -> Stage:
        """What it is at."""
        if self.transport.is_closing():
            return Stage.CLOSING
        if self._unread_since is not None:
            return Stage.UNREAD
        if self.cycle is None or self.cycle.response_complete:
            return Stage.WAITING
        return Stage.SENDING if self.cycle.more_body and not self.flow.read_paused else Stage.WORKING

    @property
    def since(self) -> float:
        """When its present wait began, by the loop's clock."""
        match self.stage:
            case Stage.UNREAD | Stage.CLOSING if self._unread_since is not None:
                return self._unread_since
            case Stage.SENDING:
                return self._heard_at
            case _:
                return self._since

    def sweep(self, now: float) -> None:
        """Cut it where it outstayed."""
        match self.stage:
            case Stage.WAITING if not self._is_idle and now - self._since > self._limites.head_seconds:
                self.transport.abort()
            case Stage.CLOSING if self._unread_since is None:
                self._unread_since = now
            case Stage.UNREAD | Stage.CLOSING if now - self.since > self._limites.unread_seconds:
                self.transport.abort()
            case _:
                pass

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it in; where there are too many, others go."""
        super().connection_made(transport)
        if len(self.connections) > self._limites.conexoes:
            make_room(self, (one for one in self.connections if isinstance(one, Connection)), self._limites.conexoes, self.loop.time())

    def data_received(self, data: bytes) -> None:
        """Read on; a head that grows beyond its limit is answered with 431."""
        self._heard_at = self.loop.time()
        if self._is_idle:
            self._is_idle, self._since = False, self._heard_at
        super().data_received(data)
        if self._in_body or self.stage is not Stage.WAITING:
            return
        self._head_bytes += len(data)
        if self._head_bytes > self._limites.head_bytes:
            self.transport.write(_TOO_LONG)
            self.transport.close()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a field of the head; fields that trail a body are read by nobody, and would be kept without a limit."""
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the request."""
        super().on_headers_complete()
        self._head_bytes, self._in_body = 0, True

    def on_message_complete(self) -> None:
        """The request is here, body and all."""
        self._in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._is_idle, self._since = True, self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The other end does not read as fast as it is written to."""
        self._unread_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """The other end has read."""
        self._unread_since = None
        super().resume_writing()


def sweep(connections: Iterable[object], now: float) -> None:
    """Cut every connection that outstayed."""
    for one in list(connections):
        if isinstance(one, Connection):
            one.sweep(now)


def make_room(newcomer: Connection, connections: Iterable[Connection], most: int, now: float) -> None:
    """Cut those that keep others waiting the longest for nothing until `most` are left; the newcomer itself where all the rest work."""
    open_now = [one for one in connections if one.stage is not Stage.CLOSING]
    excess = len(open_now) - most
    if excess <= 0:
        return
    idle = [one for one in open_now if one is not newcomer and _may_go(one, now)]
    idle.sort(key=lambda one: (one.stage, one.since))
    waiting = sum(one.stage is Stage.WAITING for one in idle)
    for one in idle[: max(excess, min(waiting, most // _SHED))]:
        one.transport.abort()
    if len(idle) < excess:
        newcomer.transport.abort()


def _may_go(one: Connection, now: float) -> bool:
    match one.stage:
        case Stage.WAITING:
            return True
        case Stage.SENDING | Stage.UNREAD:
            return now - one.since > _STALLED_SECONDS
        case _:
            return False
