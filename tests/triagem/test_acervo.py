"""What public calls hold of a proponente, on their request. Source: design/sujeito.md, table, 5, and Erasure; LGPD, art. 16 and 18."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import msgspec
import psycopg
import pytest

from chamadas import Falsos, Importacao, importacao
from crivo.kernel.access import create_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo.pessoas import ObrigadoAGuardar, PessoaJaApagada, Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import Proponente, Responsavel
from crivo.triagem.service import Triagem
from crivo.triagem.storage import editais, projetos
from crivo.triagem.storage.apagados import APAGADO
from procura_em_tudo import in_tables, spellings
from seguimento import Trabalhando, wait_for_end, wait_until
from sujeitos import as_person

CPF, NOME, EMAIL = "529.982.247-25", "Iolanda Quintanilha", "iolanda@correio.exemplo"
TEXTO = f"{NOME} coordena o bordado de filé há trinta anos."
PALAVRAS = spellings(NOME, CPF, EMAIL, "bordado de filé")


@pytest.fixture
def pessoas(database: Database) -> Pessoas:
    return Pessoas(database, SystemClock(), (AcervoDeTriagem(),))


def with_iolanda(projetos: int = 3) -> Importacao:
    """A call whose first project is hers; the second is of an organisation that she answers for."""
    made = importacao(projetos)
    first, second, *rest = made.chamada.projetos
    hers = msgspec.structs.replace(first, proponente=Proponente(NOME, CPF, EMAIL), resumo=TEXTO, descricao_tecnica=TEXTO)
    theirs = msgspec.structs.replace(second, proponente=Proponente("Associação", responsavel=Responsavel(NOME, CPF)))
    return replace(made, chamada=msgspec.structs.replace(made.chamada, projetos=(hers, theirs, *rest)))


async def stored(database: Database, scope: Scope) -> list[projetos.ProjetoGuardado]:
    async with database.unit_of_work(scope) as uow:
        return list(await projetos.load_all(uow, (await editais.get_by_codigo(uow, "ED-1")).id))


async def test_a_proponente_is_told_all_that_is_held_and_then_nothing_of_them_is_left(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    await triagem.importar(scope, with_iolanda())
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    found = await pessoas.exportar(scope, CPF)
    assert [one["projeto"].id for one in found["dados"]["triagem"]] == ["P0001", "P0002"]
    assert len(found["dados"]["triagem"][0]["arquivos"]) > 0
    assert (await pessoas.apagar(scope, CPF, "pedido")).apagados == {"triagem": 2}
    assert in_tables(urls[0], scope.tenant_id, PALAVRAS) == []
    first, _, other = await stored(database, scope)
    assert (first.projeto.proponente.nome, first.projeto.titulo, first.documentos) == (APAGADO, APAGADO, ())
    assert other.projeto.proponente.nome != APAGADO
    resultado = await triagem.resultado(scope, "ED-1")
    assert [one.projeto_id for one in resultado.projetos] == ["P0001", "P0002", "P0003"]
    assert resultado.projetos[0].itens == ()
    with pytest.raises(PessoaJaApagada):
        await pessoas.apagar(scope, CPF, "pedido")


async def test_a_person_erased_in_the_middle_of_a_screening_is_erased_and_the_screening_ends_well(
    triagem: Triagem, trabalhando: Trabalhando, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    await triagem.importar(scope, with_iolanda(4))
    await triagem.executar(scope, "ED-1")
    passe = asyncio.Semaphore(0)

    async def wait() -> None:
        await passe.acquire()

    async with trabalhando(Falsos(pausa=wait), concurrency=1):
        await wait_until(triagem, scope, "ED-1", lambda execucao: execucao.status == "em_andamento")
        await pessoas.apagar(scope, EMAIL, "pedido")
        for _ in range(100):
            passe.release()
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", 4, 0)
    assert in_tables(urls[0], scope.tenant_id, spellings(EMAIL, "bordado de filé")) == []


async def test_what_a_call_has_decided_on_is_kept_with_the_reason(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope
) -> None:
    """LGPD, art. 16, I: what the law keeps is refused."""
    await triagem.importar(scope, with_iolanda())
    async with database.unit_of_work(scope) as uow:
        lia = await create_usuario(uow, SystemClock().now(), uuid4(), "Lia", f"{uuid4()}@exemplo.org", "gestor")
    decide = Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decidir
    for projeto in ("P0001", "P0002"):
        await decide(as_person(scope, lia), "ED-1", projeto, "inabilitado", "A certidão venceu.")
    with pytest.raises(ObrigadoAGuardar) as refused:
        await pessoas.apagar(scope, CPF, "pedido")
    assert "ED-1 já decidiu sobre o projeto P0001" in refused.value.problemas[0].mensagem
    assert (await stored(database, scope))[0].projeto.proponente.nome == NOME


async def test_a_backup_of_before_an_erasure_is_blanked_again(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    await triagem.importar(scope, with_iolanda())
    await pessoas.apagar(scope, CPF, "pedido")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute("delete from chaves_de_pessoas where tenant_id = %s", (scope.tenant_id,))
        back = msgspec.json.encode(Proponente(NOME, CPF)).decode()
        connection.execute("update projetos set proponente = %s where tenant_id = %s and codigo = 'P0001'", (back, scope.tenant_id))
    assert await pessoas.reaplicar("inicio") == 1
    assert await pessoas.reaplicar("inicio") == 0
    assert (await stored(database, scope))[0].projeto.proponente.nome == APAGADO


async def test_another_tenants_projects_of_the_same_person_stay(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    other = new_tenant()
    for one in (scope, other):
        await triagem.importar(one, with_iolanda())
    await pessoas.apagar(scope, CPF, "pedido")
    assert (await stored(database, other))[0].projeto.proponente.nome == NOME
