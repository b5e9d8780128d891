"""Accounts of before revision 0015, sealed at the first start that finds them. Source: design/sujeito.md, Erasure."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest

from chaves_de_teste import cofre_de_teste
from crivo.kernel.access import find_conta, find_usuario, get_pessoa
from crivo.kernel.sigilo.contas_antigas import seal_older_accounts
from crivo.kernel.storage.errors import MigracaoImpossivel
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from procura_em_tudo import in_postgres, spellings
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CPF = "52998224725"


def _as_before(owner: psycopg.Connection, scope: Scope, nome: str, email: str, papel: str = "paciente") -> UUID:
    """An account as it stood before there were keys of accounts; whoever has a CPF had it sealed under a key of the tenant."""
    made, cofre = uuid4(), cofre_de_teste()
    owner.execute("select set_config('app.tenant_id', %s, false)", (scope.tenant_id,))
    values = (scope.tenant_id, made, nome, email, papel, _NOW)
    owner.execute("insert into usuarios (tenant_id, id, nome, email, papel, criado_em) values (%s, %s, %s, %s, %s, %s)", values)
    if papel == "paciente":
        sealed = cofre.of_purpose(scope.tenant_id, "contas_de_pacientes").seal(str(made), _CPF.encode())
        owner.execute(
            "insert into contas_de_pacientes values (%s, %s, %s, %s, 'rg', 'eu', %s)",
            (scope.tenant_id, made, cofre.index(scope.tenant_id, "cpf", _CPF), sealed, _NOW),
        )
    return made


async def test_accounts_that_stood_in_the_clear_are_sealed_once_and_found_by_what_they_were_found_by(
    database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as owner:
        owner.execute("alter table usuarios drop constraint conta_sem_texto_legivel")
        try:
            ana = _as_before(owner, scope, "Ana Braúna", "Ana@Brauna.exemplo")
            davi = _as_before(owner, scope, "Davi", "", "avaliador")
            gone = uuid4()
            values = (scope.tenant_id, gone, f"apagada-{gone}@apagada.invalid", _NOW)
            owner.execute("insert into usuarios values (%s, %s, 'Conta apagada', %s, 'gestor', %s, now())", values)
        finally:
            owner.execute("alter table usuarios add constraint conta_sem_texto_legivel check (nome = '' and email = '') not valid")
        with psycopg.connect(libpq_url(urls[1]), autocommit=True) as program:
            program.execute("set role crivo_app")
            with pytest.raises(MigracaoImpossivel, match="crivo banco migrar"):
                seal_older_accounts(program, cofre_de_teste())
        seal_older_accounts(owner, cofre_de_teste())
        sealed = owner.execute("select id, selado from usuarios order by id").fetchall()
        seal_older_accounts(owner, cofre_de_teste())
        assert owner.execute("select id, selado from usuarios order by id").fetchall() == sealed
    words = spellings("Ana Braúna", "ana@brauna.exemplo")
    assert in_postgres(urls[0], scope.tenant_id, words, "base") == []  # its table was written anew
    async with database.unit_of_work(scope) as uow:
        found = await find_usuario(uow, "ana@brauna.exemplo")
        assert found is not None
        assert (found.id, found.nome, found.email) == (ana, "Ana Braúna", "Ana@Brauna.exemplo")
        assert ((await get_pessoa(uow, davi)).nome, (await get_pessoa(uow, gone)).apagada) == ("Davi", True)
    async with database.unit_of_work(as_person(scope, found)) as uow:
        conta = await find_conta(uow)
    assert conta is not None
    assert conta.cpf == _CPF


def test_a_database_that_held_no_account_has_nothing_to_seal_and_any_role_starts(urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[1]), autocommit=True) as program:
        program.execute("set role crivo_app")
        owns = program.execute("select pg_has_role(relowner, 'usage') from pg_class where oid = 'public.usuarios'::regclass").fetchone()
        seal_older_accounts(program, cofre_de_teste())
        still = program.execute("select current_user").fetchone()
    assert (owns, still) == ((False,), ("crivo_app",))  # nothing was asked of it that only who owns the table may do
