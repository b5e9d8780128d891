"""What a draft would have decided of stored pedidos and of a file. Source: design, "The workbench"."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from sqlalchemy import text

from casa_de_autorizacoes import NOW, Casa
from casos import regra
from crivo.autorizacoes.mapeamento.service import Formatos
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.service import PoliticaNotFound, TransicaoRecusada
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.simulacao.resultado import Recorte, value_of
from crivo.autorizacoes.simulacao.service import Periodo, PeriodoInvalido, Simulacoes
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

CODIGO = regra()["codigo"]
HEAD = {"administradora_id": "ADM-1", "documento": "Manual de Coberturas", "versao": "2.0", "vigencia_inicio": "2026-01-01"}


def pedido(numero: int, **mais: Any) -> bytes:
    base = {
        "pedido_id": f"P-{numero}",
        "administradora_id": "ADM-1",
        "plano_id": "OURO",
        "data_pedido": "2026-11-10",
        "beneficiario": {"id": f"B-{numero}", "idade": 40, "carencia_cumprida_dias": 400},
        "procedimento": {"codigo": CODIGO, "tabela": "TUSS", "quantidade": numero},
        "prestador": {"tipo": "CREDENCIADO"},
    }
    return json.dumps({**base, **mais}).encode()


def rascunho(*regras: dict[str, Any], **mais: Any) -> bytes:
    return json.dumps({**HEAD, "versao": "2.1", **mais, "regras": list(regras)}).encode()


class Bancada:
    """A house with one published regra, which some pedidos were decided under, and what drafts would have made of them."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self.casa, self.scope = Casa(database), scope
        self.simulacoes = Simulacoes(database, NOW)
        self.ids: list[UUID] = []

    async def decide(self, *pedidos: bytes) -> None:
        for um in pedidos:
            self.ids.append((await self.casa.autorizacoes.decidir(self.scope, um)).autorizacao.id)

    async def draft(self, *regras: dict[str, Any], **mais: Any) -> UUID:
        return (await self.casa.politicas.importar(self.scope, rascunho(*regras, **mais))).politica.id


@pytest.fixture
async def bancada(database: Database, scope: Scope) -> Bancada:
    """Pedidos for one to four units, of a regra that lets two through."""
    found = Bancada(database, scope)
    await found.casa.publish(scope, regra(limite_quantidade=2))
    await found.decide(*[pedido(numero) for numero in range(1, 5)])
    return found


async def test_a_draft_is_told_by_outcomes_regras_and_cases(bancada: Bancada) -> None:
    nova = await bancada.draft(regra(limite_quantidade=3, documentos_obrigatorios=[]), vigencia_inicio="2026-06-01")
    simulada = await bancada.simulacoes.simular(bancada.scope, nova)
    told = value_of(simulada.simulacao)
    assert {name: told[name] for name in ("total", "mudam", "matriz", "melhoram", "pioram", "so_quantidade", "relidos")} == {
        "total": 4,
        "mudam": 1,
        "matriz": {"APROVADO_PARCIAL→APROVADO": 1},
        "melhoram": 1,
        "pioram": 0,
        "so_quantidade": 1,
        "relidos": 0,
    }
    (uma,) = told["por_regra"]
    assert (uma["mudanca"], uma["alcancados"], uma["mudam"], uma["melhoram"], uma["pioram"]) == ("mudada", 4, 1, 1, 0)
    assert uma["campos"] == [{"campo": "limite_quantidade", "antes": 2, "depois": 3}]
    (caso,) = told["casos"]
    assert (caso["pedido_id"], caso["antes"], caso["depois"], caso["motivos_antes"], caso["motivos_depois"], caso["autorizacao_id"]) == (
        "P-3",
        "APROVADO_PARCIAL",
        "APROVADO",
        ["acima_do_limite_quantitativo"],
        [],
        bancada.ids[2],
    )


async def test_a_draft_that_is_still_to_begin_counts_as_though_it_held(bancada: Bancada) -> None:
    nova = await bancada.draft(regra(cobertura="NAO_COBERTA"), vigencia_inicio="2026-12-01")
    simulada = await bancada.simulacoes.simular(bancada.scope, nova)
    assert (simulada.simulacao.matriz, simulada.trazidos) == ({"APROVADO→NEGADO": 2, "APROVADO_PARCIAL→NEGADO": 2}, 4)


async def test_a_regra_that_goes_answers_for_what_it_leaves_without_one(bancada: Bancada) -> None:
    nova = await bancada.draft({**regra(), "regra_id": "R-OUTRA", "codigo": "99"})
    simulacao = (await bancada.simulacoes.simular(bancada.scope, nova)).simulacao
    assert {(one.regra_id, one.mudanca, one.alcancados, one.pioram) for one in simulacao.por_regra} == {
        (regra()["regra_id"], "retirada", 4, 4),
        ("R-OUTRA", "acrescentada", 0, 0),
    }
    asked = await bancada.simulacoes.simular(
        bancada.scope, nova, recorte=Recorte(antes="APROVADO", regra_id=regra()["regra_id"], pulando=1)
    )
    assert (asked.simulacao.casos_total, len(asked.simulacao.casos)) == (2, 1)


