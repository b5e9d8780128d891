"""Whoever follows a pedido is told what happens as it happens, and can do the decision no harm."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from casa_de_autorizacoes import Casa
from casos import decide
from crivo.autorizacoes.acompanhamento import Acontecimento, DecididoPeloCodigo, Escrevendo, Escrito
from crivo.autorizacoes.agentes import SINTESE
from crivo.autorizacoes.modelo.redator import Redator
from crivo.kernel.agents.contract import Author
from crivo.kernel.llm.port import Question, Reply, T
from crivo.kernel.tenancy import Scope
from escrita_lenta import PEDIDO, REGRA, raw
from espera import dawdles
from modelo_de_autorizacoes import ModeloLento, as_the_code
from modelo_falso import ModeloFalso

Casas = Callable[..., Casa]
BY_CODE = decide(PEDIDO, REGRA)
TEXTOS = [
    *[("ajustes", f"ajustes_sugeridos[{position}].justificativa") for position in range(3)],
    ("ajustes", "resumo_efeito"),
    ("sintese", "mensagens.para_solicitante"),
    ("sintese", "mensagens.para_beneficiario"),
]


def falso(textos: dict[str, Any] | None = None) -> ModeloFalso:
    return ModeloFalso(as_the_code(BY_CODE, textos))


async def followed(casa: Casa, scope: Scope, chave: str | None = None) -> list[Acontecimento]:
    happened: list[Acontecimento] = []
    await casa.autorizacoes.decidir(scope, raw().encode(), chave, observador=happened.append)
    return happened


def settled(happened: list[Acontecimento]) -> list[Escrito]:
    return [one for one in happened if isinstance(one, Escrito)]


async def test_the_decision_is_told_first_and_then_each_text_when_it_is_asked_for_and_when_it_is_there(casa: Casas, scope: Scope) -> None:
    assistida = casa(falso(), "assistido")
    await assistida.publish(scope, REGRA)
    first, *later = await followed(assistida, scope)
    assert isinstance(first, DecididoPeloCodigo)
    assert first.trilha.decisao() == BY_CODE.decisao()
    assert first.trilha.escritas == ()
    assert later == [*(Escrevendo(*lugar) for lugar in TEXTOS), *(Escrito(*lugar, Author.MODEL) for lugar in TEXTOS)]


async def test_the_decision_is_told_while_its_texts_are_still_being_written(casa: Casas, scope: Scope) -> None:
    modelo = ModeloLento(as_the_code(BY_CODE))
    assistida = casa(modelo, "assistido")
    await assistida.publish(scope, REGRA)
    happened: list[Acontecimento] = []
    deciding = asyncio.create_task(assistida.autorizacoes.decidir(scope, raw().encode(), observador=happened.append))
    await modelo.until(2)
    assert isinstance(happened[0], DecididoPeloCodigo)
    assert settled(happened) == []
    assert (await assistida.autorizacoes.listar(scope)).itens == ()
    modelo.solto.set()
    decidida = (await deciding).autorizacao
    assert decidida.decisao_final == happened[0].trilha.etapas.sintese.decisao_final


async def test_a_text_that_is_there_first_is_told_first() -> None:
    class SinteseFirst(ModeloFalso):
        """Of the agents, the last one answers at once, and the others once it was told of."""

        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            if question.agente != SINTESE.name:
                await told.wait()
            return await super().ask(scope, question, origem)

    told = asyncio.Event()
    happened: list[Acontecimento] = []

    def observe(acontecimento: Acontecimento) -> None:
        happened.append(acontecimento)
        if isinstance(acontecimento, Escrito):
            told.set()

    trilha = await Redator(SinteseFirst(as_the_code(BY_CODE))).escrever(Scope("local", "teste"), BY_CODE, observe)
    assert [one.etapa for one in settled(happened)][:3] == ["sintese", "sintese", "ajustes"]
    assert [escrita.etapa for escrita in trilha.escritas] == ["ajustes", "sintese"]


async def test_a_text_that_was_dropped_is_told_with_the_reason(casa: Casas, scope: Scope) -> None:
    assistida = casa(falso({"sintese.mensagens.para_beneficiario": "Infelizmente, o seu pedido foi negado."}), "assistido")
    await assistida.publish(scope, REGRA)
    *others, last = settled(await followed(assistida, scope))
    assert {one.autor for one in others} == {Author.MODEL}
    assert (last.campo, last.autor, last.falha) == ("mensagens.para_beneficiario", Author.CODE, None)
    assert "resultado" in last.falhas


async def test_of_a_model_that_is_away_every_text_is_told_as_the_codes(casa: Casas, scope: Scope) -> None:
    fora = casa(ModeloFalso(lambda _: "fora_do_ar"), "assistido")
    await fora.publish(scope, REGRA)
    assert settled(await followed(fora, scope)) == [Escrito(*lugar, Author.CODE, falha="fora_do_ar") for lugar in TEXTOS]


async def test_what_is_not_there_by_the_deadline_is_told_as_the_codes() -> None:
    modelo = ModeloLento(as_the_code(BY_CODE))
    happened: list[Acontecimento] = []
    await Redator(modelo, prazo_seconds=0.01).escrever(Scope("local", "teste"), BY_CODE, happened.append)
    assert settled(happened) == [Escrito(*lugar, Author.CODE, falha="demorou") for lugar in TEXTOS]


async def test_with_code_alone_there_is_only_the_decision_to_tell(casa: Casas, scope: Scope) -> None:
    sozinha = casa()
    await sozinha.publish(scope, REGRA)
    (only,) = await followed(sozinha, scope)
    assert isinstance(only, DecididoPeloCodigo)
    assert only.trilha.decisao() == BY_CODE.decisao()
    assert not sozinha.autorizacoes.um_modelo_escreve


async def test_a_key_that_comes_again_is_told_by_its_answer_alone(casa: Casas, scope: Scope) -> None:
    assistida = casa(falso(), "assistido")
    await assistida.publish(scope, REGRA)
    assert await followed(assistida, scope, "chave-1")
    assert await followed(assistida, scope, "chave-1") == []


@pytest.mark.parametrize("modo", ["codigo", "assistido"])
async def test_an_observer_that_fails_at_everything_loses_no_decision(
    casa: Casas, scope: Scope, modo: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(acontecimento: Acontecimento) -> None:
        raise ValueError(str(acontecimento))

    installed = casa(falso(), modo)
    await installed.publish(scope, REGRA)
    deciding = [installed.autorizacoes.decidir(scope, raw(pedido_id=f"P-{number}").encode(), observador=fail) for number in range(5)]
    with caplog.at_level(logging.WARNING, "crivo"):
        alone, *_ = await asyncio.gather(installed.autorizacoes.decidir(scope, raw().encode()), *deciding)
    assert len((await installed.autorizacoes.listar(scope)).itens) == 6
    assert json.loads(alone.autorizacao.decisao) == json.loads(BY_CODE.decisao())
    assert {record.message for record in caplog.records} == {"observador_falhou"}


async def test_an_observer_that_is_slow_loses_no_decision_and_no_text(casa: Casas, scope: Scope) -> None:
    assistida = casa(falso(), "assistido")
    await assistida.publish(scope, REGRA)
    told = 0

    def dawdle(_: Acontecimento) -> None:
        nonlocal told
        dawdles(0.02)
        told += 1

    decidida = (await assistida.autorizacoes.decidir(scope, raw().encode(), observador=dawdle)).autorizacao
    assert told == 1 + 2 * len(TEXTOS)
    trilha = json.loads((await assistida.autorizacoes.obter(scope, decidida.id)).trilha)
    assert {campo["autor"] for escrita in trilha["escritas"] for campo in escrita["campos"].values()} == {"modelo"}
