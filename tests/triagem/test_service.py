"""Use cases of screening, over a real database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from decimal import Decimal
from hashlib import sha256
from uuid import UUID, uuid4

import psycopg
import pytest

from chamadas import Arquivo, Falsos, Importacao, importacao
from crivo.kernel.access import Sessoes, create_usuario, deactivate_usuario, reactivate_usuario, set_papel, set_senha
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.storage.errors import ConflitoDeEscrita
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.custeio import Custeio, Previsao
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Avaliador, EditalNotFound
from crivo.triagem.erros import LimiteDeCusto, NadaARetomar, TriagemEmAndamento, TriagemNotFound
from crivo.triagem.painel import Painel
from crivo.triagem.quadro import Quadro, Versoes
from crivo.triagem.service import Triagem
from crivo.triagem.storage import arquivos
from espera import takes
from seguimento import Trabalhando, Triagens, wait_for_end, wait_until
from sujeitos import as_person

Scopes = Callable[[], Scope]


async def test_an_edital_comes_out_as_it_went_in(triagem: Triagem, scope: Scope) -> None:
    """Triagem 3.1/3."""
    given = importacao(3, documentos=2, avaliadores=[Avaliador("Ana", "ana@exemplo.org", ("P0001",))])
    told = await triagem.importar(scope, given)
    assert (told.projetos, told.arquivos, told.arquivos_novos, told.substituiu) == (3, 6, 6, False)
    assert await triagem.edital(scope, "ED-1") == given.chamada


async def test_who_is_to_judge_and_cannot_is_told_with_the_cause_until_it_is_mended(
    triagem: Triagem, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    """An account of another organisation is none here: who judges there still has no way in."""
    now, contas = SystemClock().now(), {}
    people = {"pronta": "avaliador", "gestora": "gestor", "revisora": "revisor", "afastada": "avaliador", "paciente": "paciente"}
    async with database.unit_of_work(scope) as uow:
        for nome, papel in people.items():
            contas[nome] = await create_usuario(uow, now, uuid4(), nome, f"{nome}@exemplo.org", papel)
        await deactivate_usuario(uow, now, contas["afastada"])
    elsewhere = new_tenant()
    async with database.unit_of_work(elsewhere) as uow:
        de_la = await create_usuario(uow, now, uuid4(), "De lá", "de-la@exemplo.org", "avaliador")
    for where, conta in ((scope, contas["pronta"]), (scope, contas["gestora"]), (elsewhere, de_la)):
        await set_senha(database, where, now, conta, "frase-longa-de-teste-9")
    given = importacao(2, avaliadores=[Avaliador(nome, f"{nome}@exemplo.org", ("P0001",)) for nome in (*people, "nova", "de-la")])
    causas = {
        "revisora": "papel_nao_avalia", "afastada": "acesso_retirado", "paciente": "papel_nao_avalia",
        "nova": "sem_entrada", "de-la": "sem_entrada",
    }  # fmt: skip
    for _ in range(2):  # importing again does not hush it
        assert {one.nome: one.causa for one in (await triagem.importar(scope, given)).impedidos} == causas
    async with database.unit_of_work(scope) as uow:
        await reactivate_usuario(uow, now, contas["afastada"])
        await set_papel(uow, now, contas["revisora"], "avaliador")
    await Sessoes(database, SystemClock()).create_link(scope, contas["revisora"].ator)
    assert {one.nome for one in await Painel(database, SystemClock(), Uuid7(SystemClock()).new).impedidos(scope, "ED-1")} == {
        "paciente",
        "nova",
        "de-la",
        "afastada",
    }


async def test_an_import_that_fails_half_way_leaves_nothing(triagem: Triagem, scope: Scope) -> None:
    """Source: design, Model ("all or nothing"); issue, Bad input ("the import interrupted")."""

    class Quebrado(Arquivo):
        def read(self) -> bytes:
            raise OSError("o disco sumiu")

    given = importacao(3)
    broken = {**given.arquivos, "documentos/3/0.txt": Quebrado(b"")}
    with pytest.raises(OSError, match="o disco sumiu"):
        await triagem.importar(scope, Importacao(given.chamada, broken))
    assert await triagem.editais(scope) == ()
    assert (await triagem.importar(scope, given)).arquivos_novos == 3


async def test_files_of_any_size_are_stored_as_they_came_however_many_are_held_together(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    given = importacao(30, documentos=2)
    contents = {nome: file.read() for nome, file in given.arquivos.items()}
    for at, size in enumerate((5_000_000, 3_000_000, 1, 3_000_000, 3_000_000)):  # the last two say the same
        contents[f"documentos/{at + 1}/0.txt"] = bytes([min(at, 3)]) * size
    sent = Importacao(given.chamada, {nome: Arquivo(content) for nome, content in contents.items()})
    assert (await triagem.importar(scope, sent)).arquivos_novos == 59
    assert (await triagem.importar(scope, sent)).arquivos_novos == 0
    async with database.unit_of_work(scope) as uow:
        for content in contents.values():
            assert await arquivos.content(uow, sha256(content).digest()) == content


async def test_the_same_file_is_stored_once_and_one_nobody_refers_to_is_forgotten(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(3))
    assert (await triagem.importar(scope, importacao(3, "ED-2"))).arquivos_novos == 0
    await triagem.importar(scope, importacao(1))
    await triagem.importar(scope, importacao(2, "ED-2"))
    async with database.unit_of_work(scope) as uow:
        assert (await uow.connection.exec_driver_sql("select count(*) from arquivos")).scalar_one() == 2


async def test_a_second_import_takes_the_place_of_the_first_and_what_was_found_before_stays_readable(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(4))
    first = await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
        found = await triagem.resultado(scope, "ED-1")
        assert (await triagem.importar(scope, importacao(2))).substituiu
        assert len((await triagem.edital(scope, "ED-1")).projetos) == 2
        await triagem.executar(scope, "ED-1")
        await wait_for_end(triagem, scope, "ED-1")
    assert [one.projeto_id for one in (await triagem.resultado(scope, "ED-1")).projetos] == ["P0001", "P0002"]
    assert await triagem.resultado(scope, "ED-1", first.id) == found
    await triagem.importar(scope, importacao(3))
    assert len((await triagem.edital(scope, "ED-1")).projetos) == 3  # one that had been withdrawn is back


async def test_an_edital_being_screened_is_neither_imported_again_nor_screened_twice(triagem: Triagem, scope: Scope) -> None:
    """Source: design, An execução ("a second answers 409 with the one under way")."""
    await triagem.importar(scope, importacao(2))
    under_way = await triagem.executar(scope, "ED-1")
    with pytest.raises(TriagemEmAndamento) as refused:
        await triagem.executar(scope, "ED-1")
    assert refused.value.execucao.id == under_way.id
    with pytest.raises(TriagemEmAndamento):
        await triagem.importar(scope, importacao(2))


async def test_of_many_who_begin_at_once_one_does(triagem: Triagem, scope: Scope) -> None:
    """Source: issue, Bad input ("two runs at once")."""
    await triagem.importar(scope, importacao(2))
    ended = await asyncio.gather(*(triagem.executar(scope, "ED-1") for _ in range(6)), return_exceptions=True)
    refused = [one for one in ended if isinstance(one, TriagemEmAndamento | ConflitoDeEscrita)]
    assert len(refused) == 5
    assert len(await triagem.execucoes(scope)) == 1


async def test_with_no_model_an_estimate_costs_nothing_and_says_so(triagem: Triagem, scope: Scope) -> None:
    """Triagem 7."""
    await triagem.importar(scope, importacao(3, documentos=2))
    estimativa = await triagem.estimar(scope, "ED-1")
    assert (estimativa.custo, estimativa.sem_modelo) == (Decimal(0), True)
    assert (estimativa.projetos, estimativa.documentos, estimativa.documentos_por_ler, estimativa.projetos_inalterados) == (3, 6, 6, 0)


async def test_a_run_that_would_pass_the_limit_is_refused_before_it_begins(triagens: Triagens, scope: Scope) -> None:
    """Triagem 7: a run that would pass the tenant's limit is refused before it begins."""
    dear = triagens(custeio=Custeio("m", Decimal(5), _two_dollars_each))
    await dear.importar(scope, importacao(3))
    with pytest.raises(LimiteDeCusto, match=r"US\$ 6,00.*US\$ 0,00.*US\$ 5,00"):
        await dear.executar(scope, "ED-1")
    assert await dear.execucoes(scope) == ()
    await dear.importar(scope, importacao(2))
    assert (await dear.executar(scope, "ED-1")).status == "em_andamento"