async def test_who_was_erased_is_counted_and_not_decided(bancada: Bancada, database: Database) -> None:
    async with database.unit_of_work(bancada.scope) as uow:
        await uow.cofre.destroy(uow, bancada.ids[:1], NOW.now())
    simulacao = (await bancada.simulacoes.simular(bancada.scope, await bancada.draft(regra(limite_quantidade=1)))).simulacao
    assert (simulacao.total, simulacao.contagem.apagados) == (3, 1)


async def test_older_decisions_are_read_from_their_trail_once(bancada: Bancada, urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (bancada.scope.tenant_id,))
        connection.execute("delete from autorizacao_parametros where id = any(%s)", (bancada.ids[1:],))
    nova = await bancada.draft(regra(limite_quantidade=3))
    first, again = [(await bancada.simulacoes.simular(bancada.scope, nova)).simulacao for _ in range(2)]
    assert [(one.total, one.contagem.relidos, one.matriz) for one in (first, again)] == [
        (4, 3, {"APROVADO_PARCIAL→APROVADO": 1}),
        (4, 0, {"APROVADO_PARCIAL→APROVADO": 1}),
    ]


async def test_what_somebody_spoiled_is_counted_and_the_rest_is_decided(bancada: Bancada, urls: tuple[str, str]) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (bancada.scope.tenant_id,))
        connection.execute("update autorizacao_parametros set selados = 'x' where id = %s", (bancada.ids[1],))
    simulacao = (await bancada.simulacoes.simular(bancada.scope, await bancada.draft(regra(limite_quantidade=3)))).simulacao
    assert (simulacao.total, simulacao.contagem.ilegiveis) == (3, 1)


async def test_a_file_is_simulated_line_by_line_and_its_faults_are_told(bancada: Bancada) -> None:
    lines = [pedido(3), b"{", b"", pedido(1, procedimento={"codigo": CODIGO}), pedido(2)]
    simulada = await bancada.simulacoes.simular(bancada.scope, await bancada.draft(regra(limite_quantidade=3)), entrada=lines)
    simulacao = simulada.simulacao
    assert (simulacao.total, simulacao.mudam, simulacao.contagem.linhas_com_erro) == (3, 1, (2, 3))
    assert (simulacao.casos[0].referencia.linha, simulada.periodo, simulada.sem_a_casa) == (1, None, False)
    limitada = regra(limites=[{"quantidade": 2, "periodo_dias": 365}])
    assert (await bancada.simulacoes.simular(bancada.scope, await bancada.draft(limitada), entrada=lines)).sem_a_casa


async def test_a_document_that_is_not_stored_may_be_simulated(bancada: Bancada) -> None:
    politica = read_politica(rascunho(regra(cobertura="NAO_COBERTA")), "json").politica
    simulada = await bancada.simulacoes.simular(bancada.scope, politica)
    assert (simulada.simulacao.pioram, simulada.guardada) == (4, None)
    assert [one.status for one in await bancada.casa.politicas.listar(bancada.scope)] == ["publicada"]


async def test_an_administradora_without_anything_published_is_told(database: Database, scope: Scope) -> None:
    vazia = Bancada(database, scope)
    await vazia.decide(pedido(1))
    simulada = await vazia.simulacoes.simular(scope, await vazia.draft(regra()))
    assert (simulada.sem_publicada, simulada.simulacao.matriz) == (True, {"PENDENTE_AJUSTES→APROVADO": 1})


async def test_what_is_published_changes_nothing_of_itself(bancada: Bancada) -> None:
    (publicada,) = await bancada.casa.politicas.listar(bancada.scope)
    assert (await bancada.simulacoes.simular(bancada.scope, publicada.id)).simulacao.mudam == 0


async def test_what_cannot_be_simulated_is_refused(bancada: Bancada) -> None:
    (publicada,) = await bancada.casa.politicas.listar(bancada.scope)
    with pytest.raises(PoliticaNotFound):
        await bancada.simulacoes.simular(bancada.scope, uuid4())
    with pytest.raises(PeriodoInvalido, match="termina"):
        await bancada.simulacoes.simular(bancada.scope, publicada.id, date(2026, 2, 1), date(2026, 1, 1))
    await bancada.casa.politicas.revogar(bancada.scope, publicada.id, "engano")
    with pytest.raises(TransicaoRecusada):
        await bancada.simulacoes.simular(bancada.scope, publicada.id)


async def test_a_period_counts_its_days_whole_and_may_have_nobody(bancada: Bancada) -> None:
    nova = await bancada.draft(regra())
    totals = []
    for desde, ate in ((date(2026, 11, 20), date(2026, 11, 20)), (date(2026, 11, 1), date(2026, 11, 19)), (date(2026, 11, 21), None)):
        if ate is None:
            ate = date(2026, 12, 1)
        totals.append((await bancada.simulacoes.simular(bancada.scope, nova, desde, ate)).simulacao.total)
    assert totals == [4, 0, 0]
    assert Periodo.of(None, None, date(2026, 11, 20)) == Periodo(date(2026, 10, 22), date(2026, 11, 20))


