"""Many clients for few slots, over HTTP, against any number of server processes of one clinic."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import aiohttp
import msgspec

from bench.clinicas import Atendimento, agenda, call, cpf_of, moved, order_of, serving, silo_of
from crivo.clinicas.clinica.values import SlotRecord

CLIENTES: Final = 64
HORARIOS: Final = 8
PROCESSOS: Final = 2
_TOLD_EACH: Final = 100  # rounds
_ANSWER_SECONDS: Final = 60.0


class Disputa(msgspec.Struct, kw_only=True):
    """What came of the rounds: what happened first, then what must never happen."""

    rodadas: int = 0
    pedidos: int = 0
    marcadas: int = 0
    avisados: int = 0
    em_dobro: int = 0
    sem_dono: int = 0
    mal_avisados: int = 0
    presos: int = 0

    @property
    def whole(self) -> bool:
        """Whether every slot of every round was booked exactly once, every loser was told so, and all were free again at the end."""
        faults = (self.em_dobro, self.sem_dono, self.mal_avisados, self.presos)
        return self.marcadas > 0 and self.marcadas + self.avisados == self.pedidos and not any(faults)


def dispute(pasta: Path, rodadas: int, on_round: Callable[[Disputa], None] = lambda _: None) -> Disputa:
    """In each round 64 clients want 8 slots, as many for each, by two servers; the winners then cancel, by the other server."""
    slots = agenda(HORARIOS)
    order = order_of(pasta, slots)
    contagem = Disputa()
    with serving(order, *(moved(order) for _ in range(PROCESSOS - 1))) as servers:
        asyncio.run(_play(servers, slots, rodadas, contagem, on_round))
    with closing(silo_of(order)) as silo:
        contagem.presos = sum(not slot.available for slot in silo.all_slots())
    return contagem


async def _play(
    servers: Sequence[Atendimento], slots: Sequence[SlotRecord], rodadas: int, contagem: Disputa, on_round: Callable[[Disputa], None]
) -> None:
    connector = aiohttp.TCPConnector(limit=CLIENTES)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS)) as http:
        for _ in range(rodadas):
            results = await asyncio.gather(
                *(
                    ask(http, servers[client % len(servers)], "book_appointment", _wanted(slots, client), client)
                    for client in range(CLIENTES)
                )
            )
            score(contagem, results)
            won = [client for client, result in enumerate(results) if not result["isError"]]
            undone = await asyncio.gather(
                *(ask(http, servers[(client + 1) % len(servers)], "cancel_appointment", _wanted(slots, client), client) for client in won)
            )
            contagem.mal_avisados += sum(bool(result["isError"]) for result in undone)
            if contagem.rodadas % _TOLD_EACH == 0:
                on_round(contagem)


def score(contagem: Disputa, results: Sequence[dict[str, Any]]) -> None:
    """Count a round: the answers of all clients, in their order."""
    winners = Counter(client * HORARIOS // CLIENTES for client, result in enumerate(results) if not result["isError"])
    losers = [result.get("codigo") for result in results if result["isError"]]
    contagem.rodadas += 1
    contagem.pedidos += len(results)
    contagem.marcadas += winners.total()
    contagem.avisados += losers.count("horario_ocupado")
    contagem.em_dobro += sum(winners[slot] > 1 for slot in range(HORARIOS))
    contagem.sem_dono += sum(winners[slot] == 0 for slot in range(HORARIOS))
    contagem.mal_avisados += len(losers) - losers.count("horario_ocupado")


def _wanted(slots: Sequence[SlotRecord], client: int) -> SlotRecord:
    return slots[client * len(slots) // CLIENTES]


async def ask(
    http: aiohttp.ClientSession, server: Atendimento, name: str, slot: SlotRecord, who: int, to: SlotRecord | None = None
) -> dict[str, Any]:
    """The result of a tool. Raises aiohttp.ClientError where the server is gone."""
    body = msgspec.json.encode(call(name, slot, cpf_of(who), to))
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    async with http.post(server.url, data=body, headers=headers) as answered:
        result: dict[str, Any] = msgspec.json.decode(await answered.read())["result"]
    return result
