"""A server that takes letters on this machine, does with each what it is told to, and keeps those that it took."""

from __future__ import annotations

import asyncio
import email
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP as ServerProtocol  # noqa: N811 - the name of a class that reads like a constant

Answer = Callable[[], Awaitable[str]]


async def _taken() -> str:
    return "250 OK"


@dataclass
class ServidorDeCartas:
    """What a test says of a server: what it answers to an addressee and to a letter, and what it has."""

    porta: int = 0
    ao_destinatario: Answer = _taken
    a_mensagem: Answer = _taken
    recebidas: list[EmailMessage] = field(default_factory=list)
    destinatarios: list[list[str]] = field(default_factory=list)
    entradas: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 - as the library calls it
        answer = await self.ao_destinatario()
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - as the library calls it
        answer = await self.a_mensagem()
        if answer.startswith("250"):
            made = email.message_from_bytes(envelope.content, policy=default)
            assert isinstance(made, EmailMessage)
            self.recebidas.append(made)
            self.destinatarios.append(list(envelope.rcpt_tos))
        return answer

    def __post_init__(self) -> None:
        self.sem_resposta = asyncio.Event()


@pytest.fixture
async def servidor() -> AsyncIterator[ServidorDeCartas]:
    made = ServidorDeCartas()
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(lambda: ServerProtocol(made, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", 0)
    made.porta = listening.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        made.sem_resposta.set()
        listening.close()
