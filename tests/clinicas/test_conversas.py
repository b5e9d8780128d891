"""The open conversations: whose they are, how many, one turn at a time, and when they are forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest

from cenario import MORNING
from crivo.clinicas.conversa import Conversa, ConversaLonga, ConversaNotFound, ConversaOcupada, MensagemInvalida
from crivo.clinicas.conversas import Conversas, open_conversas
from crivo.clinicas.guarda import ConversasDemais, ConversasLotadas, Guarda, Limites
from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.turnos import Marcada, Remarcada
from crivo.kernel.access import PAPEIS, Papel, SemPermissao
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from federacao import ANA, Federation
from guardas import guarda_em
from sessoes_abertas import Sessions, Ticks
from sujeitos import as_program

PROGRAM = as_program("local", "chave:a")


class Slow:
    """A planner that only talks, once it is let go on."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        await self.go_on.wait()
        return Plan(fala="De nada!"), {}


@pytest.fixture
async def sessions() -> AsyncIterator[Sessions[Slow]]:
    opened = Sessions(Slow())
    yield opened
    opened.planner.go_on.set()
    await opened.close()


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture(params=["memoria", "banco"])
def guarda(request: pytest.FixtureRequest, database: Database, urls: tuple[str, str], ticks: Ticks) -> Guarda:
    return guarda_em(request.param, database, urls[0], ticks)


@pytest.fixture
def conversas(sessions: Sessions[Slow], ticks: Ticks, guarda: Guarda) -> Conversas:
    return Conversas(sessions, Limites(conversas=3, por_dono=2, turnos=2, ociosa_seconds=60.0), ticks, guarda)


@pytest.fixture
async def conversa(conversas: Conversas) -> Conversa:
    return await conversas.open(PROGRAM, paciente=ANA)


async def test_a_conversation_remembers_each_message_and_its_answer(conversa: Conversa) -> None:
    turno = await conversa.ask("  obrigada ")
    assert (turno.mensagem, turno.texto) == ("obrigada", "De nada!")
    assert conversa.turnos == (turno,)
    assert not conversa.ocupada


async def test_one_person_opens_no_more_conversations_as_a_patient_than_a_day_may_have(
    sessions: Sessions[Slow], ticks: Ticks, guarda: Guarda
) -> None:
    """Each may try five codes, so that one account cannot tire out a CPF's."""
    conversas = Conversas(sessions, Limites(por_dia=3), ticks, guarda)
    person = Scope("local", "pessoa:a", Pessoa("local", UUID(int=1), "paciente"))
    for _ in range(3):
        await conversas.forget(person, (await conversas.open(person, paciente=ANA)).id)
    with pytest.raises(ConversasDemais, match="hoje"):
        await conversas.open(person, paciente=ANA)
    for _ in range(5):
        await conversas.open(PROGRAM, paciente=ANA)
    await conversas.open(Scope("local", "pessoa:b", Pessoa("local", UUID(int=2), "paciente")), paciente=ANA)
    ticks.now += 86_401
    await conversas.open(person, paciente=ANA)


@pytest.mark.parametrize("other", [as_program("local", "chave:b"), as_program("outro", "chave:a")])
async def test_a_conversation_of_another_key_or_tenant_is_not_there(conversas: Conversas, conversa: Conversa, other: Scope) -> None:
    with pytest.raises(ConversaNotFound):
        await conversas.get(other, conversa.id)
    with pytest.raises(ConversaNotFound):
        await conversas.forget(other, conversa.id)
    assert (await conversas.get(PROGRAM, conversa.id)).id == conversa.id


@pytest.mark.parametrize("papel", PAPEIS)
async def test_only_the_reception_of_the_clinics_own_tenant_attends_their_patients(conversas: Conversas, papel: Papel) -> None:
    for tenant_id in ("local", "outro"):
        who = Scope(tenant_id, "usuario:rui", Pessoa(tenant_id, UUID(int=7), papel))
        if tenant_id == "local" and papel in {"gestor", "admin", "super_admin", "operador"}:
            assert conversas.may_attend(who.sujeito)
            assert (await conversas.open(who, "operador")).papel == "operador"
            continue
        assert not conversas.may_attend(who.sujeito)
        with pytest.raises(SemPermissao):
            await conversas.open(who, "operador")


