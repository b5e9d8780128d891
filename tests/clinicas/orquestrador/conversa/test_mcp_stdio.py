"""The orchestrator's MCP server on a pair of pipes, with clinics that are made up: any bytes, and faults of our own."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cenario import CLOCK
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Plan, Planner, Step
from crivo.clinicas.orquestrador.conversa.mcp_server import create_server
from crivo.clinicas.orquestrador.conversa.mcp_stdio import serve
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.registro import REGISTRO_PADRAO
from federacao import ANA
from mensagens_quaisquer import SECRET, bodies
from por_linhas import HELLO

READY: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]
LAST = {"jsonrpc": "2.0", "id": "the last", "method": "ping"}


class NothingFree:
    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        return Answer(ClinicReply(step.clinic, action, {"specialty": "", "available_slots": [], "note": ""}))


class Defective:
    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        raise RuntimeError(f"cannot plan {utterance} for {ANA.nome}")


def call(own_id: int, arguments: dict[str, str]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": own_id, "method": "tools/call", "params": {"name": "conversar", "arguments": arguments}}


async def exchanged(*lines: bytes, planner: Planner | None = None) -> list[dict[str, Any]]:
    """All that is answered to some lines, the last of which ends the input."""
    router = Router(NothingFree(), REGISTRO_PADRAO)
    pipeline = Pipeline(planner or EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    directory = Directory(router, REGISTRO_PADRAO, lambda: 0.0)
    server = create_server(lambda: Session(pipeline, directory, REGISTRO_PADRAO, CLOCK, paciente=ANA, id_="a"))
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()

    def talk() -> bytes:
        with os.fdopen(to_server, "wb") as out:
            out.write(b"".join(line + b"\n" for line in lines))
        with os.fdopen(from_server, "rb") as back:
            return back.read()

    talking = asyncio.create_task(asyncio.to_thread(talk))
    await serve(server, (from_client, to_client))
    os.close(from_client)
    os.close(to_client)
    await directory.close()
    return [json.loads(line) for line in (await talking).splitlines()]


def encoded(*messages: dict[str, Any]) -> list[bytes]:
    return [json.dumps(message).encode() for message in messages]


@settings(max_examples=200, deadline=None)
@given(body=bodies(["conversar"], ["mensagem", "conversa"]))
async def test_any_line_gets_json_rpc_or_nothing_and_is_never_quoted(body: bytes) -> None:
    answers = await exchanged(*encoded(*READY), body, *encoded(LAST))
    assert "the last" in [answer["id"] for answer in answers]
    for answer in answers:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) != ("error" in answer)
        assert SECRET not in json.dumps(answer, ensure_ascii=False)


@settings(max_examples=50, deadline=None)
@given(first=st.binary(max_size=200), cut=st.integers(0, 200))
async def test_a_first_line_of_any_kind_and_an_end_anywhere_are_survived(first: bytes, cut: int) -> None:
    whole = b"\n".join(encoded(*READY))
    answers = await exchanged(first, whole[:cut])
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)


async def test_every_request_before_the_end_is_answered() -> None:
    calls = [call(number, {"mensagem": "tem cardiologista?"}) for number in range(1, 9)]
    answers = await exchanged(*encoded(*READY, *calls))
    assert sorted(answer["id"] for answer in answers) == list(range(9))
    assert all("result" in answer for answer in answers)


async def test_a_request_that_is_called_off_is_not_waited_for() -> None:
    off = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    answers = await exchanged(*encoded(*READY, call(1, {"mensagem": "tem cardiologista?"}), off, LAST))
    assert "the last" in [answer["id"] for answer in answers]


async def test_a_fault_of_our_own_is_an_internal_error_that_tells_nothing_of_it() -> None:
    answers = await exchanged(*encoded(*READY, call(1, {"mensagem": f"marque para {SECRET}"})), planner=Defective())
    error = answers[-1]["error"]
    assert error["code"] == -32603
    assert ANA.nome not in json.dumps(answers)
    assert SECRET not in json.dumps(answers)


async def test_a_client_that_reads_no_more_ends_it() -> None:
    router = Router(NothingFree(), REGISTRO_PADRAO)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    server = create_server(lambda: Session(pipeline, Directory(router, REGISTRO_PADRAO, lambda: 0.0), REGISTRO_PADRAO, CLOCK, paciente=ANA))
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()
    os.close(from_server)
    os.write(to_server, b"\n".join(encoded(*READY, LAST)) + b"\n")
    async with asyncio.timeout(30) as limit:
        await serve(server, (from_client, to_client))
    assert not limit.expired()
    for descriptor in (to_server, from_client, to_client):
        os.close(descriptor)