async def test_what_the_month_has_cost_already_counts_against_the_limit(triagens: Triagens, database: Database, scope: Scope) -> None:
    """Source: design, An execução ("a tenant's budget limit refuses a run that would pass it")."""
    dear = triagens(custeio=Custeio("m", Decimal(5), _two_dollars_each))
    await dear.importar(scope, importacao(2))
    paid = Answer(b"{}", 1, 1, Decimal("1.50"))
    await Ledger(database, SystemClock()).answer(scope, Call("m", b"p", b"c"), "outra coisa", lambda: asyncio.sleep(0, paid))
    estimativa = await dear.estimar(scope, "ED-1")
    assert (estimativa.custo, estimativa.gasto_no_mes, estimativa.limite_custo) == (Decimal(4), Decimal("1.50"), Decimal(5))
    with pytest.raises(LimiteDeCusto, match=r"US\$ 4,00.*US\$ 1,50"):
        await dear.executar(scope, "ED-1")


async def test_a_large_edital_is_estimated_by_some_of_its_projects(triagens: Triagens, scope: Scope) -> None:
    """Triagem 7: tokens and cost before a run."""
    seen: list[int] = []

    def count(quadro: Quadro, lidos: Sequence[ProjetoLido]) -> Previsao:
        seen.append(len(lidos))
        return _two_dollars_each(quadro, lidos)

    triagem = triagens(custeio=Custeio("m", None, count))
    await triagem.importar(scope, importacao(50, documentos=0))
    assert (await triagem.estimar(scope, "ED-1")).custo == Decimal(100)
    assert (await triagem.estimar(scope, "ED-1", "habilitacao")).chamadas == 0
    assert seen == [10]


