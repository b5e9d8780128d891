"""What is held of whoever has an account, on their request. Source: design/sujeito.md, Erasure; LGPD, art. 18."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from pydantic import SecretStr

from chaves_de_teste import CHAVE_MESTRA, PASTA
from crivo.kernel.access import (
    EmailEmUso,
    SessaoEncerrada,
    Sessoes,
    Usuario,
    bind_cpf,
    create_usuario,
    find_conta,
    find_usuario,
    get_pessoa,
    list_usuarios,
)
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.access.contas import with_bound_cpf
from crivo.kernel.audit import verify_tenant
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import FixedClock
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo import Identidade
from crivo.kernel.sigilo.abertura import open_cofre
from crivo.kernel.sigilo.pessoas import ObrigadoAGuardar, PessoaJaApagada, Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from procura_em_tudo import in_postgres, spellings
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CPF = "529.982.247-25"


@pytest.fixture
def pessoas(database: Database) -> Pessoas:
    return Pessoas(database, FixedClock(_NOW), (AcervoDeContas(),))


async def _patient(database: Database, scope: Scope) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, _NOW, uuid4(), "Iolanda Quintanilha", "iolanda@correio.exemplo", "paciente")
        await bind_cpf(uow, _NOW, made, _CPF, "rg")
        return made


@pytest.mark.parametrize("said", [_CPF, "52998224725", "Iolanda@correio.exemplo"])
async def test_an_account_is_told_and_erased_and_nobody_enters_by_it(database: Database, scope: Scope, pessoas: Pessoas, said: str) -> None:
    made, sessoes = await _patient(database, scope), Sessoes(database, FixedClock(_NOW))
    opened = await sessoes.redeem(await sessoes.create_link(scope, made.ator))
    (held,) = (await pessoas.exportar(scope, said))["dados"]["pessoas"]
    assert (held["nome"], held["email"], held["documento"]) == (made.nome, made.email, "rg")
    assert (await pessoas.apagar(scope, said, "Pedido 12")).apagados == {"pessoas": 1}
    async with database.unit_of_work(as_person(scope, made)) as uow:
        assert await find_conta(uow) is None
        left = await get_pessoa(uow, made.id)
    assert (left.nome, left.desativado_em is None) == ("Conta apagada", False)
    assert left.email == ""
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)


class _Silo:
    """A clinic's silo that holds one appointment of a CPF."""

    nome = "clínica A"

    def __init__(self) -> None:
        self.erased: list[str] = []

    async def held(self, identidade: Identidade) -> list[dict[str, Any]]:
        return [{"consulta": 1}] if identidade.cpf == "52998224725" else []

    async def erase(self, identidade: Identidade, em: datetime) -> int:
        self.erased.append(identidade.cpf)
        return len(await self.held(identidade))

    async def kept_by_law(self, identidade: Identidade) -> Mapping[str, str]:
        return {}

    async def was_erased(self, identidade: Identidade) -> bool:
        return False

    async def expire(self, limite: datetime, em: datetime) -> int:
        return 0


async def test_a_patient_who_is_erased_by_e_mail_is_erased_where_only_their_proven_cpf_is_known(database: Database, scope: Scope) -> None:
    silo = _Silo()
    pessoas = Pessoas(database, FixedClock(_NOW), (AcervoDeContas(),), lambda: [silo], with_bound_cpf)
    await _patient(database, scope)
    assert (await pessoas.exportar(scope, "iolanda@correio.exemplo"))["dados"]["clínica A"] == [{"consulta": 1}]
    done = await pessoas.apagar(scope, "iolanda@correio.exemplo", "Pedido 20")
    assert (done.apagados, silo.erased) == ({"pessoas": 1, "clínica A": 1}, ["52998224725"])


async def _staff(database: Database, scope: Scope, nome: str, papel: str) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), nome, f"{nome.lower()}@exemplo.org", papel)


async def test_whoever_works_here_is_erased_by_their_e_mail_and_neither_password_session_nor_key_lets_them_in(
    database: Database, scope: Scope, pessoas: Pessoas
) -> None:
    lia, sessoes = await _staff(database, scope, "Liane", "gestor"), Sessoes(database, FixedClock(_NOW))
    opened = await sessoes.redeem(await sessoes.create_link(scope, lia.ator))
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql(
            "insert into chaves_api (tenant_id, id, nome, segredo_digest, escopos, criada_em, expira_em, usuario_id) "
            "values (%s, 'k', 'robô', 'x', '{}', now(), now(), %s)",
            (scope.tenant_id, lia.id),
        )
        await uow.connection.exec_driver_sql("insert into senhas values (%s, %s, 'x', now())", (scope.tenant_id, lia.id))
    ((held,),) = (await pessoas.exportar(scope, lia.email))["dados"].values()
    assert (held["nome"], held["papel"]) == ("Liane", "gestor")
    assert (await pessoas.apagar(scope, "LIANE@exemplo.org", "Pedido 13")).apagados == {"pessoas": 1}
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)
    async with database.unit_of_work(scope) as uow:
        left = await get_pessoa(uow, lia.id)
        keys = await uow.connection.exec_driver_sql("select revogada_em is not null from chaves_api")
        assert list(keys.scalars()) == [True]
        assert (await uow.connection.exec_driver_sql("select 1 from senhas")).first() is None
        told = [one.alvo for one in await list_latest(uow, 20) if one.acao == "usuario_criado"]
        assert (await verify_tenant(uow)).quebras == ()
    assert (left.nome, left.papel, left.desativado_em is None) == ("Conta apagada", "gestor", False)
    assert told == [lia.ator]  # what they did, and what was done, stays told of their id
    assert left.email == ""


