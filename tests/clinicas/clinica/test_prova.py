"""Who may see, move and cancel what is booked. Source: design/sujeito.md, table, 1."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import httpx
import msgspec
import pytest

from cenario import ANA, BIA, CLOCK, SEED, Of, bearer, request_of, token_of
from crivo.clinicas.clinica.prova import Order, Quem, Write
from crivo.clinicas.clinica.serving import Place, prepare
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tentativas import MOST_OF_ALL
from crivo.clinicas.clinica.values import Answered
from crivo.clinicas.codigos import META_CODIGO, META_PEDIDO, code_from, digest_of, is_of_clinic
from crivo.clinicas.ferramentas import (
    BookAppointment,
    Booked,
    CancelAppointment,
    Cancelled,
    FindAppointments,
    Found,
    RescheduleAppointment,
    Rescheduled,
)
from crivo.clinicas.protocol import Refusal
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


def booked(silo: Silo, request: BookAppointment = BOOK, quem: Quem = NINGUEM) -> Quem:
    """The proof that a booking gave."""
    answered = done(silo, request, quem)
    assert isinstance(answered.answer, Booked)
    return Quem(codigo=answered.codigo)


def elsewhere(origem: str, codigo: str = "") -> Quem:
    """Whoever asks from a conversation of that name."""
    return Quem(codigo=codigo, origem=origem)


def guesses(count: int, quem: Quem = NINGUEM, seed: int = 0) -> list[Quem]:
    """So many wrong codes, from the same place."""
    return [replace(quem, codigo=code_from(f"{seed} {number}".encode(), "clinic_c")) for number in range(count)]


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
    assert silo.appointments(FIND, quem) == Found(())


def test_its_own_code_proves_one_booking_and_no_other(silo: Silo) -> None:
    first, second = booked(silo), booked(silo, LATER)
    assert first.codigo != second.codigo
    found = done(silo, FIND, first).answer
    assert isinstance(found, Found)
    assert [one.date for one in found.appointments] == ["2025-07-18"]
    assert refused(done(silo, CANCEL, second)) == "prova_necessaria"
    assert isinstance(done(silo, CANCEL, first).answer, Cancelled)


OF_BIA = (
    FindAppointments(BIA, "Bia Rocha"),
    CancelAppointment("Fernando", "2025-07-18", "10:00", "Bia Rocha", BIA),
    RescheduleAppointment("2025-07-18", "10:00", "Fernando", "2025-07-19", "14:00", "Bia Rocha", BIA),
)


@pytest.mark.parametrize("quem", [NINGUEM, Quem(em_nome_de=Of("11144477735"))])
@pytest.mark.parametrize("request_", OF_BIA)
def test_a_code_proves_its_booking_whoever_shows_it_and_tells_nothing_of_its_holder(silo: Silo, request_: Write, quem: Quem) -> None:
    """A daughter moves her mother's appointment by its code: nothing of the mother leaves the silo, and it stays hers."""
    code = booked(silo).codigo
    answered = done(silo, request_, replace(quem, codigo=code)).answer
    assert isinstance(answered, Found | Cancelled | Rescheduled)
    told = msgspec.json.encode(answered).decode()
    assert not [one for one in ("Ana", "Bia", ANA, BIA) if one in told]
    if isinstance(answered, Rescheduled):
        (held,) = [one for one in silo.all_slots() if not one.available]
        assert (held.patient_name, held.cpf, held.time) == ("Ana Braga", ANA, "14:00")
        assert isinstance(done(silo, FIND, Quem(codigo=code)).answer, Found), "it keeps its code"


