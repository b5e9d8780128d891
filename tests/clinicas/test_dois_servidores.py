"""Two servers over one database: a conversation goes on at either, one turn at a time, and nothing of it lies in the clear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from chaves_de_teste import cofre_de_teste
from clinicas_aqui import REGISTRO, ClinicasAqui, Linhas, clinicas_aqui
from crivo.clinicas import conversa as module
from crivo.clinicas.acervo import AcervoDeConversas
from crivo.clinicas.conversa import Conversa, ConversaNotFound, ConversaOcupada
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.guarda import Limites
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, _no_answer
from crivo.clinicas.orquestrador.contracts import Paciente, Step
from crivo.clinicas.recepcao import Atendente, ForaDaFila, JaAssumida
from crivo.clinicas.storage import GuardaNoBanco
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import SystemClock
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE, Pessoa
from crivo.kernel.tenancy import Scope
from espera import until
from federacao import ANA
from guardas import without_conversations
from sessoes_abertas import Ticks
from sujeitos import as_program

OWNER = as_program("local", "chave:a")
MARTA, RUI = Atendente("usuario:marta", "Marta"), Atendente("usuario:rui", "Rui")
EMERGENCY = "to com dor no peito faz meia hora, vai pro braço esquerdo"
BOOK = "quero marcar com o Dr. Bruno dia 18 às 10h"
JOURNEY = (
    "oi",
    "quero marcar um cardiologista",
    "o segundo",
    "quais são as minhas consultas?",
    "quero mudar para as 11h",
    "sim",
    "marca também um dermatologista dia 21 às 15h para o meu filho Davi Braga, CPF 111.444.777-35",
    "e quanto custa?",
    EMERGENCY,
    "não é emergência",
    "cancela a do Dr. Bruno",
    "sim",
    "desfazer",
    "mais",
    "obrigada",
)


@dataclass
class Servidor:
    """One server's conversations, over a pool of its own."""

    conversas: Conversas
    database: Database


@pytest.fixture
def ticks() -> Ticks:
    ticks = Ticks()
    ticks.now = 1_800_000_000.0
    return ticks


@pytest.fixture
async def clinicas(tmp_path: Path) -> AsyncIterator[ClinicasAqui]:
    async with clinicas_aqui(tmp_path / "clinicas") as opened:
        yield opened


@pytest.fixture
async def servers(urls: tuple[str, str], clinicas: ClinicasAqui, ticks: Ticks) -> AsyncIterator[list[Servidor]]:
    without_conversations(urls[0])
    opened = [Database(urls[1], cofre=cofre_de_teste()) for _ in range(2)]
    limites = Limites(conversas=4, por_inquilino=3, por_dono=2, por_dia=2, ociosa_seconds=60.0)
    yield [Servidor(Conversas(Linhas(clinicas), limites, ticks, GuardaNoBanco(one, "local", ticks)), one) for one in opened]
    for one in opened:
        await one.close()


@pytest.fixture
def raw(urls: tuple[str, str]) -> Callable[..., list[Any]]:
    """Asks as the owner of the tables, whom no policy holds."""

    def ask(statement: str, *values: object) -> list[Any]:
        with psycopg.connect(libpq_url(urls[0])) as connection:
            found = connection.execute(statement, values)
            return found.fetchall() if found.description else []

    return ask


async def held(servers: list[Servidor], conversa_id: UUID) -> list[Conversa]:
    return [await one.conversas.get(OWNER, conversa_id) for one in servers]


