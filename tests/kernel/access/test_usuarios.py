"""People and their roles; what a key or a session of theirs may do follows them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text

from crivo.kernel.access import (
    ChaveRecusada,
    EmailEmUso,
    EntradaRecusada,
    Porteiro,
    SemPermissao,
    SessaoEncerrada,
    Sessoes,
    Usuario,
    UsuarioInexistente,
    UsuarioInvalido,
    Visita,
    acting_usuario,
    create_chave,
    create_usuario,
    deactivate_usuario,
    find_usuario,
    get_pessoa,
    get_usuario,
    list_usuarios,
    reactivate_usuario,
    set_papel,
)
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import ProgramaDePessoa
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CLOCK = FixedClock(_NOW)


async def _made(database: Database, scope: Scope, email: str = "ana@cultura.exemplo", papel: str = "gestor") -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), "Ana Braga", email, papel)


async def test_a_person_is_found_by_their_e_mail_in_any_case(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    async with database.unit_of_work(scope) as uow:
        assert await find_usuario(uow, " ANA@cultura.exemplo ") == made
        assert await list_usuarios(uow) == (made,)


async def test_an_e_mail_belongs_to_one_person_of_a_tenant(database: Database, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    await _made(database, scope)
    with pytest.raises(EmailEmUso):
        await _made(database, scope, "Ana@Cultura.exemplo")
    assert (await _made(database, new_tenant())).papel == "gestor"


@pytest.mark.parametrize(
    ("nome", "email", "papel"),
    [
        ("", "a@b.c", "gestor"),
        ("A\0", "a@b.c", "gestor"),
        ("A", "a\0@b.c", "gestor"),
        ("A\ud800", "a@b.c", "gestor"),
        ("Ana", "ana", "gestor"),
        ("Ana", "a@b.c", "chefe"),
    ],
)
async def test_whoever_could_not_be_told_apart_is_refused(database: Database, scope: Scope, nome: str, email: str, papel: str) -> None:
    async with database.unit_of_work(scope) as uow:
        with pytest.raises(UsuarioInvalido):
            await create_usuario(uow, _NOW, uuid4(), nome, email, papel)


async def test_a_role_may_change_and_the_audit_names_no_person(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    async with database.unit_of_work(scope) as uow:
        assert (await set_papel(uow, _NOW, made, "avaliador")).papel == "avaliador"
    async with database.unit_of_work(scope) as uow:
        assert (await get_usuario(uow, made.email)).papel == "avaliador"
        kept = (await uow.connection.execute(text("select string_agg(a::text, '|') from auditoria a"))).scalar_one()
    assert "papel_mudado" in kept
    assert "Braga" not in kept
    assert "cultura.exemplo" not in kept
    assert "Braga" not in repr(made)


async def test_nobody_has_the_papers_of_another_tenant(database: Database, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    made = await _made(database, scope)
    async with database.unit_of_work(new_tenant()) as uow:
        assert await list_usuarios(uow) == ()
        with pytest.raises(UsuarioInexistente):
            await get_usuario(uow, made.email)
        with pytest.raises(UsuarioInexistente):
            await get_pessoa(uow, made.id)


async def test_nobody_changes_their_own_access_nor_gives_a_role_above_their_own(database: Database, scope: Scope) -> None:
    admin = await _made(database, scope, papel="admin")
    async with database.unit_of_work(scope) as uow:
        bia = await create_usuario(uow, _NOW, uuid4(), "Bia", "bia@cultura.exemplo", "revisor")
    async with database.unit_of_work(as_person(scope, admin)) as uow:
        with pytest.raises(SemPermissao):
            await set_papel(uow, _NOW, admin, "revisor")
        with pytest.raises(SemPermissao):
            await deactivate_usuario(uow, _NOW, admin)
        with pytest.raises(SemPermissao):
            await set_papel(uow, _NOW, bia, "super_admin")
        assert (await set_papel(uow, _NOW, bia, "gestor")).papel == "gestor"


async def test_whoever_was_deactivated_can_be_let_in_again(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, made)
        assert (await get_pessoa(uow, made.id)).desativado_em == _NOW
        await reactivate_usuario(uow, _NOW, made)
        assert await get_pessoa(uow, made.id) == made


async def test_a_key_of_a_person_acts_for_them_until_they_are_deactivated(database: Database, scope: Scope) -> None:
    made = await _made(database, scope, papel="avaliador")
    async with database.unit_of_work(scope) as uow:
        key = await create_chave(uow, _NOW, "Tablet", ["autorizacoes:ler"], _NOW + timedelta(days=1), usuario=made)
    access = await Porteiro(database, _CLOCK).authenticate(key.segredo)
    assert access.scope == Scope(scope.tenant_id, made.ator)
    assert access.scope.sujeito == ProgramaDePessoa(scope.tenant_id, made.id, "avaliador", frozenset({"autorizacoes:ler"}))
    async with database.unit_of_work(access.scope) as uow:
        assert await acting_usuario(uow) == made
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, made)
    with pytest.raises(ChaveRecusada):
        await Porteiro(database, _CLOCK).authenticate(key.segredo)


async def test_a_session_ends_for_whoever_is_deactivated(database: Database, scope: Scope) -> None:
    made, sessoes = await _made(database, scope), Sessoes(database, _CLOCK)
    sessao = await sessoes.redeem(await sessoes.create_link(scope, made.ator))
    assert await sessoes.session(sessao.id) == Visita(as_person(scope, made), made.nome)
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, made)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(sessao.id)


async def test_being_let_in_again_brings_back_no_session_no_link_and_no_key(database: Database, scope: Scope) -> None:
    """Source: ASVS 5.0.0, 7.4.2. Whoever is let in again enters by a new way, and keys that act for them are made anew."""
    made, sessoes = await _made(database, scope), Sessoes(database, _CLOCK)
    link, spent = [await sessoes.create_link(scope, made.ator) for _ in range(2)]
    sessao = await sessoes.redeem(spent)
    async with database.unit_of_work(scope) as uow:
        key = await create_chave(uow, _NOW, "Tablet", ["autorizacoes:ler"], _NOW + timedelta(days=1), usuario=made)
        await deactivate_usuario(uow, _NOW, made)
        await reactivate_usuario(uow, _NOW, made)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(sessao.id)
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(link)
    with pytest.raises(ChaveRecusada):
        await Porteiro(database, _CLOCK).authenticate(key.segredo)
    assert (await sessoes.redeem(await sessoes.create_link(scope, made.ator))).scope.ator == made.ator
    async with database.unit_of_work(scope) as uow:
        told = (await uow.connection.execute(text("select acao, alvo from auditoria order by seq"))).all()
    assert ("chave_revogada", f"chave:{key.chave.id}") in [tuple(row) for row in told]


async def test_what_was_begun_as_access_was_taken_is_gone_once_it_is_given_back(database: Database, scope: Scope) -> None:
    made, sessoes = await _made(database, scope), Sessoes(database, _CLOCK)
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, made)
    late = await sessoes.open(Scope(scope.tenant_id, made.ator))
    async with database.unit_of_work(scope) as uow:
        await reactivate_usuario(uow, _NOW, made)
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(late.id)


async def test_a_proof_of_a_provider_that_was_spent_stays_spent_for_whoever_was_shut_out(database: Database, scope: Scope) -> None:
    made, sessoes = await _made(database, scope), Sessoes(database, _CLOCK)
    theirs = Scope(scope.tenant_id, made.ator)
    await sessoes.spend(theirs, "estado")
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, made)
        await reactivate_usuario(uow, _NOW, made)
    with pytest.raises(EntradaRecusada):
        await sessoes.spend(theirs, "estado")


async def test_a_program_acts_for_nobody(database: Database, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        assert await acting_usuario(uow) is None
