"""A person asks what is held of them, and for it to be erased. Source: design/sujeito.md, table, 5, and Erasure; LGPD, art. 18."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from casos import pedido, regra
from chaves_de_teste import CHAVE_MESTRA, PASTA
from crivo.autorizacoes.acervo import AcervoDeAutorizacoes
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.autorizacoes.storage import digest_of
from crivo.autorizacoes.verificacao import verify_decisoes
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.sigilo.abertura import open_cofre
from crivo.kernel.sigilo.pessoas import MotivoAusente, PessoaJaApagada, PessoaNaoEncontrada, Pessoas, VariasPessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from procura_em_tudo import in_tables, spellings

NOW = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))
CPF, OUTRO_CPF, NOME, EMAIL = "529.982.247-25", "111.444.777-35", "Iolanda Quintanilha", "iolanda@correio.exemplo"
CLINICO = "esclerose lateral amiotrófica"


class Casa:
    """Authorizations, reviews and people's requests over one database."""

    def __init__(self, database: Database, clock: FixedClock = NOW) -> None:
        new_id = Uuid7(clock).new
        self.database = database
        self.politicas = Politicas(database, clock, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), clock, new_id)
        self.revisoes = Revisoes(database, clock, new_id)
        self.pessoas = Pessoas(database, clock, (AcervoDeAutorizacoes(),))

    async def decide(self, scope: Scope, chave: str | None = None, /, **beneficiario: Any) -> Autorizacao:
        sent = pedido()
        sent["beneficiario"] |= beneficiario
        return (await self.autorizacoes.decidir(scope, json.dumps(sent).encode(), chave)).autorizacao

    async def iolanda(self, scope: Scope) -> Autorizacao:
        return await self.decide(scope, nome=NOME, cpf=CPF, email=EMAIL, preexistencias=[CLINICO])


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    await made.politicas.importar(scope, json.dumps({**head, "regras": [regra(limite_quantidade=2)]}).encode(), publicar=True)
    return made


async def test_nothing_of_a_person_stands_in_any_table_and_after_the_erasure_nothing_can_be_read(
    casa: Casa, scope: Scope, urls: tuple[str, str]
) -> None:
    """The grep of the design: name, CPF in each spelling, e-mail and clinical words, before the erasure and after it."""
    decidida = await casa.iolanda(scope)
    await casa.revisoes.reservar(scope, decidida.id)
    motivo = f"{NOME} tem {CLINICO} e anexou o laudo que faltava."
    await casa.revisoes.decidir(scope, decidida.id, RevisaoProposta(decisao_final="NEGADO", motivo=motivo))
    assert (await casa.revisoes.historico(scope, decidida.id))[0].motivo == motivo
    words = spellings(NOME, CPF, EMAIL, CLINICO)
    assert in_tables(urls[0], scope.tenant_id, words) == []
    done = await casa.pessoas.apagar(scope, CPF, "pedido da titular, protocolo 12")
    assert done.apagados == {"autorizacoes": 1}
    assert in_tables(urls[0], scope.tenant_id, [*words, "protocolo 12"]) == []
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.obter(scope, decidida.id)
    assert (await casa.revisoes.historico(scope, decidida.id))[0].motivo == "(apagado a pedido)"


async def test_rows_chain_statistics_and_conferir_hold_after_an_erasure(casa: Casa, scope: Scope) -> None:
    erased, stays = await casa.iolanda(scope), await casa.decide(scope, cpf=OUTRO_CPF)
    await casa.pessoas.apagar(scope, CPF, "pedido da titular")
    assert len((await casa.autorizacoes.listar(scope)).itens) == 2
    assert list(await casa.autorizacoes.procedimentos(scope, [erased.id, stays.id])) == [stays.id]
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.conferir(scope, str(erased.id))
    assert (await casa.autorizacoes.conferir(scope, str(stays.id))).confere
    async with casa.database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()
        verificadas = await verify_decisoes(uow)
    assert (verificadas.decisoes, verificadas.quebras) == (2, ())


