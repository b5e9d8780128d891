"""What is asked of an appointment that may be there already: who is proven hears it, who is not is asked for the proof."""

from __future__ import annotations

import pytest

from clinicas_aqui import said
from clinicas_da_amostra import ClinicasDaAmostra
from crivo.clinicas.codigos import written
from crivo.clinicas.orquestrador.contracts import Paciente

ANA = Paciente("Ana Braga", "529.982.247-25")
LORENA = "Dra. Lorena Vasques"
PROOF = "conta de paciente ou fale com a recepção"
HELD = "sexta-feira, 18/07, às 11:00, com a Dra. Lorena Vasques"
OF_WHAT_IS_HELD = [
    "só confirma se tenho consulta sexta",
    "tenho consulta?",
    "me diz só se eu tenho consulta sexta",
    "só preciso saber se a consulta de sexta continua",
    "a consulta continua?",
    "a consulta ainda está de pé?",
    "a consulta com a Dra. Lorena sexta às 11 ainda está de pé?",
    "esqueci se marquei ou não, já marquei com vocês?",
    "quero confirmar presença",
]
OF_A_LOST_CODE = [
    "perdi o código",
    "perdi o código da consulta, como faço?",
    "me manda o código de novo por favor, perdi",
    "reenvia o código",
    "qual foi o último código?",
    "não lembro o código da minha consulta",
]


@pytest.fixture
def clinicas() -> ClinicasDaAmostra:
    opened = ClinicasDaAmostra()
    opened.hold(LORENA, ANA)
    return opened


@pytest.mark.parametrize("message", OF_WHAT_IS_HELD + OF_A_LOST_CODE)
async def test_who_is_proven_hears_what_they_hold(clinicas: ClinicasDaAmostra, message: str) -> None:
    assert HELD in await said(clinicas.open(ANA, provado=True), message)


@pytest.mark.parametrize("message", OF_WHAT_IS_HELD + OF_A_LOST_CODE)
async def test_who_is_not_proven_hears_what_to_do_and_nothing_of_what_is_held(clinicas: ClinicasDaAmostra, message: str) -> None:
    told = await said(clinicas.open(ANA), message)
    assert PROOF in told
    assert "18/07" not in told


@pytest.mark.parametrize("message", OF_A_LOST_CODE)
async def test_who_lost_the_code_hears_the_telephones(clinicas: ClinicasDaAmostra, message: str) -> None:
    assert "(85) 3000-0001" in await said(clinicas.open(ANA), message)


@pytest.mark.parametrize("provado", [True, False])
@pytest.mark.parametrize("message", OF_WHAT_IS_HELD + OF_A_LOST_CODE)
async def test_a_yes_after_such_a_question_books_nothing(clinicas: ClinicasDaAmostra, message: str, provado: bool) -> None:
    before = dict(clinicas.held)
    await said(clinicas.open(ANA, provado=provado), "quero um horário com a Dra. Yasmin na terça", message, "sim")
    await said(clinicas.open(ANA, provado=provado), message, "sim")
    assert clinicas.held == before


@pytest.mark.parametrize(
    "message",
    [
        "quero remarcar a consulta de sexta 18/07 às 11:00 com a Dra. Lorena",
        "quero remarcar a consulta de terça 22/07 às 08:00 com a Dra. Lorena",
        "quero remarcar a consulta de terça 22/07 às 08:00 com a Dra. Lorena para sexta 25/07",
    ],
)
async def test_a_change_of_what_nobody_proved_asks_for_the_proof_at_once(clinicas: ClinicasDaAmostra, message: str) -> None:
    session = clinicas.open(ANA)
    told = await said(session, message)
    assert PROOF in told
    assert "vamos mudar" not in told
    assert "Esse já é o horário da sua consulta" not in await said(session, "quero marcar com a Dra. Lorena dia 22/07 às 8h")


async def test_the_code_goes_on_with_the_change_that_waited_for_it(clinicas: ClinicasDaAmostra) -> None:
    session = clinicas.open(ANA)
    await said(session, "quero remarcar a consulta de sexta 18/07 às 11:00 com a Dra. Lorena")
    (vaga,) = clinicas.held
    assert f"vamos mudar a consulta de {HELD}" in await said(session, written(clinicas.code(vaga)))


@pytest.mark.parametrize("message", ["qual médico?", "que horas?", "que dia é?", "com quem é?"])
async def test_a_bare_question_after_the_proof_is_of_what_is_held(clinicas: ClinicasDaAmostra, message: str) -> None:
    session = clinicas.open(ANA)
    (vaga,) = clinicas.held
    told = await said(session, written(clinicas.code(vaga)))
    assert "marcadas nesta conversa" not in told, "it was booked before"
    assert HELD in await said(session, message)
