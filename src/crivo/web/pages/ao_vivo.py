"""A piece of a page as server-sent events: each time that it has become another, until it ends or the time is over.

Nothing is remembered between connections: whoever connects again is told at once how it stands now. Source: interfaces, HTTP.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse

from crivo.clinicas.sino import Sino
from crivo.kernel.errors import CrivoError
from crivo.web.api.clinicas import EVENT_STREAM, STREAMED

_RETRY_MILLISECONDS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Ritmo:
    """Seconds between looks where nothing rings, and until whoever listens must connect again."""

    look: float = 15.0
    whole: float = 600.0


@dataclass(frozen=True, slots=True)
class Pedaco:
    """A piece of a page as it stands; `is_last` where nothing will change it any more."""

    html: str
    is_last: bool = False


RITMO: Final = Ritmo()
Render = Callable[[], Pedaco]


class AoVivo(StreamingResponse):
    """`andamento` with each piece that is another than the one before, `fim` with the last one."""

    media_type = EVENT_STREAM

    def __init__(self, sino: Sino, render: Render, ritmo: Ritmo = RITMO) -> None:
        """`sino` rings when something may have changed, and `render` writes the piece."""
        super().__init__(events(sino, render, ritmo), headers=STREAMED)


async def events(sino: Sino, render: Render, ritmo: Ritmo = RITMO) -> AsyncIterator[bytes]:
    """The events. Where `render` fails they end with an empty `fim`: whoever listens loads the page, which says what is wrong."""
    clock = asyncio.get_running_loop().time
    ends, told = clock() + ritmo.whole, None
    yield format_sse_event(retry=_RETRY_MILLISECONDS)
    while clock() < ends:
        heard = sino.vezes
        try:
            piece = render()
        except CrivoError:
            piece = Pedaco("", is_last=True)
        data = msgspec.json.encode(piece.html).decode()
        if piece.is_last:
            yield format_sse_event(event="fim", data_str=data)
            return
        if data == told:
            yield format_sse_event(comment="nada mudou")
        else:
            told = data
            yield format_sse_event(event="andamento", data_str=data)
        await sino.after(heard, ritmo.look)