async def test_a_conversation_goes_on_as_who_its_owner_is_at_each_request(sessions: Sessions[Slow], conversas: Conversas) -> None:
    rui = Scope("local", "usuario:rui", Pessoa("local", UUID(int=7), "gestor"))
    opened = await conversas.open(rui, "operador")
    now = Scope("local", "usuario:rui", Pessoa("local", UUID(int=7), "operador"))
    assert (await conversas.get(now, opened.id)).quem == QuemPede(now.sujeito, "local")
    with pytest.raises(SemPermissao):
        await conversas.get(Scope("local", "usuario:rui", Pessoa("local", UUID(int=7), "paciente")), opened.id)


@pytest.mark.parametrize("texto", ["", " \n\t", "x" * 2_001])
async def test_a_message_with_nothing_or_too_much_in_it_is_no_turn(conversa: Conversa, texto: str) -> None:
    with pytest.raises(MensagemInvalida):
        await conversa.ask(texto)
    assert (conversa.turnos, conversa.ocupada) == ((), False)


async def test_a_second_message_before_the_answer_to_the_first_is_refused(conversa: Conversa, sessions: Sessions[Slow]) -> None:
    sessions.planner.go_on.clear()
    first = await conversa.begin("oi")
    with pytest.raises(ConversaOcupada):
        await conversa.ask("oi de novo")
    sessions.planner.go_on.set()
    await first
    await conversa.ask("obrigada")
    assert [turno.mensagem for turno in conversa.turnos] == ["oi", "obrigada"]


async def test_a_turn_whose_listener_leaves_is_done_to_its_end(conversas: Conversas, conversa: Conversa, sessions: Sessions[Slow]) -> None:
    sessions.planner.go_on.clear()
    turn = await conversa.begin("oi")
    listener = asyncio.create_task(asyncio.wait_for(asyncio.shield(turn), None))
    await asyncio.sleep(0)
    listener.cancel()
    assert (await conversas.get(PROGRAM, conversa.id)).ocupada
    sessions.planner.go_on.set()
    await conversas.close()
    assert [turno.texto for turno in (await conversas.get(PROGRAM, conversa.id)).turnos] == ["De nada!"]


async def test_a_conversation_has_an_end(conversa: Conversa) -> None:
    for _ in range(2):
        await conversa.ask("oi")
    with pytest.raises(ConversaLonga):
        await conversa.ask("oi")


async def test_nobody_holds_more_conversations_than_their_share(conversas: Conversas) -> None:
    first = await conversas.open(PROGRAM)
    await conversas.open(PROGRAM)
    with pytest.raises(ConversasDemais):
        await conversas.open(PROGRAM)
    await conversas.open(as_program("outro", "chave:a"))
    with pytest.raises(ConversasLotadas):
        await conversas.open(as_program("outro", "chave:b"))
    await conversas.forget(PROGRAM, first.id)
    assert (await conversas.open(as_program("outro", "chave:b"))).turnos == ()


async def test_a_silent_conversation_is_forgotten_and_makes_room(conversas: Conversas, ticks: Ticks) -> None:
    silent = await conversas.open(PROGRAM, paciente=ANA)
    ticks.now = 59.0
    spoken = await conversas.open(PROGRAM, paciente=ANA)
    ticks.now = 61.0
    with pytest.raises(ConversaNotFound):
        await conversas.get(PROGRAM, silent.id)
    await conversas.open(PROGRAM)
    assert (await conversas.get(PROGRAM, spoken.id)).id == spoken.id


async def test_a_conversation_that_is_answering_is_not_forgotten(
    conversas: Conversas, conversa: Conversa, sessions: Sessions[Slow], ticks: Ticks
) -> None:
    sessions.planner.go_on.clear()
    turn = await conversa.begin("oi")
    ticks.now = 600.0
    await conversas.forget_idle()
    assert (await conversas.get(PROGRAM, conversa.id)).id == conversa.id
    sessions.planner.go_on.set()
    await turn
    assert (await conversas.get(PROGRAM, conversa.id)).id == conversa.id


