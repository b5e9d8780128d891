from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from cenario import free_port, order_for, write_data
from crivo.clinicas.clinica.errors import ClinicaNaoSubiu, PortaDaClinicaOcupada
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.serving import listening
from crivo.clinicas.clinica.supervisor import Patience, Supervisor, supervised

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
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


async def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        await asyncio.sleep(0.05)


async def test_all_clinics_answer_once_started_and_none_is_left_once_stopped(tmp_path: Path) -> None:
    given = orders(tmp_path)
    async with supervised(given) as supervisor:
        pids = [status.pid for status in supervisor.status()]
        assert [status.state for status in supervisor.status()] == ["no_ar", "no_ar"]
        assert all([await asyncio.to_thread(answers, order.clinica, order.folder) for order in given])
    assert [status.state for status in supervisor.status()] == ["parada", "parada"]
    assert not any(alive(pid) for pid in pids if pid is not None)


async def test_a_clinic_that_dies_is_started_again(tmp_path: Path) -> None:
    async with supervised(orders(tmp_path), QUICK) as supervisor:
        killed, other = supervisor.status()
        assert killed.pid is not None
        os.kill(killed.pid, signal.SIGKILL)
        await until(lambda: supervisor.status()[0].restarts == 1 and supervisor.status()[0].state == "no_ar")
        assert supervisor.status()[0].pid not in {None, killed.pid}
        assert supervisor.status()[1] == other


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
