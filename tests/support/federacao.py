"""The fixture's six clinics as processes, and stand-ins for clinics that misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from cenario import MORNING, Running, free_port, running
from crivo.clinicas.caminho import Local
from crivo.clinicas.clinica.dbjson import read_seed
from crivo.clinicas.orquestrador.chama.router import Limits
from crivo.clinicas.orquestrador.contracts import Paciente, Papel
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.registro import REGISTRO_PADRAO, Clinica, Registro
from crivo.clinicas.service import Clinicas
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

DADOS = Path(__file__).parents[2].parent / "shared/data/clinicas"
NO_DATA = "the blueprint's six clinics are not beside this checkout (../shared/data/clinicas)"
ANA = Paciente("Ana Braga", "529.982.247-25")
BIA = Paciente("Bia Castro Lima", "111.444.777-35")


def registry_on_free_ports(*ids: str) -> Registro:
    return Registro(tuple(moved(clinica, free_port()) for clinica in REGISTRO_PADRAO if not ids or clinica.id in ids))


def moved(clinica: Clinica, port: int) -> Clinica:
    return msgspec.structs.replace(clinica, porta=port, url=f"http://127.0.0.1:{port}/mcp")


@dataclass(frozen=True)
class Federation:
    """Clinics, each a process with its own silo."""

    clinicas: Clinicas
    servers: dict[str, Running]

    def held(self) -> dict[str, list[tuple[str, str, str, str | None]]]:
        """What every store holds: who, when, and whose."""
        found: dict[str, list[tuple[str, str, str, str | None]]] = {}
        for clinic in self.servers:
            with closing(self.clinicas.place(clinic).open_silo()) as silo:
                booked = [(slot.doctor, slot.date, slot.time, slot.cpf) for slot in silo.all_slots() if not slot.available]
            if booked:
                found[clinic] = booked
        return found

    def reset(self) -> None:
        for clinic in self.servers:
            with closing(self.clinicas.place(clinic).open_silo()) as silo:
                silo.replace_slots(read_seed(DADOS, clinic).slots)

    def elsewhere(self, clinic: str, port: int) -> Clinicas:
        """The same clinics, as one would know them who looks for one of them on another port."""
        registro = Registro(tuple(moved(one, port) if one.id == clinic else one for one in self.clinicas.registro))
        return replace(self.clinicas, cadastro=registro)

    @asynccontextmanager
    async def speaking(
        self,
        paciente: Paciente | None = ANA,
        papel: Papel = "paciente",
        clinicas: Clinicas | None = None,
        limits: Limits | None = None,
        *,
        provado: bool = True,
    ) -> AsyncIterator[Session]:
        async with (clinicas or self.clinicas).conversations(limits=limits) as conversations:
            dono = Scope("local", "ensaio", CONSOLE)
            yield conversations.open(papel, paciente, provado=provado, dono=dono)


@contextmanager
def federation_in(folder: Path, *ids: str) -> Iterator[Federation]:
    clinicas = Clinicas(folder, MORNING, DADOS, cadastro=registry_on_free_ports(*ids))
    with running(*(msgspec.structs.replace(order, supervised=True) for order in clinicas.orders())) as servers:
        yield Federation(clinicas, {server.order.clinica.id: server for server in servers})


def planned(reply: Reply) -> set[tuple[str, str]]:
    """The steps of a turn as clinic and action."""
    assert reply.trace is not None
    return {(step.clinic, step.action) for step in reply.trace.plan.steps}


Answering = Callable[[dict[str, Any]], Awaitable[bytes | None]]


@asynccontextmanager
async def stand_in(answering: Answering, folder: Path, heads: list[bytes] | None = None) -> AsyncIterator[int]:
    """The port of a clinic with that folder, which answers each call with the bytes given for it, or hangs up where there are none.

    The head of each request is kept in `heads`.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            head = await reader.readuntil(b"\r\n\r\n")
            if heads is not None:
                heads.append(head)
            length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            answer = await answering(msgspec.json.decode(await reader.readexactly(length)))
            if answer is not None:
                writer.write(answer)
                await writer.drain()

    port = free_port()
    with Local(folder, f"{port}.sock").address() as address:
        server = await asyncio.start_unix_server(serve, address)
    try:
        yield port
    finally:
        server.close()


def http(body: bytes, status: str = "200 OK", media_type: str = "application/json") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body