@pytest.mark.parametrize("quem", [NINGUEM, Quem(em_nome_de=Of("11144477735"))])
def test_the_code_of_one_of_somebodys_bookings_opens_no_other_of_theirs(silo: Silo, quem: Quem) -> None:
    code = booked(silo).codigo
    booked(silo, LATER)
    other = CancelAppointment("Fernando", "2025-07-19", "14:00", "Bia Rocha", BIA)
    assert refused(done(silo, other, replace(quem, codigo=code))) in {"prova_necessaria", "nao_e_seu"}
    found = done(silo, OF_BIA[0], replace(quem, codigo=code)).answer
    assert isinstance(found, Found)
    assert [one.date for one in found.appointments] == ["2025-07-18"]


def test_after_two_hundred_wrong_codes_at_a_clinic_a_code_is_looked_for_under_its_own_cpf_alone(silo: Silo) -> None:
    """A guess at whosever booking is a guess at all of them; whoever tells the CPF of the booking is not touched."""
    proof = booked(silo)
    tries = [Order(FindAppointments(BIA, "Bia Rocha"), one) for at in range(40) for one in guesses(5, elsewhere(str(at)), at)]
    silo.write(tries[:-1])
    assert isinstance(done(silo, OF_BIA[0], elsewhere("daughter", proof.codigo)).answer, Found)
    silo.write(tries[-1:])
    assert refused(done(silo, OF_BIA[0], elsewhere("daughter", proof.codigo))) == "prova_necessaria"
    assert isinstance(done(silo, FIND, elsewhere("herself", proof.codigo)).answer, Found)