async def test_a_conversation_that_changes_server_at_every_turn_goes_as_on_one(
    servers: list[Servidor], clinicas: ClinicasAqui, tmp_path: Path
) -> None:
    clinicas.new_secret = lambda: "s" * 64
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    at = cycle(servers)
    moved = [await (await next(at).conversas.get(OWNER, began.id)).ask(said) for said in JOURNEY]
    async with clinicas_aqui(tmp_path / "outras") as others:
        others.new_secret = clinicas.new_secret
        session = Linhas(others).open(paciente=ANA, dono=OWNER)
        stayed = [(await session.say(said)).inteiro for said in JOURNEY]
        assert others.held() == clinicas.held()
    assert [turno.texto.split(' Se quiser, diga "quero falar')[0] for turno in moved[:7]] == stayed[:7]
    assert moved[8].telefones[0].numero == "192"
    assert [turno.texto for turno in moved[9:]] == stayed[9:]
    assert any(turno.mudancas for turno in moved)


async def test_of_two_messages_at_two_servers_one_is_answered(servers: list[Servidor]) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    for said in ("oi", BOOK, "obrigada"):
        outcomes = await asyncio.gather(*(one.ask(said) for one in await held(servers, began.id)), return_exceptions=True)
        assert sorted(type(one).__name__ for one in outcomes) in (["ConversaOcupada", "Turno"], ["Turno", "Turno"])
    turnos = (await servers[1].conversas.get(OWNER, began.id)).turnos
    assert len(turnos) == len({id(turno) for turno in turnos}) >= 3


async def test_a_slot_that_is_booked_at_two_servers_at_once_is_booked_once(servers: list[Servidor], clinicas: ClinicasAqui) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("quero marcar um cardiologista")
    await asyncio.gather(*(one.ask("o segundo") for one in await held(servers, began.id)), return_exceptions=True)
    assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", ANA.cpf)]


@dataclass
class Killed:
    """A transport that is cut with its server: after a clinic did what it was asked, or before it heard of it."""

    clinicas: ClinicasAqui
    after: bool
    action: str = "book_appointment"
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(self, step: Step, action: Any, caller: Caller, seconds: float) -> Answer:
        if action != self.action:
            return await self.clinicas.call(step, action, caller, seconds)
        if self.after:
            await self.clinicas.call(step, action, caller, seconds)
        self.after = False
        self.reached.set()
        await self.gone.wait()
        return _no_answer(REGISTRO.clinics[0], action, may_have_run=False)


@asynccontextmanager
async def killed_at(
    server: Servidor, clinicas: ClinicasAqui, conversa_id: UUID, said: str, killed: Killed, raw: Callable[..., list[Any]]
) -> AsyncIterator[None]:
    """A server that dies in the middle of a turn: nothing is heard of it in the block, and its turn is over its time."""
    ticks = server.conversas._ticks
    dying = Conversas(Linhas(clinicas, transport=killed), None, ticks, GuardaNoBanco(server.database, "local", ticks))
    turn = await (await dying.get(OWNER, conversa_id)).begin(said)
    async with asyncio.timeout(10):
        await killed.reached.wait()
    with pytest.raises(ConversaOcupada):
        await (await server.conversas.get(OWNER, conversa_id)).ask("oi?")
    raw("update conversas set vez_ate = now() - interval '1 second' where id = %s", conversa_id)
    yield
    killed.gone.set()
    with pytest.raises(ConversaOcupada):  # it was not dead after all: what it says comes too late
        await turn


