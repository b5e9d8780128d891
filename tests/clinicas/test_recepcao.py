"""The reception: who waits in which turn, who has whom, and what a conversation hears of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from crivo.clinicas.conversa import Conversa, ConversaLonga, ConversaNotFound, MensagemInvalida
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.guarda import Guarda, Limites
from crivo.clinicas.medidas import emergencias
from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.recepcao import Atendente, Espera, ForaDaFila, JaAssumida, NaoAssumida, Recepcao, in_turn
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from federacao import ANA
from guardas import guarda_em
from sessoes_abertas import Sessions, Ticks
from sujeitos import as_program

PATIENT = Scope("local", "usuario:ana", CONSOLE)
MARTA, RUI = Atendente("usuario:marta", "Marta"), Atendente("usuario:rui", "Rui")
EMERGENCY = "to com dor no peito faz meia hora, vai pro braço esquerdo"
LOST = Mensagens("pt", REGISTRO_PADRAO).say("nao_entendi")


class Scripted:
    """A planner that understands nothing but thanks and what something costs, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.pending: list[dict[str, str]] = []

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        self.asked.append(utterance)
        self.pending.append(dialogue.pending)
        if "custa" in utterance:
            return Plan(fala="Sobre os preços, não sei dizer por aqui.", recusa="escopo"), {}
        return (Plan(fala="De nada!"), {}) if "obrigad" in utterance else (Plan(pergunta=LOST), {"estado": "{}"})


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
async def sessions() -> AsyncIterator[Sessions[Scripted]]:
    opened = Sessions(Scripted())
    yield opened
    await opened.close()


@pytest.fixture(params=["memoria", "banco"])
def guarda(request: pytest.FixtureRequest, database: Database, urls: tuple[str, str], ticks: Ticks) -> Guarda:
    return guarda_em(request.param, database, urls[0], ticks)


@pytest.fixture
def conversas(sessions: Sessions[Scripted], ticks: Ticks, guarda: Guarda) -> Conversas:
    return Conversas(sessions, Limites(turnos=6), ticks, guarda)


@pytest.fixture
async def conversa(conversas: Conversas) -> Conversa:
    return await conversas.open(PATIENT, paciente=ANA)


async def test_who_asks_for_a_person_while_nobody_is_there_hears_that_it_was_noted(conversas: Conversas, conversa: Conversa) -> None:
    turno = await conversa.ask("quero falar com uma pessoa")
    assert "não há ninguém lá agora" in turno.texto
    assert turno.recepcao == "anotada"
    assert [one.motivo for one in (await conversas.fila("local"))] == ["pessoa"]


async def test_who_asks_for_a_person_hears_how_many_are_ahead(conversas: Conversas, conversa: Conversa, ticks: Ticks) -> None:
    await conversas.look("local")
    first = await conversa.ask("quero falar com uma pessoa")
    assert "Você é a próxima pessoa" in first.texto
    said = []
    for _ in range(2):
        ticks.now += 1
        said.append((await (await conversas.open(PATIENT, paciente=ANA)).ask("atendente")).texto)
    assert "Há 1 pessoa na sua frente" in said[0]
    assert "Há 2 pessoas na sua frente" in said[1]
    assert first.passos is not None
    assert (first.passos.pergunta, first.passos.recusa) == (False, None)
    assert "já foi chamada" in (await conversa.ask("cadê o atendente?")).texto


async def test_a_reception_that_nobody_looks_at_any_more_is_empty(conversas: Conversas, conversa: Conversa, ticks: Ticks) -> None:
    await conversas.look("local")
    ticks.now = 301.0
    assert (await conversa.ask("atendente")).recepcao == "anotada"
    await conversas.look("outro")
    assert not conversas.recepcao.is_attended("local")


async def test_what_is_not_understood_twice_in_a_row_goes_to_the_reception(conversas: Conversas, conversa: Conversa) -> None:
    await conversas.look("local")
    await conversa.ask("xpto")
    await conversa.ask("obrigado")
    once = await conversa.ask("blabla")
    assert (once.recepcao, conversa.espera) == (None, None)
    twice = await conversa.ask("blablabla")
    assert twice.texto.startswith(LOST)
    assert "Chamei a recepção" in twice.texto
    assert conversa.espera is not None
    assert conversa.espera.motivo == "nao_entendido"


async def test_an_emergency_is_queued_by_its_kind_and_its_text_stays_alone(conversas: Conversas, conversa: Conversa) -> None:
    await conversas.look("local")
    await (await conversas.open(PATIENT, paciente=ANA)).ask("atendente")
    before = emergencias.labels("coracao")._value.get()
    turno = await conversa.ask(EMERGENCY)
    assert emergencias.labels("coracao")._value.get() == before + 1
    assert turno.texto.startswith("Ligue agora para o 192")
    assert "recepção" not in turno.texto
    assert turno.recepcao == "avisada"
    first = (await conversas.fila("local"))[0]
    assert (first.conversa_id, first.motivo, first.tipo) == (conversa.id, "emergencia", "coracao")
    await conversa.ask("Não é emergência, continuar")
    assert (await conversas.fila("local"))[-1].desmentida
    assert not (await conversas.fila("local"))[-1].urgente


