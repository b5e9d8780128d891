"""Tenants are kept apart by the database itself: every filter is forgotten here on purpose. Source: quality, Security."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID, uuid4

import psycopg
import pytest
from sqlalchemy import column, func, select, table, text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from crivo.kernel.audit.anchors import read_heads
from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_TENANT_TABLES = (
    "catalogos",
    "politicas",
    "formatos",
    "campos_equivalentes",
    "autorizacoes",
    "idempotencia",
    "auditoria_cabecas",
    "auditoria",
    "chaves_api",
    "sessoes",
    "usuarios",
    "logs_auditoria",
    "editais",
    "edital_requisitos",
    "criterios",
    "projetos",
    "orcamento_itens",
    "cronograma_etapas",
    "arquivos",
    "projeto_documentos",
    "edital_avaliadores",
    "atribuicoes",
    "atribuicao_atos",
    "atribuicoes_tiradas",
    "resultados_publicados",
    "desistencias",
    "sorteios",
    "impedimentos",
    "calibracoes",
    "avaliacao_prazos",
    "recurso_codigos",
    "recursos",
    "recurso_papeis",
    "recurso_respostas",
    "nota_revisoes",
    "cartas",
    "diligencias",
    "diligencia_envios",
    "diligencia_documentos",
    "diligencia_prazos",
    "avaliacoes",
    "triagem_ia_execucoes",
    "triagem_ia_resultados",
    "triagem_ia_notas",
    "triagem_ia_irregularidades",
    "triagem_casos",
    "triagem_caso_ditos",
    "mesa_visoes",
    "documentos_lidos",
    "vetores",
    "modelo_chamadas",
    "autorizacao_concordancias",
    "mapeamentos_propostos",
    "senhas",
    "autorizacao_revisoes",
    "autorizacao_reservas",
    "autorizacao_fichas",
    "autorizacao_responsaveis",
    "autorizacao_calendarios",
    "autorizacao_avisos",
    "habilitacao_decisoes",
    "habilitacao_atos",
    "habilitacao_decisoes_anteriores",
    "recusas",
    "chaves_de_pessoas",
    "contas_de_pacientes",
    "chaves_de_arquivos",
    "avisos_de_acesso",
    "segundos_fatores",
    "codigos_de_recuperacao",
    "organizacao_atos",
    "cotas",
    "decisoes_do_dia",
    "planilha_mapas",
    "modelo_lotes",
    "entrega_destinos",
    "entregas",
    "entrega_tentativas",
    "autorizacao_links",
    "conversas",
    "conversas_abertas",
    "recepcoes",
    "politica_casos",
    "politica_ressalvas",
    "autorizacao_parametros",
)
# The queue of jobs is its library's, and outside every tenant: what a job is about is told by ids alone.
_QUEUE_TABLES = ("procrastinate_jobs", "procrastinate_workers", "procrastinate_events", "procrastinate_periodic_defers")
# Of the whole installation: keyed digests and moments, the key of those digests, and one moment. No row is anybody's.
_OUTSIDE_TABLES = ("tentativas_de_entrada", "segredos", "modelo_ritmo", "copias")
_DIGEST = "decode(repeat('00', 32), 'hex')"

_ROWS = (
    "insert into catalogos values (:t, 1)",
    "insert into politicas values (:t, :id, 'ADM-1', 'Manual', '1', '2026-01-01', null, 'rascunho', 1, 'x', 'x', now(), 'eu')",
    "insert into formatos values (:t, :id, 'acme', 'ADM-1', 1, 'rascunho', 'x', 'x', now(), 'eu')",
    "insert into campos_equivalentes values (:t, 'ADM-1', 1, '{}', now(), 'eu')",
    "insert into autorizacoes values (:t, :id, 'P-1', 'ADM-1', 'APROVADO', now(), now(), 1, 'x', 'x', 'x', 'x')",
    "insert into idempotencia values (:t, 'k', 'x', :id, now())",
    "insert into auditoria_cabecas values (:t, 1, 'x')",
    "insert into auditoria values (:t, 1, now(), 'eu', 'fez', 'algo', '{}', 'x', 'x')",
    "insert into chaves_api values (:t, 'k', 'nome', 'x', '{}', now(), now())",
    "insert into sessoes values (:t, 'x', 'link', 'eu', now(), now())",
    "insert into usuarios values (:t, :id, '', '', 'gestor', now())",
    "insert into logs_auditoria values (:t, :id, 'eu', 'fez', 'algo', '1', '{}', now())",
    "insert into editais values (:t, :id, 'ED', 'Edital', '{}', 1, now(), 'eu')",
    "insert into edital_requisitos values (:t, :id, 0, 'R', 'documento', '{}')",
    "insert into criterios values (:t, :id, :id, 'C', 0, 'Mérito', '', 1, 0, 10, '[]')",
    "insert into projetos values (:t, :id, :id, 'P', 0, 'Projeto', '', now(), '', '', '{}', '{}')",
    "insert into orcamento_itens values (:t, :id, 0, 'Palco', 1, 1)",
    "insert into cronograma_etapas values (:t, :id, 0, 'Montagem')",
    f"insert into arquivos values (:t, {_DIGEST}, 'x')",
    f"insert into projeto_documentos values (:t, :id, 0, 'R', 'a.pdf', {_DIGEST}, 1)",
    "insert into edital_avaliadores values (:t, :id, 0, :id, '{}')",
    "insert into atribuicoes values (:t, :id, :id)",
    "insert into atribuicao_atos values (:t, :id, :id, 1, 1, :id, now())",
    "insert into atribuicoes_tiradas values (:t, :id, :id, :id, 'porque', 'nenhuma', :id, now())",
    "insert into resultados_publicados values (:t, :id, 1, 'preliminar', 'ABC', repeat('0', 64), 'x', 'ED', '', null, :id, now())",
    "insert into desistencias values (:t, :id, :id, current_date, :id, 'x', :id, now())",
    "insert into sorteios values (:t, :id, 'edital', 2, 'ED', '{}', 'x', 'x')",
    "insert into impedimentos values (:t, :id, :id, :id, 'x', :id, :id, now())",
    "insert into calibracoes values (:t, :id, :id, :id, array[cast(:id as uuid)], :id, now(), null, null, '')",
    f"insert into recurso_codigos values (:t, :id, 1, {_DIGEST}, now())",
    f"insert into recursos values (:t, :id, :id, 1, :id, 'resultado', 'link', 1, now(), now(), null, false, :id, 'x', {_DIGEST})",
    "insert into recurso_papeis values (:t, :id, 1, :id, 'x')",
    "insert into recurso_respostas values (:t, :id, :id, 'nao_provido', null, false, 0, :id, 'x', :id, now())",
    "insert into nota_revisoes values (:t, :id, :id, :id, :id, :id, 7, 8, null, :id, now())",
    "insert into avaliacao_prazos values (:t, :id, :id, :id, '2026-12-01', 'x', :id, now())",
    "insert into cartas (tenant_id, id, chave, situacao, criada_em) values (:t, :id, 'k', 'na_fila', now())",
    (
        "insert into diligencias (tenant_id, id, edital_id, projeto_id, numero, chave, selada, codigo_resumo, dias, prazo, pedida_por, pedida_em) "
        "values (:t, :id, :id, :id, 1, :id, 'x', 'x', 5, now(), :id, now())"
    ),
    "insert into diligencia_envios values (:t, :id, :id, 'proponente', null, now(), 'x', 'x')",
    "insert into diligencia_documentos values (:t, :id, 1, :id, null, 'x', 'x', 'x', 1)",
    "insert into diligencia_prazos values (:t, :id, now(), now(), now() + interval '1 day', 'x', :id)",
    "insert into avaliacoes values (:t, :id, :id, :id, 7, '', now(), now())",
    (
        "insert into triagem_ia_execucoes (tenant_id, id, edital_id, tipo, status, total_projetos, created_at, iniciada_por, importacao) "
        "values (:t, :id, :id, 'completa', 'em_andamento', 1, now(), 'eu', 1)"
    ),
    "insert into triagem_ia_resultados (tenant_id, id, execucao_id, projeto_id, created_at) values (:t, :id, :id, :id, now())",
    "insert into triagem_ia_notas values (:t, :id, :id, :id, 7.5, 'porque', 0.8, now())",
    "insert into triagem_ia_irregularidades values (:t, :id, 0, 'similaridade', '{}')",
    (
        "insert into triagem_casos values (:t, :id, :id, 1, 'texto', 'x', '{}', 'Texto escondido', 'grave', '{}', '{}', :id, '{}', true, "
        "now())"
    ),
    "insert into triagem_caso_ditos values (:t, :id, :id, 'anotacao', null, null, null, '{}', '{}', '{}', null, :id, now())",
    "insert into mesa_visoes values (:t, :id, :id, :id, 'Minha visão', 'f=1', now())",
    "insert into documentos_lidos values (:t, 'x', 'v', 'x', 1, now())",
    "insert into vetores values (:t, 'local', 'x', 'x')",
    "insert into modelo_chamadas values (:t, 'm', 'x', 'x', 0, 'sim', 1, 1, 0.01, 'o', now())",
    "insert into autorizacao_concordancias values (:t, :id, 'sintese', 'decisao_final', 'm', true, null, now())",
    "insert into mapeamentos_propostos values (:t, :id, 'ADM-1', 'guia', 'pedido_id', 'm', 'proposto', :id, now())",
    "insert into senhas values (:t, :id, 'x', now())",
    "insert into autorizacao_revisoes values (:t, :id, :id, 'NEGADO', 'APROVADO', 1, 'porque', null, 'eu', now())",
    (
        "insert into entrega_destinos (tenant_id, id, nome, canal, endereco, eventos, conteudo, situacao, criado_em, criado_por) "
        "values (:t, :id, 'd', 'email', 'x', array['autorizacao.revista'], 'resumido', 'ativo', now(), 'eu')"
    ),
    (
        "insert into entregas (tenant_id, id, destino_id, evento, fio, situacao, criada_em, insiste_ate, proxima_em) "
        "values (:t, :id, :id, 'exemplo', 'x', 'espera', now(), now(), now())"
    ),
    "insert into entrega_tentativas values (:t, :id, 1, now(), 5, 200, null)",
    "insert into autorizacao_links values (:t, :id, :id, 'x', 'x', now(), 'eu', now())",
    "insert into autorizacao_reservas values (:t, :id, 'eu', now())",
    "insert into autorizacao_fichas values (:t, :id, null, 'OURO', 'R-1', '{}', 'x')",
    "insert into autorizacao_responsaveis values (:t, :id, 'eu', null, :id, 'eu', now())",
    "insert into autorizacao_calendarios values (:t, '', 'SP', '', '', 'eu', now())",
    "insert into autorizacao_avisos values (:t, :id, 'perto', now())",
    "insert into habilitacao_decisoes values (:t, :id, 'habilitado', null, 'porque', :id, now())",
    "insert into habilitacao_atos values (:t, :id, :id, 'habilitado', 1, :id, now())",
    "insert into habilitacao_decisoes_anteriores values (:t, :id, :id, 'habilitado', null, 'porque', :id, now())",
    "insert into recusas values (:t, 'x', now(), 1)",
    "insert into chaves_de_pessoas values (:t, :id, 'autorizacoes', 'x', null, null, 'x', now())",
    "insert into avisos_de_acesso (tenant_id, usuario_id, acao, feito_por, em) values (:t, :id, 'link_feito', 'eu', now())",
    "insert into segundos_fatores values (:t, :id, 'x', -1, now())",
    "insert into codigos_de_recuperacao values (:t, :id, 'x')",
    "insert into conversas values (:t, :id, :t, 'eu', 'paciente', 1, 0, 'x', 'x', null, null, '{}', null, null, now(), now())",
    "insert into conversas_abertas values (:t, :id, :t, 'eu', now())",
    "insert into recepcoes values (:t, now())",
    "insert into autorizacao_parametros values (:t, :id, 'x')",
    "insert into contas_de_pacientes values (:t, :id, 'x', 'x', 'rg', 'eu', now())",
    "insert into chaves_de_arquivos values (:t, 'x', :id, 'x')",
    "insert into organizacao_atos values (:t, :id, 'suspensa', decode('00637331', 'hex'), 'eu', now())",
    "insert into cotas (tenant_id, projetos, versao) values (:t, 5, 1)",
    "insert into decisoes_do_dia (tenant_id, dia, decisoes) values (:t, current_date, 1)",
    "insert into politica_casos values (:t, :id, 'passa', '{}', '{}', false, null, now(), 'eu')",
    "insert into politica_ressalvas values (:t, :id, 'porque', 1, 0, now(), 'eu')",
    "insert into planilha_mapas values (:t, 'ADM-1', '{}', now(), 'eu')",
    "insert into modelo_lotes (tenant_id, id, origem, sobre, modelo, created_at) values (:t, gen_random_uuid(), 'o', '[]', 'm', now())",
)


async def _fill(database: Database, scope: Scope) -> UUID:
    some_id = uuid4()
    async with database.unit_of_work(scope) as uow:
        for statement in _ROWS:
            await uow.connection.execute(text(statement), {"t": scope.tenant_id, "id": some_id})
    return some_id


async def test_a_select_without_a_filter_sees_one_tenant_only(database: Database, new_tenant: Callable[[], Scope]) -> None:
    mine, theirs = new_tenant(), new_tenant()
    await _fill(database, mine)
    await _fill(database, theirs)
    async with database.unit_of_work(mine) as uow:
        for name in _TENANT_TABLES:
            found: Sequence[str] = (await uow.connection.execute(select(column("tenant_id")).select_from(table(name)))).scalars().all()
            assert found == [mine.tenant_id], name
        assert (await uow.connection.execute(text("select id from tenants"))).scalars().all() == [mine.tenant_id]


async def test_an_update_and_a_delete_without_a_filter_touch_one_tenant_only(database: Database, new_tenant: Callable[[], Scope]) -> None:
    mine, theirs = new_tenant(), new_tenant()
    await _fill(database, mine)
    await _fill(database, theirs)
    async with database.unit_of_work(mine) as uow:
        assert (await uow.connection.execute(text("update catalogos set versao = 99"))).rowcount == 1
        assert (await uow.connection.execute(text("delete from sessoes"))).rowcount == 1
    async with database.unit_of_work(theirs) as uow:
        assert (await uow.connection.execute(text("select versao from catalogos"))).scalar_one() == 1
        assert (await uow.connection.execute(text("select count(*) from sessoes"))).scalar_one() == 1


async def test_whoever_notes_the_ends_of_chains_sees_these_alone_and_changes_none(
    database: Database, new_tenant: Callable[[], Scope]
) -> None:
    mine, theirs = new_tenant(), new_tenant()
    await _fill(database, mine)
    await _fill(database, theirs)
    async with database.unit_of_work(mine) as uow:
        assert {mine.tenant_id, theirs.tenant_id} <= set(await read_heads(uow))
        assert (await uow.connection.execute(text("select distinct tenant_id from auditoria"))).scalars().all() == [mine.tenant_id]
        assert (await uow.connection.execute(text("update auditoria_cabecas set seq = 2"))).rowcount == 1
    async with database.unit_of_work(mine) as uow:
        assert (await uow.connection.execute(text("select tenant_id from auditoria_cabecas"))).scalars().all() == [mine.tenant_id]


@pytest.mark.parametrize("statement", _ROWS)
async def test_a_row_cannot_be_put_into_another_tenant(database: Database, new_tenant: Callable[[], Scope], statement: str) -> None:
    mine, theirs = new_tenant(), new_tenant()
    with pytest.raises(ProgrammingError, match="row-level security"):
        async with database.unit_of_work(mine) as uow:
            await uow.connection.execute(text(statement), {"t": theirs.tenant_id, "id": uuid4()})


async def test_a_row_cannot_be_moved_to_another_tenant(database: Database, new_tenant: Callable[[], Scope]) -> None:
    mine, theirs = new_tenant(), new_tenant()
    await _fill(database, mine)
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with database.unit_of_work(mine) as uow:
            await uow.connection.execute(text("update catalogos set tenant_id = :t"), {"t": theirs.tenant_id})


async def test_without_a_tenant_nothing_is_visible_and_nothing_can_be_written(database: Database, scope: Scope) -> None:
    await _fill(database, scope)
    async with database.unit_of_work(scope) as uow:
        await uow.connection.execute(text("select set_config('app.tenant_id', '', true)"))
        for name in _TENANT_TABLES:
            assert (await uow.connection.execute(select(func.count()).select_from(table(name)))).scalar_one() == 0, name
        with pytest.raises(DBAPIError, match="row-level security"):
            await uow.connection.execute(text(_ROWS[0]), {"t": scope.tenant_id})
        await uow.connection.rollback()


async def test_the_tenant_of_one_unit_of_work_does_not_leak_into_the_next(urls: tuple[str, str], new_tenant: Callable[[], Scope]) -> None:
    database = Database(urls[1], pool_size=1)
    scopes = [new_tenant() for _ in range(3)]
    try:
        for scope in scopes * 2:
            async with database.unit_of_work(scope) as uow:
                assert (await uow.connection.execute(text("select id from tenants"))).scalars().all() == [scope.tenant_id]
    finally:
        await database.close()


@pytest.mark.parametrize(
    "kept",
    [
        "auditoria",
        "autorizacoes",
        "campos_equivalentes",
        "idempotencia",
        "logs_auditoria",
        "modelo_chamadas",
        "habilitacao_atos",
        "habilitacao_decisoes_anteriores",
    ],
)
@pytest.mark.parametrize("change", ["delete from {}", "update {} set tenant_id = tenant_id", "truncate {}"])
async def test_history_is_not_rewritten_by_the_program(database: Database, scope: Scope, kept: str, change: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with database.unit_of_work(scope) as uow:
            await uow.connection.execute(text(change.format(kept)))


def test_every_table_with_a_tenant_has_forced_row_security_and_begins_its_key_with_it(urls: tuple[str, str]) -> None:
    """Triagem 6/3."""
    migrate(urls[0])
    with psycopg.connect(libpq_url(urls[0])) as connection:
        tables = connection.execute(
            """
            select c.relname, c.relrowsecurity and c.relforcerowsecurity, c.relname = 'tenants' or key.attname = 'tenant_id',
                   (select count(*) from pg_policy p where p.polrelid = c.oid and p.polqual is not null and p.polwithcheck is not null)
            from pg_class c
            join pg_index i on i.indrelid = c.oid and i.indisprimary
            join pg_attribute key on key.attrelid = c.oid and key.attnum = i.indkey[0]
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'alembic_version'
              and c.relname <> all (%s)
            """,
            ([*_QUEUE_TABLES, *_OUTSIDE_TABLES],),
        ).fetchall()
    assert {name for name, *_ in tables} == {*_TENANT_TABLES, "tenants"}
    assert [row for row in tables if row[1:] != (True, True, 1)] == []


def test_every_foreign_key_between_tenants_rows_carries_the_tenant(urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        keys = connection.execute(
            """
            select k.conname, a.attname from pg_constraint k
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
            where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid::regclass::text <> all (%s)
            """,
            (list(_QUEUE_TABLES),),
        ).fetchall()
    assert keys
    assert [name for name, first in keys if first != "tenant_id"] == []


def test_the_programs_role_owns_nothing_and_is_above_nothing(urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        role = connection.execute(
            "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = 'crivo_app'"
        ).fetchone()
        owned = connection.execute("select count(*) from pg_class where relowner = 'crivo_app'::regrole").fetchone()
    assert role == (False, False, False, False)
    assert owned == (0,)
