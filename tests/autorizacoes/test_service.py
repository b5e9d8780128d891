"""Decisions are stored whole or not at all, once for each idempotency key, and can be made again years later."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest

from casos import pedido, regra
from crivo.autorizacoes.erros import AutorizacaoNotFound, ChaveInvalida, ChaveReutilizada
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

NOW = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))


class Product:
    """The two services over one database, at one instant."""

    def __init__(self, database: Database, clock: FixedClock = NOW) -> None:
        new_id = Uuid7(clock).new
        self.database = database
        self.politicas = Politicas(database, clock, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), clock, new_id)

    async def publish(self, scope: Scope, *regras: dict[str, Any], **fields: Any) -> None:
        head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
        await self.politicas.importar(scope, json.dumps({**head, **fields, "regras": list(regras)}).encode(), publicar=True)


@pytest.fixture
async def product(database: Database, scope: Scope) -> Product:
    made = Product(database)
    await made.publish(scope, regra(limite_quantidade=2))
    return made


def raw(**changes: Any) -> bytes:
    return json.dumps(pedido(**changes)).encode()


async def test_a_decision_is_read_back_as_it_was_answered(product: Product, scope: Scope) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw(procedimento__quantidade=3))).autorizacao
    found = await product.autorizacoes.obter(scope, decidida.id)
    assert found == decidida
    assert json.loads(found.decisao)["decisao_final"] == "APROVADO_PARCIAL"
    assert json.loads(found.trilha)["etapas"]["sintese"] == json.loads(found.decisao)
    assert found.pedido == raw(procedimento__quantidade=3)


async def test_a_document_that_nobody_knows_is_told_beside_a_decision_that_misses_one_and_changes_nothing_in_it(
    product: Product, scope: Scope
) -> None:
    await product.publish(scope, regra(documentos_obrigatorios=["LAUDO_MEDICO"]), versao="2")
    odd = await product.autorizacoes.decidir(scope, raw(documentos_anexos=["laudo.pdf"]))
    assert odd.avisos == ("documento_nao_reconhecido",)
    assert b"nao_reconhecido" not in odd.autorizacao.trilha
    for anexos in ([], ["pedido médico"], ["laudo médico", "laudo.pdf"]):
        assert (await product.autorizacoes.decidir(scope, raw(documentos_anexos=anexos))).avisos == (), anexos


async def test_every_stored_decision_has_its_entry_in_the_audit_chain(product: Product, scope: Scope) -> None:
    await asyncio.gather(*(product.autorizacoes.decidir(scope, raw(pedido_id=f"P-{n}")) for n in range(25)))
    async with product.database.unit_of_work(scope) as uow:
        verification = await verify_tenant(uow)
    assert verification.quebras == ()
    assert verification.entradas == 2 + 25


async def test_another_tenants_decision_is_not_there(product: Product, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    with pytest.raises(AutorizacaoNotFound):
        await product.autorizacoes.obter(new_tenant(), decidida.id)


async def test_another_tenants_policies_decide_nothing_here(product: Product, new_tenant: Callable[[], Scope]) -> None:
    found = (await product.autorizacoes.decidir(new_tenant(), raw())).autorizacao
    assert json.loads(found.decisao)["artefato_registro"]["motivos"] == ["regra_nao_encontrada"]


async def test_a_key_sent_again_brings_the_same_answer(product: Product, scope: Scope) -> None:
    first = await product.autorizacoes.decidir(scope, raw(), "chave-1")
    again = await product.autorizacoes.decidir(scope, raw(), "chave-1")
    assert (first.repetida, again.repetida) == (False, True)
    assert again.autorizacao == first.autorizacao
    assert len((await product.autorizacoes.listar(scope)).itens) == 1


async def test_a_key_sent_at_once_from_many_places_decides_once(database: Database, product: Product, scope: Scope) -> None:
    other = Product(database)
    sent = [one.autorizacoes.decidir(scope, raw(), "chave-1") for one in (product, other) for _ in range(20)]
    answers = await asyncio.gather(*sent)
    assert len({answer.autorizacao.id for answer in answers}) == 1
    assert sum(not answer.repetida for answer in answers) == 1
    assert len((await product.autorizacoes.listar(scope)).itens) == 1


async def test_a_key_with_another_body_is_refused_and_nothing_is_stored(product: Product, scope: Scope) -> None:
    await product.autorizacoes.decidir(scope, raw(), "chave-1")
    with pytest.raises(ChaveReutilizada):
        await product.autorizacoes.decidir(scope, raw(pedido_id="P-2"), "chave-1")
    assert len((await product.autorizacoes.listar(scope)).itens) == 1


async def test_bodies_that_race_for_one_key_are_told_apart(product: Product, scope: Scope) -> None:
    answers = await asyncio.gather(
        *(product.autorizacoes.decidir(scope, raw(pedido_id=f"P-{n % 2}"), "chave-1") for n in range(10)), return_exceptions=True
    )
    assert sum(isinstance(answer, ChaveReutilizada) for answer in answers) == 5
    assert len((await product.autorizacoes.listar(scope)).itens) == 1


async def test_the_same_key_is_free_in_another_tenant(product: Product, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    await product.autorizacoes.decidir(scope, raw(), "chave-1")
    assert not (await product.autorizacoes.decidir(new_tenant(), raw(pedido_id="P-2"), "chave-1")).repetida


@pytest.mark.parametrize("chave", ["", "x" * 201])
async def test_a_key_that_cannot_be_kept_is_refused(product: Product, scope: Scope, chave: str) -> None:
    with pytest.raises(ChaveInvalida):
        await product.autorizacoes.decidir(scope, raw(), chave)


async def test_an_unreadable_pedido_is_refused_alone(product: Product, scope: Scope) -> None:
    answers = await asyncio.gather(
        *(product.autorizacoes.decidir(scope, body) for body in (raw(), b'{"beneficiario":[]}', b"nada", raw())), return_exceptions=True
    )
    assert [isinstance(answer, PedidoIlegivel) for answer in answers] == [False, True, True, False]
    assert len((await product.autorizacoes.listar(scope)).itens) == 2


async def test_lists_go_from_the_newest_back_by_pages_and_filters(product: Product, scope: Scope) -> None:
    for number in range(5):
        await product.autorizacoes.decidir(scope, raw(pedido_id=f"P-{number}", procedimento__quantidade=1 + number % 2 * 2))
    first = await product.autorizacoes.listar(scope, limite=2)
    assert [item.pedido_id for item in first.itens] == ["P-4", "P-3"]
    assert first.cursor is not None
    second = await product.autorizacoes.listar(scope, limite=3, cursor=first.itens[-1].id)
    assert ([item.pedido_id for item in second.itens], second.cursor) == (["P-2", "P-1", "P-0"], None)
    parciais = await product.autorizacoes.listar(scope, status="APROVADO_PARCIAL")
    assert [item.pedido_id for item in parciais.itens] == ["P-3", "P-1"]
    assert (await product.autorizacoes.listar(scope, desde=NOW.now() + timedelta(seconds=1))).itens == ()


async def test_a_stored_decision_is_made_again_under_the_policies_of_then(product: Product, scope: Scope) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    await product.publish(scope, regra(cobertura="NAO_COBERTA"), versao="2", vigencia_inicio="2026-02-01")
    now = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    assert (decidida.decisao_final, now.decisao_final) == ("APROVADO", "NEGADO")
    later = Product(product.database, NOW.after(timedelta(days=800)))
    for referencia, outras in ((str(decidida.id), 0), ("P-1", 1)):
        conferencia = await later.autorizacoes.conferir(scope, referencia)
        assert (conferencia.confere, conferencia.outras) == (True, outras)
    assert conferencia.autorizacao.id == now.id


async def test_a_revoked_policy_still_explains_what_it_decided(product: Product, scope: Scope) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    (only,) = await product.politicas.listar(scope)
    await product.politicas.revogar(scope, only.id, "substituída")
    assert (await product.autorizacoes.decidir(scope, raw())).autorizacao.decisao_final == "PENDENTE_AJUSTES"
    assert (await product.autorizacoes.conferir(scope, str(decidida.id))).confere


async def test_a_decision_that_was_tampered_with_does_not_hold(product: Product, scope: Scope, urls: Any) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    forged = decidida.trilha.replace(b'"decisao_final":"APROVADO"', b'"decisao_final":"NEGADO"')
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("update autorizacoes set trilha = %s where id = %s", (forged, decidida.id))
    conferencia = await product.autorizacoes.conferir(scope, str(decidida.id))
    assert not conferencia.integra
    assert [(d.campo, d.guardado, d.refeito) for d in conferencia.diferencas] == [("sintese.decisao_final", "NEGADO", "APROVADO")]


async def test_a_trail_that_is_no_longer_json_does_not_hold(product: Product, scope: Scope, urls: Any) -> None:
    decidida = (await product.autorizacoes.decidir(scope, raw())).autorizacao
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("update autorizacoes set trilha = %s where id = %s", (b"{", decidida.id))
    assert not (await product.autorizacoes.conferir(scope, str(decidida.id))).confere


async def test_a_decision_that_does_not_exist_is_told_so(product: Product, scope: Scope) -> None:
    for referencia in ("P-404", "0199e7a0-0000-7000-8000-000000000000"):
        with pytest.raises(AutorizacaoNotFound):
            await product.autorizacoes.conferir(scope, referencia)


async def test_a_field_table_holds_from_its_definition_on(product: Product, scope: Scope) -> None:
    antes = (await product.autorizacoes.decidir(scope, raw(pedido_id=None, nroSol="S-1"))).autorizacao
    await product.politicas.definir_campos(scope, "ADM-1", {"nroSol": "pedido_id"})
    depois = (await product.autorizacoes.decidir(scope, raw(pedido_id=None, nroSol="S-1"))).autorizacao
    assert (antes.pedido_id, depois.pedido_id) == (None, "S-1")
    assert (await product.autorizacoes.conferir(scope, str(antes.id))).confere