async def test_what_is_not_known_is_said_with_how_to_have_the_reception_answer_here(conversas: Conversas, conversa: Conversa) -> None:
    turno = await conversa.ask("quanto custa?")
    assert turno.texto.startswith("Sobre os preços")
    assert 'diga "quero falar com uma pessoa" e a recepção responde aqui mesmo' in turno.texto
    assert conversa.espera is None
    assert (await conversa.ask("quero falar com uma pessoa")).recepcao is not None


async def test_until_somebody_takes_it_the_assistant_goes_on(conversa: Conversa, sessions: Sessions[Scripted]) -> None:
    await conversa.ask("quero falar com uma pessoa")
    assert (await conversa.ask("obrigado")).texto == "De nada!"
    assert sessions.planner.asked == ["obrigado"]


async def test_what_is_written_to_a_person_is_planned_by_nobody_and_the_answer_is_theirs(
    conversas: Conversas, conversa: Conversa, sessions: Sessions[Scripted]
) -> None:
    await conversa.ask("quero falar com uma pessoa")
    await conversa.assume(MARTA)
    said = await conversa.ask("cancela tudo")
    assert (said.texto, said.passos, sessions.planner.asked) == ("", None, [])
    answered = await conversa.write(MARTA.ator, "  Oi, Ana! ")
    assert (answered.mensagem, answered.texto, answered.pessoa) == ("", "Oi, Ana!", "Marta")
    assert [turno.marco for turno in conversa.turnos] == [None, "entrou", None, None]
    with pytest.raises(MensagemInvalida):
        await conversa.write(MARTA.ator, " ")


async def test_a_code_is_in_no_history_whoever_wrote_it(conversa: Conversa) -> None:
    await conversa.ask("quero falar com uma pessoa")
    await conversa.assume(MARTA)
    await conversa.ask("meu código é ks gpp c8ff5")
    await conversa.write(MARTA.ator, "Oi, Ana! O seu código é KSGPP-C8FF5.")
    assert [turno.mensagem or turno.texto for turno in conversa.turnos][-2:] == [
        "meu código é [código]",
        "Oi, Ana! O seu código é [código].",
    ]


async def test_an_emergency_told_to_a_person_is_answered_by_the_numbers_all_the_same(conversas: Conversas, conversa: Conversa) -> None:
    await conversas.look("local")
    await conversa.ask("quero falar com uma pessoa")
    await conversa.assume(MARTA)
    turno = await conversa.ask(EMERGENCY)
    assert turno.telefones[0].numero == "192"
    assert conversa.espera is not None
    assert conversa.espera.urgente
    assert conversa.espera.atendente == MARTA


async def test_of_two_who_take_it_one_has_it_and_only_they_write_and_give_back(conversa: Conversa) -> None:
    await conversa.ask("quero falar com uma pessoa")
    await conversa.assume(MARTA)
    await conversa.assume(MARTA)  # again is the same
    with pytest.raises(JaAssumida, match="Marta"):
        await conversa.assume(RUI)
    with pytest.raises(NaoAssumida):
        await conversa.write(RUI.ator, "oi")
    with pytest.raises(NaoAssumida):
        await conversa.give_back(RUI.ator)
    assert [turno.marco for turno in conversa.turnos].count("entrou") == 1


async def test_given_back_the_assistant_goes_on_and_nothing_asked_before_is_answered_by_a_yes(
    conversas: Conversas, conversa: Conversa, sessions: Sessions[Scripted]
) -> None:
    await conversa.ask("não sei explicar")
    await conversa.ask("quero falar com uma pessoa")
    await conversa.assume(MARTA)
    await conversa.give_back(MARTA.ator)
    assert (await conversas.fila("local")) == ()
    with pytest.raises(NaoAssumida):
        await conversa.write(MARTA.ator, "oi")
    await conversa.ask("sim")
    assert sessions.planner.asked == ["não sei explicar", "sim"]
    assert sessions.planner.pending[-1] == {}
    assert conversa.espera is None  # what was not understood before the person came counts no more


async def test_only_the_tenant_of_a_conversation_finds_it_at_its_reception(conversas: Conversas, conversa: Conversa) -> None:
    with pytest.raises(ForaDaFila):
        await conversas.at_reception("local", conversa.id)
    await conversa.ask("atendente")
    assert (await conversas.at_reception("local", conversa.id)).id == conversa.id
    with pytest.raises(ForaDaFila):
        await conversas.at_reception("outro", conversa.id)
    assert (await conversas.fila("outro")) == ()


