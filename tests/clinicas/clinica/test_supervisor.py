from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from cenario import free_port, order_for, write_data
from crivo.clinicas.caminho import door_of
from crivo.clinicas.clinica.errors import ClinicaNaoSubiu, PortaDaClinicaOcupada
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.serving import listening
from crivo.clinicas.clinica.supervisor import Patience, Restart, Supervisor, supervised

QUICK = Patience(shortest_pause=0.05)
SCRIPT = """
import sys, msgspec
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.supervisor import subir
subir(msgspec.json.decode(sys.argv[1], type=list[Order]), lambda all: print(*(one.pid for one in all), flush=True))
"""


def orders(tmp_path: Path) -> list[Order]:
    """Two clinics of different names and ports."""
    first = order_for(write_data(tmp_path), free_port())
    port = free_port()
    second = msgspec.structs.replace(first.clinica, id="clinic_x", porta=port, url=f"http://127.0.0.1:{port}/mcp")
    write_data(tmp_path, clinic_id="clinic_x")
    return [first, msgspec.structs.replace(first, clinica=second)]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):  # it may end between the two looks
        return False
    return state != "Z"


def is_back(supervisor: Supervisor, restarts: int) -> bool:
    status = supervisor.status()[0]
    return (status.restarts, status.state) == (restarts, "no_ar")


async def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        await asyncio.sleep(0.05)


async def test_all_clinics_answer_once_started_and_none_is_left_once_stopped(tmp_path: Path) -> None:
    """Blueprint 4.1/1: each clinic is a process of its own."""
    given = orders(tmp_path)
    async with supervised(given) as supervisor:
        pids = [status.pid for status in supervisor.status()]
        assert [status.state for status in supervisor.status()] == ["no_ar", "no_ar"]
        assert all(
            [await asyncio.to_thread(answers, order.clinica, order.folder, door_of(order.clinica, order.folder.path)) for order in given]
        )
    assert [status.state for status in supervisor.status()] == ["parada", "parada"]
    assert not any(alive(pid) for pid in pids if pid is not None)


async def test_a_clinic_that_others_reach_by_tls_is_kept_by_its_own_door(tmp_path: Path) -> None:
    """One registry serves both sides: its `url` is where those outside come, through what speaks TLS in front of it."""
    here = order_for(write_data(tmp_path), free_port())
    outside = msgspec.structs.replace(here.clinica, url="https://clinicas:8441/mcp", impressao="ab" * 32)
    async with supervised([msgspec.structs.replace(here, clinica=outside)], Patience(first_answer=30)) as supervisor:
        assert [status.state for status in supervisor.status()] == ["no_ar"]


async def test_a_clinic_that_dies_is_started_again(tmp_path: Path) -> None:
    async with supervised(orders(tmp_path), QUICK) as supervisor:
        killed, other = supervisor.status()
        assert killed.pid is not None
        os.kill(killed.pid, signal.SIGKILL)
        await until(partial(is_back, supervisor, 1))
        assert supervisor.status()[0].pid not in {None, killed.pid}
        assert supervisor.status()[1] == other


async def test_a_clinic_whose_port_is_taken_is_told_of_by_the_port_that_it_serves_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    moved = free_port()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        registered = int(taken.getsockname()[1])
        order = msgspec.structs.replace(order_for(write_data(tmp_path), registered), portas=(registered, moved))
        async with supervised([order], QUICK) as supervisor:
            (up,) = supervisor.status()
            assert (up.porta, up.pid is not None) == (moved, True)
            os.kill(up.pid or 0, signal.SIGKILL)
            await until(partial(is_back, supervisor, 1))
    told = [record.__dict__["porta"] for record in caplog.records if record.message in {"clinica_terminou", "clinica_reiniciada"}]
    assert told == [moved, moved]


async def test_a_clinic_that_hangs_is_ended_and_started_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    told: list[Restart] = []
    quick = replace(QUICK, look=0.1, silence=0.3)
    supervisor = Supervisor(orders(tmp_path), quick, told.append)
    await supervisor.start()
    try:
        hung, other = supervisor.status()
        assert hung.pid is not None
        os.kill(hung.pid, signal.SIGSTOP)
        await until(partial(is_back, supervisor, 1))
        assert supervisor.status()[0].pid not in {None, hung.pid}
        assert not alive(hung.pid)
        assert supervisor.status()[1] == other
    finally:
        await supervisor.stop()
    assert [(one.clinica.id, one.reason) for one in told] == [("clinic_c", "sem_resposta")]
    assert [record.message for record in caplog.records] == ["clinica_sem_resposta", "clinica_reiniciada"]


async def test_a_clinic_that_hangs_each_time_is_started_again_after_longer_and_longer_pauses(tmp_path: Path) -> None:
    told: list[Restart] = []
    supervisor = Supervisor(orders(tmp_path)[:1], Patience(shortest_pause=0.05, longest_pause=0.1, look=0.05, silence=0.1), told.append)
    await supervisor.start()
    try:
        for times in (1, 2, 3):
            pid = supervisor.status()[0].pid
            assert pid is not None
            os.kill(pid, signal.SIGSTOP)
            await until(partial(is_back, supervisor, times))
    finally:
        await supervisor.stop()
    assert [one.pause for one in told] == [0.05, 0.1, 0.1]


async def test_a_port_in_use_is_told_before_anything_is_started(tmp_path: Path) -> None:
    given = orders(tmp_path)
    supervisor = Supervisor(given)
    with listening("127.0.0.1", given[1].clinica), pytest.raises(PortaDaClinicaOcupada, match=r"clinic_x"):
        await supervisor.start()
    assert [status.pid for status in supervisor.status()] == [None, None]
    assert not given[0].folder.path.exists()


async def test_a_clinic_that_cannot_start_is_told_and_the_others_are_ended(tmp_path: Path) -> None:
    given = orders(tmp_path)
    (tmp_path / "clinic_x.db.json").write_text("{")
    supervisor = Supervisor(given)
    with pytest.raises(ClinicaNaoSubiu, match="clinic_x"):
        await supervisor.start()
    assert [(status.state, status.pid) for status in supervisor.status()] == [("parada", None)] * 2


async def test_a_clinic_that_never_answers_is_told_in_time(tmp_path: Path) -> None:
    supervisor = Supervisor(orders(tmp_path), replace(QUICK, first_answer=0.05))
    with pytest.raises(ClinicaNaoSubiu, match="Sem resposta"):
        await supervisor.start()
    assert [status.pid for status in supervisor.status()] == [None, None]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_process_is_left_however_the_supervisor_ends(tmp_path: Path, number: signal.Signals) -> None:
    given = msgspec.json.encode(orders(tmp_path)).decode()
    with subprocess.Popen([sys.executable, "-c", SCRIPT, given], stdout=subprocess.PIPE) as script:
        assert script.stdout is not None
        pids = [int(pid) for pid in script.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(alive, pids))
        script.send_signal(number)
        asyncio.run(until(lambda: not any(map(alive, pids))))
    assert script.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)
