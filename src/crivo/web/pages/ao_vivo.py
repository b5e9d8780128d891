"""A piece of a page as server-sent events: each time that it has become another, until it ends or the time is over.

Nothing is remembered between connections: whoever connects again is told at once how it stands now. Source: interfaces, HTTP.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse

from crivo.clinicas.sino import Sino
from crivo.kernel.errors import CrivoError
from crivo.web.escuta import ASKED_EVERY, EVENT_STREAM, STREAMED, Ainda

_RETRY_MILLISECONDS: Final = 2_000
_NOTHING: Final = '""'


@dataclass(frozen=True, slots=True)
class Ritmo:
    """Seconds between looks where nothing rings, between questions whether they may listen, and until they must connect again."""

    look: float = 15.0
    ask: float = ASKED_EVERY
    whole: float = 600.0


@dataclass(frozen=True, slots=True)
class Pedaco:
    """A piece of a page as it stands; `is_last` where nothing will change it any more."""

    html: str
    is_last: bool = False


RITMO: Final = Ritmo()
Render = Callable[[], Awaitable[Pedaco]]


class AoVivo(StreamingResponse):
    """`andamento` with each piece that is another than the one before, `fim` with the last one."""

    media_type = EVENT_STREAM

    def __init__(self, sino: Sino, render: Render, ainda: Ainda, ritmo: Ritmo = RITMO) -> None:
        """`sino` rings when something may have changed, `render` writes the piece, and `ainda` asks whether they may still hear it."""
        super().__init__(events(sino, render, ainda, ritmo), headers=STREAMED)


async def events(sino: Sino, render: Render, ainda: Ainda, ritmo: Ritmo = RITMO) -> AsyncIterator[bytes]:
    """The events. Where `render` fails, or they may hear no more, they end with an empty `fim`: the page then says what is wrong."""
    clock = asyncio.get_running_loop().time
    ends, told, heard, looks = clock() + ritmo.whole, None, -1, 0.0
    yield format_sse_event(retry=_RETRY_MILLISECONDS)
    while clock() < ends:
        if not await ainda():
            yield _told("fim", _NOTHING)
            return
        if sino.vezes != heard or clock() >= looks:
            heard, looks = sino.vezes, clock() + ritmo.look
            piece = await _rendered(render)
            data = msgspec.json.encode(piece.html).decode()
            if piece.is_last:
                yield _told("fim", data)
                return
            yield format_sse_event(comment="nada mudou") if data == told else _told("andamento", data)
            told = data
        await sino.after(heard, min(ritmo.ask, ritmo.look))


async def _rendered(render: Render) -> Pedaco:
    try:
        return await render()
    except CrivoError:
        return Pedaco("", is_last=True)


def _told(event: str, data: str) -> bytes:
    return format_sse_event(event=event, data_str=data)
