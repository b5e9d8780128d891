"""Faults of whole clinics: down, killed, hung, slow, answering something else, closed to our token. Real processes, real HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cenario import free_port, running
from crivo.clinicas.caminho import door_of
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import ensure_keys
from crivo.clinicas.orquestrador.chama.router import Limits
from crivo.clinicas.service import Clinicas
from espera import never, takes
from federacao import DADOS, NO_DATA, Answering, Federation, federation_in, http, stand_in

SAID = "quero marcar uma consulta com cardiologista"
LIMITS = Limits(call=0.5, steps=1.2, turn=1.5)


# Far longer than a turn may take, and far shorter than these clinics hang: the limit itself is shown on a clock that jumps.
BUSY_SECONDS = 20


async def hangs(_: dict[str, Any]) -> bytes | None:
    await never()


async def html(_: dict[str, Any]) -> bytes:
    return http(b"<html>Em manuten\xc3\xa7\xc3\xa3o</html>", "503 Service Unavailable", "text/html")


async def another_id(message: dict[str, Any]) -> bytes:
    return http(json.dumps({"jsonrpc": "2.0", "id": "x", "result": {"specialty": "x", "available_slots": [], "note": ""}}).encode())


async def partial_answer(federation: Federation, clinicas: Clinicas | None = None) -> str:
    """What is said when both cardiology clinics are asked and C is faulty."""
    began = time.monotonic()
    async with federation.speaking(clinicas=clinicas, limits=LIMITS) as session:
        reply = await session.say(SAID)
    assert time.monotonic() - began < BUSY_SECONDS
    assert reply.trace is not None
    assert reply.trace.autor == "responder"
    assert reply.trace.verdict.safe
    return reply.texto


@pytest.mark.parametrize("answering", [hangs, html, another_id])
async def test_a_clinic_that_does_not_answer_as_it_should_is_named_as_missing(federation: Federation, answering: Answering) -> None:
    async with stand_in(answering, federation.clinicas.folder("clinic_c").path) as port:
        texto = await partial_answer(federation, federation.elsewhere("clinic_c", port))
    assert "Dr. Ricardo Lopes" in texto
    assert "Não consegui falar com a Clínica C" in texto


async def test_a_clinic_that_is_down_from_the_start_is_named_as_missing(federation: Federation) -> None:
    texto = await partial_answer(federation, federation.elsewhere("clinic_c", free_port()))
    assert "Dr. Ricardo Lopes" in texto
    assert "Não consegui falar com a Clínica C" in texto


async def test_a_clinic_that_is_slow_is_waited_for(federation: Federation) -> None:
    listing = {"specialty": "Cardiology", "available_slots": [], "note": ""}

    async def slow(message: dict[str, Any]) -> bytes:
        await takes(0.2)
        return http(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": listing}).encode())

    async with stand_in(slow, federation.clinicas.folder("clinic_c").path) as port:
        texto = await partial_answer(federation, federation.elsewhere("clinic_c", port))
    assert "Não consegui" not in texto
    assert "Clínica C não tem horários livres" in texto


async def test_a_clinic_that_has_another_key_is_told_as_a_clinic_that_is_missing(federation: Federation, tmp_path: Path) -> None:
    own = federation.clinicas
    (tmp_path / "clinicas").mkdir()
    for clinica in own.registro:
        (tmp_path / "clinicas" / clinica.id).symlink_to(own.folder(clinica.id).path)
    wrong = ClinicFolder(tmp_path / "clinicas/clinic_c")
    wrong.path.unlink()
    wrong.create()
    ensure_keys(wrong, os.urandom)
    door = door_of(own.find("clinic_c"), own.folder("clinic_c").path)
    (wrong.path / door.name).symlink_to(door.folder / door.name)
    clinicas = replace(own, data_dir=tmp_path, cadastro=own.registro)
    texto = await partial_answer(federation, clinicas)
    assert "Não consegui falar com a Clínica C" in texto


async def test_a_log_folder_that_cannot_be_written_stops_no_turn(federation: Federation, tmp_path: Path) -> None:
    own = federation.clinicas
    (tmp_path / "clinicas").symlink_to(own.data_dir / "clinicas")
    (tmp_path / "logs").write_text("not a folder")
    async with federation.speaking(clinicas=replace(own, data_dir=tmp_path, cadastro=own.registro)) as session:
        assert "18/07" in (await session.say(SAID)).texto


@pytest.fixture
def two_clinics(tmp_path: Path) -> Iterator[Federation]:
    """A and C alone, to be killed and stopped."""
    if not DADOS.exists():
        pytest.skip(NO_DATA)
    with federation_in(tmp_path, "clinic_a", "clinic_c") as federation:
        yield federation


async def test_a_clinic_killed_in_the_middle_is_missed_and_used_again_once_it_is_back(two_clinics: Federation) -> None:
    async with two_clinics.speaking(limits=LIMITS) as session:
        assert "18/07" in (await session.say(SAID)).texto
        killed = two_clinics.servers["clinic_c"]
        killed.process.kill()
        killed.process.wait()
        missing = (await session.say("pode ser com o Dr. Fernando dia 18 as 10h")).texto
        assert "Não consegui falar com a Clínica C" in missing
        assert two_clinics.held() == {}
        with running(killed.order):
            async with asyncio.timeout(30):
                back = ""
                while "Pronto" not in back:  # the breaker may be open for a second
                    back = (await session.say("pode ser com o Dr. Fernando dia 18 as 10h")).texto
                    await asyncio.sleep(0.1)
            assert list(two_clinics.held()) == ["clinic_c"]


async def test_a_clinic_that_hangs_in_the_middle_costs_a_turn_no_more_than_its_limit(two_clinics: Federation) -> None:
    async with two_clinics.speaking(limits=LIMITS) as session:
        await session.say(SAID)
        hung = two_clinics.servers["clinic_c"].process
        hung.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            reply = await session.say(SAID)
            assert time.monotonic() - began < BUSY_SECONDS
        finally:
            hung.send_signal(signal.SIGCONT)
        assert "Dr. Ricardo Lopes" in reply.texto
        assert "Não consegui falar com a Clínica C" in reply.texto


async def test_a_move_to_a_clinic_whose_other_end_is_down_leaves_the_person_where_they_were(two_clinics: Federation) -> None:
    async with two_clinics.speaking(limits=LIMITS) as session:
        await session.say(SAID)
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        killed = two_clinics.servers["clinic_c"].process
        killed.kill()
        killed.wait()
        await session.say("quero mudar para o Dr. Ricardo Lopes dia 21 às 9h")
        moved = await session.say("sim")
        assert moved.trace is not None
        assert moved.trace.replies[0].error is not None
        assert moved.trace.replies[0].error.codigo == "troca_desfeita"
        assert list(two_clinics.held()) == ["clinic_c"]
        assert [booking.clinic for booking in session.dialogue.bookings] == ["clinic_c"]
