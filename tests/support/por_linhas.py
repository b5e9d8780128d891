"""`crivo clinicas mcp` as a process, spoken to a line at a time, by bytes that no client would send too."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from cenario import MORNING
from crivo.clinicas.registro import Registro

SECONDS = 60
LARGEST = 1024 * 1024  # bytes of a line that is read back
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "teste", "version": "1"}}


def program(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "crivo", "clinicas", "mcp", *words]


def settings(data_dir: Path) -> dict[str, str]:
    return {"CRIVO_DATA_DIR": str(data_dir), "CRIVO_AGORA": MORNING.isoformat()}


def write_registry(data_dir: Path, registro: Registro) -> Path:
    """A data folder whose clinics are these."""
    (data_dir / "clinicas").mkdir(parents=True, exist_ok=True)
    (data_dir / "clinicas/registro.json").write_bytes(msgspec.json.encode(registro))
    return data_dir


@dataclass
class Lines:
    """The process, its standard streams, and how many requests it was sent."""

    process: Process
    asked: int = 0

    async def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        await self.process.stdin.drain()

    async def answer(self) -> dict[str, Any]:
        """The next message, whatever it answers."""
        assert self.process.stdout is not None
        async with asyncio.timeout(SECONDS):
            line = await self.process.stdout.readline()
        assert line, "nothing more is answered"
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    async def request(self, method: str, **params: Any) -> int:
        self.asked += 1
        await self.send(json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}).encode())
        return self.asked

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        own_id = await self.request(method, **params)
        message = await self.answer()
        assert message["id"] == own_id
        return message

    async def hello(self) -> None:
        assert (await self.ask("initialize", **HELLO))["result"]["protocolVersion"] == "2025-11-25"
        await self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    async def say(self, mensagem: str, conversa: str | None = None) -> dict[str, Any]:
        """What the tool answers."""
        arguments = {"mensagem": mensagem} | ({} if conversa is None else {"conversa": conversa})
        result = (await self.ask("tools/call", name="conversar", arguments=arguments))["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        payload: dict[str, Any] = result["structuredContent"]
        assert result["isError"] is ("codigo" in payload)
        return payload

    async def identified(self, nome: str, cpf: str) -> str:
        """A new conversation with somebody; its id."""
        conversa: str = (await self.say(nome))["conversa"]
        assert "Tudo certo" in (await self.say(cpf, conversa))["texto"]
        return conversa

    async def leave(self) -> tuple[list[dict[str, Any]], str]:
        """End its input; what it still answers, and what it told on standard error."""
        async with asyncio.timeout(SECONDS):
            out, err = await self.process.communicate(b"")
        return [json.loads(line) for line in out.splitlines()], err.decode()


@asynccontextmanager
async def by_lines(data_dir: Path, *words: str, greeted: bool = True) -> AsyncIterator[Lines]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")} | settings(data_dir)
    process = await asyncio.create_subprocess_exec(*program(*words), env=own, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LARGEST)
    lines = Lines(process)
    try:
        if greeted:
            await lines.hello()
        yield lines
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
