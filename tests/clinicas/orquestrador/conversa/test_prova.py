"""A CPF that is typed proves nothing, in words too. Source: design/sujeito.md, table, 1."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp.types import CallToolRequestParams

from clinicas_aqui import ClinicasAqui, clinicas_aqui, said
from crivo.clinicas.codigos import META_CODIGO, META_ORIGEM, META_PEDIDO, code_from, written
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Plan
from crivo.clinicas.orquestrador.conversa.mcp_server import create_server
from crivo.clinicas.orquestrador.feito import done_last

ANA, BIA = Paciente("Ana Braga", "529.982.247-25"), Paciente("Bia Castro", "111.444.777-35")
STRANGER = Paciente("Fulano de Tal", ANA.cpf)
BOOK = "quero marcar com o Dr. Bruno dia 18 às 10h"
WRONG = written(code_from(b"another", "clinic_a"))
SEVERAL_WRONG = [written(code_from(str(number).encode(), "clinic_a")) for number in range(5)]
CODE_OF_NOBODY = "O1ILU-01ILU"


@pytest.fixture
async def clinicas(tmp_path: Path) -> AsyncIterator[ClinicasAqui]:
    async with clinicas_aqui(tmp_path) as opened:
        yield opened


async def booked(clinicas: ClinicasAqui, paciente: Paciente = ANA) -> str:
    """The code of Ana's appointment, as people write it."""
    session = clinicas.open(paciente)
    await said(session, BOOK)
    (code,) = session.codigos.values()
    return written(code)


@pytest.mark.parametrize(
    "message",
    [
        "quais são as minhas consultas?",
        "o que eu tenho marcado?",
        "tenho consulta com o Dr. Bruno dia 18 às 10h?",
        "cancela a minha consulta",
        "cancela a consulta com o Dr. Bruno dia 18 às 10h",
        "quero remarcar a consulta com o Dr. Bruno do dia 18 às 10h para as 11h",
        "quero trocar a consulta com o Dr. Bruno do dia 18 às 10h pela Dra. Carla dia 21 às 14h",
        BOOK,
        f"cancela a consulta com o Dr. Bruno dia 18 às 10h, código {WRONG}",
        WRONG,
        "cancel my appointment with Dr. Bruno on July 18 at 10 am",
    ],
)
async def test_a_stranger_with_a_cpf_is_told_the_same_whoever_holds_the_slot(clinicas: ClinicasAqui, message: str) -> None:
    """Whether Ana or somebody else holds it, who types Ana's CPF hears the same words, and nothing changes."""
    await booked(clinicas, BIA)
    of_another = await said(clinicas.open(STRANGER), message, "sim")
    await said(clinicas.open(BIA, provado=True), "cancela a minha consulta", "sim")
    await booked(clinicas, ANA)
    before = clinicas.slots()
    session = clinicas.open(STRANGER)
    assert await said(session, message, "sim") == of_another
    assert clinicas.slots() == before
    assert "está marcada" not in of_another
    assert not session.dialogue.bookings


async def test_what_was_booked_here_is_moved_and_cancelled_here(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA)
    told = await session.say(BOOK)
    (code,) = session.codigos.values()
    assert f"Guarde o código desta consulta: {written(code)}." in told.inteiro
    assert code not in told.texto + repr(told) + repr(told.trace)
    await said(session, "muda para o dia 18 às 11h com o Dr. Bruno", "sim")
    assert [one[2] for one in clinicas.held()] == ["11:00"]
    assert set(session.codigos.values()) == {code}, "it keeps its code"
    assert "código" not in await said(session, "cancela", "sim")
    assert clinicas.held() == []


@pytest.mark.parametrize("spelled", [str, str.lower, lambda code: code.replace("-", "")])
async def test_a_code_that_is_typed_proves_its_booking_and_goes_on_with_what_waited(clinicas: ClinicasAqui, spelled: type[str]) -> None:
    code = spelled(await booked(clinicas))
    session = clinicas.open(ANA)
    assert "código" in await said(session, "cancela a minha consulta")
    assert "10:00, com o Dr. Bruno Teles" in await said(session, code)
    assert "Cancelei" in await said(session, "sim")
    assert clinicas.held() == []