async def test_a_price_that_nobody_knows_is_told_as_such_and_holds_nothing_back(triagens: Triagens, scope: Scope) -> None:
    """Triagem 7: an unknown price is said to be unknown."""
    unknown = triagens(custeio=Custeio("m", Decimal(0), lambda _quadro, _lidos: Previsao(8, 1000, 200, None)))
    await unknown.importar(scope, importacao(2))
    estimativa = await unknown.estimar(scope, "ED-1")
    assert (estimativa.custo, estimativa.chamadas, estimativa.sem_modelo) == (None, 8, False)
    assert (await unknown.executar(scope, "ED-1")).status == "em_andamento"


async def test_what_was_done_before_a_cancel_is_kept_and_can_be_gone_on_with(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(6))
    begun = await triagem.executar(scope, "ED-1")
    before, after = Falsos(pausa=lambda: takes(0.1)), Falsos()
    async with trabalhando(before, concurrency=1):
        await wait_until(triagem, scope, "ED-1", lambda one: one.projetos_analisados >= 2)
        cancelled = await triagem.cancelar(scope, "ED-1")
    assert cancelled.status == "cancelada"
    kept = await triagem.resultado(scope, "ED-1", begun.id)
    assert 2 <= len(kept.projetos) <= 3
    with pytest.raises(TriagemNotFound):
        await triagem.resultado(scope, "ED-1")  # none was finished
    with pytest.raises(TriagemNotFound):
        await triagem.cancelar(scope, "ED-1")
    resumed = await triagem.retomar(scope, "ED-1")
    assert (resumed.id, resumed.status, resumed.projetos_analisados) == (begun.id, "em_andamento", len(kept.projetos))
    async with trabalhando(after):
        ended = await wait_for_end(triagem, scope, "ED-1")
    assert (ended.status, ended.projetos_analisados) == ("concluida", 6)
    judged = [linha for linha in before.chamadas + after.chamadas if linha.startswith("habilitar")]
    assert sorted(judged) == [f"habilitar P{numero:04}" for numero in range(1, 7)]


async def test_projects_with_an_error_are_tried_again_when_a_run_is_gone_on_with(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(3))
    await triagem.executar(scope, "ED-1")
    others, first = asyncio.Event(), iter([True])

    async def hold_the_others() -> None:
        if not next(first, False):
            await others.wait()

    async with trabalhando(Falsos(pausa=hold_the_others, quebrados=frozenset({"P0001"}))):
        await wait_until(triagem, scope, "ED-1", lambda one: one.projetos_com_erro == 1)
        await triagem.cancelar(scope, "ED-1")
        others.set()
    falsos = Falsos()
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro) == ("concluida", 0)
    assert [linha for linha in falsos.chamadas if linha.startswith("habilitar")] == ["habilitar P0001"]


