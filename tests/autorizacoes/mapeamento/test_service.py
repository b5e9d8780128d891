"""A published mapping reads what comes in; what it read is made again by it, whatever was published since."""

from __future__ import annotations

import asyncio
import json
from time import perf_counter
from typing import Any

import pytest

from casa_de_autorizacoes import NOW, Casa
from casos import CODIGO, pedido, regra
from crivo.autorizacoes.erros import ChaveReutilizada
from crivo.autorizacoes.leitura import JsonInvalido, PedidoIlegivel
from crivo.autorizacoes.lote import Rows, decide_line
from crivo.autorizacoes.mapeamento.efeito import effect_in_words
from crivo.autorizacoes.mapeamento.entrada import ForaDoFormato, FormatoAmbiguo, FormatoNaoReconhecido, VariosPedidos
from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado
from crivo.autorizacoes.mapeamento.service import (
    FormatoNaoPublicavel,
    Formatos,
    PublicacaoDeFormatoMudou,
    ReconhecimentoRepetido,
)
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import today
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

MAPA: dict[str, Any] = {
    "mapeamento": "acme",
    "administradora": "ADM-1",
    "reconhecer": {"$.de": "ACME"},
    "itens": "$.servicos[*]",
    "campos": {
        "pedido_id": "$.n",
        "plano_id": {"valor": "PRATA"},
        "data_pedido": "$.quando",
        "beneficiario.id": "$.quem.cartao",
        "beneficiario.idade": "$.quem.idade",
        "beneficiario.carencia_cumprida_dias": {"valor": 400},
        "procedimento.codigo": "$item.cod",
        "procedimento.tabela": {"valor": "TUSS"},
        "procedimento.quantidade": "$item.q",
        "prestador.tipo": {"valor": "CREDENCIADO"},
    },
}
QUEM = {"cartao": "B-1", "idade": 50, "cpf": "529.982.247-25"}


def body(*quantidades: int, **changes: Any) -> bytes:
    servicos = [{"cod": CODIGO, "q": quantidade} for quantidade in quantidades]
    return json.dumps({"de": "ACME", "n": "G-1", "quando": "2026-10-05", "quem": QUEM, "servicos": servicos, **changes}).encode()


def mapa(**changes: Any) -> bytes:
    return json.dumps({**MAPA, **changes}).encode()