@pytest.mark.parametrize("quem", [RECEPCAO, EM_NOME_DE_ANA])
def test_a_booking_moved_by_whoever_is_proven_gets_a_new_code_and_the_old_one_is_dead(silo: Silo, quem: Quem) -> None:
    """A stranger books under Ana's CPF and keeps the code; Ana moves it, and the stranger holds nothing any more."""
    planted = booked(silo)
    moved = done(silo, MOVE, quem)
    assert isinstance(moved.answer, Rescheduled)
    assert moved.codigo not in {"", planted.codigo}
    at = CancelAppointment("Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
    assert {refused(done(silo, at, planted)) for _ in range(7)} == {"prova_necessaria"}, "nor is it a wrong try of whoever had it on paper"
    assert isinstance(done(silo, at, Quem(codigo=moved.codigo)).answer, Cancelled)


def test_whoever_is_proven_gets_a_new_code_though_the_old_one_is_shown_too(silo: Silo) -> None:
    planted = booked(silo)
    moved = done(silo, MOVE, replace(EM_NOME_DE_ANA, codigo=planted.codigo))
    assert moved.codigo not in {"", planted.codigo}


def test_a_booking_that_moves_keeps_its_code_and_one_that_is_cancelled_forgets_it(silo: Silo) -> None:
    proof = booked(silo)
    moved = done(silo, MOVE, proof)
    assert isinstance(moved.answer, Rescheduled)
    assert moved.codigo == ""
    again = CancelAppointment("Fernando", "2025-07-19", "14:00", "Ana Braga", ANA)
    assert isinstance(done(silo, again, proof).answer, Cancelled)
    assert isinstance(done(silo, LATER).answer, Booked)
    assert refused(done(silo, again, proof)) == "prova_necessaria"


def test_five_wrong_codes_close_the_way_of_whoever_tried_them_and_of_nobody_else(silo: Silo) -> None:
    proof = booked(silo)
    stranger, owner = elsewhere("stranger"), elsewhere("owner", proof.codigo)
    assert [refused(done(silo, FIND, guess)) for guess in guesses(5, stranger)] == ["prova_necessaria"] * 5
    assert refused(done(silo, FIND, elsewhere("stranger", proof.codigo))) == "codigo_em_descanso"
    assert isinstance(done(silo, FIND, owner).answer, Found)
    assert isinstance(done(silo, CANCEL, owner).answer, Cancelled)


def test_a_thousand_guesses_from_one_place_are_looked_at_five_times(silo: Silo) -> None:
    proof = booked(silo)
    answers = [refused(one) for one in silo.write([Order(CANCEL, guess) for guess in guesses(1_000, elsewhere("stranger"))])]
    assert answers == ["prova_necessaria"] * 5 + ["codigo_em_descanso"] * 995
    assert isinstance(done(silo, CANCEL, elsewhere("owner", proof.codigo)).answer, Cancelled)


def test_those_who_do_not_tell_where_they_come_from_are_one_at_each_clinic(silo: Silo) -> None:
    proof = booked(silo)
    assert {refused(done(silo, CANCEL, guess)) for guess in guesses(5)} == {"prova_necessaria"}
    assert refused(done(silo, CANCEL, proof)) == "codigo_em_descanso"
    assert isinstance(done(silo, FIND, elsewhere("owner", proof.codigo)).answer, Found)
    assert refused(done(silo, FIND, proof)) == "codigo_em_descanso", "what is held by one place is no way for those of none"


def test_of_all_together_a_million_wrong_codes_of_a_cpf_are_looked_at_in_a_day(place: Place, silo: Silo) -> None:
    here = elsewhere("the conversation that booked")
    proof = booked(silo, quem=here)
    silo.write([Order(FIND, one) for one in guesses(2, elsewhere("stranger"))])
    silo.change("update tentativas set vezes = ? where cpf = ? and origem = x''", MOST_OF_ALL - 1, silo.chaves.index(ANA))
    assert isinstance(done(silo, FIND, elsewhere("another", proof.codigo)).answer, Found), "as many as that shut nobody out"
    done(silo, FIND, replace(here, codigo=proof.codigo))
    assert refused(done(silo, FIND, elsewhere("stranger", WRONG))) == "prova_necessaria"
    assert refused(done(silo, FIND, elsewhere("new", proof.codigo))) == "codigo_em_descanso"
    assert isinstance(done(silo, FIND, replace(here, codigo=proof.codigo)).answer, Found), "whoever holds it uses it all the same"
    assert isinstance(done(silo, FIND, EM_NOME_DE_ANA).answer, Found)
    assert refused(done(silo, FindAppointments(BIA, "Bia Rocha"), elsewhere("new", WRONG))) == "prova_necessaria"
    with closing(replace(place, clock=FixedClock(CLOCK.now() + timedelta(days=1))).open_silo()) as next_day:
        assert isinstance(done(next_day, FIND, elsewhere("new", proof.codigo)).answer, Found)


def test_guesses_at_once_do_not_pass_the_limit(place: Place, silo: Silo) -> None:
    booked(silo)

    def guess(seed: int) -> list[str]:
        with closing(place.open_silo()) as own:
            return [refused(done(own, FIND, one)) for one in guesses(10, elsewhere("stranger"), seed)]

    with ThreadPoolExecutor(4) as pool:
        answers = [answer for some in pool.map(guess, range(4)) for answer in some]
    assert sorted(answers) == ["codigo_em_descanso"] * 35 + ["prova_necessaria"] * 5


@pytest.mark.parametrize("request_", [CANCEL, MOVE, FIND])
def test_as_much_is_done_for_a_wrong_code_whatever_the_cpf_holds(silo: Silo, request_: Write) -> None:
    """Source: nothing is told of what is held, not by time either."""
    nothing = statements_of(silo, request_)
    booked(silo)
    booked(silo, LATER)
    assert statements_of(silo, request_) == nothing
    assert any("insert into tentativas" in one for one in nothing)


def statements_of(silo: Silo, request: Write) -> list[str]:
    told: list[str] = []
    silo._connection.set_trace_callback(told.append)
    assert refused(done(silo, request, elsewhere(request.__class__.__name__ + str(len(silo.all_slots())), WRONG))) == "prova_necessaria"
    silo._connection.set_trace_callback(None)
    return [re.sub(r"'[^']*'|[0-9]+", "?", one) for one in told if "left join chaves" not in one]


def test_what_was_tried_is_forgotten_after_a_day(place: Place, silo: Silo) -> None:
    done(silo, FIND, elsewhere("stranger", WRONG))
    for days, left in ((1, 6), (3, 3)):
        with closing(replace(place, clock=FixedClock(CLOCK.now() + timedelta(days=days))).open_silo()) as later:
            done(later, FIND, elsewhere("stranger", WRONG))
            assert len(later.read("select * from tentativas")) == left
    with closing(replace(place, clock=FixedClock(CLOCK.now() + timedelta(days=9))).open_silo()) as later:
        later.expire(CLOCK.now())
        assert later.read("select * from tentativas") == []


def test_what_was_cancelled_is_given_back_with_its_code(silo: Silo) -> None:
    proof = booked(silo)
    done(silo, CANCEL, proof)
    again = done(silo, BOOK, replace(proof, pedido=PEDIDO))
    assert again.codigo == proof.codigo
    assert done(silo, BOOK, replace(proof, pedido=PEDIDO)) == again, "also when it is sent again"
    assert isinstance(done(silo, CANCEL, proof).answer, Cancelled)


def test_the_code_of_what_was_cancelled_is_of_that_slot_and_person_alone_and_guessing_it_counts(silo: Silo) -> None:
    proof = booked(silo)
    done(silo, CANCEL, proof)
    assert done(silo, LATER, proof).codigo not in {"", proof.codigo}
    assert done(silo, BookAppointment("Fernando", "2025-07-18", "10:00", "Bia Rocha", BIA), proof).codigo not in {"", proof.codigo}
    assert [refused(done(silo, BOOK, one)) for one in guesses(4, elsewhere("stranger"))] == ["horario_ocupado"] * 4
    assert refused(done(silo, FIND, elsewhere("stranger", WRONG))) == "prova_necessaria"
    assert refused(done(silo, FIND, elsewhere("stranger", WRONG))) == "codigo_em_descanso"


def test_a_code_that_was_good_before_is_no_wrong_try(silo: Silo) -> None:
    old = elsewhere("owner", booked(silo).codigo)
    done(silo, CANCEL, old)
    new = elsewhere("owner", done(silo, BOOK).codigo)
    assert {refused(done(silo, FIND, old)) for _ in range(9)} == {"prova_necessaria"}
    assert isinstance(done(silo, FIND, new).answer, Found)


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


def test_the_silo_keeps_no_code_and_nothing_that_tries_one_without_its_key(place: Place, silo: Silo) -> None:
    code = booked(silo).codigo
    assert code not in repr(done(silo, BOOK))
    for kept in (code.encode(), digest_of(code, "clinic_c")):
        assert kept not in place.folder.silo.read_bytes() + place.folder.silo.with_name("silo.sqlite3-wal").read_bytes()


def test_a_silo_of_the_version_before_keeps_its_codes_and_no_bare_digest(place: Place, silo: Silo) -> None:
    code = booked(silo).codigo
    bare = digest_of(code, "clinic_c")
    silo.close()
    with closing(sqlite3.connect(place.folder.silo)) as old, old:
        old.execute("alter table slots add column tentativas integer not null default 0")
        old.execute("alter table slots drop column origem")
        old.execute("update slots set codigo_resumo = ?, tentativas = 4 where codigo_resumo is not null", (bare,))
        old.execute("drop table tentativas")
        old.execute("drop table canceladas")
        old.execute("pragma user_version = 2")
    with closing(place.open_silo()) as now:
        assert isinstance(done(now, FIND, Quem(codigo=code)).answer, Found)
        assert refused(done(now, FIND, Quem(codigo=WRONG))) == "prova_necessaria"
        prepare(place, lambda _: SEED)
        assert isinstance(done(now, CANCEL, Quem(codigo=code)).answer, Cancelled)
    assert bare not in b"".join(path.read_bytes() for path in place.folder.path.glob("silo.sqlite3*"))


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