async def test_closing_waits_for_the_turn_that_is_underway(conversas: Conversas, conversa: Conversa, sessions: Sessions[Slow]) -> None:
    sessions.planner.go_on.clear()
    turn = await conversa.begin("oi")
    closing = asyncio.create_task(conversas.close())
    await asyncio.sleep(0)
    assert not closing.done()
    sessions.planner.go_on.set()
    await closing
    assert turn.result().texto == "De nada!"
    assert (await conversas.get(PROGRAM, conversa.id)).turnos == (turn.result(),)


async def test_a_stranger_is_asked_for_name_and_cpf_first(conversas: Conversas) -> None:
    """Blueprint 1.6: nome completo e CPF antes de tudo."""
    conversa = await conversas.open(PROGRAM)
    assert "nome completo" in conversa.greeting
    turno = await conversa.ask("Ana Braga")
    assert "CPF" in turno.texto
    assert turno.passos is None


async def test_a_turn_tells_what_is_on_offer_and_what_it_changed(federation: Federation) -> None:
    """Blueprint 2.5: agendamento e reagendamento, pelas ofertas do turno."""
    async with open_conversas(federation.clinicas) as conversas:
        conversa = await conversas.open(PROGRAM, paciente=ANA)
        listed = await conversa.ask("quero marcar uma consulta com cardiologista")
        assert {oferta.clinic for oferta in listed.ofertas} == {"clinic_a", "clinic_c"}
        assert listed.mudancas == ()
        chosen = next(oferta for oferta in listed.ofertas if oferta.doctor == "Dr. Fernando Mendes")
        booked = await conversa.ask(chosen.mensagem)
        assert booked.ofertas == ()
        assert isinstance(booked.mudancas[0], Marcada)
        held = booked.mudancas[0].consulta
        assert (held.clinic, held.doctor, held.date, held.time) == (chosen.clinic, chosen.doctor, chosen.date, chosen.time)
        assert (await conversa.ask("preciso reagendar para o dia 19 as 14h")).mudancas == ()
        moved = await conversa.ask("sim")
        assert isinstance(moved.mudancas[0], Remarcada)
        assert moved.mudancas[0].desfazer_ate == MORNING + timedelta(minutes=10)
        assert moved.mudancas[0].anterior == held
        assert conversa.consultas == (moved.mudancas[0].consulta,)
        assert federation.held() == {"clinic_c": [("Dr. Fernando Mendes", "2025-07-19", "14:00", ANA.cpf)]}


async def test_every_slot_on_offer_is_booked_by_its_own_message(federation: Federation) -> None:
    async with open_conversas(federation.clinicas) as conversas:
        for said in ("quero um cardiologista", "preciso de um dermatologista", "quero um ortopedista"):
            listing = await (await conversas.open(PROGRAM, paciente=ANA)).ask(said)
            assert len(listing.ofertas) > 1
            for oferta in listing.ofertas:
                conversa = await conversas.open(PROGRAM, paciente=ANA)
                await conversa.ask(said)
                booked = (await conversa.ask(oferta.mensagem)).passos
                if booked is not None and not booked.plano:  # of a doctor who sees children alone it is asked whose it is
                    booked = (await conversa.ask("é para mim")).passos
                assert booked is not None
                assert [step.action for step in booked.plano] == ["book_appointment"]
                assert conversa.consultas[0].date == oferta.date
                await conversa.ask("cancele, por favor")
                await conversa.ask("sim")
                assert conversa.consultas == ()
                await conversas.forget(PROGRAM, conversa.id)


async def test_ids_are_those_of_no_other_conversation(conversas: Conversas, conversa: Conversa) -> None:
    with pytest.raises(ConversaNotFound):
        await conversas.get(PROGRAM, UUID(int=conversa.id.int ^ 1))