async def test_a_code_alone_shows_which_appointment_it_is_and_one_beside_a_wish_does_it(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas)
    assert "18/07, às 10:00" in await said(clinicas.open(ANA), f"meu código é {code}")
    assert "Cancelo?" in await said(clinicas.open(ANA), f"quero cancelar, código {code}")


async def test_a_code_told_before_who_speaks_waits_for_the_name_and_the_cpf(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas)
    session = clinicas.open()
    assert "nome completo" in await said(session, f"quero cancelar, código {code}")
    assert "Cancelo?" in await said(session, "Ana Braga", ANA.cpf)


@pytest.mark.parametrize("provado", [False, True])
@pytest.mark.parametrize(
    "message", ["o código da consulta da minha mãe é {code}, quero desmarcar", "cancela a da minha mãe, código {code}"]
)
async def test_a_relatives_code_opens_that_booking_alone_in_ones_own_conversation(
    clinicas: ClinicasAqui, message: str, provado: bool
) -> None:
    """Ana cancels her mother's appointment by its code; she stays who she is, and learns nothing of what else her mother holds."""
    code = await booked(clinicas, BIA)
    await said(clinicas.open(BIA), "quero marcar com a Dra. Carla dia 21 às 14h")
    session = clinicas.open(ANA, provado=provado)
    told = await said(session, message.format(code=code))
    assert "18/07, às 10:00" in told
    assert "sua mãe" in told
    assert "Carla" not in told
    assert "Bia" not in repr(session.dialogue)
    assert BIA.cpf not in repr(session.dialogue)
    assert session.dialogue.paciente == ANA
    assert "Cancelei" in await said(session, "sim")
    assert clinicas.held() == [("clinic_b", "2025-07-21", "14:00", BIA.cpf)]
    assert "Não há nada para desfazer" in await said(session, "desfazer")
    assert "Carla" not in await said(session, "quais são as minhas consultas?")


async def test_a_relatives_booking_is_moved_by_its_code_and_stays_the_relatives(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas, BIA)
    session = clinicas.open(ANA)
    await said(session, f"código {code} da minha mãe", "muda a da minha mãe para o dia 18 às 11h com o Dr. Bruno", "sim")
    assert clinicas.held() == [("clinic_a", "2025-07-18", "11:00", BIA.cpf)]
    assert "11:00" in await said(clinicas.open(BIA), f"meu código é {code}")


async def test_a_relatives_cancelling_is_not_undone_in_the_speakers_name_though_its_answer_was_lost(clinicas: ClinicasAqui) -> None:
    """Where no answer came and the slot is free again, it is told done in the name of whoever asked."""
    session = clinicas.open(ANA)
    await said(session, f"código {await booked(clinicas, BIA)} da minha mãe")
    (held,) = session.dialogue.bookings
    slot = {"doctor": held.doctor, "date": held.date, "time": held.time, "patient_name": ANA.nome, "cpf": ANA.cpf, "specialty": ""}
    reply = ClinicReply(held.clinic, "cancel_appointment", {"cancelled_appointment": slot, "message": "", "status": "cancelled"})
    done = done_last(session.dialogue, Plan(), (reply,))
    assert done is not None
    assert done.ato == "cancelou"
    assert (done.volta, done.restam) == ((), ())


async def test_a_relatives_booking_is_not_exchanged_for_one_of_the_speakers(clinicas: ClinicasAqui) -> None:
    """Another doctor is a new booking, which needs the name and the CPF of whom it is for."""
    code = await booked(clinicas, BIA)
    session = clinicas.open(ANA)
    told = await said(session, f"código {code} da minha mãe", "quero trocar a da minha mãe pela Dra. Carla dia 21 às 14h")
    assert "nada foi feito" in told
    await said(session, "sim")
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", BIA.cpf)]


async def test_a_planted_booking_that_its_proven_holder_moves_leaves_the_stranger_nothing(clinicas: ClinicasAqui) -> None:
    stranger = clinicas.open(STRANGER)
    await said(stranger, BOOK)
    planted = written(next(iter(stranger.codigos.values())))
    session = clinicas.open(ANA, provado=True)
    told = await said(session, "muda a minha consulta do dia 18 às 10h com o Dr. Bruno para as 11h", "sim")
    (code,) = session.codigos.values()
    assert written(code) in told
    assert "não vale mais" in told
    assert "não confere" in await said(clinicas.open(STRANGER), planted)
    await said(stranger, "cancela a minha consulta", "sim")
    assert [one[2] for one in clinicas.held()] == ["11:00"]
    assert "Cancelo?" in await said(clinicas.open(ANA), f"quero cancelar, código {written(code)}")