async def test_the_last_who_may_administer_everything_is_not_erased_and_another_is(
    database: Database, scope: Scope, pessoas: Pessoas
) -> None:
    lia = await _staff(database, scope, "Lia", "super_admin")
    with pytest.raises(ObrigadoAGuardar) as refused:
        await pessoas.apagar(scope, lia.email, "Pedido 14")
    assert "última pessoa com o papel super_admin" in refused.value.problemas[0].mensagem
    await _staff(database, scope, "Davi", "super_admin")
    assert (await pessoas.apagar(scope, lia.email, "Pedido 14")).apagados == {"pessoas": 1}
    with pytest.raises(ObrigadoAGuardar):
        await pessoas.apagar(scope, "davi@exemplo.org", "Pedido 15")


async def test_neither_table_nor_page_nor_log_of_the_database_ever_has_a_name_an_e_mail_or_a_cpf_of_an_account(
    database: Database, scope: Scope, pessoas: Pessoas, urls: tuple[str, str]
) -> None:
    """The grep of the design, over every file of PostgreSQL, before the erasure and after it: old pages and the write-ahead log too."""
    words = spellings("Zenóbia Quaresmeira", "zenobia.quaresmeira@correio.exemplo", "347.066.129-42")
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, _NOW, uuid4(), "Zenóbia Quaresmeira", "Zenobia.Quaresmeira@correio.exemplo", "paciente")
        await bind_cpf(uow, _NOW, made, "347.066.129-42", "rg")
    assert in_postgres(urls[0], scope.tenant_id, words) == []
    assert (await pessoas.apagar(scope, "zenobia.quaresmeira@correio.exemplo", "Pedido 16")).apagados == {"pessoas": 1}
    assert in_postgres(urls[0], scope.tenant_id, words) == []


async def test_a_copy_of_before_an_erasure_brings_no_account_back(
    database: Database, scope: Scope, pessoas: Pessoas, urls: tuple[str, str]
) -> None:
    """The row and its key come back with the copy, and the next start ends both: the list of destroyed keys is outside of the database."""
    made = await _patient(database, scope)
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        key = owner.execute("select * from chaves_de_pessoas where id = %s", (made.id,)).fetchone()
        row = owner.execute("select selado, email_resumo from usuarios where id = %s", (made.id,)).fetchone()
    assert key is not None
    assert row is not None
    await pessoas.apagar(scope, _CPF, "Pedido 17")
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        owner.execute("delete from chaves_de_pessoas where id = %s", (made.id,))
        owner.execute(f"insert into chaves_de_pessoas values ({', '.join(['%s'] * len(key))})", key)  # noqa: S608
        owner.execute("update usuarios set selado = %s, email_resumo = %s where id = %s", (*row, made.id))
    async with database.unit_of_work(scope) as uow:
        assert (await get_pessoa(uow, made.id)).nome == made.nome
    open_cofre(urls[0], Settings(_env_file=None, data_dir=PASTA, chave_mestra=SecretStr(CHAVE_MESTRA)))
    async with database.unit_of_work(scope) as uow:
        assert (await get_pessoa(uow, made.id)).apagada
    assert await pessoas.reaplicar("inicio") >= 1
    async with database.unit_of_work(scope) as uow:
        assert await find_usuario(uow, made.email) is None


async def test_whoever_was_erased_is_told_to_be_and_may_have_an_account_again(database: Database, scope: Scope, pessoas: Pessoas) -> None:
    await _patient(database, scope)
    with pytest.raises(EmailEmUso):
        await _patient(database, scope)
    await pessoas.apagar(scope, _CPF, "Pedido 18")
    with pytest.raises(PessoaJaApagada):
        await pessoas.apagar(scope, _CPF, "Pedido 18")
    again = await _patient(database, scope)
    async with database.unit_of_work(scope) as uow:
        people = await list_usuarios(uow)
    assert [(one.id == again.id, one.apagada) for one in people] == [(True, False), (False, True)]