class Product(Casa):
    """The use cases of authorizations with mappings."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.formatos = Formatos(database, Vigentes(), NOW, Uuid7(NOW).new)

    async def map(self, scope: Scope, raw: bytes) -> FormatoGuardado:
        """A mapping, published."""
        return await self.formatos.publicar(scope, (await self.formatos.importar(scope, raw)).formato.id)

    async def decided(self, scope: Scope, raw: bytes, chave: str | None = None) -> list[tuple[str | None, str]]:
        return [(one.autorizacao.pedido_id, one.autorizacao.decisao_final) for one in await self.autorizacoes.receber(scope, raw, chave)]


@pytest.fixture
async def product(database: Database, scope: Scope) -> Product:
    made = Product(database)
    await made.publish(scope, regra(limite_quantidade=2, documentos_obrigatorios=[]))
    await made.map(scope, mapa())
    return made


async def test_a_body_is_decided_by_item_and_each_is_made_again_under_what_was_published_then(product: Product, scope: Scope) -> None:
    assert await product.decided(scope, body(1, 3)) == [("G-1-1", "APROVADO"), ("G-1-2", "APROVADO_PARCIAL")]
    await product.map(scope, mapa(campos={**MAPA["campos"], "procedimento.quantidade": {"valor": 9}}))
    assert await product.decided(scope, body(1, n="G-2")) == [("G-2", "APROVADO_PARCIAL")]
    for numero in ("G-1-1", "G-1-2", "G-2"):
        assert (await product.autorizacoes.conferir(scope, numero)).confere
    formato = json.loads((await product.autorizacoes.conferir(scope, "G-1-2")).autorizacao.trilha)["formato"]
    assert (formato["mapeamento"], formato["versao"], formato["item"], formato["itens"]) == ("acme", 1, 2, 2)
    assert formato["origem"]["procedimento.quantidade"] == "$.servicos[1].q"
    async with product.database.unit_of_work(scope) as uow:
        assert not (await verify_tenant(uow)).quebras


async def test_pedidos_of_one_body_count_against_each_other_where_a_regra_limits_by_period(database: Database, scope: Scope) -> None:
    product = Product(database)
    await product.publish(scope, regra(limites=[{"quantidade": 2, "periodo_dias": 365}]))
    await product.map(scope, mapa())
    outcomes = [final for _, final in await product.decided(scope, body(1, 1, 1), "k")]
    assert outcomes == ["APROVADO", "APROVADO", "PENDENTE_AJUSTES"]
    for numero in ("G-1-1", "G-1-2", "G-1-3"):
        assert (await product.autorizacoes.conferir(scope, numero)).confere, numero


async def test_while_a_long_body_is_decided_the_others_are_served(database: Database, scope: Scope) -> None:
    """Twenty items that share a history of nineteen hundred uses: what takes seconds is done beside the loop, and the history read once."""
    product = Product(database)
    await product.publish(scope, regra(limites=[{"quantidade": 4_000, "periodo_dias": 365}]))
    historico = {"de": "$.usos[*]", "codigo": "@.c", "data": "@.d", "quantidade": "@.q"}
    await product.map(scope, mapa(campos={**MAPA["campos"], "historico": historico}))
    longest, done = 0.0, False

    async def wait_for_turns() -> None:
        nonlocal longest
        while not done:
            began = perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, perf_counter() - began)

    others = asyncio.create_task(wait_for_turns())
    began = perf_counter()
    decided = await product.decided(scope, body(*[1] * 20, usos=[{"c": CODIGO, "d": "2026-09-01", "q": 1}] * 1_900))
    taken, done = perf_counter() - began, True
    await others
    assert {final for _, final in decided} == {"APROVADO"}
    assert longest < taken / 3


async def test_a_body_that_no_mapping_recognises_is_read_as_ever(product: Product, scope: Scope) -> None:
    plain = json.dumps(pedido()).encode()
    (decidida,) = await product.autorizacoes.receber(scope, plain)
    assert decidida.autorizacao.pedido == plain
    assert b'"formato"' not in decidida.autorizacao.trilha
    assert (await product.autorizacoes.conferir(scope, str(decidida.autorizacao.id))).confere


async def test_a_key_is_of_the_whole_body_and_brings_all_of_it_back(product: Product, scope: Scope) -> None:
    first = await product.autorizacoes.receber(scope, body(1, 2), "k")
    again = await product.autorizacoes.receber(scope, body(1, 2), "k")
    assert [one.autorizacao.id for one in again] == [one.autorizacao.id for one in first]
    assert all(one.repetida for one in again)
    with pytest.raises(ChaveReutilizada):
        await product.autorizacoes.receber(scope, body(1, 3), "k")


async def test_of_a_body_with_one_bad_item_nothing_is_stored(product: Product, scope: Scope) -> None:
    bad = json.loads(body(1, 2))
    bad["servicos"][1]["cod"] = {"x": 1}
    with pytest.raises(ForaDoFormato) as refused:
        await product.autorizacoes.receber(scope, json.dumps(bad).encode(), "k")
    assert [(one.codigo, one.caminho) for one in refused.value.problemas] == [("objeto_em_vez_de_valor", "$.servicos[1].cod")]
    bad["servicos"][1]["cod"] = True
    with pytest.raises(PedidoIlegivel) as refused_by_type:
        await product.autorizacoes.receber(scope, json.dumps(bad).encode(), "k")
    assert refused_by_type.value.problemas[0].caminho == "$.servicos[1].cod"
    assert (await product.autorizacoes.listar(scope)).itens == ()
    assert len(await product.decided(scope, body(1, 2), "k")) == 2, "the key was not spent"


async def test_where_one_pedido_alone_is_taken_several_are_refused(product: Product, scope: Scope) -> None:
    with pytest.raises(VariosPedidos):
        await product.autorizacoes.decidir(scope, body(1, 2))


async def test_of_items_that_are_about_different_people_each_keeps_its_own(product: Product, scope: Scope) -> None:
    campos = {**MAPA["campos"], "beneficiario.id": "$item.cartao", "beneficiario.idade": "$item.idade"}
    await product.map(scope, mapa(campos=campos))
    servicos = [{"cod": CODIGO, "q": 1, "cartao": cartao, "idade": 50} for cartao in ("ANA-1", "BIA-2")]
    decididas = await product.autorizacoes.receber(scope, body(servicos=servicos))
    for decidida, own, other in zip(decididas, ("ANA-1", "BIA-2"), ("BIA-2", "ANA-1"), strict=True):
        assert own.encode() in decidida.autorizacao.pedido
        assert other.encode() not in decidida.autorizacao.pedido + decidida.autorizacao.trilha
        assert (await product.autorizacoes.conferir(scope, str(decidida.autorizacao.id))).confere


async def test_xml_and_tables_are_decided_too(product: Product, scope: Scope) -> None:
    xml = b"<g><de>ACME</de><n>X-1</n><quando>2026-10-05</quando><quem><cartao>B</cartao><idade>50</idade></quem>"
    xml += f"<servicos><cod>{CODIGO}</cod><q>1</q></servicos></g>".encode()
    rooted = json.loads(json.dumps(MAPA).replace('"$.', '"$.g.'))
    await product.map(scope, mapa(**{**rooted, "mapeamento": "acme-xml"}))
    assert await product.decided(scope, xml) == [("X-1", "APROVADO")]
    flat = {
        nome: f"$.{nome.replace('.', '_')}" for nome in ("pedido_id", "beneficiario.id", "procedimento.quantidade", "procedimento.codigo")
    }
    campos = {**MAPA["campos"], **flat, "beneficiario.idade": {"valor": 50}, "data_pedido": {"valor": "2026-10-05"}}
    await product.map(scope, mapa(mapeamento="acme-csv", reconhecer={"$.sistema": "ACME"}, itens=None, campos=campos))
    head = "sistema;pedido_id;beneficiario_id;procedimento_codigo;procedimento_quantidade"
    table = f"{head}\nACME;T-1;ANA;{CODIGO};1\nACME;T-2;BIA;{CODIGO};3\n".encode()
    decididas = await product.autorizacoes.receber(scope, table)
    assert [one.autorizacao.decisao_final for one in decididas] == ["APROVADO", "APROVADO_PARCIAL"]
    assert b"BIA" not in decididas[0].autorizacao.pedido
    assert (await product.autorizacoes.conferir(scope, "T-2")).confere
    fluxo = await product.autorizacoes.vigente(scope)
    rows, lines = Rows(fluxo), table.splitlines()
    assert [rows.is_header(line) for line in lines] == [True, False, False]
    assert json.loads(decide_line(fluxo, rows.body(lines[2]), 3, today(NOW)))["pedido_id"] == "T-2"
    with pytest.raises(FormatoNaoReconhecido):
        await product.autorizacoes.receber(scope, b"<outro/>")


async def test_a_line_of_many_pedidos_has_one_result(product: Product, scope: Scope) -> None:
    result = json.loads(decide_line(await product.autorizacoes.vigente(scope), body(1, 3), 7, today(NOW)))
    assert (result["linha"], [one["decisao_final"] for one in result["decisoes"]]) == (7, ["APROVADO", "APROVADO_PARCIAL"])


async def test_two_that_recognise_the_same_are_refused_when_it_can_be_told_and_told_when_they_meet(product: Product, scope: Scope) -> None:
    narrower = (await product.formatos.importar(scope, mapa(mapeamento="outro", reconhecer={"$.de": "acme", "$.v": 2}))).formato
    assert (await product.formatos.previa(scope, narrower.id)).conflitos == ("acme",)
    with pytest.raises(ReconhecimentoRepetido, match="`acme`"):
        await product.formatos.publicar(scope, narrower.id)
    await product.map(scope, mapa(mapeamento="terceiro", reconhecer={"$.n": "G-9"}))
    with pytest.raises(FormatoAmbiguo, match="`acme`, `terceiro`"):
        await product.autorizacoes.receber(scope, body(1, n="G-9"))


async def test_a_mapping_is_a_draft_is_published_and_is_closed(product: Product, scope: Scope) -> None:
    (first,) = await product.formatos.listar(scope)
    assert not (await product.formatos.importar(scope, mapa())).mudou
    draft = (await product.formatos.importar(scope, mapa(itens="$.outros[*]"))).formato
    assert (draft.versao, draft.status) == (2, "rascunho")
    seen = await product.formatos.previa(scope, draft.id)
    assert [(one.lugar, one.antes, one.depois) for one in seen.mudancas] == [("itens", "$.servicos[*]", "$.outros[*]")]
    await product.formatos.importar(scope, mapa(itens="$.mais[*]"))
    with pytest.raises(PublicacaoDeFormatoMudou):
        await product.formatos.publicar(scope, draft.id, seen.confirmacao)
    await product.formatos.publicar(scope, draft.id)
    assert [(one.versao, one.status) for one in await product.formatos.listar(scope)] == [(2, "publicado"), (1, "encerrado")]
    with pytest.raises(FormatoNaoPublicavel):
        await product.formatos.publicar(scope, first.id)
    await product.formatos.encerrar(scope, draft.id, "Mudaram de sistema.")
    with pytest.raises(JsonInvalido):
        await product.autorizacoes.receber(scope, b"<g/>")


async def test_before_publishing_the_last_pedidos_that_the_version_before_read_are_read_by_the_new_one_too(
    product: Product, scope: Scope
) -> None:
    await product.decided(scope, body(1, 3))
    await product.decided(scope, body(1, n="G-2", canal="app"))
    await product.decided(scope, json.dumps(pedido(pedido_id="G-9")).encode())  # not read by any mapping
    campos = {**MAPA["campos"], "procedimento.quantidade": {"valor": 9}}
    draft = (await product.formatos.importar(scope, mapa(campos=campos, reconhecer={"$.de": "ACME", "$.canal": "app"}))).formato
    efeito = (await product.formatos.previa(scope, draft.id)).efeito
    assert efeito is not None
    assert (efeito.pedidos, efeito.leem, efeito.perdem, efeito.decidem) == (3, 1, 2, 1)
    assert efeito.campos == (("procedimento.quantidade", 1),)
    assert efeito.decisoes == ((("APROVADO", "APROVADO_PARCIAL"), 1),)
    sem_plano = {campo: de for campo, de in MAPA["campos"].items() if campo != "plano_id"}
    await product.formatos.importar(scope, mapa(campos=sem_plano))
    efeito = (await product.formatos.previa(scope, draft.id)).efeito
    assert efeito is not None
    assert (efeito.leem, efeito.perdem, efeito.passam_a_esperar, efeito.deixam_de_esperar) == (3, 0, 3, 0)
    assert effect_in_words(efeito, 1).startswith("Dos 3 últimos pedidos que a versão 1 leu, 3 seriam lidos de outro jeito; ")


async def test_the_preview_and_the_trial_do_not_hide_what_the_house_knows(database: Database, scope: Scope) -> None:
    """Where a regra limits by period, both sides would wait for a history, and a version that breaks everything changes nothing."""
    product = Product(database)
    await product.publish(scope, regra(limites=[{"quantidade": 2, "periodo_dias": 365}]))
    await product.map(scope, mapa())
    assert await product.decided(scope, body(1)) == [("G-1", "APROVADO")]
    assert await product.decided(scope, body(1, n="G-2")) == [("G-2", "APROVADO")]
    campos = {**MAPA["campos"], "procedimento.quantidade": "$item.nada"}
    draft = (await product.formatos.importar(scope, mapa(campos=campos))).formato
    efeito = (await product.formatos.previa(scope, draft.id)).efeito
    assert efeito is not None
    assert efeito.decisoes == ((("APROVADO", "PENDENTE_AJUSTES"), 2),)
    prova = (await product.formatos.testar(scope, mapa(), body(1, n="G-3"))).prova
    assert [(um.codigo, um.grave) for um in prova.problemas] == [("historico_da_casa_nao_visto", False)]
    await product.publish(scope, regra(), versao="3.0")
    assert (await product.formatos.testar(scope, mapa(), body(1, n="G-3"))).prova.problemas == ()


async def test_a_mapping_that_reads_the_same_otherwise_written_changes_nothing_and_a_first_one_has_nothing_to_be_held_against(
    product: Product, scope: Scope
) -> None:
    novo = (await product.formatos.importar(scope, mapa(mapeamento="outro", reconhecer={"$.de": "OUTRA"}))).formato
    assert (await product.formatos.previa(scope, novo.id)).efeito is None
    await product.decided(scope, body(1, 3))
    draft = (await product.formatos.importar(scope, mapa(campos={**MAPA["campos"], "pedido_id": {"de": "$['n']"}}))).formato
    efeito = (await product.formatos.previa(scope, draft.id)).efeito
    assert efeito is not None
    assert (efeito.pedidos, efeito.leem, efeito.perdem, efeito.decidem) == (2, 0, 0, 0)


async def test_a_mapping_that_would_recognise_what_another_one_read_of_late_is_refused_by_its_name(product: Product, scope: Scope) -> None:
    wide = (await product.formatos.importar(scope, mapa(mapeamento="largo", reconhecer={"$.n": "*"}))).formato
    assert (await product.formatos.previa(scope, wide.id)).conflitos == ()
    await product.decided(scope, body(1))
    assert (await product.formatos.previa(scope, wide.id)).conflitos == ("acme",)
    with pytest.raises(ReconhecimentoRepetido, match="`acme`"):
        await product.formatos.publicar(scope, wide.id)
    assert await product.decided(scope, body(1, n="G-2")) == [("G-2", "APROVADO")]
    narrow = (await product.formatos.importar(scope, mapa(mapeamento="largo", reconhecer={"$.outro": "*"}))).formato
    assert (await product.formatos.publicar(scope, narrow.id)).status == "publicado"


async def test_what_a_mapping_leaves_and_may_weigh_is_told_beside_the_decision(product: Product, scope: Scope) -> None:
    (told,) = await product.autorizacoes.receber(scope, body(1, SIT_FIN="INAD 45D", nota="auditar", cor="azul"))
    assert told.avisos == ("campo_nao_lido", "observacao_do_pedido_nao_lida")
    (plain,) = await product.autorizacoes.receber(scope, body(1, n="G-2", cor="azul"))
    assert plain.avisos == ()
