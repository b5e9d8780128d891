"""Whom a conversation serves: the first request waits until that is known, and a CPF that was only typed may be put right in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clinicas_aqui import ClinicasAqui, clinicas_aqui, said
from crivo.clinicas.codigos import written
from crivo.clinicas.orquestrador.contracts import Paciente

ANA, BIA = Paciente("Ana Braga", "529.982.247-25"), Paciente("Bia Castro", "111.444.777-35")
MISTYPED = Paciente("Ana Braga", BIA.cpf)
BOOK = "quero marcar com o Dr. Bruno dia 18 às 10h"


@pytest.fixture
async def clinicas(tmp_path: Path) -> AsyncIterator[ClinicasAqui]:
    async with clinicas_aqui(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    "messages",
    [
        ("errei, meu cpf é 529.982.247-25",),
        ("o cpf certo é 52998224725",),
        ("meu cpf está errado", "529.982.247-25"),
        ("digitei o cpf errado", "é 529 982 247 25"),
        ("o cpf tá errado, é 529.982.247-24", "é 529.982.247-25"),
        ("troquei um número, é 529.982.247-25",),
        ("my cpf is wrong, it is 529.982.247-25",),
    ],
)
async def test_a_typed_cpf_is_put_right_and_what_is_booked_then_is_of_the_right_one(
    clinicas: ClinicasAqui, messages: tuple[str, ...]
) -> None:
    session = clinicas.open(MISTYPED)
    told = await said(session, *messages)
    assert "***.982.247-**" in told
    assert session.dialogue.paciente == ANA
    await said(session, BOOK)
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", ANA.cpf)]


async def test_what_is_asked_beside_the_right_cpf_is_answered(clinicas: ClinicasAqui) -> None:
    told = await said(clinicas.open(MISTYPED), "errei, meu cpf é 529.982.247-25, quero um cardiologista")
    assert "***.982.247-**" in told
    assert "Dr. Bruno Teles" in told


async def test_nothing_is_booked_in_a_cpf_that_was_called_wrong_until_it_is_put_right(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(MISTYPED)
    assert "onze números" in await said(session, "meu cpf está errado", BOOK)
    assert clinicas.held() == []
    assert "marcada" in await said(session, ANA.cpf)
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", ANA.cpf)]


@pytest.mark.parametrize("message", ["meu cpf está certo sim", "deixa pra lá", "estava certo"])
async def test_who_was_right_after_all_goes_on_with_the_cpf_of_before(clinicas: ClinicasAqui, message: str) -> None:
    session = clinicas.open(ANA)
    await said(session, "errei meu cpf", message, BOOK)
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", ANA.cpf)]


async def test_a_cpf_put_right_proves_nothing_and_forgets_what_codes_had_opened(clinicas: ClinicasAqui) -> None:
    """Whoever turns to another CPF in a conversation is as much of a stranger to it as in a new one."""
    await said(clinicas.open(BIA), "quero marcar com a Dra. Carla dia 21 às 14h")
    session = clinicas.open(ANA)
    await said(session, BOOK)
    (code,) = session.codigos.values()
    told = await said(session, f"o cpf certo é {BIA.cpf}")
    assert "sexta-feira, 18/07, às 10:00, com o Dr. Bruno Teles" in told, "what stands is said"
    assert session.codigos == {}
    assert session.dialogue.bookings == ()
    assert session.dialogue.feito is None
    before = clinicas.slots()
    for message in ("quais são as minhas consultas?", "cancela a consulta com o Dr. Bruno dia 18 às 10h", "desfazer"):
        assert "Dra. Carla" not in await said(session, message, "sim")
    assert clinicas.slots() == before
    assert "Cancelo?" in await said(clinicas.open(ANA), f"quero cancelar, código {written(code)}")


async def test_a_cancelling_that_waited_for_a_yes_is_not_done_once_the_cpf_is_another(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA)
    await said(session, BOOK, "cancela", f"o cpf certo é {BIA.cpf}", "sim")
    assert len(clinicas.held()) == 1


async def test_wrong_codes_count_on_though_the_cpf_is_another(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA)
    asked = "código JRBCD-F2345"
    await said(session, asked, f"o cpf certo é {BIA.cpf}")
    assert len(session._proofs.chaveiro.wrong) == 1


async def test_the_cpf_of_a_proven_account_is_not_changed_in_words(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA, provado=True)
    assert "recepção" in await said(session, f"meu cpf está errado, o certo é {BIA.cpf}")
    assert session.dialogue.paciente == ANA
    assert session.dialogue.provado


@pytest.mark.parametrize(
    "message",
    [
        "o cpf da minha mãe é 111.444.777-35",
        "o cpf dela certo é 111.444.777-35",
        "meu cpf está certo?",
        "meu nome é Bia Castro e meu cpf é 111.444.777-35",
    ],
)
async def test_a_cpf_of_somebody_else_or_a_question_changes_nothing(clinicas: ClinicasAqui, message: str) -> None:
    session = clinicas.open(ANA)
    await said(session, message)
    assert session.dialogue.paciente == ANA


async def test_a_childs_cpf_put_right_is_the_childs(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA)
    await said(session, "quero marcar pro meu filho com o Dr. Bruno dia 18 às 10h", "Leo Castro", "o cpf certo é 987.654.321-00")
    assert session.dialogue.paciente == ANA
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", "987.654.321-00")]


async def test_what_was_asked_before_the_name_is_taken_up_again(clinicas: ClinicasAqui) -> None:
    session = clinicas.open()
    assert "Anotei o seu pedido" in await said(session, "quero marcar um cardiologista dia 18 cedo")
    told = await said(session, ANA.nome, ANA.cpf)
    assert "Dr. Bruno Teles" in told
    assert "O que você precisa" not in told


async def test_what_is_added_before_the_name_goes_with_what_was_asked_and_a_new_wish_takes_its_place(clinicas: ClinicasAqui) -> None:
    session = clinicas.open()
    await said(session, "quero um cardiologista", "amanhã cedo", "maria domingos", ANA.cpf)
    assert session.dialogue.utterances == ("quero um cardiologista\namanhã cedo",)
    other = clinicas.open()
    assert "Dra. Carla" in await said(other, "quero um cardiologista", "quero um dermatologista", f"Ana Braga {ANA.cpf}")


async def test_what_stands_beside_name_and_cpf_is_answered_too(clinicas: ClinicasAqui) -> None:
    told = await said(clinicas.open(), f"sou Ana Braga, cpf {ANA.cpf}, quero um dermatologista")
    assert "Dra. Carla Nunes" in told


async def test_a_greeting_asks_for_the_name_and_is_no_bad_name(clinicas: ClinicasAqui) -> None:
    assert (await said(clinicas.open(), "oi")).startswith("Olá!")


async def test_a_question_about_a_clinic_before_the_cpf_is_answered_once_it_is_known(clinicas: ClinicasAqui) -> None:
    session = clinicas.open()
    assert "Anotei o seu pedido" in await said(session, ANA.nome, "quanto custa a consulta?")
    assert "O que você precisa" not in await said(session, ANA.cpf)
