"""Every step of a plan × everybody who may ask in a conversation × what is theirs and what is not, over real silos.

Source: design/sujeito.md, table, 1. Who may do what stands here a second time, in words of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest

import crivo.clinicas
from cenario import free
from clinicas_aqui import BRUNO, CARLA, ClinicasAqui, clinicas_aqui
from crivo.clinicas.clinica.prova import Order
from crivo.clinicas.codigos import code_from
from crivo.clinicas.ferramentas import FERRAMENTAS, Action, BookAppointment
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.titulares import caller_of
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Paciente, Step, Vaga
from crivo.clinicas.orquestrador.ferramentas import USOS
from crivo.clinicas.orquestrador.provas import Chaveiro
from crivo.clinicas.orquestrador.quem_pede import QuemPede, anybody, who_asks
from crivo.clinicas.orquestrador.trace import nobody
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.autorizar import TABELA
from crivo.kernel.sujeitos import ANONIMO, CONSOLE, PAPEIS, Pessoa, Programa, ProgramaDePessoa, Sujeito
from crivo.kernel.sujeitos import Paciente as Provado

CASA, FORA, WHO = "local", "outra", UUID(int=7)
ANA, BIA = Paciente("Ana Braga", "529.982.247-25"), Paciente("Bia Castro", "111.444.777-35")
DE_ANA, DE_BIA = ("clinic_a", BRUNO, "2025-07-18", "09:00"), ("clinic_b", CARLA, "2025-07-21", "14:00")
LIVRES: Final = {"clinic_a": "11:00", "clinic_b": "16:00"}
RECEPCAO: Final = {"gestor", "admin", "super_admin", "operador"}


@dataclass(frozen=True)
class Pede:
    """Who asks: whether they attend these clinics' patients, may converse, whose patient they were proven to be, and which code they hold."""

    nome: str
    sujeito: Sujeito
    atende: bool = False
    conversa: bool = False
    de: Paciente | None = None
    codigo_de: Vaga | None = None


def asking() -> Iterator[Pede]:
    yield Pede("anonymous", ANONIMO)
    yield Pede("the machine's own", CONSOLE, atende=True)
    yield Pede("anybody", anybody(CASA).sujeito, conversa=True)
    yield Pede("anybody of another house", anybody(FORA).sujeito)
    for casa in (CASA, FORA):
        here = casa == CASA
        yield Pede(f"{casa} key to operate", Programa(casa, frozenset({"clinicas:operar"})), atende=here)
        yield Pede(f"{casa} key of other work", Programa(casa, frozenset({"triagem:ler", "politicas:escrever"})))
        for papel in PAPEIS:
            atende = here and papel in RECEPCAO
            yield Pede(f"{casa} {papel}", Pessoa(casa, WHO, papel), atende=atende, conversa=here and papel == "paciente")
            operates = ProgramaDePessoa(casa, WHO, papel, frozenset({"clinicas:conversar", "clinicas:operar"}))
            yield Pede(f"{casa} {papel}'s key", operates, atende=atende, conversa=here and papel == "paciente")
        yield Pede(f"{casa} Ana, proven", Provado(casa, "52998224725"), de=ANA if here else None)
        yield Pede(f"{casa} Bia, proven", Provado(casa, "11144477735"), de=BIA if here else None)
        yield Pede(f"{casa} nobody's CPF", Provado(casa, ""))


def everybody() -> Iterator[Pede]:
    """Each of them without a code, with that of Ana's appointment, and with that of Bia's."""
    for one in asking():
        yield one
        for vaga in (DE_ANA, DE_BIA):
            yield Pede(f"{one.nome}, with a code", one.sujeito, one.atende, one.conversa, one.de, vaga)


def may(pede: Pede, action: Action, paciente: Paciente, vaga: Vaga) -> bool:
    """What the design says, in words of its own."""
    match action:
        case "list_patients" | "get_patient" | "query":
            return pede.atende
        case "list_available_slots":
            return pede.atende or pede.conversa or (isinstance(pede.sujeito, Provado) and pede.sujeito.tenant_id == CASA)
        case "book_appointment":
            return pede.atende or pede.conversa or pede.de == paciente
        case "find_appointments":
            return pede.atende or pede.de == paciente
        case _:
            return pede.atende or pede.de == paciente or pede.codigo_de == vaga


def step_of(action: Action, vaga: Vaga) -> Step:
    clinic, doctor, date, time = vaga
    match action:
        case "get_patient":
            return Step(1, clinic, action, {"patient_id": "X-1"})
        case "query":
            return Step(1, clinic, action, {"query": "hipertensão"})
        case "list_patients" | "find_appointments":
            return Step(1, clinic, action)
        case "list_available_slots":
            return Step(1, clinic, action, {"doctor": doctor})
        case "book_appointment":
            return Step(1, clinic, action, {"doctor": doctor, "date": date, "time": LIVRES[clinic]})
        case "reschedule_appointment":
            moved = {"original_date": date, "original_time": time, "new_date": date, "new_time": LIVRES[clinic]}
            return Step(1, clinic, action, {"doctor": doctor, **moved})
        case _:
            return Step(1, clinic, action, {"doctor": doctor, "date": date, "time": time})


@pytest.fixture
async def clinicas(tmp_path: Path) -> AsyncIterator[ClinicasAqui]:
    async with clinicas_aqui(tmp_path, casa=CASA) as opened:
        yield opened