async def test_the_reception_that_moves_a_booking_is_given_its_new_code_for_the_patient(clinicas: ClinicasAqui) -> None:
    planted = await booked(clinicas)
    session = clinicas.open(papel="operador")
    told = await said(session, f"Ana Braga {ANA.cpf} muda a consulta com o Dr. Bruno do dia 18 às 10h para as 11h", "sim")
    (code,) = session.codigos.values()
    assert written(code) in told
    assert written(code) != planted
    assert "não confere" in await said(clinicas.open(ANA), planted)


async def test_five_wrong_codes_end_the_looking_for_codes(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas)
    session = clinicas.open(ANA)
    told = [await said(session, wrong) for wrong in SEVERAL_WRONG]
    assert "conta de paciente" in told[-1]
    assert "recepção" in told[-1]
    assert "(85) 3000-0001" in told[-1]
    asked = len(clinicas.sent)
    assert [await said(session, one) for one in (code, WRONG)] == [told[-1]] * 2
    assert len(clinicas.sent) == asked, "no clinic is asked any more"
    assert "18/07" in await said(clinicas.open(ANA), code), "another conversation still may"


async def test_a_stranger_who_knows_a_cpf_closes_nothing_to_its_holder(clinicas: ClinicasAqui) -> None:
    """Source: the attack P1 and P2: five wrong codes took the right one from its holder for good."""
    at_home = clinicas.open(ANA)
    await said(at_home, BOOK)
    (code,) = at_home.codigos.values()
    for number in range(6):
        stranger = clinicas.open(STRANGER)
        told = [await said(stranger, written(code_from(f"{number} {at}".encode(), "clinic_a"))) for at in range(6)]
    assert told[-1] == told[-2] != told[0]
    assert "18/07" in await said(clinicas.open(ANA), written(code))
    assert "Cancelei" in await said(at_home, "quero cancelar", "sim")
    assert clinicas.held() == []


async def test_where_codes_rest_it_is_said_what_to_do_and_whoever_holds_one_goes_on(clinicas: ClinicasAqui) -> None:
    at_home = clinicas.open(ANA)
    await said(at_home, BOOK)
    (code,) = at_home.codigos.values()
    await said(clinicas.open(BIA), WRONG)
    with closing(clinicas.places["clinic_a"].open_silo()) as silo:
        silo.change("update tentativas set vezes = 1000000")
        silo.change("update tentativas set cpf = ? where cpf <> x'2a'", silo.chaves.index(ANA.cpf))
    for told in (await said(clinicas.open(ANA), f"quero cancelar, código {written(code)}"), await said(clinicas.open(ANA), WRONG)):
        assert "volta a valer amanhã" in told
        assert "conta de paciente" in told
        assert "(85) 3000-0001" in told
        assert "outra forma" not in told
    assert "Cancelei" in await said(at_home, "quero cancelar", "sim")


async def test_a_code_that_was_taken_away_meanwhile_is_answered_with_what_to_do(clinicas: ClinicasAqui) -> None:
    session = clinicas.open(ANA)
    await said(session, BOOK, "quero cancelar")
    with closing(clinicas.places["clinic_a"].open_silo()) as silo:
        silo.change("update slots set codigo_resumo = null")
    told = await said(session, "sim")
    assert "conta de paciente" in told
    assert "(85) 3000-0001" in told
    assert "outra forma" not in told


async def test_what_is_undone_keeps_the_code_that_it_had(clinicas: ClinicasAqui) -> None:
    """Source: the attack P14: the code on the paper was dead, and counted as wrong against the new one."""
    code = await booked(clinicas)
    session = clinicas.open(ANA)
    await said(session, code, "cancela", "sim")
    assert clinicas.held() == []
    told = await said(session, "desfazer")
    assert code in told
    assert "não vale mais" not in told
    assert "Cancelo?" in await said(clinicas.open(ANA), f"quero cancelar, código {code}")


