"""Many clients for few slots, over HTTP, against any number of server processes of one clinic."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from cenario import Running, call, cpf_number
from crivo.clinicas.protocol import Slot

CLIENTS = 64
DOCTOR = "Dr. Fernando Mendes"
EIGHT = tuple(Slot(DOCTOR, "Cardiologia", "2025-07-21", f"{hour:02}:00") for hour in range(8, 16))


@dataclass(frozen=True)
class Tally:
    """What came of the rounds: `wrong` counts slots that were not booked exactly once, and losers who were told anything else."""

    rounds: int
    booked: int
    told: int
    wrong: int


async def dispute(servers: Sequence[Running], rounds: int, slots: Sequence[Slot] = EIGHT, clients: int = CLIENTS) -> Tally:
    """In each round every client wants one slot, as many for each, by every server; the winners then cancel, by another server."""
    booked = told = wrong = 0
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:
        for _ in range(rounds):
            results = await asyncio.gather(*(_ask(http, servers, slots, clients, index) for index in range(clients)))
            winners = Counter(index * len(slots) // clients for index, result in enumerate(results) if not result["isError"])
            losers = Counter(result.get("codigo") for result in results if result["isError"])
            booked += winners.total()
            told += losers["horario_ocupado"]
            wrong += sum(winners[number] != 1 for number in range(len(slots))) + losers.total() - losers["horario_ocupado"]
            await asyncio.gather(
                *(_cancel(http, servers, slots, clients, index) for index, result in enumerate(results) if not result["isError"])
            )
    return Tally(rounds, booked, told, wrong)


async def _ask(http: httpx.AsyncClient, servers: Sequence[Running], slots: Sequence[Slot], clients: int, index: int) -> dict[str, Any]:
    slot, server = slots[index * len(slots) // clients], servers[index % len(servers)]
    return await _do(http, server, "book_appointment", slot, index)


async def _cancel(http: httpx.AsyncClient, servers: Sequence[Running], slots: Sequence[Slot], clients: int, index: int) -> None:
    slot, server = slots[index * len(slots) // clients], servers[(index + 1) % len(servers)]
    result = await _do(http, server, "cancel_appointment", slot, index)
    assert result["status"] == "cancelled"


async def _do(http: httpx.AsyncClient, server: Running, tool: str, slot: Slot, index: int) -> dict[str, Any]:
    return await call(
        http,
        server.url,
        server.tokens.atendimento,
        tool,
        doctor=slot.doctor,
        date=slot.date,
        time=slot.time,
        patient_name="Pessoa de Teste",
        cpf=cpf_number(index),
    )
