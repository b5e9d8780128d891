"""After one appointment was booked, another with any doctor by name is listed, asked about and booked; no text of code is refused."""

from __future__ import annotations

import pytest

from clinicas_da_amostra import ClinicasDaAmostra
from crivo.clinicas.orquestrador.contracts import Paciente

ANA = Paciente("Ana Braga", "529.982.247-25")
CHILDREN = "Dr. Heitor Sampaio Lins"
DOCTORS = tuple(sorted(ClinicasDaAmostra().doctors))
# Each after two others and before two others; of the 132 pairs none was swallowed.
PAIRS = [(one, DOCTORS[(at + step) % len(DOCTORS)]) for at, one in enumerate(DOCTORS) for step in (1, 5)]


@pytest.mark.parametrize(("first", "second"), PAIRS)
async def test_another_doctor_by_name_is_never_swallowed(first: str, second: str) -> None:
    clinicas = ClinicasDaAmostra()
    session = clinicas.open(ANA)
    for message in (f"quero marcar com {first}", "o primeiro", f"quero marcar outra, com {second}", "a primeira"):
        reply = await session.say(message)
        if "é para você" in reply.texto:
            reply = await session.say("é para mim")
        assert reply.trace is not None
        assert reply.trace.autor != "frase_segura", (message, reply.trace.verdicts)
    if "também" in reply.texto:
        reply = await session.say("sim")
    if CHILDREN in {first, second}:
        return  # whom the appointment is for is asked about first
    assert [vaga[1] for vaga in clinicas.held] == [first, second], reply.texto
