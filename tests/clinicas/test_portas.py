"""Where the clinics of this machine listen: ports that move, and one process at each door."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import msgspec
import pytest

from cenario import free_port
from crivo.clinicas.caminho import Tls
from crivo.clinicas.clinica.errors import ClinicaJaNoAr, PortaDaClinicaOcupada
from crivo.clinicas.registro import REGISTRO_PADRAO, Registro
from crivo.clinicas.service import Clinicas
from crivo.kernel.portas import Faixa
from federacao import ANA, planned, registry_on_free_ports

TWO = Registro(tuple(clinica for clinica in REGISTRO_PADRAO if clinica.id in {"clinic_a", "clinic_c"}))


def test_a_clinic_whose_port_is_taken_answers_on_another_and_is_talked_to_all_the_same(tmp_path: Path) -> None:
    """Decision 0028: whoever asks here goes by the door; the port is told to whoever asks from outside."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        clinicas = Clinicas(tmp_path, cadastro=TWO, portas=Faixa((port,), aberta=True))
        found = asyncio.run(_moved(clinicas))
    moved, urls, asked = found
    assert {clinic for clinic, _ in moved} == {"clinic_a", "clinic_c"}  # neither is where the registry has it
    assert port not in {at for _, at in moved}
    assert urls == {f"http://127.0.0.1:{at}/mcp" for _, at in moved}
    assert asked == {"clinic_a", "clinic_c"}
    assert clinicas.moved() == ()  # once they are down nobody answers anywhere
    assert clinicas.url(TWO.clinics[0]) == TWO.clinics[0].url


async def _moved(clinicas: Clinicas) -> tuple[list[tuple[str, int]], set[str], set[str]]:
    async with clinicas.running(), clinicas.conversations() as conversations:
        reply = await conversations.open("paciente", ANA).say("tem cardiologista?")
        moved = [(clinica.id, at) for clinica, at in clinicas.moved()]
        return moved, {clinicas.url(clinica) for clinica in clinicas.registro}, {clinic for clinic, _ in planned(reply)}


def test_the_six_that_nobody_wrote_down_move_and_those_of_a_registry_do_not(tmp_path: Path) -> None:
    ours = Clinicas(tmp_path)
    assert [order.portas[:2] for order in ours.orders()][:2] == [(8001, 8011), (8002, 8012)]
    (tmp_path / "clinicas").mkdir()
    (tmp_path / "clinicas/registro.json").write_bytes(msgspec.json.encode(REGISTRO_PADRAO))
    written = Clinicas(tmp_path)
    assert [order.portas for order in written.orders()][:2] == [(8001,), (8002,)]
    assert {order.cadastro for order in written.orders()} == {str(tmp_path / "clinicas/registro.json")}
    assert Clinicas(tmp_path, portas=Faixa((9001,), aberta=True)).orders()[1].portas[:2] == (9002, 9012)


def test_a_clinic_of_another_machine_takes_no_port_of_this_one(tmp_path: Path) -> None:
    away = msgspec.structs.replace(REGISTRO_PADRAO.clinics[0], url="https://clinica.exemplo.org/mcp")
    registro = Registro((away, *REGISTRO_PADRAO.clinics[1:]))
    clinicas = Clinicas(tmp_path, cadastro=registro, portas=Faixa(tuple(range(9001, 9006))))
    assert isinstance(clinicas.way(away), Tls)
    assert clinicas.url(away) == away.url
    assert clinicas.order("clinic_b").portas == (9001,)


def test_a_port_of_a_registry_that_is_taken_is_told_with_who_has_it_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "clinicas").mkdir()
    path = tmp_path / "clinicas/registro.json"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        one = msgspec.structs.replace(TWO.clinics[0], porta=port, url=f"http://127.0.0.1:{port}/mcp")
        path.write_bytes(msgspec.json.encode(Registro((one,))))
        with pytest.raises(PortaDaClinicaOcupada) as told:
            asyncio.run(_up(Clinicas(tmp_path)))
    assert f"A porta {port} (clinic_a) já está em uso pelo processo " in told.value.mensagem
    assert str(path) in told.value.mensagem
    assert "CRIVO_CLINICAS_PORTAS" in told.value.mensagem


def test_fewer_ports_than_clinics_are_told(tmp_path: Path) -> None:
    with pytest.raises(PortaDaClinicaOcupada, match=r"menos portas do que clínicas \(2\)"):
        Clinicas(tmp_path, cadastro=TWO, portas=Faixa((9001,))).orders()


def test_a_range_of_which_none_is_left_is_told_and_nobody_takes_the_neighbour_s(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        clinicas = Clinicas(tmp_path, cadastro=TWO, portas=Faixa((port, free_port())))
        with pytest.raises(PortaDaClinicaOcupada, match=r"clinic_a"):
            asyncio.run(_up(clinicas))


def test_clinics_that_are_up_are_told_with_their_processes_and_are_not_started_again(tmp_path: Path) -> None:
    clinicas = Clinicas(tmp_path, cadastro=registry_on_free_ports("clinic_a", "clinic_c"))

    async def twice() -> str:
        from crivo.clinicas.clinica.supervisor import supervised

        async with supervised(clinicas.orders()) as first:
            pids = [status.pid for status in first.status()]
            with pytest.raises(ClinicaJaNoAr) as told:
                async with supervised(clinicas.orders()):
                    pass
            assert all(f"processo {pid}," in told.value.mensagem for pid in pids)
            return told.value.mensagem

    said = asyncio.run(twice())
    assert "clinic_a, processo " in said
    assert "crivo clinicas conversar" in said
    asyncio.run(_up(clinicas))  # and once they are down they start again


async def _up(clinicas: Clinicas) -> None:
    async with clinicas.running():
        pass