async def test_a_finished_run_is_not_gone_on_with(triagem: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    await triagem.importar(scope, importacao(1))
    with pytest.raises(TriagemNotFound, match="ainda não foi triado"):
        await triagem.retomar(scope, "ED-1")
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    with pytest.raises(NadaARetomar, match="já terminou"):
        await triagem.retomar(scope, "ED-1")


async def test_a_run_is_not_gone_on_with_after_its_edital_changed(triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1")
    await triagem.cancelar(scope, "ED-1")
    await triagem.importar(scope, importacao(3))
    with pytest.raises(NadaARetomar, match="importado de novo"):
        await triagem.retomar(scope, "ED-1")


async def test_a_run_whose_jobs_are_all_gone_is_noticed_and_can_be_gone_on_with(
    triagem: Triagem, trabalhando: Trabalhando, urls: tuple[str, str], scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("delete from procrastinate_jobs where args ->> 'tenant' = %s", (scope.tenant_id,))
    execucao = await triagem.status(scope, "ED-1")
    assert execucao.status == "erro"
    assert "retome a triagem" in (execucao.erro_mensagem or "")
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(Falsos()):
        assert (await wait_for_end(triagem, scope, "ED-1")).status == "concluida"


async def test_another_tenants_edital_is_as_if_it_did_not_exist(triagem: Triagem, new_tenant: Scopes) -> None:
    """Triagem 6/3: ("RLS: resultados isolados por tenant_id")."""
    mine, theirs = new_tenant(), new_tenant()
    await triagem.importar(mine, importacao(2))
    execucao = await triagem.executar(mine, "ED-1")
    for use in (triagem.edital, triagem.estimar, triagem.executar, triagem.status, triagem.cancelar, triagem.retomar, triagem.resultado):
        with pytest.raises(EditalNotFound):
            await use(theirs, "ED-1")
    assert (await triagem.editais(theirs), await triagem.execucoes(theirs)) == ((), ())
    await triagem.importar(theirs, importacao(1))
    with pytest.raises(TriagemNotFound):
        await triagem.resultado(theirs, "ED-1", execucao.id)


async def test_editais_are_listed_with_the_execucao_that_began_last(triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, importacao(2, "ED-A"))
    await triagem.importar(scope, importacao(1, "ED-B"))
    begun = await triagem.executar(scope, "ED-A")
    listed = await triagem.editais(scope)
    assert [(one.edital_id, one.projetos) for one in listed] == [("ED-B", 1), ("ED-A", 2)]
    assert [one.execucao.id if one.execucao else None for one in listed] == [None, begun.id]


async def test_every_run_is_in_the_log_and_in_the_chain(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, scope: Scope
) -> None:
    """Triagem 6/6: ("Auditoria: logs em triagem_ia_execucoes + logs_auditoria")."""
    await triagem.importar(scope, importacao(1))
    await triagem.executar(scope, "ED-1")
    await triagem.cancelar(scope, "ED-1")
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    acts = ["edital.importado", "triagem.iniciada", "triagem.cancelada", "triagem.retomada", "triagem.concluida"]
    async with database.unit_of_work(scope) as uow:
        logged = await uow.connection.exec_driver_sql("select acao, ator from logs_auditoria order by id")
        chained = await uow.connection.exec_driver_sql("select acao from auditoria order by seq")
        assert sorted(row.acao for row in chained) == sorted(acts)
        assert {row.acao: row.ator for row in logged} == dict.fromkeys(acts, "teste") | {"triagem.concluida": "trabalhador"}
        assert (await verify_tenant(uow)).quebras == ()


async def test_who_began_a_run_is_kept_when_it_is_a_person(triagem: Triagem, database: Database, scope: Scope) -> None:
    """Triagem 3.1/2."""
    person = uuid4()
    async with database.unit_of_work(scope) as uow:
        usuario = await create_usuario(uow, SystemClock().now(), person, "Ana", "ana@exemplo.org", "gestor")
    await triagem.importar(scope, importacao(1))
    execucao = await triagem.executar(as_person(scope, usuario), "ED-1")
    assert (execucao.executado_por, execucao.iniciada_por) == (person, f"usuario:{person}")


async def test_the_queue_is_told_ids_and_nothing_else(triagem: Triagem, urls: tuple[str, str], scope: Scope) -> None:
    """Source: design, Reading (personal data stays out of what knows no tenant)."""
    await triagem.importar(scope, importacao(1))
    await triagem.executar(scope, "ED-1")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        (args,) = connection.execute("select args from procrastinate_jobs where args ->> 'tenant' = %s", (scope.tenant_id,)).fetchone() or (
            {},
        )
    assert sorted(args) == ["execucao", "projeto", "tenant"]
    assert [UUID(args[name]).version for name in ("execucao", "projeto")] == [7, 7]


async def test_files_that_other_readers_read_are_still_to_be_read(triagens: Triagens, trabalhando: Trabalhando, scope: Scope) -> None:
    triagem = triagens()
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1", "habilitacao")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    assert (await triagem.estimar(scope, "ED-1", "habilitacao")).documentos_por_ler == 0
    assert (await triagens(Versoes("leitor-2", "regras-1")).estimar(scope, "ED-1")).documentos_por_ler == 2


def _two_dollars_each(_quadro: Quadro, lidos: Sequence[ProjetoLido]) -> Previsao:
    return Previsao(len(lidos), 1000, 100, Decimal(2) * len(lidos))