async def test_an_idempotency_key_of_an_erased_decision_brings_nothing_back(casa: Casa, scope: Scope) -> None:
    await casa.decide(scope, "chave-1", cpf=CPF)
    await casa.pessoas.apagar(scope, CPF, "pedido da titular")
    with pytest.raises(DadosApagados):
        await casa.decide(scope, "chave-1", cpf=CPF)


async def test_all_that_is_held_is_exported_whole(casa: Casa, scope: Scope) -> None:
    await casa.iolanda(scope)
    await casa.decide(scope, cpf=OUTRO_CPF)
    found = await casa.pessoas.exportar(scope, CPF.replace(".", "").replace("-", ""))
    (one,) = found["dados"]["autorizacoes"]
    assert json.loads(bytes(one["pedido"]))["beneficiario"]["nome"] == NOME
    assert json.loads(bytes(one["decisao"]))["decisao_final"] == "APROVADO"
    assert json.loads(bytes(one["trilha"]))["etapas"]["sintese"]["decisao_final"] == "APROVADO"


async def test_who_is_unknown_who_was_erased_and_who_gave_no_reason_are_told_apart(casa: Casa, scope: Scope) -> None:
    with pytest.raises(PessoaNaoEncontrada):
        await casa.pessoas.apagar(scope, CPF, "pedido")
    await casa.iolanda(scope)
    with pytest.raises(MotivoAusente):
        await casa.pessoas.apagar(scope, CPF, "  ")
    await casa.pessoas.apagar(scope, EMAIL.upper(), "pedido")
    for again in (CPF, EMAIL):
        with pytest.raises(PessoaJaApagada, match="20/11/2026"):
            await casa.pessoas.apagar(scope, again, "pedido")
        with pytest.raises(PessoaJaApagada):
            await casa.pessoas.exportar(scope, again)