async def test_where_the_code_cannot_be_kept_it_is_said_and_the_old_one_is_not_counted(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas)
    proven = clinicas.open(ANA, provado=True)
    told = await said(proven, "cancela a minha consulta", "sim", "desfazer")
    assert "não vale mais" in told
    assert code not in told
    (new,) = proven.codigos.values()
    session = clinicas.open(ANA)
    assert len({await said(session, code) for _ in range(7)}) == 1
    assert "18/07" in await said(session, written(new))


async def test_who_is_proven_sees_moves_and_cancels_what_other_conversations_booked(clinicas: ClinicasAqui) -> None:
    """The known complaint: a new conversation knew nothing."""
    await booked(clinicas)
    await said(clinicas.open(ANA), "quero marcar com a Dra. Carla dia 21 às 14h")
    session = clinicas.open(ANA, provado=True)
    told = await said(session, "quais são as minhas consultas?")
    assert "Dr. Bruno Teles" in told
    assert "Dra. Carla Nunes" in told
    await said(session, "cancela a consulta com a Dra. Carla", "sim")
    assert [one[0] for one in clinicas.held()] == ["clinic_a"]
    await said(session, "muda a minha consulta do dia 18 às 10h com o Dr. Bruno para as 11h", "sim")
    assert [one[2] for one in clinicas.held()] == ["11:00"]


async def test_who_is_proven_for_one_cpf_is_not_for_another(clinicas: ClinicasAqui) -> None:
    await booked(clinicas)
    before = clinicas.slots()
    told = await said(
        clinicas.open(BIA, provado=True), "quais são as minhas consultas?", "cancela a consulta com o Dr. Bruno dia 18 às 10h", "sim"
    )
    assert "não encontrei" in told.lower()
    assert clinicas.slots() == before


async def test_the_reception_sees_and_changes_what_a_patient_holds(clinicas: ClinicasAqui) -> None:
    await booked(clinicas)
    session = clinicas.open(papel="operador")
    assert "18/07, às 10:00" in await said(session, f"as consultas da Ana Braga {ANA.cpf}")
    await said(session, "cancela", "sim")
    assert clinicas.held() == []


@pytest.mark.parametrize(
    "asked", ["quais consultas ela tem?", "o que ela tem?", "ela já tem alguma consulta marcada?", "what appointments does she have?"]
)
async def test_the_reception_asks_what_the_patient_named_before_holds(clinicas: ClinicasAqui, asked: str) -> None:
    await booked(clinicas)
    session = clinicas.open(papel="operador")
    told = await said(session, f"Ana Braga {ANA.cpf}", asked)
    assert "18/07" in told or "July 18" in told
    assert "Ana Braga" in told
    assert "1)" not in told, "and no free slots"


@pytest.mark.parametrize("asked", ["quais consultas a Ana Braga tem?", "e a Ana, quais consultas ela tem?"])
async def test_the_reception_asks_by_name_what_one_served_before_holds(clinicas: ClinicasAqui, asked: str) -> None:
    await booked(clinicas)
    session = clinicas.open(papel="operador")
    told = await said(session, f"Ana Braga {ANA.cpf}", f"Bia Castro {BIA.cpf}", asked)
    assert told.startswith("Agora é o atendimento de Ana Braga.")
    assert "18/07, às 10:00" in told


async def test_where_nobody_is_served_it_is_asked_whose_and_told_then(clinicas: ClinicasAqui) -> None:
    await booked(clinicas)
    session = clinicas.open(papel="operador")
    assert "nome completo" in await said(session, "quais consultas ela tem?")
    assert "18/07, às 10:00" in await said(session, "Ana Braga", ANA.cpf)
    assert "18/07, às 10:00" in await said(clinicas.open(papel="operador"), f"quais consultas a Ana Braga {ANA.cpf} tem?")


async def test_a_proof_that_is_withdrawn_leaves_what_was_booked_by_its_code_alone(clinicas: ClinicasAqui) -> None:
    await booked(clinicas)
    session = clinicas.open(ANA, provado=True)
    await said(session, "quero marcar com a Dra. Carla dia 21 às 14h")
    session.doubt()
    told = await said(session, "quais são as minhas consultas?")
    assert "Dra. Carla" in told
    assert "Dr. Bruno" not in told


