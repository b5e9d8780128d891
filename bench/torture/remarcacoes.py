"""A clinic killed on the spot while people move their bookings: each keeps exactly one, where last told or where the move led."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import aiohttp
import msgspec

from bench.clinicas import Atendimento, agenda, order_of, serving, silo_of
from bench.pedidos import Sorte
from bench.torture.disputa import ask
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.values import SlotRecord

PESSOAS: Final = 16
_MOVING_SECONDS: Final = (0.05, 0.6)
_ANSWER_SECONDS: Final = 60.0


class Remarcacoes(msgspec.Struct, kw_only=True):
    """What came of the kills: what happened first, then what must never happen."""

    quedas: int = 0
    remarcadas: int = 0
    sem_resposta: int = 0
    sem_resposta_feitas: int = 0
    sem_horario: int = 0
    com_dois: int = 0
    desfeitas: int = 0
    recusadas: int = 0

    @property
    def whole(self) -> bool:
        """Whether moves were under way, and everybody held exactly one slot after every kill, none of those answered undone."""
        faults = (self.sem_horario, self.com_dois, self.desfeitas, self.recusadas)
        return self.remarcadas > 0 and self.sem_resposta > 0 and not any(faults)


class Pessoa:
    """Somebody who moves a booking to and fro between two slots of their own."""

    def __init__(self, numero: int, slots: tuple[SlotRecord, SlotRecord], at: int | None = None, bound: int | None = None) -> None:
        """`at` is which of the two they were told last; `bound` which one a move led to that was never answered."""
        self.numero = numero
        self.slots = slots
        self.at = at
        self.bound = bound

    async def move(self, http: aiohttp.ClientSession, server: Atendimento, contagem: Remarcacoes) -> None:
        """Move until the server is gone."""
        try:
            if self.at is None:
                await self._book(http, server)
            while True:
                await self._move_once(http, server, contagem)
        except aiohttp.ClientError:
            contagem.sem_resposta += self.bound is not None

    async def _book(self, http: aiohttp.ClientSession, server: Atendimento) -> None:
        self.bound = 0
        await ask(http, server, "book_appointment", self.slots[0], self.numero)
        self.at, self.bound = 0, None

    async def _move_once(self, http: aiohttp.ClientSession, server: Atendimento, contagem: Remarcacoes) -> None:
        assert self.at is not None
        self.bound = 1 - self.at
        result = await ask(http, server, "reschedule_appointment", self.slots[self.at], self.numero, to=self.slots[self.bound])
        if result["isError"]:
            contagem.recusadas += 1
        else:
            contagem.remarcadas += 1
            self.at = self.bound
        self.bound = None

    def reckon(self, held: frozenset[tuple[str, str]], contagem: Remarcacoes) -> None:
        """Hold what was told against what the store has."""
        mine = [which for which, slot in enumerate(self.slots) if (slot.date, slot.time) in held]
        contagem.com_dois += len(mine) > 1
        contagem.sem_horario += not mine and self.at is not None
        contagem.sem_resposta_feitas += self.bound is not None and mine == [self.bound]
        contagem.desfeitas += len(mine) == 1 and mine[0] not in {self.at, self.bound}
        self.at, self.bound = (mine[0] if mine else None), None


def interrupt(pasta: Path, quedas: int, semente: int, on_kill: Callable[[Remarcacoes], None] = lambda _: None) -> Remarcacoes:
    """So many kills of one clinic, at moments drawn from the seed, each with its reckoning in the store."""
    slots = agenda(2 * PESSOAS)
    order = order_of(pasta, slots)
    pessoas = [Pessoa(numero, (slots[2 * numero], slots[2 * numero + 1])) for numero in range(PESSOAS)]
    sorte, contagem = Sorte(semente), Remarcacoes()
    for _ in range(quedas):
        with serving(order) as (server,):
            asyncio.run(_move_until_death(server, pessoas, sorte.uniform(*_MOVING_SECONDS), contagem))
        contagem.quedas += 1
        held = _held(order)
        for pessoa in pessoas:
            pessoa.reckon(held, contagem)
        on_kill(contagem)
    return contagem


async def _move_until_death(server: Atendimento, pessoas: list[Pessoa], seconds: float, contagem: Remarcacoes) -> None:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS)) as http:
        moving = [asyncio.create_task(pessoa.move(http, server, contagem)) for pessoa in pessoas]
        await asyncio.sleep(seconds)
        server.process.kill()
        await asyncio.gather(*moving)


def _held(order: Order) -> frozenset[tuple[str, str]]:
    with closing(silo_of(order)) as silo:
        return frozenset((slot.date, slot.time) for slot in silo.all_slots() if not slot.available)