async def test_another_tenants_records_of_the_same_person_stay(casa: Casa, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    other = new_tenant()
    await casa.iolanda(scope)
    theirs = await casa.iolanda(other)
    await casa.pessoas.apagar(scope, CPF, "pedido")
    assert await casa.autorizacoes.obter(other, theirs.id) == theirs


async def test_a_pedido_without_the_cpf_is_found_by_the_number_that_stands_beside_it_elsewhere(casa: Casa, scope: Scope) -> None:
    await casa.iolanda(scope)  # both bear B-1, at the same administradora
    bare = await casa.decide(scope, nome=NOME)
    await casa.pessoas.apagar(scope, CPF, "pedido")
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.obter(scope, bare.id)


async def test_an_email_that_a_family_shares_names_nobody_and_erases_nobody(casa: Casa, scope: Scope) -> None:
    mother = await casa.decide(scope, id="B-7", cpf=CPF, email=EMAIL)
    child = await casa.decide(scope, id="B-8", cpf=OUTRO_CPF, email=EMAIL)
    with pytest.raises(VariasPessoas):
        await casa.pessoas.apagar(scope, EMAIL, "pedido")
    await casa.pessoas.apagar(scope, CPF, "pedido")
    assert await casa.autorizacoes.obter(scope, child.id) == child
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.obter(scope, mother.id)


async def test_a_number_that_is_a_cpf_does_not_stand_in_the_list(casa: Casa, scope: Scope, urls: tuple[str, str]) -> None:
    sent = json.dumps(pedido(pedido_id=f"GUIA-{CPF}", beneficiario__id=CPF)).encode()
    decidida = (await casa.autorizacoes.decidir(scope, sent)).autorizacao
    assert decidida.pedido_id is None
    assert json.loads(decidida.decisao)["pedido_id"] == f"GUIA-{CPF}"
    assert in_tables(urls[0], scope.tenant_id, spellings(CPF)) == []


async def test_a_backup_of_before_an_erasure_brings_nobody_back(casa: Casa, scope: Scope, urls: tuple[str, str]) -> None:
    """The key comes back with the backup, and dies at the next start: the list of destroyed keys is outside of the database."""
    decidida = await casa.iolanda(scope)
    with psycopg.connect(libpq_url(urls[0])) as connection:
        backup = connection.execute("select * from chaves_de_pessoas where id = %s", (decidida.id,)).fetchone()
    assert backup is not None
    await casa.pessoas.apagar(scope, CPF, "pedido")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("delete from chaves_de_pessoas where id = %s", (decidida.id,))
        connection.execute(f"insert into chaves_de_pessoas values ({', '.join(['%s'] * len(backup))})", backup)  # noqa: S608
    assert await casa.autorizacoes.obter(scope, decidida.id) == decidida
    settings = Settings(_env_file=None, data_dir=PASTA, chave_mestra=SecretStr(CHAVE_MESTRA))
    open_cofre(urls[0], settings)
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.obter(scope, decidida.id)


async def test_what_is_past_its_term_is_erased_and_what_is_not_stays(database: Database, casa: Casa, scope: Scope) -> None:
    old = await Casa(database, NOW).decide(scope, cpf=CPF)
    later = Casa(database, NOW.after(timedelta(days=31)))
    young = await later.decide(scope, cpf=CPF)
    assert await later.pessoas.reter(scope, {"triagem": 1}) == {}
    assert await later.pessoas.reter(scope, {"autorizacoes": 30}) == {"autorizacoes": 1}
    assert await later.pessoas.reter(scope, {"autorizacoes": 30}) == {}
    assert await later.autorizacoes.obter(scope, young.id) == young
    with pytest.raises(DadosApagados):
        await later.autorizacoes.obter(scope, old.id)
    assert scope.tenant_id in await later.pessoas.organizacoes(scope)


async def test_what_was_stored_in_the_clear_is_sealed_and_the_audit_vouches_for_it(casa: Casa, scope: Scope, urls: tuple[str, str]) -> None:
    decidida = await casa.iolanda(scope)
    _put_back_in_the_clear(urls[0], scope, decidida)
    assert in_tables(urls[0], scope.tenant_id, [NOME]) == [("autorizacoes", NOME)]
    assert (await casa.autorizacoes.obter(scope, decidida.id)).pedido == decidida.pedido
    assert await casa.pessoas.selar(scope) == 1
    assert await casa.pessoas.selar(scope) == 0
    assert in_tables(urls[0], scope.tenant_id, [NOME]) == []
    async with casa.database.unit_of_work(scope) as uow:
        assert (await verify_decisoes(uow)).quebras == ()
    await casa.pessoas.apagar(scope, CPF, "pedido")
    with pytest.raises(DadosApagados):
        await casa.autorizacoes.obter(scope, decidida.id)


async def test_the_program_can_neither_rewrite_what_is_sealed_nor_give_a_destroyed_key_back(casa: Casa, scope: Scope) -> None:
    await casa.iolanda(scope)
    await casa.pessoas.apagar(scope, CPF, "pedido")
    for statement in ("update autorizacoes set pedido = 'x'", "update chaves_de_pessoas set embrulhada = 'x', destruida_em = null"):
        with pytest.raises(Exception, match=r"sealed once|destroyed once"):
            async with casa.database.unit_of_work(scope) as uow:
                await uow.connection.exec_driver_sql(statement)


def _put_back_in_the_clear(admin_url: str, scope: Scope, decidida: Autorizacao) -> None:
    """As an earlier version of the program left it."""
    stored = decidida.pedido, decidida.decisao, decidida.trilha
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("delete from chaves_de_pessoas where id = %s", (decidida.id,))
        connection.execute(
            "update autorizacoes set pedido = %s, decisao = %s, trilha = %s, digest = %s where id = %s",
            (*stored, digest_of(*stored), decidida.id),
        )