async def test_a_clinic_that_is_away_is_told_and_not_taken_for_one_that_holds_nothing(clinicas: ClinicasAqui) -> None:
    code = await booked(clinicas)
    clinicas.away.add("clinic_a")
    assert "não respondeu" in await said(clinicas.open(ANA), code)
    told = await said(clinicas.open(ANA, provado=True), "quais são as minhas consultas?")
    assert "Não consegui falar agora com: Clínica A." in told


async def test_codes_travel_beside_the_arguments_and_to_their_own_clinic_alone(clinicas: ClinicasAqui) -> None:
    code = (await booked(clinicas)).replace("-", "")
    clinicas.sent.clear()
    await said(clinicas.open(ANA), code, "cancela", "sim")
    told = [(one["name"], meta) for one in clinicas.sent if isinstance(meta := one.get("_meta"), dict)]
    assert [(name, meta[META_CODIGO]) for name, meta in told] == [("find_appointments", code), ("cancel_appointment", code)]
    assert len({meta[META_ORIGEM] for _, meta in told}) == 1, "by which wrong ones are counted"
    assert not any(code in str(one["arguments"]) for one in clinicas.sent)


async def test_each_booking_is_named_by_a_secret_of_its_own(clinicas: ClinicasAqui) -> None:
    await said(clinicas.open(ANA), BOOK, "quero marcar com a Dra. Carla dia 21 às 14h")
    named = [one["_meta"] for one in clinicas.sent if one["name"] == "book_appointment"]
    assert len({str(one) for one in named}) == 2
    assert all(isinstance(one, dict) and len(one[META_PEDIDO]) == 64 for one in named)


@pytest.mark.parametrize("message", ["o código é jrfss dv7b", CODE_OF_NOBODY, "meu código: JRFSA-DV7B8"])
async def test_what_can_be_no_code_is_answered_with_how_codes_look_and_is_not_counted(clinicas: ClinicasAqui, message: str) -> None:
    code = await booked(clinicas)
    session = clinicas.open(ANA)
    asked = len(clinicas.sent)
    told = {await said(session, message) for _ in range(6)}
    assert all("dez letras e números, como em" in one for one in told)
    assert not [one for one in clinicas.sent[asked:] if one["name"] == "find_appointments"]
    assert "18/07" in await said(session, code)


async def test_who_proves_an_appointment_and_asks_when_it_is_is_told_that_one(clinicas: ClinicasAqui) -> None:
    """Source: the attack P4: another slot was offered to whoever asked for the hour of theirs."""
    code = (await booked(clinicas)).lower().replace("-", " ")
    told = await said(clinicas.open(ANA), f"oi tenho consulta amanhã cedo quero saber o horário, o codigo é {code}")
    assert "18/07, às 10:00" in told
    assert "Posso marcar" not in told


async def test_a_code_in_pieces_proves_its_booking(clinicas: ClinicasAqui) -> None:
    code = (await booked(clinicas)).lower().replace("-", "")
    for spelled in (" ".join(code), f"{code[:2]} {code[2:5]} {code[5:]}", f"{code[:5]}_{code[5:]}", f"{code[:5]} traço {code[5:]}"):
        assert "18/07, às 10:00" in await said(clinicas.open(ANA), spelled)


async def test_over_mcp_the_code_is_told_once_and_proves_its_booking_in_words(clinicas: ClinicasAqui) -> None:
    """No option of the client's makes it an operator, nor proves who speaks: the code does, in another conversation too."""
    entry = create_server(clinicas.open).get_request_handler("tools/call")
    assert entry is not None

    async def talk(*messages: str) -> list[str]:
        told: list[str] = []
        given: dict[str, str] = {}
        for message in messages:
            params = CallToolRequestParams(name="conversar", arguments={"mensagem": message, **given})
            result: Any = await entry.handler(None, params)  # type: ignore[arg-type]
            told.append(result.structured_content["texto"])
            given = {"conversa": result.structured_content["conversa"]}
        return told

    *_, done = await talk(ANA.nome, ANA.cpf, BOOK)
    (code,) = re.findall(r"\b[A-Z0-9]{5}-[A-Z0-9]{5}\b", done)
    assert "o código" in (await talk(ANA.nome, ANA.cpf, "cancela a consulta com o Dr. Bruno dia 18 às 10h"))[-1]
    assert len(clinicas.held()) == 1
    assert "Cancelei" in (await talk(ANA.nome, ANA.cpf, f"cancela, código {code}", "sim"))[-1]
    assert clinicas.held() == []
