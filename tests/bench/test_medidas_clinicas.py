"""What is measured of conversations and clinics runs, on numbers small enough for a test, and refuses to time anything else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from bench import conversa, marcacoes
from bench.clinicas import agenda, cpf_of
from bench.disparo import Refused

from crivo.clinicas.clinica.dbjson import is_real
from crivo.kernel.linguagem.identificadores import read_cpf


@pytest.mark.slow
def test_a_turn_is_measured_beside_a_bare_round_trip_and_six_clinics_beside_two(tmp_path: Path) -> None:
    turno, perto, longe = conversa.run(tmp_path, rodadas=1, vezes=2)
    assert turno.par is not None
    assert turno.par > 5  # milliseconds of leave, and the round trip
    assert turno.alcancada is (turno.nosso <= turno.par)
    assert longe.par is not None
    assert longe.par >= 1000 * conversa.DISTANCIA
    assert all(linha.nosso > 0 and linha.meta == "≤ 1,3×" for linha in (perto, longe))


@pytest.mark.slow
def test_bookings_are_measured_beside_plain_commits(tmp_path: Path) -> None:
    (linha,) = marcacoes.run(tmp_path, rodadas=1, segundos=0.2, horarios=8_000)
    assert linha.nosso > 0
    assert linha.par is not None
    assert linha.meta == "≥ 0,8×"
    assert "escritas por segundo" in linha.nota


def test_bookings_that_are_not_in_the_agenda_are_no_bookings(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="na agenda"):
        marcacoes.run(tmp_path, rodadas=1, segundos=0.3, horarios=20)  # the same twenty over and over


def test_the_agenda_made_up_has_slots_that_exist_and_people_whose_cpfs_do() -> None:
    slots = agenda(1_000)
    assert all(is_real(slot.date, slot.time) and slot.available for slot in slots)
    assert max(Counter((slot.date, slot.time) for slot in slots).values()) == 1
    assert {read_cpf(cpf_of(number)) for number in range(3)} == {cpf_of(number) for number in range(3)}
