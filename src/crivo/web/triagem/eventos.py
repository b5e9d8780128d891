"""An execução followed as server-sent events: each time that it has come further, until it ends or the time is over.

Nothing is remembered between connections: whoever connects again is told at once how it stands now. Source: interfaces, HTTP.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse

from crivo.kernel.errors import CrivoError
from crivo.triagem.andamento import Execucao
from crivo.web.escuta import ASKED_EVERY, EVENT_STREAM, STREAMED, Ainda

_RETRY_MILLISECONDS: Final = 2_000
Look = Callable[[], Awaitable[Execucao]]
Tell = Callable[[Execucao], str]


@dataclass(frozen=True, slots=True)
class Ritmo:
    """Seconds between looks, between questions whether they may follow, between signs of life, and until they must connect again."""

    look: float = 0.5
    ask: float = ASKED_EVERY
    alive: float = 15.0
    whole: float = 600.0


RITMO: Final = Ritmo()


class Acompanhamento(StreamingResponse):
    """`andamento` with each step, `fim` with the last one."""

    media_type = EVENT_STREAM

    def __init__(self, first: Execucao, look: Look, tell: Tell, ainda: Ainda, ritmo: Ritmo = RITMO) -> None:
        """`first` is how it stands now, `look` finds out again, `tell` writes an event, `ainda` asks whether they may still follow."""
        super().__init__(events(first, look, tell, ainda, ritmo), headers=STREAMED)


async def events(execucao: Execucao, look: Look, tell: Tell, ainda: Ainda, ritmo: Ritmo = RITMO) -> AsyncIterator[bytes]:
    """The events. Where `look` fails, or they may follow no more, they only end: whoever connects again is told what is wrong."""
    clock = asyncio.get_running_loop().time
    ends, told, told_at, asked_at = clock() + ritmo.whole, None, clock(), clock()
    yield format_sse_event(retry=_RETRY_MILLISECONDS)
    while True:
        seen = (execucao.id, execucao.status, execucao.fases, execucao.projetos_com_erro, execucao.custo)
        if seen != told or clock() - asked_at >= ritmo.ask:
            if not await ainda():
                return
            asked_at = clock()
        if execucao.status != "em_andamento":
            break
        if seen != told:
            told, told_at = seen, clock()
            yield format_sse_event(event="andamento", data_str=tell(execucao))
        elif clock() - told_at >= ritmo.alive:
            told_at = clock()
            yield format_sse_event(comment="ainda em andamento")
        if clock() >= ends:
            return
        await asyncio.sleep(ritmo.look)
        try:
            execucao = await look()
        except CrivoError:
            return
    yield format_sse_event(event="fim", data_str=tell(execucao))