async def test_whoever_converses_with_the_clinics_is_attended_by_the_clinics_own_reception(conversas: Conversas) -> None:
    """The clinics are the installation's own, and so are their patients, through whomever they come."""
    from_elsewhere = await conversas.open(as_program("outro", "chave:b", "clinicas:conversar"), paciente=ANA)
    await from_elsewhere.ask("atendente")
    assert (await conversas.at_reception("local", from_elsewhere.id)).id == from_elsewhere.id
    assert (await conversas.fila("outro")) == ()
    with pytest.raises(ForaDaFila):
        await conversas.at_reception("outro", from_elsewhere.id)


async def test_who_leaves_or_is_forgotten_leaves_the_queue(conversas: Conversas, conversa: Conversa, ticks: Ticks) -> None:
    silent = await conversas.open(PATIENT, paciente=ANA)
    for one in (conversa, silent):
        await one.ask("atendente")
    await conversas.forget(PATIENT, conversa.id)
    assert [one.conversa_id for one in (await conversas.fila("local"))] == [silent.id]
    ticks.now = 2_000.0
    await conversas.forget_idle()
    assert (await conversas.fila("local")) == ()
    with pytest.raises(ConversaNotFound):
        await conversas.get(PATIENT, silent.id)


async def test_a_reception_does_not_call_itself(conversas: Conversas) -> None:
    attending = await conversas.open(PATIENT, "operador", ANA)
    await attending.ask(EMERGENCY)
    assert attending.espera is None


async def test_a_person_writes_no_more_than_a_conversation_may_hold(conversa: Conversa) -> None:
    await conversa.ask("atendente")
    await conversa.assume(MARTA)
    for _ in range(5):
        await conversa.write(MARTA.ator, "oi")
    with pytest.raises(ConversaLonga):
        await conversa.write(MARTA.ator, "oi")
    assert (await conversa.ask("oi")).mensagem == "oi"  # who is served may still write


async def test_the_bell_rings_for_the_conversation_and_for_the_reception(conversas: Conversas, conversa: Conversa) -> None:
    heard, queued = conversa.sino.vezes, conversas.recepcao.sino.vezes
    await conversa.ask("obrigado")
    assert (conversa.sino.vezes > heard, conversas.recepcao.sino.vezes) == (True, queued)
    await conversa.ask("atendente")
    assert conversas.recepcao.sino.vezes > queued
    assert await conversa.sino.after(heard, 0.0) == conversa.sino.vezes


def test_an_emergency_that_two_readings_hear_goes_before_one_that_waits_longer_and_a_denied_one_does_not() -> None:
    doubted = Espera(UUID(int=1), "local", "emergencia", 1.0, "violencia")
    sure = Espera(UUID(int=2), "local", "emergencia", 5.0, "coracao", certa=True)
    denied = Espera(UUID(int=3), "local", "emergencia", 2.0, "avc", certa=True).denied()
    assert in_turn([denied, doubted, sure]) == (sure, doubted, denied)
    assert in_turn([denied, Espera(UUID(int=4), "local", "pessoa", 1.0)])[1] == denied
    assert sure.graver("emergencia", 9.0, "violencia").certa  # never less sure
    assert not denied.graver("emergencia", 9.0, "avc").certa
    assert doubted.graver("emergencia", 9.0, "coracao", certa=True).desde == 1.0


@pytest.mark.parametrize(("said", "certa"), [("Dor no peito muito forte e falta de ar", True), ("meu marido me bateu", False)])
async def test_the_queue_knows_whether_an_emergency_is_sure(conversa: Conversa, said: str, *, certa: bool) -> None:
    await conversa.ask(said)
    assert conversa.espera is not None
    assert (conversa.espera.urgente, conversa.espera.certa) == (True, certa)


def test_an_emergency_goes_first_then_whom_nobody_has_then_the_longest_wait(ticks: Ticks) -> None:
    recepcao = Recepcao(ticks)
    first, second, third = (Espera(UUID(int=number), "local", "pessoa", number) for number in range(3))
    urgent = Espera(UUID(int=3), "local", "pessoa", 3.0).graver("emergencia", 9.0, "avc")
    recepcao.replace([first.assumed(MARTA), second, third, urgent])
    ticks.now = 9.0
    assert [one.conversa_id for one in recepcao.fila("local")] == [one.conversa_id for one in (urgent, second, third, first)]
    assert [recepcao.ahead(one) for one in recepcao.fila("local")] == [0, 1, 2, 0]
    assert recepcao.waited(recepcao.fila("local")[1]) == 8.0
    assert urgent.graver("nao_entendido", 9.0).motivo == "emergencia"  # never less grave
