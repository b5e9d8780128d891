"""The server as a process of its own: ports, signals, and bodies as they really arrive."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from crivo.bootstrap import Container, open_coleta
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.vigia.catalogo import ANCORA_IDADE, BACKUP_IDADE, CLINICA, CLINICA_SEGUNDOS, MODELO_LIMITE, MODELO_USADO, PERGUNTADAS
from crivo.web.server import EnderecoInvalido, PortaOcupada, serve
from espera import wait_until


def request_head(key: str, length: str) -> bytes:
    return f"POST /api/autorizacoes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{length}\r\n\r\n".encode()


@pytest.fixture(scope="module")
def of_few(run_server: Any, own_urls: tuple[str, str], make_tenant: Callable[[str], Scope]) -> Iterator[Any]:
    """A server of three tenants: its figures are of every tenant, asked one after the other, and the tests' database has thousands."""
    for _ in range(3):
        make_tenant(own_urls[0])
    with run_server(CRIVO_DATABASE_URL=own_urls[1]) as served:
        yield served


def test_it_answers_once_it_says_it_is_up_and_shows_its_figures_elsewhere(of_few: Any) -> None:
    assert httpx.get(f"{of_few.address}/readyz").json() == {"situacao": "pronto"}
    told = httpx.get(f"http://127.0.0.1:{of_few.metrics_port}/metrics").text
    assert "crivo_http_requests_total" in told
    assert httpx.get(f"{of_few.address}/metrics").status_code == 404


def test_it_tells_everything_that_is_in_the_catalogue_and_can_be_told_without_clinics(of_few: Any) -> None:
    def look() -> str:
        return httpx.get(f"http://127.0.0.1:{of_few.metrics_port}/metrics").text

    wait_until(lambda: 'crivo_coleta_no_ar{grupo="pendencias"} 1.0' in look())
    told = look()
    of_what_is_not_here = {BACKUP_IDADE, ANCORA_IDADE, MODELO_LIMITE, MODELO_USADO, CLINICA, CLINICA_SEGUNDOS}
    assert [one.nome for one in PERGUNTADAS if f"# HELP {one.nome} " not in told and one not in of_what_is_not_here] == []
    assert "crivo_coleta_no_ar{grupo=" in told
    assert [line for line in told.splitlines() if line.startswith("crivo_coleta_no_ar") and not line.endswith(" 1.0")] == []


