"""`crivo trabalhador`: processes that work until they are told to stop."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from chamadas import importacao
from chaves_de_teste import CHAVE_MESTRA
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.montagem import versoes
from crivo.triagem.service import Triagem
from seguimento import wait_for_end


@contextmanager
def _working(environment: dict[str, str], folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "crivo", "trabalhador", *words], env=inherited | environment, cwd=folder, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=30)
        if process.stderr is not None:
            process.stderr.close()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _workers(pid: int) -> list[int]:
    """The processes that work, without what the start of processes takes beside them."""
    return [child for child in _children(pid) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def _until(enough: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not enough():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def triagem(database: Database) -> Triagem:
    clock = SystemClock()
    return Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: versoes("local"))


@pytest.mark.parametrize("processos", ["1", "2"])
async def test_a_worker_screens_an_edital_and_ends_when_told(
    triagem: Triagem, urls: tuple[str, str], scope: Scope, tmp_path: Path, processos: str
) -> None:
    await triagem.importar(scope, importacao(3))
    await triagem.executar(scope, "ED-1")
    with _working({"CRIVO_DATABASE_URL": urls[1], "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA}, tmp_path, "--processos", processos) as process:
        execucao = await wait_for_end(triagem, scope, "ED-1")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", 3, 0)
    assert process.returncode == 0
    assert said.decode().startswith("Trabalhando")
    assert "Traceback" not in said.decode()
    events = [json.loads(line)["event"] for line in said.splitlines() if line.startswith(b"{")]
    assert [one for one in events if one.startswith("trabalhador_")] == ["trabalhador_no_ar"] * int(processos) + [
        "trabalhador_encerrado"
    ] * int(processos)


def test_a_process_that_dies_is_followed_by_another_and_none_outlives_its_parent(urls: tuple[str, str], tmp_path: Path) -> None:
    with _working({"CRIVO_DATABASE_URL": urls[1], "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA}, tmp_path, "--processos", "2") as process:
        _until(lambda: len(_workers(process.pid)) == 2)
        first, second = _workers(process.pid)
        os.kill(first, signal.SIGKILL)
        _until(lambda: len(set(_workers(process.pid)) - {first, second}) == 1)
        left = _workers(process.pid)
        process.kill()
    _until(lambda: not any(_alive(pid) for pid in left))
    assert [pid for pid in left if _alive(pid)] == []


def test_every_process_shows_its_figures_on_a_port_of_its_own_beside_the_server_s(urls: tuple[str, str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        own = {"CRIVO_DATABASE_URL": urls[1], "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA, "CRIVO_PORTA_METRICAS": str(port)}
        with _working(own, tmp_path, "--processos", "2") as process:
            assert process.stderr is not None
            said = (json.loads(line) for line in process.stderr if line.startswith(b"{"))
            ports = {line["porta"] for line in itertools.islice((one for one in said if one["event"] == "metricas_no_ar"), 2)}
            told = [urlopen(f"http://127.0.0.1:{one}/metrics", timeout=20).read().decode() for one in ports]
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    assert len(ports) == 2
    assert min(ports) > port
    for one in told:
        assert 'papel="trabalhador"' in one
        assert 'crivo_trabalhos_total{fim="desistiu",tarefa="triagem.projeto"} 0.0' in one
        assert "crivo_trabalhadores_no_ar" in one


def _alive(pid: int) -> bool:
    try:
        return not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" Z")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("processos", ["1", "2"])
def test_workers_end_by_themselves_once_another_version_moved_the_schema(
    urls: tuple[str, str], tmp_path: Path, processos: str, moved_schema: Callable[[str], AbstractContextManager[None]]
) -> None:
    with _working({"CRIVO_DATABASE_URL": urls[1], "CRIVO_CHAVE_MESTRA": CHAVE_MESTRA}, tmp_path, "--processos", processos) as process:
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as admin:
            many = "select count(*) from procrastinate_workers"
            _until(lambda: admin.execute(many).fetchone() == (int(processos),))
        with moved_schema("9999"):
            _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "9999, de um crivo mais novo" in said.decode()
    assert "Traceback" not in said.decode()
