"""What clinics hold of a person is sealed, told on request and erased. Source: design/sujeito.md, table, 5, and Erasure."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cenario import ANA, CLOCK, FERNANDO
from crivo.cli.pessoas import as_html
from crivo.clinicas.apagamento import SiloDaClinica, silos
from crivo.clinicas.clinica.prova import Order, Quem
from crivo.clinicas.clinica.serving import prepare
from crivo.clinicas.clinica.values import Patient, Seed, SlotRecord
from crivo.clinicas.ferramentas import BookAppointment, Booked, CancelAppointment
from crivo.clinicas.service import Clinicas
from crivo.kernel.sigilo import ChaveMestraErrada, Identidade, identidade_of
from procura_em_tudo import in_files, spellings

NOME, CLINICO = "Iolanda Quintanilha", "esclerose lateral"
SLOTS = tuple([SlotRecord(FERNANDO, "Cardiologia", day, "10:00", available=True) for day in ("2025-07-18", "2025-07-21")])
PAST = SlotRecord(FERNANDO, "Cardiologia", "2025-07-01", "10:00", False, NOME, ANA)
EM = CLOCK.now()


@pytest.fixture
def clinicas(tmp_path: Path) -> Clinicas:
    return Clinicas(tmp_path, EM)


def planted(clinicas: Clinicas, clinic: str, slots: Sequence[SlotRecord] = SLOTS, patients: Sequence[Patient] = ()) -> SiloDaClinica:
    place = clinicas.place(clinic)
    prepare(place, lambda _: Seed(tuple(slots), tuple(patients)))
    return SiloDaClinica(place)


def book(silo: SiloDaClinica, day: str = "2025-07-18") -> object:
    with closing(silo.place.open_silo()) as opened:
        return opened.write([Order(BookAppointment("Fernando", day, "10:00", NOME, ANA))])[0].answer


async def test_neither_name_nor_cpf_nor_condition_is_in_any_file_of_a_clinic(clinicas: Clinicas, tmp_path: Path) -> None:
    """The grep of the design, in the silos; with a copy of the folder from before the erasure."""
    silo = planted(clinicas, "clinic_a", (*SLOTS, PAST), [Patient("C-1", NOME, CLINICO, cpf=ANA)])
    assert isinstance(book(silo), Booked)
    words = spellings(NOME, ANA, CLINICO)
    assert in_files(tmp_path, words) == []
    assert len(await silo.held(identidade_of(ANA))) == 3
    await silo.erase(identidade_of(ANA), EM)
    assert in_files(tmp_path, words) == []


async def test_a_destroyed_key_is_in_no_file_while_the_clinic_goes_on_serving(clinicas: Clinicas, tmp_path: Path) -> None:
    """The write-ahead log is there for as long as somebody has the silo open, and keeps the pages of before until it is emptied."""
    silo = planted(clinicas, "clinic_a")
    with closing(silo.place.open_silo()) as serving:
        serving.write([Order(BookAppointment("Fernando", "2025-07-18", "10:00", NOME, ANA))])
        ((wrapped, sealed),) = serving.read("select k.embrulhada, s.paciente from chaves k join slots s on s.chave = k.id")
        assert _holding(tmp_path, wrapped, sealed) != []
        await silo.erase(identidade_of(ANA), EM)
        assert _holding(tmp_path, wrapped, sealed) == []


async def test_both_clinics_that_hold_a_person_are_found_and_erased(clinicas: Clinicas) -> None:
    for clinic in ("clinic_a", "clinic_b"):
        assert isinstance(book(planted(clinicas, clinic)), Booked)
    found = silos(clinicas)
    assert [one.nome for one in found] == [clinicas.find(clinic).nome for clinic in ("clinic_a", "clinic_b")]
    assert [await one.erase(identidade_of(ANA), EM) for one in found] == [1, 1]
    assert [await one.held(identidade_of(ANA)) for one in found] == [[], []]
    assert [await one.was_erased(identidade_of(ANA)) for one in found] == [True, True]
    assert not await found[0].was_erased(identidade_of("111.444.777-35"))


async def test_of_the_erased_past_bookings_stay_taken_by_nobody_and_those_to_come_are_free(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a", (*SLOTS, PAST))
    book(silo)
    await silo.erase(identidade_of(ANA), EM)
    with closing(silo.place.open_silo()) as opened:
        shown = [(one.date, one.available, one.patient_name) for one in opened.all_slots()]
    assert shown == [("2025-07-18", True, None), ("2025-07-21", True, None), ("2025-07-01", False, None)]
    assert isinstance(book(silo), Booked)
    assert len(await silo.held(identidade_of(ANA))) == 1


async def test_what_a_person_is_given_of_a_clinic_is_whole_and_named_in_portuguese(clinicas: Clinicas) -> None:
    patient = Patient("C-1", NOME, CLINICO, 61, ANA, "(11) 90000-0000", ("Riluzol 50 mg",), "2025-06-12")
    silo = planted(clinicas, "clinic_a", (PAST,), [patient])
    consulta = {"medico": FERNANDO, "especialidade": "Cardiologia", "data": "2025-07-01", "hora": "10:00", "nome": NOME, "cpf": ANA}
    prontuario = {
        "numero": "C-1", "nome": NOME, "cpf": ANA, "idade": 61, "telefone": "(11) 90000-0000", "condicao": CLINICO,
        "medicamentos": ("Riluzol 50 mg",), "ultima_consulta": "2025-06-12",
    }  # fmt: skip
    assert await silo.held(identidade_of(ANA)) == [{"consulta": consulta}, {"prontuario": prontuario}]
    page = as_html({"gerado_em": "2025-07-18", "dados": {silo.nome: await silo.held(identidade_of(ANA))}})
    for said in ("Última consulta", "Condição", "Médico", "CPF", "Riluzol 50 mg", ANA):
        assert said in page


async def test_a_patients_record_is_kept_with_the_reason(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a", SLOTS, [Patient("C-1", NOME, CLINICO, cpf=ANA)])
    assert list(await silo.kept_by_law(identidade_of(ANA))) == ["prontuário C-1"]
    assert await silo.erase(identidade_of(ANA), EM) == 0
    with closing(silo.place.open_silo()) as opened:
        assert [one.condition for one in opened.patients().patients] == [CLINICO]
    assert await silo.held(Identidade(email="ana@exemplo.org")) == []


async def test_a_copy_of_the_file_from_before_the_erasure_brings_nobody_back(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a", (PAST,))
    path = silo.place.folder.silo
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    before = path.read_bytes()
    await silo.erase(identidade_of(ANA), EM)
    for leftover in ("-wal", "-shm"):
        path.with_name(path.name + leftover).unlink(missing_ok=True)
    path.write_bytes(before)
    assert await silo.held(identidade_of(ANA)) == []
    assert await silo.was_erased(identidade_of(ANA))


async def test_what_is_past_its_term_is_erased_and_a_booking_for_a_day_to_come_is_not(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a", (*SLOTS, PAST))
    book(silo, "2025-07-21")
    assert await silo.expire(datetime.fromisoformat("2025-07-20T00:00:00-03:00"), EM) == 1
    (one,) = await silo.held(identidade_of(ANA))
    assert one["consulta"]["data"] == "2025-07-21"
    assert await silo.expire(EM - timedelta(days=300), EM) == 0


def test_a_cancelled_booking_leaves_no_key_behind(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a")
    book(silo)
    with closing(silo.place.open_silo()) as opened:
        opened.write([Order(CancelAppointment("Fernando", "2025-07-18", "10:00", NOME, ANA), Quem("operador"))])
    with closing(sqlite3.connect(silo.place.folder.silo)) as connection:
        assert connection.execute("select count(*) from chaves").fetchone() == (0,)


def test_another_clinics_master_key_opens_nothing_and_loses_nothing(clinicas: Clinicas) -> None:
    silo = planted(clinicas, "clinic_a", (PAST,))
    other = planted(clinicas, "clinic_b")
    own = silo.place.folder.path / "chave-mestra"
    kept = own.read_bytes()
    own.write_bytes((other.place.folder.path / "chave-mestra").read_bytes())
    own.chmod(0o600)
    with pytest.raises(ChaveMestraErrada):
        silo.place.open_silo()
    own.unlink()
    with pytest.raises(ChaveMestraErrada):
        silo.place.open_silo()
    own.write_bytes(kept)
    own.chmod(0o600)
    with closing(silo.place.open_silo()) as opened:
        assert opened.all_slots() == (PAST,)


def test_a_silo_of_an_earlier_version_is_sealed_when_it_is_opened(clinicas: Clinicas, tmp_path: Path) -> None:
    place = clinicas.place("clinic_a")
    place.folder.create()
    with closing(sqlite3.connect(place.folder.silo, isolation_level=None)) as connection:
        for statement in _VERSION_1.split(";\n"):
            connection.execute(statement)
    patient = Patient("C-1", NOME, CLINICO, cpf=ANA)
    with closing(place.open_silo()) as opened:
        assert opened.all_slots() == (PAST,)
        assert opened.patient("C-1").patient == patient  # type: ignore[union-attr]
    assert in_files(tmp_path, spellings(NOME, ANA, CLINICO)) == []


_VERSION_1 = f"""
create table slots (
    id integer primary key, doctor text not null, specialty text not null, date text not null, time text not null,
    available integer not null check (available in (0, 1)), patient_name text, cpf text,
    cpf_digits text generated always as (replace(replace(replace(cpf, '.', ''), '-', ''), ' ', '')) virtual,
    unique (doctor, date, time)
);
create table patients (patient_id text primary key, record text not null);
create table sample (is_sample integer not null);
insert into sample values (0);
insert into slots (doctor, specialty, date, time, available, patient_name, cpf)
    values ('{PAST.doctor}', 'Cardiologia', '{PAST.date}', '10:00', 0, '{NOME}', '{ANA}');
insert into patients values ('C-1', '{{"patient_id":"C-1","name":"{NOME}","condition":"{CLINICO}","cpf":"{ANA}"}}');
pragma user_version = 1"""  # noqa: S608 - constants alone


def _holding(folder: Path, *parts: bytes) -> list[Path]:
    """The files of silos in which any of these bytes stand."""
    return [one for one in folder.rglob("silo.sqlite3*") if any(part in one.read_bytes() for part in parts)]