def _refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_in_flight_is_finished_before_it_stops(server: Any, key: str, pedido: dict[str, Any], number: signal.Signals) -> None:
    body = json.dumps(pedido).encode()
    head = request_head(key, f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(head + body[:20])
        assert httpx.get(f"{server.address}/healthz").status_code == 200  # what came before it was taken before it
        server.process.send_signal(number)
        wait_until(lambda: _refuses(server.port))
        client.sendall(body[20:])
        answer = client.makefile("rb").readline()
    log = server.log_at_the_end()
    assert answer == b"HTTP/1.1 200 OK\r\n"
    assert server.process.returncode == 0
    assert log[-1]["event"] == "servidor_encerrado"


def test_once_another_version_moved_the_schema_it_answers_503_and_ends_by_itself(
    server: Any, key: str, pedido: dict[str, Any], moved_schema: Callable[[str], AbstractContextManager[None]]
) -> None:
    with moved_schema("9999"):
        answer = httpx.post(f"{server.address}/api/autorizacoes", json=pedido, headers={"Authorization": f"Bearer {key}"})
        alive, ready = httpx.get(f"{server.address}/healthz"), httpx.get(f"{server.address}/readyz")
        server.process.wait(timeout=60)
    log = [json.loads(line) for line in server.log_file.read_text().splitlines() if line.startswith("{")]  # before the error itself
    assert (answer.status_code, answer.json()["codigo"], answer.headers["retry-after"]) == (503, "esquema_mudou", "5")
    assert (alive.status_code, ready.status_code, ready.json()["codigo"]) == (200, 503, "esquema_mudou")
    assert "9999, de um crivo mais novo" in answer.json()["detail"]
    assert server.process.returncode == 1
    assert [line["event"] for line in log if line["nivel"] == "CRITICAL"] == ["esquema_mudou"]


def test_a_metrics_port_that_is_taken_is_told_and_the_service_goes_on(run_server: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with run_server(CRIVO_PORTA_METRICAS=str(port)) as server:
            assert httpx.get(f"{server.address}/healthz").status_code == 200
            log = server.stop()
    assert [(line["event"], line["porta"]) for line in log if line["nivel"] == "WARNING"] == [("porta_de_metricas_ocupada", port)]


def test_a_port_that_is_taken_stops_the_start_before_anything_is_opened(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(_env_file=None, data_dir=tmp_path / "dados", porta=taken.getsockname()[1])
        with pytest.raises(PortaOcupada, match=f"A porta {settings.porta} já está em uso"):
            serve(settings)
    assert not (tmp_path / "dados").exists()


@pytest.mark.parametrize("host", ["203.0.113.1", "nome.que.nao.existe.invalid", "300.1.1.1"])
def test_an_address_that_is_not_this_machine_s_stops_the_start(tmp_path: Path, free_port: Callable[[], int], host: str) -> None:
    with pytest.raises(EnderecoInvalido, match="CRIVO_HOST"):
        serve(Settings(_env_file=None, data_dir=tmp_path, host=host, porta=free_port()))


def test_bodies_that_lie_about_their_length_are_stopped_or_dropped(server: Any, key: str) -> None:

    def answer(length: str, body: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall(request_head(key, length) + body)
            client.shutdown(socket.SHUT_WR)
            return client.makefile("rb").readline()

    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    assert answer("Transfer-Encoding: chunked", chunk * 16 + b"0\r\n\r\n").startswith(b"HTTP/1.1 413")
    assert answer("Content-Length: 5000000", b"").startswith(b"HTTP/1.1 413")
    assert answer("Content-Length: 2", b"{}{}{}{}").startswith((b"HTTP/1.1 200", b"HTTP/1.1 400"))
    assert answer("Content-Length: 100", b"{}") == b""
    # Who sends it all before reading reads why: a connection closed over what is unread would be reset.
    assert answer("Connection: close\r\nContent-Length: 20000000", b" " * 20_000_000).startswith(b"HTTP/1.1 413")
    assert httpx.get(f"{server.address}/healthz").status_code == 200
    log = server.stop()
    assert [line for line in log if line["nivel"] == "ERROR"] == []


def test_twenty_thousand_lines_leave_through_a_client_that_reads_only_at_the_end(server: Any, key: str, pedido: dict[str, Any]) -> None:
    line = json.dumps(pedido).encode() + b"\n"
    headers = {"authorization": f"Bearer {key}", "content-type": "application/x-ndjson"}
    answer = httpx.post(f"{server.address}/api/autorizacoes/lote", content=line * 20_000, headers=headers, timeout=60)
    assert answer.status_code == 200
    assert answer.content.count(b"\n") == 20_000


def test_at_the_limit_of_open_files_it_goes_on_answering(run_server: Any) -> None:
    """Source: design/sujeito.md, table, 8."""
    with run_server(files=256, CRIVO_TRABALHADORES="0") as server, ExitStack() as held:
        for number in range(300):
            client = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
            client.sendall(b"POST /entrar HTTP/1.1\r\nHost: x\r\nX-Half: ")
            if number % 50 == 49:
                assert httpx.get(f"{server.address}/healthz", timeout=5).status_code == 200, number
        assert httpx.get(f"{server.address}/readyz", timeout=5).status_code == 200
        log = server.stop()
    assert [line for line in log if line["nivel"] == "ERROR"] == []


async def test_a_server_whose_connections_are_all_in_use_still_tells_of_its_database_and_of_who_waits(
    container: Container, scope: Scope, urls: tuple[str, str]
) -> None:
    full = Database(urls[1], pool_size=1)
    watched = replace(container, database=full)
    try:
        async with open_coleta(watched) as coleta, full.unit_of_work(scope):
            waiting = asyncio.create_task(_ask(full, scope))
            await asyncio.sleep(0)
            told = {(one.medida.nome, *one.rotulos): one.valor for one in await coleta.ler()}
            assert (told["crivo_banco_no_ar",], told["crivo_banco_pool_em_uso",], told["crivo_banco_pool_esperando",]) == (1, 1, 1)
        await waiting
    finally:
        await full.close()


async def _ask(database: Database, scope: Scope) -> None:
    async with database.unit_of_work(scope):
        pass