async def test_who_simulated_what_is_in_the_audit(bancada: Bancada, database: Database) -> None:
    nova = await bancada.draft(regra(limite_quantidade=3))
    await bancada.simulacoes.simular(bancada.scope, nova)
    async with database.unit_of_work(bancada.scope) as uow:
        statement = text("select alvo, dados from auditoria where tenant_id = :tenant and acao = 'politica.simulada'")
        ((alvo, dados),) = (await uow.connection.execute(statement, {"tenant": bancada.scope.tenant_id})).all()
    told = json.loads(dados)
    assert (alvo, told["pedidos"], told["mudam"], told["ate"]) == (str(nova), 4, 1, "2026-11-20")


async def test_what_changes_for_the_person_is_told_where_the_outcome_stays(bancada: Bancada) -> None:
    """A coparticipação that rises is felt by whoever is approved, and is counted, listed and put down to its regra."""
    nova = await bancada.draft(regra(limite_quantidade=2, coparticipacao_percentual=40, prazo_validade_autorizacao_dias=30))
    told = value_of((await bancada.simulacoes.simular(bancada.scope, nova)).simulacao)
    assert (told["mudam"], told["casos"], told["por_regra"][0]["mesma_decisao"]) == (0, [], 4)
    mesma = told["mesma_decisao"]
    assert (mesma["total"], mesma["por_aspecto"], mesma["casos_total"]) == (4, {"coparticipacao": 4, "validade": 4}, 4)
    assert mesma["casos"][0]["mudancas"] == [
        {"campo": "coparticipacao_percentual", "antes": None, "depois": 40},
        {"campo": "prazo_validade_autorizacao_dias", "antes": None, "depois": 30},
    ]
    narrowed = await bancada.simulacoes.simular(bancada.scope, nova, recorte=Recorte(aspecto="quantidade"))
    assert (narrowed.simulacao.mesma.total, narrowed.simulacao.mesma.casos_total) == (4, 0)


async def test_a_first_publication_names_every_regra_as_new(database: Database, scope: Scope) -> None:
    vazia = Bancada(database, scope)
    await vazia.decide(pedido(1))
    nova = await vazia.draft(regra(), {**regra(), "regra_id": "R-OUTRA", "codigo": "99"})
    simulacao = (await vazia.simulacoes.simular(scope, nova)).simulacao
    assert {(one.regra_id, one.mudanca, one.mudam) for one in simulacao.por_regra} == {
        (regra()["regra_id"], "acrescentada", 1),
        ("R-OUTRA", "acrescentada", 0),
    }


async def test_a_pedido_that_came_again_is_counted_as_such_and_told_by_when_it_came(bancada: Bancada) -> None:
    await bancada.decide(pedido(3), pedido(3, administradora_id="ADM-9"))
    simulacao = (await bancada.simulacoes.simular(bancada.scope, await bancada.draft(regra(limite_quantidade=3)))).simulacao
    assert (simulacao.total, simulacao.mudam, simulacao.contagem.repetidos) == (6, 2, 1)
    assert [one.referencia.recebida_em for one in simulacao.casos] == [NOW.now(), NOW.now()]


async def test_a_table_is_simulated_through_a_published_mapping(bancada: Bancada, database: Database) -> None:
    table = f"sistema;n;quem;cod;q\nACME;T-1;B-1;{CODIGO};3\n\nACME;T-2;B-2;{CODIGO};9\nOUTRO;T-3;B-3;{CODIGO};1".encode()
    nova = await bancada.draft(regra(limite_quantidade=3))
    unread = (await bancada.simulacoes.simular(bancada.scope, nova, entrada=table.splitlines())).simulacao
    assert (unread.total, unread.contagem.ilegiveis, "nenhum formato publicado lê tabelas" in unread.contagem.erro) == (0, 5, True)
    campos = {nome: f"$.{de}" for nome, de in (("pedido_id", "n"), ("beneficiario.id", "quem"), ("procedimento.codigo", "cod"))}
    fixed = {"plano_id": {"valor": "OURO"}, "data_pedido": {"valor": "2026-11-10"}, "procedimento.tabela": {"valor": "TUSS"}}
    mapa = {"mapeamento": "acme", "administradora": "ADM-1", "reconhecer": {"$.sistema": "ACME"}}
    mapa["campos"] = {**campos, **fixed, "procedimento.quantidade": "$.q", "prestador.tipo": {"valor": "CREDENCIADO"}}
    formatos = Formatos(database, Vigentes(), NOW, Uuid7(NOW).new)
    await formatos.publicar(bancada.scope, (await formatos.importar(bancada.scope, json.dumps(mapa).encode())).formato.id)
    simulacao = (await bancada.simulacoes.simular(bancada.scope, nova, entrada=table.splitlines())).simulacao
    assert (simulacao.total, simulacao.matriz, simulacao.contagem.linhas_com_erro) == (2, {"APROVADO_PARCIAL→APROVADO": 1}, (3, 5))
    assert [(one.referencia.pedido_id, one.referencia.linha) for one in simulacao.casos] == [("T-1", 2)]
