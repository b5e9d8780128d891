"""What the audit vouches for is what is stored, to the last column; whoever goes around it is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import crivo
from casa_auditada import CasaAuditada
from crivo.auditoria.conferencia import SELADAS
from crivo.auditoria.palavras import NOME_DA_LINHA

_SRC = Path(crivo.__file__).parent


async def _everything(casa: CasaAuditada) -> None:
    await casa.publish()
    await casa.publish("2", "2026-06-01")
    await casa.publish("3", "2026-09-01", publicar=False)
    await casa.politicas.revogar(casa.scope, (await casa.politicas.listar(casa.scope))[0].id, "Saiu outra.")
    await casa.map()
    await casa.review()
    await casa.judge()
    await casa.take()
    await casa.treat()
    await casa.tell()


async def test_whatever_use_cases_write_is_sealed_as_it_stands(casa: CasaAuditada) -> None:
    """Source: design/sujeito.md, table, 6. A use case that changes a sealed row without an entry would leave it bare or broken here."""
    await _everything(casa)
    found = await casa.conferida()
    assert found.integra
    assert found.linhas.sem_selo == 0
    # 3 políticas, 2 mappings, 1 decision, 1 review, 2 notas that count still, 2 projects taken, 1 habilitação and the one before it, 4 acts on a case,
    # 1 published result
    assert found.linhas.linhas == 3 + 2 + 1 + 1 + 2 + 2 + 2 + 4 + 1


def test_sealed_tables_are_written_by_the_files_whose_use_cases_seal_them() -> None:
    """A new writer belongs in `CasaAuditada`, where what it writes is held against its seal, and then in this list."""
    tables = "|".join(table.name for table in SELADAS)
    written = re.compile(rf"\b(?:insert into|update|delete from)\s+({tables})\b(?!_)")
    found = {
        (match, file.relative_to(_SRC).as_posix())
        for file in _SRC.rglob("*.py")
        if "migrations" not in file.parts
        for match in written.findall(file.read_text(encoding="utf-8"))
    }
    assert found == {
        ("autorizacoes", "autorizacoes/storage.py"),
        ("autorizacao_revisoes", "autorizacoes/revisao/storage/__init__.py"),
        ("politicas", "autorizacoes/politicas/storage.py"),
        ("formatos", "autorizacoes/mapeamento/storage.py"),
        ("avaliacoes", "triagem/storage/avaliacoes.py"),
        ("avaliacoes", "triagem/storage/importadas.py"),  # held against its seals in tests/triagem/test_lugares.py
        ("avaliacoes", "triagem/storage/apagados.py"),  # drafts alone, which nothing seals
        ("habilitacao_decisoes", "triagem/storage/decisoes.py"),
        ("habilitacao_decisoes_anteriores", "triagem/storage/decisoes.py"),
        ("triagem_caso_ditos", "triagem/storage/caso_ditos.py"),
        ("atribuicoes_tiradas", "triagem/storage/atribuicoes.py"),
        ("resultados_publicados", "triagem/storage/publicadas.py"),
        ("desistencias", "triagem/storage/desistencias.py"),
        ("avaliacoes", "triagem/storage/revisoes.py"),  # held against its seals in tests/triagem/recursos
        ("nota_revisoes", "triagem/storage/revisoes.py"),
        ("recursos", "triagem/storage/recursos.py"),
        ("recurso_respostas", "triagem/storage/recursos.py"),
        ("diligencias", "triagem/storage/diligencias.py"),
        ("diligencia_envios", "triagem/storage/diligencias.py"),
    }


async def test_every_column_of_a_sealed_table_is_sealed(casa: CasaAuditada) -> None:
    """But for the tenant, and for the texts of a decision, which its digest is held against."""
    async with casa.database.unit_of_work(casa.scope) as uow:
        for table in SELADAS:
            rows = await uow.connection.exec_driver_sql(
                "select column_name from information_schema.columns where table_schema = 'public' and table_name = %s", (table.name,)
            )
            apart = {"tenant_id"} | ({"pedido", "decisao", "trilha"} if table.name == "autorizacoes" else set())
            assert set(rows.scalars()) - apart == set(table.columns)
    assert set(NOME_DA_LINHA) == {table.name for table in SELADAS}


@pytest.mark.parametrize(
    ("statement", "table", "motivo"),
    [
        ("update autorizacao_revisoes set motivo = 'Porque sim.'", "autorizacao_revisoes", "registro_alterado"),
        ("update autorizacao_revisoes set decisao_final = 'NEGADO'", "autorizacao_revisoes", "registro_alterado"),
        ("update autorizacao_revisoes set revisor = 'usuario:davi'", "autorizacao_revisoes", "registro_alterado"),
        ("update autorizacao_revisoes set mensagens = mensagens || '{\"x\": 1}'", "autorizacao_revisoes", "registro_alterado"),
        ("update autorizacao_revisoes set quantidade_aprovada = 0", "autorizacao_revisoes", "registro_alterado"),
        ("delete from autorizacao_revisoes", "autorizacao_revisoes", "registro_ausente"),
        ("update autorizacoes set decisao_final = 'APROVADO'", "autorizacoes", "registro_alterado"),
        ("update autorizacoes set recebida_em = recebida_em - interval '1 microsecond'", "autorizacoes", "registro_alterado"),
        ("update autorizacoes set pedido_id = null", "autorizacoes", "registro_alterado"),
        ("update autorizacoes set urgente = true", "autorizacoes", "registro_alterado"),
        ("update politicas set vigencia_fim = '2027-01-01'", "politicas", "registro_alterado"),
        ("update politicas set criada_por = 'usuario:davi'", "politicas", "registro_alterado"),
        ("update politicas set conteudo = conteudo || ' '", "politicas", "registro_alterado"),
        ("update formatos set conteudo = conteudo || ' ' where versao = 1 and MINE", "formatos", "registro_alterado"),
        ("update formatos set administradora_id = 'ADM-9' where versao = 2 and MINE", "formatos", "registro_alterado"),
        ("update politicas set encerra_anteriores = not encerra_anteriores", "politicas", "registro_alterado"),
    ],
)
async def test_a_rewritten_review_and_a_changed_column_of_a_list_are_found(
    casa: CasaAuditada, statement: str, table: str, motivo: str
) -> None:
    """Source: design/sujeito.md, table, 6."""
    await casa.publish()
    await casa.map()
    await casa.review()
    casa.tamper(statement)
    found = await casa.conferida()
    assert not found.integra
    assert [(one.linha.partition(":")[0], one.motivo) for one in found.linhas.quebras] == [(table, motivo)]
    assert (found.cadeia.quebras, found.decisoes.quebras) == ((), ())


@pytest.mark.parametrize(
    ("statement", "table", "motivo", "many"),
    [
        ("update avaliacoes set nota = 10", "avaliacoes", "registro_alterado", 4),
        ("update avaliacoes set texto = 'x' where MINE and nota = 6", "avaliacoes", "registro_alterado", 1),
        ("update avaliacoes set enviada_em = null where MINE and nota = 6", "avaliacoes", "registro_alterado", 1),
        ("delete from avaliacoes where MINE and nota = 6", "avaliacoes", "registro_ausente", 1),
        ("update habilitacao_decisoes set decisao = 'inabilitado'", "habilitacao_decisoes", "registro_alterado", 1),
        ("update habilitacao_decisoes_anteriores set motivo = ''", "habilitacao_decisoes_anteriores", "registro_alterado", 1),
        ("delete from habilitacao_decisoes_anteriores", "habilitacao_decisoes_anteriores", "registro_ausente", 1),
    ],
)
async def test_what_people_gave_and_decided_in_a_call_is_found_where_it_was_rewritten(
    casa: CasaAuditada, statement: str, table: str, motivo: str, many: int
) -> None:
    """Source: design/sujeito.md, table, 6."""
    await casa.judge()
    casa.tamper(statement)
    found = (await casa.conferida()).linhas
    assert [(one.linha.partition(":")[0], one.motivo) for one in found.quebras] == [(table, motivo)] * many


async def test_an_entry_whose_text_was_spoiled_stops_no_verification(casa: CasaAuditada) -> None:
    await casa.publish()
    await casa.review()
    casa.tamper("update auditoria set dados = '{\"digests\": {\"autorizacoes:' where MINE and acao = 'autorizacao.decidida'")
    found = await casa.conferida()
    assert [one.motivo for one in found.cadeia.quebras] == ["alterada"]
    assert [one.motivo for one in found.decisoes.quebras] == ["alterada"]


async def test_a_text_that_looks_like_a_seal_seals_nothing(casa: CasaAuditada) -> None:
    politica = await casa.publish()
    await casa.politicas.revogar(casa.scope, politica, f'x","digests":{{"politicas:{politica}":"{"0" * 64}')
    assert (await casa.conferida()).integra


async def test_rows_of_before_the_seals_hold_until_they_are_sealed_and_then_none_may_be_put_in(casa: CasaAuditada) -> None:
    await _everything(casa)
    stripped = "update auditoria set dados = regexp_replace(dados, ',?\"digests\":\\{[^}]*\\}', '')"
    casa.tamper(stripped)  # as a version before this one would have left it, but for the chain
    before = (await casa.conferida()).linhas
    assert (before.linhas, before.sem_selo, before.quebras) == (0, 18, ())
    assert await casa.auditoria.selar(casa.scope) == 18
    sealed = (await casa.conferida()).linhas
    assert (sealed.linhas, sealed.sem_selo, sealed.quebras) == (18, 0, ())
    casa.tamper(
        "insert into autorizacao_revisoes (tenant_id, id, autorizacao_id, decisao_anterior, decisao_final, motivo, mensagens, revisor, "
        "decidida_em) select tenant_id, gen_random_uuid(), autorizacao_id, decisao_anterior, 'NEGADO', motivo, mensagens, revisor, "
        "now() from autorizacao_revisoes where MINE"
    )
    assert [one.motivo for one in (await casa.conferida()).linhas.quebras] == ["registro_sem_selo"]
    assert await casa.auditoria.selar(casa.scope) == 0  # what was put in since is not made right by sealing again
    assert [one.motivo for one in (await casa.conferida()).linhas.quebras] == ["registro_sem_selo"]


async def test_the_door_closes_by_itself_where_no_row_lacks_its_seal(casa: CasaAuditada) -> None:
    await _everything(casa)
    assert casa.scope.tenant_id in await casa.auditoria.fechar()
    assert casa.scope.tenant_id not in await casa.auditoria.fechar()
    casa.tamper('update auditoria set dados = regexp_replace(dados, \'"autorizacao_revisoes:[^,}]*\', \'"x":""\')')
    assert {one.motivo for one in (await casa.conferida()).linhas.quebras} == {"registro_sem_selo"}


async def test_the_door_stays_open_for_rows_of_before_the_seals(casa: CasaAuditada) -> None:
    await _everything(casa)
    casa.tamper("update auditoria set dados = regexp_replace(dados, ',?\"digests\":\\{[^}]*\\}', '')")
    assert casa.scope.tenant_id not in await casa.auditoria.fechar()
    assert (await casa.conferida()).linhas.sem_selo == 18