def begun_anew(clinicas: ClinicasAqui) -> dict[Vaga, str]:
    """Ana's and Bia's appointments booked again, and their codes."""
    codes = {}
    for paciente, vaga in ((ANA, DE_ANA), (BIA, DE_BIA)):
        clinic, doctor, date, time = vaga
        with closing(clinicas.places[clinic].open_silo()) as silo:
            silo.replace_slots([free(one.doctor, one.date, one.time) for one in silo.all_slots()])
            codes[vaga] = silo.write([Order(BookAppointment(doctor, date, time, paciente.nome, paciente.cpf))])[0].codigo
    return codes


async def test_everybody_does_just_what_is_theirs_with_every_step(clinicas: ClinicasAqui) -> None:
    """What may not be done is not even sent; what may is done by the clinic, which asks again."""
    codes, asked, sent, changed = begun_anew(clinicas), 0, 0, False
    for action in (one.name for one in FERRAMENTAS):
        for pede in everybody():
            for paciente, vaga in ((ANA, DE_ANA), (BIA, DE_BIA)):
                if changed:
                    codes, changed = begun_anew(clinicas), False
                chaveiro = Chaveiro()
                if pede.codigo_de is not None:
                    chaveiro.keep(pede.codigo_de, codes[pede.codigo_de])
                is_theirs = may(pede, action, paciente, vaga)
                before = clinicas.slots() if is_theirs else None  # where nothing is sent, nothing can have changed
                clinicas.sent.clear()
                caller = Caller(QuemPede(pede.sujeito, CASA), paciente, chaveiro)
                (reply,) = await Router(clinicas, REGISTRO_PADRAO).run((step_of(action, vaga),), caller, nobody)
                asked += 1
                codigo = reply.error.codigo if reply.error is not None else None
                if not is_theirs:
                    assert clinicas.sent == [], (pede.nome, action, vaga)
                    of_list = action in {"list_patients", "get_patient", "query"}
                    assert codigo == ("acesso_restrito" if of_list else "prova_necessaria"), (pede.nome, action)
                    continue
                sent += 1
                assert clinicas.sent, (pede.nome, action)
                assert codigo not in {"acesso_restrito", "prova_necessaria"}, (pede.nome, action, vaga)
                assert reply.result is not None or action == "get_patient", (pede.nome, action, codigo)
                changed = clinicas.slots() != before
                assert changed == (action in {"book_appointment", "reschedule_appointment", "cancel_appointment"})
    assert asked == len(FERRAMENTAS) * 3 * 42 * 2 == 2_016
    assert 500 < sent < asked / 2


async def test_a_code_finds_its_own_appointment_and_no_other(clinicas: ClinicasAqui) -> None:
    codes = begun_anew(clinicas)
    found = 0
    for codigo in (*codes.values(), code_from(b"wrong", "clinic_a")):
        for paciente, vaga in ((ANA, DE_ANA), (BIA, DE_BIA)):
            caller = Caller(anybody(CASA), paciente, codigo=codigo)
            (reply,) = await Router(clinicas, REGISTRO_PADRAO).run((step_of("find_appointments", vaga),), caller, nobody)
            is_its_own = codes[vaga] == codigo
            assert (reply.result is not None) == is_its_own
            found += is_its_own
    assert found == 2


def test_every_action_is_an_act_of_the_table() -> None:
    assert set(USOS) == set(FERRAMENTAS)
    assert {one.acao for one in FERRAMENTAS} <= set(TABELA)


@pytest.mark.parametrize("dono", [ANONIMO, CONSOLE, Pessoa(CASA, WHO, "operador"), Programa(CASA, frozenset({"clinicas:operar"}))])
def test_whoever_opened_a_patients_conversation_proves_nothing_in_it(dono: Sujeito) -> None:
    """A CPF that is typed proves nothing, at the reception's own machine neither."""
    assert who_asks(CASA, "paciente", dono) == anybody(CASA)
    assert who_asks(CASA, "paciente", dono, "52998224725").sujeito == Provado(CASA, "52998224725")
    assert who_asks(CASA, "operador", dono, "52998224725").sujeito == dono


def test_a_proven_patient_asks_for_others_as_anybody_does() -> None:
    """Also while the words are of that other, whom the speaker books for."""
    quem = who_asks(CASA, "paciente", ANONIMO, "52998224725")
    dialogue = Dialogue(None, REGISTRO_PADRAO, paciente=ANA, quem=quem)  # type: ignore[arg-type]
    assert caller_of(ANA, dialogue).quem == quem
    served = Dialogue(None, REGISTRO_PADRAO, paciente=BIA, quem=quem, bookings=(Booking(*DE_BIA),))  # type: ignore[arg-type]
    assert caller_of(BIA, served).quem == caller_of(None, served).quem == anybody(CASA)


def test_nobody_who_asks_is_shown_with_a_cpf() -> None:
    quem = who_asks(CASA, "paciente", ANONIMO, "52998224725")
    assert "529" not in repr(quem) + repr(Caller(quem, ANA)) + repr(quem.with_code("52998224725", "x"))


def test_no_step_reaches_a_clinic_but_by_the_router_which_asks() -> None:
    sources = Path(crivo.clinicas.__file__).parent
    found = {path.relative_to(sources).as_posix() for path in sources.rglob("*.py") if "transport.call(" in path.read_text()}
    assert found == {"orquestrador/chama/router.py"}
