"""Sign-in links work once, within 15 minutes; the session they open lasts 8 hours, or until it is ended."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text

from crivo.kernel.access import (
    EntradaRecusada,
    Onde,
    Sessao,
    SessaoEncerrada,
    Sessoes,
    Usuario,
    Visita,
    create_usuario,
    set_papel,
)
from crivo.kernel.access.sessoes import Entrada
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
async def ana(database: Database, scope: Scope) -> Usuario:
    return await _person(database, scope, "Ana")


async def _person(database: Database, scope: Scope, nome: str) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), nome, f"{nome}@exemplo.org", "gestor")


def _at(database: Database, elapsed: timedelta = timedelta(0)) -> Sessoes:
    return Sessoes(database, FixedClock(_NOW + elapsed))


async def test_a_link_opens_a_session_for_the_person_it_was_made_for(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    assert opened.scope == as_person(scope, ana)
    assert await sessoes.session(opened.id) == Visita(as_person(scope, ana), ana.nome)
    assert opened.expira_em == _NOW + timedelta(hours=8)


async def test_a_link_works_once(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    link = await sessoes.create_link(scope, ana.ator)
    await sessoes.redeem(link)
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(link)


async def test_of_many_who_try_one_link_at_once_one_gets_in(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    link = await sessoes.create_link(scope, ana.ator)
    outcomes = await asyncio.gather(*(sessoes.redeem(link) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(outcome, Sessao) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, EntradaRecusada) for outcome in outcomes) == 7


async def test_a_link_is_good_for_fifteen_minutes(database: Database, scope: Scope, ana: Usuario) -> None:
    first = await _at(database).create_link(scope, ana.ator)
    assert (await _at(database, timedelta(minutes=14, seconds=59)).redeem(first)).scope.ator == ana.ator
    second = await _at(database).create_link(scope, ana.ator)
    with pytest.raises(EntradaRecusada):
        await _at(database, timedelta(minutes=15)).redeem(second)


async def test_a_session_in_use_lasts_eight_hours(database: Database, scope: Scope, ana: Usuario) -> None:
    opened = await _at(database).redeem(await _at(database).create_link(scope, ana.ator))
    for hour in range(1, 8):
        assert (await _at(database, timedelta(hours=hour)).session(opened.id)).scope.ator == ana.ator
    assert (await _at(database, timedelta(hours=7, minutes=59)).session(opened.id)).scope.ator == ana.ator
    with pytest.raises(SessaoEncerrada):
        await _at(database, timedelta(hours=8)).session(opened.id)


async def test_a_session_that_nobody_uses_ends_after_two_hours(database: Database, scope: Scope, ana: Usuario) -> None:
    opened = await _at(database).redeem(await _at(database).create_link(scope, ana.ator))
    assert (await _at(database, timedelta(hours=1, minutes=59)).session(opened.id)).scope.ator == ana.ator
    with pytest.raises(SessaoEncerrada):
        await _at(database, timedelta(hours=3, minutes=59)).session(opened.id)


async def test_an_invitation_waits_a_week_and_works_once(database: Database, scope: Scope, ana: Usuario) -> None:
    first = await _at(database).create_link(scope, ana.ator, "convite")
    assert (await _at(database, timedelta(days=6, hours=23)).redeem(first)).scope.ator == ana.ator
    with pytest.raises(EntradaRecusada):
        await _at(database, timedelta(days=6, hours=23)).redeem(first)
    second = await _at(database).create_link(scope, ana.ator, "convite")
    with pytest.raises(EntradaRecusada):
        await _at(database, timedelta(days=7)).redeem(second)


async def test_whoever_proved_who_they_are_gets_a_session_with_an_id_of_its_own(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    one, other = [await sessoes.open(as_person(scope, ana)) for _ in range(2)]
    assert one.id != other.id
    assert (await sessoes.session(one.id)).scope == one.scope


async def test_a_session_that_was_ended_is_over_and_may_be_ended_again(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    await sessoes.end(opened.id)
    await sessoes.end(opened.id)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)


async def test_a_link_is_no_session_and_a_session_is_no_link(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    link = await sessoes.create_link(scope, ana.ator)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(link)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(link.replace("crl_", "crs_"))
    opened = await sessoes.redeem(link)
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(opened.id.replace("crs_", "crl_"))


@pytest.mark.parametrize("text_given", ["", "crs_", "x" * 500, "crs_local_0_0"])
async def test_what_is_no_token_is_no_session_and_no_link(database: Database, text_given: str) -> None:
    with pytest.raises(SessaoEncerrada):
        await _at(database).session(text_given)
    with pytest.raises(EntradaRecusada):
        await _at(database).redeem(text_given)


async def test_only_digests_are_kept_and_each_step_is_audited(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes = _at(database)
    link = await sessoes.create_link(scope, ana.ator)
    opened = await sessoes.redeem(link)
    async with database.unit_of_work(scope) as uow:
        kept = "".join((await uow.connection.execute(text("select s::text from sessoes s"))).scalars())
        trail = "".join((await uow.connection.execute(text("select a::text from auditoria a"))).scalars())
    await sessoes.end(opened.id)
    async with database.unit_of_work(scope) as uow:
        steps = (await uow.connection.execute(text("select acao, ator from auditoria order by seq"))).all()
    for token in (link, opened.id):
        assert token.rpartition("_")[2] not in kept + trail
    assert [tuple(step) for step in steps] == [
        ("usuario_criado", "teste"),
        ("link_criado", "teste"),
        ("sessao_aberta", ana.ator),
        ("sessao_encerrada", ana.ator),
    ]


async def test_links_that_expired_are_swept_when_a_new_one_is_made(database: Database, scope: Scope, ana: Usuario) -> None:
    bia = await _person(database, scope, "Bia")
    await _at(database).create_link(scope, ana.ator)
    await _at(database, timedelta(hours=1)).create_link(scope, bia.ator)
    async with database.unit_of_work(scope) as uow:
        assert (await uow.connection.execute(text("select ator from sessoes"))).scalars().all() == [bia.ator]


async def test_a_session_is_always_a_person_s(database: Database, scope: Scope) -> None:
    """Source: design/sujeito.md, table, 3: a session whose person is not there opens nothing."""
    sessoes = _at(database)
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(await sessoes.create_link(scope, "ninguem"))
    opened = await sessoes.open(Scope(scope.tenant_id, f"usuario:{uuid4()}"))
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)


async def test_what_expired_does_not_live_again_when_the_clock_is_set_back(database: Database, scope: Scope, ana: Usuario) -> None:
    """A try after its time, of any link or session, sweeps it; and what was made later than now is not there yet."""
    link = await _at(database).create_link(scope, ana.ator)
    opened = await _at(database).redeem(await _at(database).create_link(scope, ana.ator))
    with pytest.raises(EntradaRecusada):
        await _at(database, timedelta(hours=9)).redeem(link)
    for back in (timedelta(0), timedelta(minutes=1)):
        with pytest.raises(EntradaRecusada):
            await _at(database, back).redeem(link)
        with pytest.raises(SessaoEncerrada):
            await _at(database, back).session(opened.id)
    later = await _at(database, timedelta(hours=2)).create_link(scope, ana.ator)
    with pytest.raises(EntradaRecusada):
        await _at(database, timedelta(hours=1)).redeem(later)


async def test_an_entry_that_lacks_something_goes_on_once_under_a_new_id(database: Database, scope: Scope, ana: Usuario) -> None:
    sessoes, hers = _at(database), Scope(scope.tenant_id, ana.ator)
    begun = await sessoes.open(hers, Onde("Firefox", "203.0.113.x"), "codigo")
    assert (await sessoes.session(begun.id)).falta == "codigo"
    done = await sessoes.take_up(hers, begun.id)
    assert (await sessoes.session(done.id)).falta is None
    for spent in (begun.id, done.id, "crs_"):
        with pytest.raises(SessaoEncerrada):
            await sessoes.take_up(hers, spent)
    with pytest.raises(SessaoEncerrada):
        await _at(database, timedelta(minutes=15)).session((await sessoes.open(hers, falta="senha")).id)


@pytest.mark.parametrize("tipo", ["link", "convite"])
async def test_a_new_link_ends_those_that_the_person_had_and_nobody_else_s(database: Database, scope: Scope, tipo: Entrada) -> None:
    sessoes = Sessoes(database, FixedClock(_NOW))
    async with database.unit_of_work(scope) as uow:
        ana = await create_usuario(uow, _NOW, uuid4(), "Ana", "ana@links.exemplo", "admin")
        bia = await create_usuario(uow, _NOW, uuid4(), "Bia", "bia@links.exemplo", "admin")
    before = [await sessoes.create_link(scope, ana.ator, one) for one in ("link", "convite")]
    of_another = await sessoes.create_link(scope, bia.ator)
    last = await sessoes.create_link(scope, ana.ator, tipo)
    for one in before:
        with pytest.raises(EntradaRecusada):
            await sessoes.redeem(one)
    assert [(await sessoes.redeem(one)).scope.ator for one in (last, of_another)] == [ana.ator, bia.ator]


async def test_who_used_an_invitation_and_chose_no_password_is_out_once_there_is_a_newer_one(database: Database, scope: Scope) -> None:
    sessoes = Sessoes(database, FixedClock(_NOW))
    async with database.unit_of_work(scope) as uow:
        ana = await create_usuario(uow, _NOW, uuid4(), "Ana", "ana@links.exemplo", "admin")
        chefe = await create_usuario(uow, _NOW, uuid4(), "Chefe", "chefe@links.exemplo", "super_admin")
    by = as_person(scope, chefe)
    begun = await sessoes.redeem(await sessoes.create_link(by, ana.ator, "convite"))
    assert begun.falta == "senha"
    await sessoes.create_link(by, ana.ator, "convite")
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(begun.id)


async def test_a_link_made_for_one_role_lets_nobody_in_with_another(database: Database, scope: Scope) -> None:
    sessoes = Sessoes(database, FixedClock(_NOW))
    async with database.unit_of_work(scope) as uow:
        ana = await create_usuario(uow, _NOW, uuid4(), "Ana", "ana@links.exemplo", "operador")
    link = await sessoes.create_link(scope, ana.ator, "convite")
    async with database.unit_of_work(scope) as uow:
        await set_papel(uow, _NOW, ana, "gestor")
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(link)
