"""Real server processes of one clinic, over real HTTP."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import httpx
import httpx2
import msgspec
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from cenario import (
    ANA,
    FERNANDO,
    Running,
    call,
    free_port,
    order_for,
    request_of,
    running,
    silo_of,
    until_answers,
    write_data,
)
from crivo.clinicas.clinica.keys import read_keys
from crivo.clinicas.clinica.process import REFUSED_TO_START, Order
from crivo.clinicas.ferramentas import FERRAMENTAS


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(order_for(write_data(tmp_path), free_port())) as (one,):
        yield one


@pytest.mark.parametrize(("mode", "protocol"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_lists_and_calls(server: Running, mode: Literal["legacy", "auto"], protocol: str) -> None:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {server.token()}"}) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
    ):
        assert client.protocol_version == protocol
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == tuple(one.name for one in FERRAMENTAS)
        listed = await client.call_tool("list_available_slots", {"doctor": "fernando"})
        assert listed.structured_content is not None
        assert [slot["date"] for slot in listed.structured_content["available_slots"]] == ["2025-07-18", "2025-07-19"]
        refused = await client.call_tool("get_patient", {"patient_id": "CARD-C001"})
        assert refused.is_error


def test_curl_needs_nothing_but_the_token(server: Running) -> None:
    body = '{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"list_patients","arguments":{}}}'
    headers = ["-H", "Content-Type: application/json", "-H", f"Authorization: Bearer {server.token('operador')}"]
    shown = subprocess.run(["curl", "-s", server.url, *headers, "-d", body], capture_output=True, check=True, timeout=30)
    assert b'"patients":[{"patient_id":"CARD-C001"' in shown.stdout


def test_half_open_requests_and_endless_heads_are_ended_and_others_answered_meanwhile(server: Running) -> None:
    """Source: design/sujeito.md, table, 8: a clinic is served within the same limits as all else."""
    with ExitStack() as held:

        def connected(said: bytes) -> socket.socket:
            client = held.enter_context(socket.create_connection(("127.0.0.1", server.order.clinica.porta), timeout=20))
            client.sendall(said)
            return client

        half = [connected(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ") for _ in range(40)]
        assert connected(b"POST /mcp HTTP/1.1\r\nX-Long: " + b"a" * 70_000).recv(12) == b"HTTP/1.1 431"
        headers = {"Authorization": f"Bearer {server.token()}"}
        listed = httpx.post(server.url, json=request_of("list_available_slots", {"doctor": FERNANDO}), headers=headers)
        assert listed.json()["result"]["structuredContent"]["available_slots"]
        assert [_rest(client) for client in half] == [b""] * len(half)


def _rest(client: socket.socket) -> bytes:
    try:
        return client.recv(1)
    except ConnectionResetError:
        return b""


async def test_a_booking_that_was_answered_outlives_a_kill(tmp_path: Path) -> None:
    """Blueprint 3.6: bookings persist."""
    order = order_for(write_data(tmp_path), free_port())
    with running(order) as (one,):
        async with httpx.AsyncClient() as http:
            booking = {"doctor": FERNANDO, "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga", "cpf": ANA}
            await call(http, one.url, one.token(), "book_appointment", **booking)
            one.process.kill()
    silo = silo_of(order)
    assert [slot.cpf for slot in silo.all_slots() if not slot.available] == [ANA]
    silo.close()


def test_two_processes_that_start_at_once_make_one_silo_and_one_key(tmp_path: Path) -> None:
    write_data(tmp_path)
    with running(*(order_for(tmp_path, free_port()) for _ in range(2))) as servers:
        folder = servers[0].order.folder
        assert folder.keys.stat().st_mode & 0o777 == 0o600
        assert folder.path.stat().st_mode & 0o777 == 0o700
        silo = silo_of(servers[0].order)
        assert len(silo.all_slots()) == 5
        silo.close()


def start(order: Order) -> subprocess.CompletedProcess[bytes]:
    """A process that is expected to end by itself."""
    alone = msgspec.structs.replace(order, supervised=False)
    return subprocess.run(alone.command(), capture_output=True, check=False, timeout=60)


def test_a_clinic_whose_data_is_broken_says_so_and_starts_whole_once_it_is_mended(tmp_path: Path) -> None:
    order = order_for(tmp_path, free_port())
    (tmp_path / "clinic_c.db.json").write_text("{")
    failed = start(order)
    assert failed.returncode == REFUSED_TO_START
    assert "clinic_c.db.json" in failed.stderr.decode()
    assert "Traceback" not in failed.stderr.decode()
    write_data(tmp_path)
    with running(order):
        assert read_keys(order.folder).anterior is None


def test_a_second_server_at_the_same_door_says_who_is_there(server: Running) -> None:
    failed = start(server.order)
    assert failed.returncode == REFUSED_TO_START
    assert f"clinic_c, processo {server.process.pid}, porta {server.order.clinica.porta}" in failed.stderr.decode()


def test_a_server_ends_when_its_lifeline_does(tmp_path: Path) -> None:
    order = order_for(write_data(tmp_path), free_port())
    process = subprocess.Popen(order.command(), stdin=subprocess.PIPE)
    until_answers(order, process)
    process.communicate()  # closes its standard input, and waits
    assert process.returncode == 0
