"""Passwords: kept as argon2 digests alone, refused where others would guess them, and no oracle of who has an account."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from sqlalchemy import text

from crivo.kernel.access import (
    SenhaFraca,
    SessaoEncerrada,
    Sessoes,
    Usuario,
    create_usuario,
    deactivate_usuario,
    find_by_senha,
    has_senha,
    set_senha,
)
from crivo.kernel.access.senhas import check_senha
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_GOOD = "azul de metileno 7"
_NOBODY = Usuario(uuid4(), "gestor", _NOW, None, "Ana Tereza", "ana.tereza@exemplo.org")


async def _ana(database: Database, scope: Scope, senha: str | None = _GOOD) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        ana = await create_usuario(uow, _NOW, uuid4(), "Ana Tereza", "ana.tereza@exemplo.org", "gestor")
    if senha is not None:
        await set_senha(database, scope, _NOW, ana, senha)
    return ana


async def test_the_right_password_finds_its_person_in_any_case_of_the_email(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope)
    assert await find_by_senha(database, scope, "ANA.Tereza@exemplo.org ", _GOOD) == ana


@pytest.mark.parametrize(("email", "senha"), [("ana.tereza@exemplo.org", "outra coisa qualquer"), ("ninguem@exemplo.org", _GOOD)])
async def test_a_wrong_password_and_an_unknown_email_find_nobody_alike(database: Database, scope: Scope, email: str, senha: str) -> None:
    await _ana(database, scope)
    assert await find_by_senha(database, scope, email, senha) is None


async def test_somebody_without_a_password_does_not_get_in_by_one(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope, senha=None)
    assert await find_by_senha(database, scope, ana.email, "") is None
    async with database.unit_of_work(scope) as uow:
        assert not await has_senha(uow, ana.id)


async def test_whoever_was_deactivated_does_not_get_in(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope)
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, ana)
    assert await find_by_senha(database, scope, ana.email, _GOOD) is None


async def test_the_same_person_of_another_tenant_is_somebody_else(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope)
    assert await find_by_senha(database, Scope("outro-inquilino", "x"), ana.email, _GOOD) is None


async def test_a_new_password_signs_everybody_out_and_the_old_one_is_over(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope)
    sessoes = Sessoes(database, FixedClock(_NOW))
    opened = await sessoes.open(Scope(scope.tenant_id, ana.ator))
    await set_senha(database, scope, _NOW, ana, "verde de malaquita 8")
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)
    assert await find_by_senha(database, scope, ana.email, _GOOD) is None
    assert await find_by_senha(database, scope, ana.email, "verde de malaquita 8") == ana


@pytest.mark.parametrize(
    "senha",
    [
        "xqzwvkjyfb",
        "só minúsculas com acento",
        "8402917365 5",
        "🪘🌵🧂🪁🛶🧭🪵🧶🪡🪢",
        ("frase longa de quem gosta de escrever " * 6)[:200],
    ],
)
def test_a_password_of_ten_to_two_hundred_characters_of_any_kind_serves(senha: str) -> None:
    check_senha(senha, _NOBODY)
    for wrong in (senha[:9], senha.ljust(201, "z")):
        with pytest.raises(SenhaFraca, match="de 10 a 200"):
            check_senha(wrong, _NOBODY)


async def test_a_password_counts_as_it_was_typed(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope, senha=_GOOD)
    for almost in (_GOOD.upper(), f"{_GOOD} ", _GOOD[:-1]):
        assert await find_by_senha(database, scope, ana.email, almost) is None


async def test_a_password_of_twenty_years_still_enters(database: Database, scope: Scope) -> None:
    ana = await _ana(database, scope, senha=None)
    await set_senha(database, scope, _NOW.replace(year=2006), ana, _GOOD)
    assert await find_by_senha(database, scope, ana.email, _GOOD) == ana


async def test_the_database_keeps_an_argon2_digest_and_never_the_password(database: Database, scope: Scope) -> None:
    await _ana(database, scope)
    async with database.unit_of_work(scope) as uow:
        kept = (await uow.connection.execute(text("select resumo from senhas"))).scalar_one()
    assert kept.startswith("$argon2id$")
    assert "metileno" not in kept


@pytest.mark.parametrize(
    "senha", ["ab3xyq", "anatereza1234", "senha123456", "aaaaaaaaaaaaaaa", "x" * 201, "crivo crivo crivo", "123456789012"]
)
async def test_a_password_that_others_would_guess_is_refused(database: Database, scope: Scope, senha: str) -> None:
    ana = await _ana(database, scope, senha=None)
    with pytest.raises(SenhaFraca) as refused:
        await set_senha(database, scope, _NOW, ana, senha)
    assert senha not in str(refused.value)
