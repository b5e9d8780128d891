"""A suspended organisation is closed at every door, its work waits, and once it is reactivated everything goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from sqlalchemy import text

from crivo.kernel.access import ESCOPOS, EmailEmUso, EntradaRecusada, Porteiro, Sessoes, Usuario, create_chave, create_usuario
from crivo.kernel.access.organizacoes import OrganizacaoDaInstalacao, OrganizacaoInvalida, Organizacoes
from crivo.kernel.access.sessoes import SessaoEncerrada
from crivo.kernel.audit import verify_tenant
from crivo.kernel.autorizar import SemPermissao
from crivo.kernel.clock import FixedClock, SystemClock
from crivo.kernel.cotas import Nome
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.jobs.worker import Rhythm, Worker, working
from crivo.kernel.storage.errors import InquilinoDesconhecido
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.suspensao import OrganizacaoSuspensa, count_waiting
from crivo.kernel.tenancy import InvalidTenant, Scope
from espera import until

_NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_CLOCK = FixedClock(_NOW)
_RHYTHM = Rhythm(heartbeat=0.5, stalled=4.0, rescue=0.2, poll=0.2, grace=1.0, pause=0.1)
NewTenant = Callable[[], Scope]


@pytest.fixture
def casa(new_tenant: NewTenant) -> Scope:
    """The installation's own organisation, and whoever runs the machine in it."""
    return new_tenant()


@pytest.fixture
def casas(database: Database, casa: Scope) -> Organizacoes:
    return Organizacoes(database, _CLOCK, Uuid7(SystemClock()).new, casa.tenant_id)


async def _person(database: Database, scope: Scope) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), "Ana", f"{uuid4().hex}@exemplo.org", "gestor")


async def _acts(database: Database, scope: Scope) -> list[tuple[str, str, str]]:
    async with database.unit_of_work(scope) as uow:
        rows = await uow.connection.execute(
            text("select acao, alvo, ator from auditoria where tenant_id = :t order by seq"), {"t": scope.tenant_id}
        )
        return [(row.acao, row.alvo, row.ator) for row in rows]


