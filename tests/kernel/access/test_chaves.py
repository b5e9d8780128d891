"""API keys: shown once, kept as digests, refused with one answer for every reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text

from crivo.kernel import audit
from crivo.kernel.access import (
    ChaveInexistente,
    ChaveInvalida,
    ChaveRecusada,
    EscopoDesconhecido,
    NovaChave,
    Porteiro,
    create_chave,
    create_usuario,
    end_own_chave,
    list_avisos,
    list_chaves,
    list_own_chaves,
    read_escopos,
    revoke_chave,
)
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import Programa
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CLOCK = FixedClock(_NOW)


async def _made(database: Database, scope: Scope, *escopos: str, lasts: timedelta = timedelta(days=1)) -> NovaChave:
    async with database.unit_of_work(scope) as uow:
        return await create_chave(uow, _NOW, "Portal", escopos or ("autorizacoes:escrever",), _NOW + lasts)


async def _revoked(database: Database, scope: Scope, chave_id: str) -> None:
    async with database.unit_of_work(scope) as uow:
        await revoke_chave(uow, _NOW, chave_id)


async def test_a_key_lets_its_owner_in_with_its_scopes_and_its_tenant(database: Database, scope: Scope) -> None:
    made = await _made(database, scope, "autorizacoes:ler", "politicas:ler")
    access = await Porteiro(database, _CLOCK).authenticate(made.segredo)
    assert access.scope == Scope(scope.tenant_id, f"chave:{made.chave.id}")
    assert access.scope.sujeito == Programa(scope.tenant_id, frozenset({"autorizacoes:ler", "politicas:ler"}))
    assert made.segredo.startswith(f"crv_{scope.tenant_id}_{made.chave.id}_")


async def test_the_secret_is_in_no_row_and_in_no_representation(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    secret = made.segredo.rpartition("_")[2]
    async with database.unit_of_work(scope) as uow:
        kept = (await uow.connection.execute(text("select c::text || a::text from chaves_api c, auditoria a"))).scalar_one()
    assert secret not in kept
    assert secret not in repr(made)


async def test_a_key_that_acts_for_a_person_names_them_and_is_told_to_them_and_they_end_it_themselves(
    database: Database, scope: Scope
) -> None:
    async with database.unit_of_work(scope) as uow:
        ana = await create_usuario(uow, _NOW, uuid4(), "Ana", "ana@chaves.exemplo", "revisor")
        bia = await create_usuario(uow, _NOW, uuid4(), "Bia", "bia@chaves.exemplo", "revisor")
        made = await create_chave(uow, _NOW, "Portal", ("autorizacoes:ler",), _NOW + timedelta(days=1), usuario=ana)
        dados = (await uow.connection.execute(text("select dados from auditoria where acao = 'chave_criada'"))).scalar_one()
        assert (ana.ator in dados, [one.acao for one in await list_avisos(uow, ana.id)]) == (True, ["chave_feita"])
    for whose, left in ((bia, 0), (ana, 1)):
        async with database.unit_of_work(as_person(scope, whose)) as uow:
            assert len(await list_own_chaves(uow, _NOW)) == left
            await end_own_chave(uow, _NOW, made.chave.id)
        if whose is bia:
            await Porteiro(database, _CLOCK).authenticate(made.segredo)
    with pytest.raises(ChaveRecusada):
        await Porteiro(database, _CLOCK).authenticate(made.segredo)
    async with database.unit_of_work(as_person(scope, ana)) as uow:
        assert await list_own_chaves(uow, _NOW) == ()


async def test_every_bad_key_gets_the_same_answer(database: Database, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    good, revoked, expired = [await _made(database, scope) for _ in range(3)]
    await _revoked(database, scope, revoked.chave.id)
    late = FixedClock(_NOW + timedelta(days=2))
    prefix, _, secret = good.segredo.rpartition("_")
    bad = [
        (_CLOCK, ""),
        (_CLOCK, "crv_local"),
        (_CLOCK, f"{prefix}_{'0' * 64}"),
        (_CLOCK, f"crv_{scope.tenant_id}_{'0' * 16}_{secret}"),
        (_CLOCK, good.segredo.replace(scope.tenant_id, new_tenant().tenant_id)),
        (_CLOCK, good.segredo.replace("crv_", "crs_")),
        (_CLOCK, good.segredo + "\n"),
        (_CLOCK, revoked.segredo),
        (late, expired.segredo),
    ]
    answers = set()
    for clock, key in bad:
        with pytest.raises(ChaveRecusada) as refused:
            await Porteiro(database, clock).authenticate(key)
        answers.add(refused.value.mensagem)
    assert len(answers) == 1


async def test_a_revoked_key_stops_working_within_five_seconds(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    seconds: Iterator[float] = iter([0.0, 4.9, 5.0])
    porteiro = Porteiro(database, _CLOCK, ticks=lambda: next(seconds))
    await porteiro.authenticate(made.segredo)
    await _revoked(database, scope, made.chave.id)
    assert (await porteiro.authenticate(made.segredo)).scope.tenant_id == scope.tenant_id  # 4.9 s after
    with pytest.raises(ChaveRecusada):
        await porteiro.authenticate(made.segredo)


async def test_a_key_expires_at_once_even_where_its_answer_is_kept(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)

    class Moving:
        instant = _NOW

        def now(self) -> datetime:
            return self.instant

    clock = Moving()
    porteiro = Porteiro(database, clock, ticks=lambda: 0.0)
    assert (await porteiro.authenticate(made.segredo)).expira_em == made.chave.expira_em
    clock.instant = made.chave.expira_em
    with pytest.raises(ChaveRecusada):
        await porteiro.authenticate(made.segredo)


async def test_the_keys_of_a_tenant_are_listed_without_those_of_another(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    mine, _ = await _made(database, scope), await _made(database, new_tenant())
    await _revoked(database, scope, mine.chave.id)
    async with database.unit_of_work(scope) as uow:
        (only,) = await list_chaves(uow)
    assert (only.id, only.nome, only.revogada_em) == (mine.chave.id, "Portal", _NOW)


async def test_making_and_revoking_a_key_are_audited_with_them(database: Database, scope: Scope) -> None:
    made = await _made(database, scope)
    await _revoked(database, scope, made.chave.id)
    async with database.unit_of_work(scope) as uow:
        rows = (await uow.connection.execute(text("select acao, alvo, ator from auditoria order by seq"))).all()
        assert (await audit.verify_tenant(uow)).quebras == ()
    assert [tuple(row) for row in rows] == [(acao, f"chave:{made.chave.id}", "teste") for acao in ("chave_criada", "chave_revogada")]


async def test_a_key_is_revoked_once_and_only_where_it_is(database: Database, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    made = await _made(database, scope)
    with pytest.raises(ChaveInexistente):
        await _revoked(database, new_tenant(), made.chave.id)
    await _revoked(database, scope, made.chave.id)
    with pytest.raises(ChaveInexistente):
        await _revoked(database, scope, made.chave.id)


async def test_a_key_that_nobody_could_use_is_not_made(database: Database, scope: Scope) -> None:
    with pytest.raises(ChaveInvalida, match="futuro"):
        await _made(database, scope, lasts=timedelta(0))
    with pytest.raises(EscopoDesconhecido, match="'tudo'"):
        await _made(database, scope, "autorizacoes:ler", "tudo")
    async with database.unit_of_work(scope) as uow:
        assert await list_chaves(uow) == ()


def test_a_key_has_at_least_one_scope() -> None:
    with pytest.raises(EscopoDesconhecido, match="ao menos um"):
        read_escopos([])