@pytest.mark.parametrize("after", [True, False])
async def test_what_a_killed_server_had_begun_to_book_is_told_by_the_next_and_booked_no_second_time(
    servers: list[Servidor], clinicas: ClinicasAqui, raw: Callable[..., list[Any]], *, after: bool
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("quero marcar um cardiologista")
    async with killed_at(servers[1], clinicas, began.id, "o segundo", Killed(clinicas, after), raw):
        assert len(clinicas.held()) == after
        conversa = await servers[1].conversas.get(OWNER, began.id)
        turno = await conversa.ask("o segundo")
        assert turno.texto.startswith("A minha resposta anterior foi interrompida.")
        assert ("Ficou marcado: " in turno.texto, "Não encontrei marcado: " in turno.texto) == (after, not after)
        assert clinicas.held() == [("clinic_a", "2025-07-18", "10:00", ANA.cpf)]
        assert [one.time for one in conversa.consultas] == ["10:00"]
        assert len(conversa.novos) == 1, "the code is told, though the answer that had it was lost"
        assert "interrompida" not in (await conversa.ask("obrigada")).texto
        await conversa.ask("cancela")
        await conversa.ask("sim")
        assert clinicas.held() == []


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize(
    ("said", "action", "words"),
    [
        ("cancela a consulta", "cancel_appointment", ("Ficou cancelado: ", "Continua marcado: ")),
        ("preciso reagendar para as 11h", "reschedule_appointment", ("A consulta mudou para: ", "A consulta não mudou: ")),
    ],
)
async def test_what_a_killed_server_had_begun_to_change_is_as_the_clinic_has_it(
    servers: list[Servidor],
    clinicas: ClinicasAqui,
    raw: Callable[..., list[Any]],
    said: str,
    action: str,
    words: tuple[str, str],
    *,
    after: bool,
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask(BOOK)
    await began.ask(said)
    async with killed_at(servers[1], clinicas, began.id, "sim", Killed(clinicas, after, action), raw):
        conversa = await servers[1].conversas.get(OWNER, began.id)
        turno = await conversa.ask("quais são as minhas consultas?")
        assert words[not after] in turno.texto
        assert [(one.date, one.time) for one in conversa.consultas] == [(date, time) for _, date, time, _ in clinicas.held()]


@pytest.mark.parametrize("said", ["desfazer", "desfaz isso", "volta como estava", "Desfazer"])
@pytest.mark.parametrize("between", [(), ("obrigada",)])
@pytest.mark.parametrize(
    ("asked", "action"),
    [
        ("cancela a consulta", "cancel_appointment"),
        ("preciso reagendar para as 11h", "reschedule_appointment"),
        ("muda para a Dra. Carla dia 21 às 15h", "cancel_appointment"),
    ],
)
async def test_what_a_killed_server_had_cancelled_or_changed_is_taken_back_as_if_it_had_told_of_it(
    servers: list[Servidor],
    clinicas: ClinicasAqui,
    raw: Callable[..., list[Any]],
    asked: str,
    action: str,
    between: tuple[str, ...],
    said: str,
) -> None:
    if between and "fa" not in said:
        pytest.skip("what is no order to undo is only right after it")
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask(BOOK)
    before = clinicas.held()
    await began.ask(asked)
    async with killed_at(servers[1], clinicas, began.id, "sim", Killed(clinicas, after=True, action=action), raw):
        assert clinicas.held() != before
        conversa = await servers[1].conversas.get(OWNER, began.id)
        await conversa.ask("quais são as minhas consultas?")
        for one in between:
            await conversa.ask(one)
        turno = await (await servers[0].conversas.get(OWNER, began.id)).ask(said)
        assert "Não há nada para desfazer" not in turno.texto
        assert clinicas.held() == before


@pytest.mark.parametrize(
    ("asked", "lost", "again", "action"),
    [
        ("quero marcar um cardiologista", "o segundo", "o segundo", "book_appointment"),
        ("quero marcar um cardiologista", "o segundo", "quero o segundo", "book_appointment"),
        ("quero marcar um cardiologista", "o segundo", "a das 10h", "book_appointment"),
        ("quero marcar um cardiologista", "o segundo", "O SEGUNDO!!", "book_appointment"),
        ("cancela a consulta", "sim", "sim", "cancel_appointment"),
        ("cancela a consulta", "sim", "sim, cancela", "cancel_appointment"),
        ("preciso reagendar para as 11h", "sim", "sim", "reschedule_appointment"),
    ],
)
async def test_a_message_said_again_is_answered_by_what_became_of_it(
    servers: list[Servidor], clinicas: ClinicasAqui, raw: Callable[..., list[Any]], asked: str, lost: str, again: str, action: str
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    if action != "book_appointment":
        await began.ask(BOOK)
    await began.ask(asked)
    async with killed_at(servers[1], clinicas, began.id, lost, Killed(clinicas, after=True, action=action), raw):
        stands = clinicas.held()
        conversa = await servers[1].conversas.get(OWNER, began.id)
        turno = await conversa.ask(again)
        told = turno.texto.split("\n")[0]
        assert told.startswith("A minha resposta anterior foi interrompida. ")
        assert told.count(". ") <= 2, "what became of it, and nothing about a second one"
        assert clinicas.held() == stands
        assert [one.mensagem for one in (await servers[0].conversas.get(OWNER, began.id)).turnos][-2:] == [lost, again]


async def test_another_message_after_a_lost_one_is_answered_beside_what_became_of_it(
    servers: list[Servidor], clinicas: ClinicasAqui, raw: Callable[..., list[Any]]
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("quero marcar um cardiologista")
    async with killed_at(servers[1], clinicas, began.id, "o segundo", Killed(clinicas, after=True), raw):
        turno = await (await servers[1].conversas.get(OWNER, began.id)).ask("e quanto custa?")
        assert "Ficou marcado: " in turno.texto
        assert "preço" in turno.texto


async def test_a_turn_that_begins_nothing_is_lost_without_a_trace_but_in_words(
    servers: list[Servidor], clinicas: ClinicasAqui, raw: Callable[..., list[Any]]
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    killed = Killed(clinicas, after=False, action="list_available_slots")
    async with killed_at(servers[1], clinicas, began.id, "quero um cardiologista", killed, raw):
        first = await (await servers[1].conversas.get(OWNER, began.id)).ask(EMERGENCY)
        assert first.texto.startswith("Ligue agora para o 192"), "help before anything else"
        turno = await (await servers[0].conversas.get(OWNER, began.id)).ask("não é emergência, quero um cardiologista")
        assert "interrompida. Nela nada foi marcado, mudado nem cancelado." in turno.texto
        assert (await servers[0].conversas.get(OWNER, began.id)).turnos[0].mensagem == EMERGENCY


async def test_a_server_that_lost_its_turn_books_nothing_and_writes_nothing(
    servers: list[Servidor], clinicas: ClinicasAqui, raw: Callable[..., list[Any]]
) -> None:
    """It was only slow: what it does once it goes on is refused, as another server has answered since."""
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("quero marcar um cardiologista")
    slow = await servers[0].conversas.get(OWNER, began.id)
    vez = await slow._turn_taken()
    raw("update conversas set vez_ate = now() - interval '1 second' where id = %s", began.id)
    await (await servers[1].conversas.get(OWNER, began.id)).ask("obrigada")
    with pytest.raises(ConversaOcupada):
        await slow._turn("o segundo", vez, lambda _: None)
    assert clinicas.held() == []
    assert [turno.mensagem for turno in (await servers[1].conversas.get(OWNER, began.id)).turnos][1:] == ["obrigada"]


async def test_a_turn_that_takes_long_is_held_as_long_as_its_server_lives(
    servers: list[Servidor], clinicas: ClinicasAqui, monkeypatch: pytest.MonkeyPatch, raw: Callable[..., list[Any]]
) -> None:
    monkeypatch.setattr(module, "_KEPT_EVERY", 0.05)
    killed = Killed(clinicas, after=False, action="list_available_slots")
    dying = Conversas(Linhas(clinicas, transport=killed), None, servers[0].conversas._ticks, servers[0].conversas._guarda)
    began = await dying.open(OWNER, paciente=ANA)
    turn = await began.begin("quero um cardiologista")
    async with asyncio.timeout(10):
        await killed.reached.wait()
    (first,) = raw("select vez_ate from conversas where id = %s", began.id)
    await until(lambda: raw("select vez_ate from conversas where id = %s", began.id) > [first])
    killed.gone.set()
    await turn
    assert (await (await servers[1].conversas.get(OWNER, began.id)).ask("oi")).mensagem == "oi"


async def test_no_name_no_cpf_no_word_and_no_code_lies_in_the_clear(servers: list[Servidor], raw: Callable[..., list[Any]]) -> None:
    began = await servers[0].conversas.open(OWNER)
    for said in ("Ana Braga", "529.982.247-25", BOOK, "quero falar com uma pessoa"):
        await began.ask(said)
    await (await servers[1].conversas.at_reception("local", began.id)).assume(MARTA)
    code = next(iter(began.codigos.values()))
    (row,) = raw("select t::text, t.estado, t.espera, t.embrulhada, t.pessoas from conversas t where id = %s", began.id)
    whole = repr(row).encode() + b"".join(bytes(part) for part in (*row[1:4], *row[4]))
    for secret in ("Ana", "Braga", "529.982", "52998224725", "Bruno", "Marta", 'pessoa"', code, code[:5]):
        assert secret.encode() not in whole.replace(b'"pessoas"', b""), secret
    assert row[4] != []


async def test_a_silent_conversation_is_forgotten_everywhere_and_swept_out_of_the_table(
    servers: list[Servidor], ticks: Ticks, raw: Callable[..., list[Any]]
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    ticks.now += 61
    for one in servers:
        with pytest.raises(ConversaNotFound):
            await one.conversas.get(OWNER, began.id)
    await servers[1].conversas.forget_idle()
    assert raw("select id from conversas where tenant_id = 'local'") == []


async def test_what_one_server_ends_is_gone_at_the_other_and_leaves_no_row(servers: list[Servidor], raw: Callable[..., list[Any]]) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("atendente")
    await servers[1].conversas.forget(OWNER, began.id)
    with pytest.raises(ConversaNotFound):
        await began.ask("oi")
    assert await servers[0].conversas.fila("local") == ()
    assert raw("select id from conversas where tenant_id = 'local'") == []


async def test_a_patient_of_one_server_is_attended_at_the_other(servers: list[Servidor], database: Database) -> None:
    here, there = (one.conversas for one in servers)
    began = await here.open(OWNER, paciente=ANA)
    await there.look("local")
    turno = await began.ask("quero falar com uma pessoa")
    assert (turno.recepcao, "Você é a próxima pessoa" in turno.texto) == ("avisada", True)
    (waiting,) = await there.waiting("local")
    assert (waiting.id, waiting.paciente) == (began.id, ANA)
    await waiting.assume(MARTA)
    with pytest.raises(JaAssumida):
        await (await here.at_reception("local", began.id)).assume(RUI)
    await waiting.write(MARTA.ator, "Oi, Ana!")
    said = await (await here.get(OWNER, began.id)).ask("cancela tudo")
    assert (said.texto, said.passos) == ("", None)
    await (await here.at_reception("local", began.id)).give_back(MARTA.ator)
    with pytest.raises(ForaDaFila):
        await there.at_reception("local", began.id)
    assert [turno.marco or turno.texto or turno.mensagem for turno in (await there.get(OWNER, began.id)).turnos][1:] == [
        "entrou",
        "Oi, Ana!",
        "cancela tudo",
        "devolveu",
    ]


async def test_what_the_reception_writes_while_an_answer_is_made_stands_beside_it(servers: list[Servidor], clinicas: ClinicasAqui) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("atendente")
    conversa = await servers[0].conversas.get(OWNER, began.id)
    vez = await conversa._turn_taken()
    await (await servers[1].conversas.at_reception("local", began.id)).assume(MARTA)
    await conversa._turn("obrigada", vez, lambda _: None)
    assert [turno.marco or turno.mensagem for turno in (await servers[1].conversas.get(OWNER, began.id)).turnos] == [
        "atendente",
        "entrou",
        "obrigada",
    ]


async def test_what_changes_at_one_server_rings_at_the_other(servers: list[Servidor]) -> None:
    here, there = (one.conversas for one in servers)
    began = await here.open(OWNER, paciente=ANA)
    listening = await there.get(OWNER, began.id)
    await there.sync()
    heard, queued = listening.sino.vezes, there.recepcao.sino.vezes
    await there.sync()
    assert (listening.sino.vezes, there.recepcao.sino.vezes) == (heard, queued)
    await began.ask("obrigada")
    await there.sync()
    assert (listening.sino.vezes > heard, there.recepcao.sino.vezes) == (True, queued)
    await began.ask("atendente")
    await there.sync()
    assert there.recepcao.sino.vezes > queued
    assert [one.conversa_id for one in there.recepcao.fila("local")] == [began.id]
    heard = listening.sino.vezes
    await here.forget(OWNER, began.id)
    await there.sync()
    assert listening.sino.vezes > heard
    assert there.recepcao.fila("local") == ()


async def test_the_limits_are_of_all_servers_together(servers: list[Servidor]) -> None:
    here, there = (one.conversas for one in servers)
    person = Scope("local", "usuario:a", Pessoa("local", UUID(int=1), "paciente"))
    for conversas in (here, there):
        await conversas.forget(person, (await conversas.open(person, paciente=ANA)).id)
    outcomes = await asyncio.gather(
        here.open(person), there.open(person), here.open(OWNER), there.open(OWNER), there.open(OWNER), return_exceptions=True
    )
    assert [getattr(one, "codigo", "aberta") for one in outcomes[:2]] == ["conversas_demais"] * 2
    assert sorted(getattr(one, "codigo", "aberta") for one in outcomes[2:]) == ["aberta", "aberta", "conversas_demais"]


@pytest.mark.parametrize(
    "damage", ["formato = 99", "estado = 'nada'", "embrulhada = 'nada'", "estado = substr(estado, 1, length(estado) - 1)"]
)
async def test_what_this_program_cannot_read_is_a_conversation_that_ended(
    servers: list[Servidor], raw: Callable[..., list[Any]], damage: str
) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    await began.ask("atendente")
    raw(f"update conversas set {damage} where id = %s", began.id)  # noqa: S608 - one of those above
    with pytest.raises(ConversaNotFound, match="já terminou"):
        await servers[1].conversas.get(OWNER, began.id)
    assert await servers[1].conversas.of(OWNER) is None
    assert await servers[1].conversas.waiting("local") == ()
    await servers[1].conversas.fila("local")


async def test_a_program_of_another_tenant_sees_no_row(servers: list[Servidor], scope: Scope) -> None:
    began = await servers[0].conversas.open(OWNER, paciente=ANA)
    async with servers[1].database.unit_of_work(scope) as uow:
        assert (await uow.connection.exec_driver_sql("select 1 from conversas")).all() == []
    with pytest.raises(ConversaNotFound):
        await servers[1].conversas.get(as_program("outro", "chave:a"), began.id)


async def test_who_is_erased_is_in_no_open_conversation_any_more(servers: list[Servidor], raw: Callable[..., list[Any]]) -> None:
    here, there = (one.conversas for one in servers)
    own = await here.open(OWNER, paciente=ANA)
    await own.ask("quero um cardiologista")
    other = await here.open(OWNER, paciente=Paciente("Bia Castro", "987.654.321-00"))
    pessoas = Pessoas(servers[1].database, SystemClock(), [AcervoDeConversas()])
    scope = Scope("local", "teste", CONSOLE)
    told = await pessoas.exportar(scope, ANA.cpf)
    (one,) = told["dados"]["clinicas"]
    assert (one["conversa"], one["turnos"][0]["mensagem"]) == (own.id, "quero um cardiologista")
    assert (await pessoas.apagar(scope, ANA.cpf, "pedido 1")).apagados == {"clinicas": 1}
    with pytest.raises(ConversaNotFound):
        await there.get(OWNER, own.id)
    assert (await there.get(OWNER, other.id)).paciente is not None
    async with servers[0].database.unit_of_work(scope) as uow:
        assert "cardiologista" not in repr(await list_latest(uow, 50))
