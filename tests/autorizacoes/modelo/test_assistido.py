"""Decisions with texts by a model are stored once, paid once, hold when they are made again, and keep nobody waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from casa_de_autorizacoes import Casa
from casos import decide, pedido, regra
from crivo.autorizacoes.erros import ChaveReutilizada
from crivo.autorizacoes.storage import digest_of
from crivo.kernel.audit import verify_tenant
from crivo.kernel.llm.port import Question, Reply, T
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from modelo_de_autorizacoes import ModeloLento, as_the_code, of_writers
from modelo_falso import ModeloFalso

REGRA = regra(limite_quantidade=2)
PEDIDO = pedido(procedimento__quantidade=3)
BOM = "Boa notícia, com um limite: das 3 unidades do seu pedido, aprovamos 2, que é o máximo que o plano cobre."
PARA_O_BENEFICIARIO = {"sintese.mensagens.para_beneficiario": BOM}
Casas = Callable[..., Casa]


def raw(**changes: Any) -> bytes:
    return json.dumps({**PEDIDO, **changes}).encode()


def falso(textos: dict[str, Any] | None = None) -> ModeloFalso:
    return ModeloFalso(as_the_code(decide(PEDIDO, REGRA), PARA_O_BENEFICIARIO if textos is None else textos))


async def test_the_texts_are_stored_with_the_decision_and_its_audit_entry(casa: Casas, scope: Scope) -> None:
    assistida = casa(falso(), "assistido")
    await assistida.publish(scope, REGRA)
    decidida = (await assistida.autorizacoes.decidir(scope, raw())).autorizacao
    assert json.loads(decidida.decisao)["mensagens"]["para_beneficiario"] == BOM
    trilha = json.loads((await assistida.autorizacoes.obter(scope, decidida.id)).trilha)
    assert trilha["escritas"][0]["campos"]["mensagens.para_beneficiario"] == {"autor": "modelo"}
    async with assistida.database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()


async def test_what_decides_is_the_same_with_a_model_and_without(casa: Casas, scope: Scope) -> None:
    assistida, sozinha = casa(falso(), "assistido"), casa()
    await assistida.publish(scope, REGRA)
    one = json.loads((await assistida.autorizacoes.decidir(scope, raw())).autorizacao.decisao)
    other = json.loads((await sozinha.autorizacoes.decidir(scope, raw())).autorizacao.decisao)
    assert one.pop("mensagens") != other.pop("mensagens")
    assert one == other


async def test_without_a_model_the_mode_is_the_code(casa: Casas, scope: Scope) -> None:
    sem_modelo, sozinha = casa(None, "assistido"), casa()
    await sozinha.publish(scope, REGRA)
    one = (await sem_modelo.autorizacoes.decidir(scope, raw())).autorizacao
    assert one.decisao == (await sozinha.autorizacoes.decidir(scope, raw())).autorizacao.decisao
    assert "escritas" not in json.loads(one.trilha)


async def test_a_repeated_key_is_not_paid_again(casa: Casas, scope: Scope) -> None:
    modelo = falso()
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    first = await assistida.autorizacoes.decidir(scope, raw(), "chave-1")
    again = await assistida.autorizacoes.decidir(scope, raw(), "chave-1")
    assert (again.repetida, again.autorizacao) == (True, first.autorizacao)
    assert len(of_writers(modelo)) == 1
    with pytest.raises(ChaveReutilizada):
        await assistida.autorizacoes.decidir(scope, raw(pedido_id="P-2"), "chave-1")
    assert len(of_writers(modelo)) == 1


async def test_a_key_sent_many_times_while_it_is_being_written_is_paid_once(casa: Casas, scope: Scope) -> None:
    modelo = ModeloLento(as_the_code(decide(PEDIDO, REGRA)))
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    sending = [asyncio.create_task(assistida.autorizacoes.decidir(scope, raw(), "chave-1")) for _ in range(10)]
    await modelo.until(1)
    modelo.solto.set()
    answers = await asyncio.gather(*sending)
    assert len({answer.autorizacao.id for answer in answers}) == 1
    assert sum(not answer.repetida for answer in answers) == 1
    assert len(of_writers(modelo)) == 1


async def test_slow_texts_of_many_pedidos_keep_no_other_decision_waiting(casa: Casas, scope: Scope) -> None:
    modelo = ModeloLento(as_the_code(decide(PEDIDO, REGRA)))
    lenta, rapida = casa(modelo, "assistido"), casa()
    await rapida.publish(scope, REGRA)
    sending = [asyncio.create_task(lenta.autorizacoes.decidir(scope, raw(pedido_id=f"P-{n}"))) for n in range(64)]
    await modelo.until(64)
    other = (await rapida.autorizacoes.decidir(scope, raw(pedido_id="P-outro"))).autorizacao
    assert [item.id for item in (await rapida.autorizacoes.listar(scope)).itens] == [other.id]
    assert not any(task.done() for task in sending)
    modelo.solto.set()
    await asyncio.gather(*sending)
    assert len((await rapida.autorizacoes.listar(scope, limite=200)).itens) == 65


async def test_a_decision_is_stored_under_the_rules_that_took_it(casa: Casas, scope: Scope) -> None:
    modelo = ModeloLento(as_the_code(decide(PEDIDO, REGRA)))
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    sending = asyncio.create_task(assistida.autorizacoes.decidir(scope, raw()))
    await modelo.until(1)
    await assistida.publish(scope, regra(cobertura="NAO_COBERTA"), versao="3.0", vigencia_inicio="2026-02-01")
    modelo.solto.set()
    decidida = (await sending).autorizacao
    assert decidida.decisao_final == "APROVADO_PARCIAL"
    assert (await assistida.autorizacoes.conferir(scope, str(decidida.id))).confere


async def test_a_stored_text_by_a_model_is_taken_as_it_is_and_checked_again(casa: Casas, scope: Scope) -> None:
    modelo = falso()
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    decidida = (await assistida.autorizacoes.decidir(scope, raw())).autorizacao
    for one in (assistida, casa()):
        conferencia = await one.autorizacoes.conferir(scope, str(decidida.id))
        assert (conferencia.confere, conferencia.diferencas) == (True, ())
    assert len(of_writers(modelo)) == 1


async def test_a_stored_text_that_no_longer_stands_is_told(casa: Casas, scope: Scope, urls: Any) -> None:
    assistida = casa(falso(), "assistido")
    await assistida.publish(scope, REGRA)
    decidida = (await assistida.autorizacoes.decidir(scope, raw())).autorizacao
    before, after = b"aprovamos 2", b"aprovamos 7"
    decisao, trilha = decidida.decisao.replace(before, after), decidida.trilha.replace(before, after)
    assert decisao != decidida.decisao
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute(
            "update autorizacoes set trilha = %s, decisao = %s, digest = %s where id = %s",
            (trilha, decisao, digest_of(decidida.pedido, decisao, trilha), decidida.id),
        )
    conferencia = await assistida.autorizacoes.conferir(scope, str(decidida.id))
    assert not conferencia.confere
    assert [difference.campo for difference in conferencia.diferencas] == ["sintese.mensagens.para_beneficiario"]
    assert "aprovamos 7" in conferencia.diferencas[0].guardado


async def test_a_model_that_is_away_leaves_the_bytes_that_the_code_alone_stores(casa: Casas, scope: Scope) -> None:
    fora, sozinha = casa(ModeloFalso(lambda _: "fora_do_ar"), "assistido"), casa()
    await sozinha.publish(scope, REGRA)
    one = (await fora.autorizacoes.decidir(scope, raw())).autorizacao
    assert one.decisao == (await sozinha.autorizacoes.decidir(scope, raw())).autorizacao.decisao
    assert json.loads(one.trilha)["escritas"][0]["falha"] == "fora_do_ar"


async def test_a_caller_that_goes_away_stops_the_questions_and_frees_its_key(casa: Casas, scope: Scope) -> None:
    modelo = ModeloLento(as_the_code(decide(PEDIDO, REGRA)))
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    gone = asyncio.create_task(assistida.autorizacoes.decidir(scope, raw(), "chave-1"))
    await modelo.until(1)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    modelo.solto.set()
    assert not (await assistida.autorizacoes.decidir(scope, raw(), "chave-1")).repetida


class Anotado(ModeloFalso):
    """Keeps what each question was paid for."""

    def __init__(self) -> None:
        super().__init__(as_the_code(decide(PEDIDO, REGRA), PARA_O_BENEFICIARIO))
        self.origens: set[str] = set()

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        self.origens.add(origem)
        return await super().ask(scope, question, origem)


async def test_what_a_model_is_asked_for_a_decision_is_paid_for_that_decision(casa: Casas, scope: Scope) -> None:
    modelo = Anotado()
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    decididas = [(await assistida.autorizacoes.decidir(scope, raw(pedido_id=f"P-{number}"))).autorizacao for number in range(2)]
    assert modelo.origens == {f"autorizacao:{one.id}" for one in decididas}
    assert (await assistida.autorizacoes.obter(scope, decididas[0].id)).id == decididas[0].id
