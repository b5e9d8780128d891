"""What is asked of the database and its surroundings: right, over every organisation, and of nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import pytest

from casa_avaliada import AMBAS, Casa, chamada
from crivo.clinicas.recepcao import Atendente, Espera, Recepcao
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.medidas import Valor
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import FaseDatada
from crivo.triagem.montagem import versoes
from crivo.triagem.service import Triagem
from crivo.vigia import catalogo
from crivo.vigia.leituras import Banco, pool, recepcao, situacao_de
from esperando import Guardado

NOW = SystemClock().now()
HOJE = today(SystemClock())


def told(valores: Sequence[Valor]) -> dict[tuple[str, ...], float]:
    return {(one.medida.nome.removeprefix("crivo_"), *one.rotulos): one.valor for one in valores}


def days(number: int) -> date:
    return HOJE + timedelta(days=number)


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    """A call of three projects whose days for notas end yesterday."""
    fases = (FaseDatada("avaliacao", days(-10), days(-1)),)
    await Triagem(database, Fila(), SystemClock(), Uuid7(SystemClock()).new, lambda: versoes("local")).importar(
        scope, chamada(3, None, fases)
    )
    return Casa(database, scope, SystemClock())


@pytest.mark.parametrize(("prazo", "situacao"), [(-1, "vencido"), (0, "proximo"), (2, "proximo"), (3, "em_dia")])
def test_a_last_day_is_whole_and_near_within_two_more(prazo: int, situacao: str) -> None:
    assert situacao_de(days(prazo), HOJE) == situacao


async def test_the_server_tells_its_size_its_connections_and_its_schema(banco: Banco) -> None:
    valores = told(await banco.servidor())
    assert valores["banco_bytes",] > 1_000_000
    assert 1 <= valores["banco_conexoes",] <= valores["banco_conexoes_limite",]
    assert valores["banco_esquema_em_dia",] == 1
    assert valores["banco_esquema_info", HEAD, HEAD] == 1
    assert ("backup_idade_seconds",) not in valores  # nothing noted one


async def test_decisions_that_wait_are_counted_by_their_last_day(guardado: Guardado) -> None:
    await guardado.autorizacao(days(-30))
    await guardado.autorizacao(HOJE, urgente=True)
    await guardado.autorizacao(HOJE, "NEGADO")
    await guardado.autorizacao(days(-30), "APROVADO")  # nobody is waited for
    valores = told((await guardado.pendencias()).valores(NOW, None))
    assert valores["prazos", "autorizacoes", "vencido"] == 1
    assert valores["prazos", "autorizacoes", "proximo"] == 1
    assert valores["prazos", "autorizacoes", "em_dia"] == 1


async def test_notas_that_were_not_sent_are_due_on_the_edital_s_day_or_on_one_that_was_given(casa: Casa, guardado: Guardado) -> None:
    lia, rui, eva = await casa.person("Lia", "gestor"), await casa.person("Rui"), await casa.person("Eva")
    for one in (rui, eva):
        await casa.quem.incluir(casa.as_(lia), "ED-1", one.id)
    await casa.give(casa.as_(lia), ["P0001", "P0002"], rui)
    await casa.give(casa.as_(lia), ["P0003"], eva)
    assert told((await guardado.pendencias()).valores(NOW, None))["prazos", "avaliacoes", "vencido"] == 3
    edital_id, _ = await guardado.projeto("P0001")
    await guardado.run(
        "insert into avaliacao_prazos (tenant_id, id, edital_id, avaliador_id, ate, motivo, feito_por, feito_em) "
        "values (%s, %s, %s, %s, %s, '', %s, now())",
        (casa.scope.tenant_id, uuid4(), edital_id, eva.id, days(9), lia.id),
    )
    valores = told((await guardado.pendencias()).valores(NOW, None))
    assert (valores["prazos", "avaliacoes", "vencido"], valores["prazos", "avaliacoes", "em_dia"]) == (2, 1)
    await casa.julgamento.registrar_notas(casa.as_(eva), "ED-1", "P0003", AMBAS)
    valores = told((await guardado.pendencias()).valores(NOW, None))
    assert (valores["prazos", "avaliacoes", "vencido"], valores["prazos", "avaliacoes", "em_dia"]) == (2, 0)


async def test_diligencias_and_recursos_wait_until_they_are_answered(casa: Casa, guardado: Guardado) -> None:
    lia = await casa.person("Lia", "gestor")
    ids = await guardado.projeto("P0001")
    for prazo in (-60, -2, 1, 8):
        await guardado.diligencia(*ids, lia.id, NOW + timedelta(days=prazo))
    await guardado.recurso(*ids, NOW - timedelta(days=6))
    valores = told((await guardado.pendencias()).valores(NOW, None))
    assert [valores["prazos", "diligencias", one] for one in ("vencido", "proximo", "em_dia")] == [1, 1, 1]  # what is long past is given up
    assert valores["recursos_sem_resposta",] == 1
    assert valores["recurso_idade_seconds",] == pytest.approx(6 * 86_400, abs=1)


async def test_letters_that_wait_have_an_age_and_those_that_failed_a_number(guardado: Guardado) -> None:
    await guardado.carta("na_fila", NOW - timedelta(hours=2))
    await guardado.carta("falhou", NOW - timedelta(days=9))
    await guardado.carta("cancelada", NOW - timedelta(days=20))
    valores = told((await guardado.pendencias()).valores(NOW, None))
    assert (valores["cartas", "na_fila"], valores["cartas", "falhou"]) == (1, 1)
    assert valores["carta_idade_seconds",] == pytest.approx(7_200, abs=1)


async def test_what_was_spent_is_told_beside_the_limit_and_without_one_no_share(guardado: Guardado) -> None:
    await guardado.run(
        "insert into modelo_chamadas (tenant_id, modelo, prompt_digest, conteudo_digest, amostra, resposta, tokens_entrada, tokens_saida, "
        "custo, origem, created_at) values (%s, 'openai:x', '', '', 0, '', 1, 1, 2.5, 'teste:1', now())",
        (guardado.scope.tenant_id,),
    )
    pendencias = await guardado.pendencias()
    valores = told(pendencias.valores(NOW, Decimal(10)))
    assert valores["modelo_custo_mes_dolares",] == 2.5
    assert valores["modelo_orcamento_usado_ratio",] == 0.25
    assert valores["modelo_limite_dolares",] == 10
    assert ("modelo_orcamento_usado_ratio",) not in told(pendencias.valores(NOW, None))


async def test_every_organisation_is_asked_under_its_own_rows(banco: Banco, new_tenant: Callable[[], Scope], database: Database) -> None:
    before = told(await banco.pendencias())
    for scope in (new_tenant(), new_tenant()):
        await Guardado(database, scope).autorizacao(days(-30))
    after = told(await banco.pendencias())
    assert after["prazos", "autorizacoes", "vencido"] - before["prazos", "autorizacoes", "vencido"] == 2


async def test_the_queue_tells_what_waits_what_is_kept_for_later_and_what_lost_its_worker(
    banco: Banco, fila: Fila, scope: Scope, database: Database, run_as_owner: Callable[[str], None]
) -> None:
    async with database.unit_of_work(scope) as uow:
        await fila.defer(uow, [Job("t", {"n": str(number)}) for number in range(3)])
        await fila.defer(uow, [Job("t", {"n": "depois"}, em_segundos=600), Job("t", {"n": "outra"}, fila="modelo")])
    run_as_owner("update procrastinate_events set at = at - interval '7 minutes'")
    run_as_owner("update procrastinate_jobs set status = 'doing' where args ->> 'n' = '2'")
    valores = told(await banco.fila())
    assert [valores["fila_trabalhos", "crivo", one] for one in ("espera", "marcado", "fazendo", "falhou")] == [2, 1, 1, 0]
    assert valores["fila_trabalhos", "modelo", "espera"] == 1
    assert valores["fila_idade_seconds", "crivo"] == pytest.approx(420, abs=5)
    assert valores["fila_parados",] == 1
    assert valores["trabalhadores_no_ar",] == 0


async def test_the_ends_of_chains_tell_how_long_ago_they_were_noted(banco: Banco, scope: Scope, database: Database, tmp_path: Path) -> None:
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql(
            "insert into auditoria_cabecas (tenant_id, seq, digest) values (%s, 3, '') on conflict (tenant_id) do update set seq = 3",
            (scope.tenant_id,),
        )
    espera = tmp_path / "espera.jsonl"
    espera.write_bytes(b"{}\n")
    noted: dict[str, datetime] = {scope.tenant_id: SystemClock().now() - timedelta(days=3)}
    valores = told(await banco.auditoria(lambda: noted, espera))
    assert valores["auditoria_registros",] >= 3
    assert valores["auditoria_ancora_idade_seconds",] == pytest.approx(3 * 86_400, abs=60)
    assert valores["auditoria_espera_bytes",] == 3


async def test_the_pool_tells_what_is_in_use_and_who_waits(urls: tuple[str, str], scope: Scope) -> None:
    database = Database(urls[1], pool_size=1)
    try:
        async with database.unit_of_work(scope):
            assert told(pool(database))["banco_pool_em_uso",] == 1
        assert told(pool(database)) == {("banco_pool_tamanho",): 1, ("banco_pool_em_uso",): 0, ("banco_pool_esperando",): 0}
    finally:
        await database.close()


def test_who_waits_for_a_person_is_counted_and_whoever_has_one_is_not() -> None:
    now = [100.0]
    queue = Recepcao(lambda: now[0])
    taken, waiting, grave = uuid4(), uuid4(), uuid4()
    queue.put(taken, Espera(taken, "local", "pessoa", now[0], atendente=Atendente("usuario:1", "Rui")))
    queue.put(waiting, Espera(waiting, "local", "pessoa", now[0]))
    queue.put(grave, Espera(grave, "local", "emergencia", now[0]))
    now[0] += 90
    valores = told(recepcao([(one, queue.waited(one)) for one in queue.fila("local")]))
    assert (valores["recepcao_esperando", "sim"], valores["recepcao_esperando", "nao"]) == (1, 1)
    assert valores["recepcao_espera_seconds", "sim"] == 90


def test_every_value_has_as_many_labels_as_its_metric() -> None:
    for one in (*recepcao([]), Valor(catalogo.BANCO, 1)):
        assert len(one.rotulos) == len(one.medida.rotulos)