async def test_nobody_of_it_comes_in_by_a_session_a_link_or_a_password_and_afterwards_they_do(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    sessoes, ana = Sessoes(database, _CLOCK), await _person(database, scope)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    link = await sessoes.create_link(scope, ana.ator, "convite")
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
    for enter in (sessoes.session(opened.id), sessoes.redeem(link), sessoes.open(opened.scope)):
        with pytest.raises(OrganizacaoSuspensa, match="Nada foi apagado"):
            await enter
    await casas.reativar(casa, scope.tenant_id, "Contrato novo")
    assert (await sessoes.session(opened.id)).nome == "Ana", "who was signed in goes on"
    assert (await sessoes.redeem(link)).scope.ator == ana.ator, "the invitation was not used up"


async def test_a_link_that_never_was_one_is_refused_as_it_is_anywhere(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    """Whether an organisation is suspended is told to its own people, and to nobody who guesses."""
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
    with pytest.raises(EntradaRecusada):
        await Sessoes(database, _CLOCK).redeem(f"crl_{scope.tenant_id}_{'0' * 16}_{'A' * 43}")


async def test_a_session_of_it_can_be_ended_all_the_same(database: Database, casas: Organizacoes, casa: Scope, scope: Scope) -> None:
    sessoes, ana = Sessoes(database, _CLOCK), await _person(database, scope)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
    await sessoes.end(opened.id)
    await casas.reativar(casa, scope.tenant_id, "Contrato novo")
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)


@pytest.mark.parametrize("of_a_person", [False, True])
async def test_its_keys_are_refused_within_seconds_and_afterwards_let_in(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope, of_a_person: bool
) -> None:
    ticks = [0.0]
    porteiro = Porteiro(database, _CLOCK, lambda: ticks[0])
    usuario = await _person(database, scope) if of_a_person else None
    async with database.unit_of_work(scope) as uow:
        chave = await create_chave(uow, _NOW, "teste", ESCOPOS, _NOW + timedelta(hours=1), usuario=usuario)
    await porteiro.authenticate(chave.segredo)
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
    ticks[0] += 5.0
    with pytest.raises(OrganizacaoSuspensa):
        await porteiro.authenticate(chave.segredo)
    await casas.reativar(casa, scope.tenant_id, "Contrato novo")
    assert (await porteiro.authenticate(chave.segredo)).scope.tenant_id == scope.tenant_id


class Tarefas:
    """Two kinds of work that note what they did: one waits while its organisation is suspended, the other is for third persons."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def run(self, _scope: Scope, about: Mapping[str, str]) -> None:
        self.done.append(about["n"])

    async def give_up(self, _scope: Scope, about: Mapping[str, str], _error: Exception | None) -> None:
        self.done.append(f"desistiu de {about['n']}")

    def tasks(self) -> tuple[Task, Task]:
        return Task("triagem.teste", self.run, self.give_up), Task("cartas.teste", self.run, self.give_up, waits=False)


async def test_its_jobs_wait_unharmed_while_those_of_others_and_letters_go_on(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope, new_tenant: NewTenant
) -> None:
    other, tarefas, fila = new_tenant(), Tarefas(), Fila()
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
    for who, jobs in (
        (
            scope,
            [
                Job("triagem.teste", {"n": "parado-1"}, priority=3),
                Job("triagem.teste", {"n": "parado-2"}),
                Job("cartas.teste", {"n": "carta"}),
            ],
        ),
        (other, [Job("triagem.teste", {"n": "de outra"})]),
    ):
        async with database.unit_of_work(who) as uow:
            await fila.defer(uow, jobs)
    async with working(Worker(database, tarefas.tasks(), concurrency=2, rhythm=_RHYTHM)):
        await until(lambda: {"carta", "de outra"} <= set(tarefas.done))
        async with asyncio.timeout(30):
            while True:
                async with database.unit_of_work(scope) as uow:
                    if await count_waiting(uow) == 2 and await fila.count(uow, {}) == 2:
                        break
                await asyncio.sleep(0.05)
        assert sorted(tarefas.done) == ["carta", "de outra"]
        assert await casas.reativar(casa, scope.tenant_id, "Contrato novo") == 2
        await until(lambda: {"parado-1", "parado-2"} <= set(tarefas.done))
    async with database.unit_of_work(scope) as uow:
        assert (await fila.count(uow, {}), await count_waiting(uow)) == (0, 0)


async def test_both_audits_tell_of_it_and_the_reason_is_kept_sealed(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    await casas.suspender(casa, scope.tenant_id, "Contrato encerrado em novembro")
    await casas.reativar(casa, scope.tenant_id, "Contrato novo")
    assert await _acts(database, scope) == [
        ("organizacao_suspensa", scope.tenant_id, casa.ator),
        ("organizacao_reativada", scope.tenant_id, casa.ator),
    ]
    assert await _acts(database, casa) == [
        ("instalacao.organizacao_suspensa", scope.tenant_id, casa.ator),
        ("instalacao.organizacao_reativada", scope.tenant_id, casa.ator),
    ]
    ficha = await casas.obter(casa, scope.tenant_id)
    assert [(one.acao, one.motivo) for one in ficha.atos] == [
        ("reativada", "Contrato novo"),
        ("suspensa", "Contrato encerrado em novembro"),
    ]
    for where in (casa, scope):
        async with database.unit_of_work(where) as uow:
            assert (await verify_tenant(uow)).quebras == ()
            rows = await uow.connection.execute(text("select motivo from organizacao_atos"))
            assert not any(b"Contrato" in bytes(row.motivo) for row in rows)


async def test_done_twice_it_is_done_and_told_once(database: Database, casas: Organizacoes, casa: Scope, scope: Scope) -> None:
    await asyncio.gather(*(casas.suspender(casa, scope.tenant_id, "Contrato encerrado") for _ in range(4)))
    assert len(await _acts(database, scope)) == 1
    assert [await casas.reativar(casa, scope.tenant_id, "Contrato novo") for _ in range(2)] == [0, None]
    assert len(await _acts(database, scope)) == 2


async def test_an_act_that_changes_nothing_says_so_and_leaves_no_trace(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    assert [(await casas.suspender(casa, scope.tenant_id, why))[1] for why in ("Contrato encerrado", "Outra vez")] == [True, False]
    assert [await casas.renomear(casa, scope.tenant_id, "Casa Nova") for _ in range(2)] == [True, False]
    cotas: dict[Nome, Decimal] = {"projetos": Decimal(5)}
    assert [bool((await casas.definir_cotas(casa, scope.tenant_id, cotas))[1]) for _ in range(2)] == [True, False]
    assert [one.acao for one in (await casas.obter(casa, scope.tenant_id)).atos] == ["cotas", "renomeada", "suspensa"]


async def test_an_act_without_a_reason_has_none_and_one_on_quotas_says_which_from_what_to_what(
    casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    await casas.definir_cotas(casa, scope.tenant_id, {"projetos": Decimal(5), "editais": Decimal(2), "custo_mes": Decimal("12.50")})
    await casas.definir_cotas(casa, scope.tenant_id, {"projetos": Decimal(9), "editais": Decimal(2)}, "Plano maior")
    after, before = (await casas.obter(casa, scope.tenant_id)).atos
    assert after.mudadas == {"projetos": (Decimal(5), Decimal(9)), "custo_mes": (Decimal("12.50"), None)}
    assert before.mudadas == {"editais": (None, Decimal(2)), "projetos": (None, Decimal(5)), "custo_mes": (None, Decimal("12.50"))}
    assert (after.motivo, before.motivo) == ("Plano maior", "")


async def test_an_invitation_is_told_in_both_audits_and_again_for_who_has_not_come_in_it_is_another(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    sessoes = Sessoes(database, _CLOCK)
    eva, first = await casas.convidar(casa, scope.tenant_id, "Eva", "eva@exemplo.org", "Convênio 12")
    again, second = await casas.convidar(casa, scope.tenant_id, "Eva Lima", " EVA@exemplo.org", "Perdeu o convite")
    assert (again.id, again.nome) == (eva.id, "Eva Lima")
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(first)
    told = [(acao, ator) for acao, alvo, ator in await _acts(database, casa)]
    assert told == [("instalacao.administracao_convidada", casa.ator)] * 2
    assert [one[0] for one in await _acts(database, scope)].count("administracao_convidada") == 2
    assert [(one.acao, one.motivo) for one in (await casas.obter(casa, scope.tenant_id)).atos] == [
        ("convidada", "Perdeu o convite"),
        ("convidada", "Convênio 12"),
    ]
    await sessoes.redeem(second)
    with pytest.raises(EmailEmUso, match="já entrou"):  # by a link nobody else acts as them
        await casas.convidar(casa, scope.tenant_id, "Eva", "eva@exemplo.org")


@pytest.mark.parametrize("papel", ["gestor", "admin", "paciente"])
async def test_an_invitation_is_no_way_into_the_account_of_somebody_of_another_role(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope, papel: str
) -> None:
    async with database.unit_of_work(scope) as uow:
        await create_usuario(uow, _NOW, uuid4(), "Ana", "ana@exemplo.org", papel)
    with pytest.raises(EmailEmUso):
        await casas.convidar(casa, scope.tenant_id, "Ana", "ana@exemplo.org", "Convênio 12")
    assert (await casas.obter(casa, scope.tenant_id)).atos == ()


async def test_bad_input_is_told_and_changes_nothing(database: Database, casas: Organizacoes, casa: Scope, scope: Scope) -> None:
    with pytest.raises(OrganizacaoDaInstalacao):
        await casas.suspender(casa, casa.tenant_id, "Por engano")
    for motivo in ("", "   ", "x" * 501):
        with pytest.raises(OrganizacaoInvalida):
            await casas.suspender(casa, scope.tenant_id, motivo)
    with pytest.raises(InquilinoDesconhecido):
        await casas.suspender(casa, "ninguem-aqui", "Por engano")
    with pytest.raises(InvalidTenant):
        await casas.suspender(casa, "Não É", "Por engano")
    assert await _acts(database, scope) == []


async def test_nobody_of_another_organisation_looks_after_any_whatever_their_role(
    database: Database, casas: Organizacoes, casa: Scope, scope: Scope
) -> None:
    theirs = Scope(scope.tenant_id, "usuario:x", Pessoa(scope.tenant_id, uuid4(), "super_admin"))
    for act in (
        lambda: casas.listar(theirs),
        lambda: casas.numeros(theirs, [casa.tenant_id]),
        lambda: casas.obter(theirs, scope.tenant_id),
        lambda: casas.criar(theirs, "nova", "Nova"),
        lambda: casas.convidar(theirs, scope.tenant_id, "Eva", "eva@exemplo.org"),
        lambda: casas.renomear(theirs, scope.tenant_id, "Outro"),
        lambda: casas.suspender(theirs, casa.tenant_id, "Porque sim"),
        lambda: casas.reativar(theirs, scope.tenant_id, "Porque sim"),
        lambda: casas.definir_cotas(theirs, scope.tenant_id, {}),
    ):
        with pytest.raises(SemPermissao):
            await act()
    assert (await casas.uso(theirs)).usos, "what is used of their own quotas is theirs to see"
