"""Who may see, move and cancel what is booked. Source: design/sujeito.md, table, 1."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta

import httpx
import pytest

from cenario import ANA, BIA, CLOCK, Of, bearer, request_of, token_of
from crivo.clinicas.clinica.arguments import BookAppointment, CancelAppointment, FindAppointments, RescheduleAppointment, Write
from crivo.clinicas.clinica.prova import Order, Quem
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.values import Answered
from crivo.clinicas.codigos import META_CODIGO, META_PEDIDO, code_from, is_of_clinic
from crivo.clinicas.protocol import Booked, Cancelled, Found, Refusal, Rescheduled
from crivo.kernel.clock import FixedClock

RECEPCAO, NINGUEM, EM_NOME_DE_ANA = Quem("operador"), Quem(), Quem(em_nome_de=Of("52998224725"))
BOOK = BookAppointment("Fernando", "2025-07-18", "10:00", "Ana Braga", ANA)
LATER = BookAppointment("Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
CANCEL = CancelAppointment("Fernando", "2025-07-18", "10:00", "Ana Braga", ANA)
MOVE = RescheduleAppointment("2025-07-18", "10:00", "Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
FIND = FindAppointments(ANA, "Ana Braga")
WRONG = code_from(b"another", "clinic_c")
OF_OTHERS = code_from(b"another", "clinic_a")
PEDIDO = "0123456789abcdef0123456789abcdef"


def done(silo: Silo, request: Write, quem: Quem = NINGUEM) -> Answered:
    return silo.write([Order(request, quem)])[0]


def refused(answered: Answered) -> str:
    assert isinstance(answered.answer, Refusal), answered
    return answered.answer.codigo


def booked(silo: Silo, request: BookAppointment = BOOK) -> Quem:
    """The proof that a booking gave."""
    answered = done(silo, request)
    assert isinstance(answered.answer, Booked)
    return Quem(codigo=answered.codigo)


@pytest.mark.parametrize("request_", [CANCEL, MOVE, FIND])
def test_a_cpf_that_is_typed_proves_nothing_and_tells_nothing(silo: Silo, request_: Write) -> None:
    before = done(silo, request_)
    booked(silo)
    slots = silo.all_slots()
    assert refused(before) == "prova_necessaria"
    assert done(silo, request_) == done(silo, request_, Quem(em_nome_de=Of("11144477735"))) == before
    assert done(silo, request_, Quem(codigo=WRONG)) == before
    assert silo.all_slots() == slots


@pytest.mark.parametrize("quem", [RECEPCAO, EM_NOME_DE_ANA])
def test_whoever_is_proven_wholly_sees_moves_and_cancels(silo: Silo, quem: Quem) -> None:
    booked(silo)
    found = done(silo, FIND, quem).answer
    assert isinstance(found, Found)
    assert [(one.date, one.time, one.specialty) for one in found.appointments] == [("2025-07-18", "10:00", "Cardiology")]
    assert isinstance(done(silo, MOVE, quem).answer, Rescheduled)
    moved = CancelAppointment("Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
    assert isinstance(done(silo, moved, quem).answer, Cancelled)
    assert silo.find_appointments(FIND, quem) == Found(())


def test_its_own_code_proves_one_booking_and_no_other(silo: Silo) -> None:
    first, second = booked(silo), booked(silo, LATER)
    assert first.codigo != second.codigo
    found = done(silo, FIND, first).answer
    assert isinstance(found, Found)
    assert [one.date for one in found.appointments] == ["2025-07-18"]
    assert refused(done(silo, CANCEL, second)) == "prova_necessaria"
    assert refused(done(silo, FindAppointments(BIA, "Bia Rocha"), first)) == "prova_necessaria"
    assert isinstance(done(silo, CANCEL, first).answer, Cancelled)


def test_a_booking_that_moves_keeps_its_code_and_one_that_is_cancelled_forgets_it(silo: Silo) -> None:
    proof = booked(silo)
    moved = done(silo, MOVE, proof)
    assert isinstance(moved.answer, Rescheduled)
    assert moved.codigo == ""
    again = CancelAppointment("Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
    assert isinstance(done(silo, again, proof).answer, Cancelled)
    assert isinstance(done(silo, LATER).answer, Booked)
    assert refused(done(silo, again, proof)) == "prova_necessaria"


def test_the_fifth_wrong_try_closes_the_code_and_nothing_tells_so(silo: Silo) -> None:
    proof = booked(silo)
    tries = [done(silo, CANCEL, Quem(codigo=WRONG)) for _ in range(4)]
    assert isinstance(done(silo, FIND, proof).answer, Found)  # the right one begins the count anew
    tries += [done(silo, FIND, Quem(codigo=WRONG)) for _ in range(5)]
    tries += [done(silo, CANCEL, proof), done(silo, FIND, proof)]
    assert len({repr(one.answer) for one in tries}) == 1
    assert isinstance(done(silo, CANCEL, RECEPCAO).answer, Cancelled)


def test_a_thousand_guesses_find_nothing(silo: Silo) -> None:
    booked(silo)
    guesses = [Quem(codigo=code_from(str(number).encode(), "clinic_c")) for number in range(1_000)]
    answers = silo.write([Order(CANCEL, guess) for guess in guesses])
    assert {refused(one) for one in answers} == {"prova_necessaria"}


def test_the_code_of_another_clinic_is_no_try(silo: Silo) -> None:
    proof = booked(silo)
    assert not is_of_clinic(OF_OTHERS, "clinic_c")
    assert {refused(done(silo, FIND, Quem(codigo=OF_OTHERS))) for _ in range(9)} == {"prova_necessaria"}
    assert isinstance(done(silo, CANCEL, proof).answer, Cancelled)


def test_the_code_of_a_booking_that_has_passed_proves_nothing(place: Place, silo: Silo) -> None:
    proof = booked(silo)
    after = Place(place.clinica, place.folder, FixedClock(CLOCK.now() + timedelta(days=3)))
    with closing(after.open_silo()) as later:
        assert refused(done(later, FIND, proof)) == "prova_necessaria"
        assert refused(done(later, CANCEL, proof)) == "horario_passado"


def test_a_booking_sent_again_is_answered_as_the_first_time_with_its_code(silo: Silo) -> None:
    same = Quem(pedido=PEDIDO)
    assert done(silo, BOOK, same) == done(silo, BOOK, same)
    assert done(silo, BOOK, same).codigo
    assert refused(done(silo, BOOK, Quem(pedido=PEDIDO[::-1]))) == refused(done(silo, BOOK)) == "horario_ocupado"


def test_the_silo_keeps_no_code(place: Place, silo: Silo) -> None:
    code = booked(silo).codigo
    assert code not in repr(done(silo, BOOK))
    assert code.encode() not in place.folder.silo.read_bytes() + place.folder.silo.with_name("silo.sqlite3-wal").read_bytes()


def test_a_booking_of_before_there_were_codes_is_proved_by_the_reception_and_the_account(place: Place, silo: Silo) -> None:
    done(silo, BOOK)
    silo.close()
    with closing(sqlite3.connect(place.folder.silo)) as old, old:
        old.execute("update slots set codigo_resumo = null")
    with closing(place.open_silo()) as now:
        assert refused(done(now, CANCEL, Quem(codigo=WRONG))) == "prova_necessaria"
        moved = done(now, MOVE, EM_NOME_DE_ANA)
        assert isinstance(moved.answer, Rescheduled)
        assert moved.codigo, "what had no code is given one when it moves"


async def asked(client: httpx.AsyncClient, name: str, meta: dict[str, str] | None, **arguments: str) -> dict[str, object]:
    message = request_of(name, arguments)
    if meta is not None:
        message["params"]["_meta"] = meta
    result: dict[str, object] = (await client.post("/mcp", json=message)).json()["result"]
    return result


async def test_over_mcp_the_code_travels_beside_the_answer_alone(client: httpx.AsyncClient) -> None:
    """Source: design/sujeito.md, "Who a patient is": the seven tools stay the blueprint's."""
    slot = {"doctor": "Fernando", "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga", "cpf": ANA}
    result = await asked(client, "book_appointment", {META_PEDIDO: PEDIDO}, **slot)
    meta = result.pop("_meta")
    assert isinstance(meta, dict)
    code = meta[META_CODIGO]
    assert code not in str(result)
    assert (await asked(client, "book_appointment", {META_PEDIDO: PEDIDO}, **slot))["_meta"] == {META_CODIGO: code}
    assert (await asked(client, "book_appointment", {META_PEDIDO: "1"}, **slot))["codigo"] == "horario_ocupado"
    assert (await asked(client, "cancel_appointment", None, **slot))["codigo"] == "prova_necessaria"
    cancelled = await asked(client, "cancel_appointment", {META_CODIGO: code}, **slot)
    assert cancelled["status"] == "cancelled"
    assert "_meta" not in cancelled


async def test_a_token_on_behalf_of_somebody_sees_what_is_theirs_alone(client: httpx.AsyncClient, place: Place) -> None:
    slot = {"doctor": "Fernando", "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga", "cpf": ANA}
    await asked(client, "book_appointment", None, **slot)
    client.headers.update(bearer(token_of(place.clinica.id, place.folder, em_nome_de="52998224725")))
    assert len((await asked(client, "find_appointments", None, cpf=ANA, patient_name="Ana Braga"))["appointments"]) == 1  # type: ignore[arg-type]
    assert (await asked(client, "find_appointments", None, cpf=BIA, patient_name="Bia Rocha"))["codigo"] == "prova_necessaria"
    assert (await asked(client, "list_patients", None))["codigo"] == "acesso_restrito"
    assert (await asked(client, "query", None, query="hipertensão"))["codigo"] == "acesso_restrito"
