"""A second reading holds back a text that it can point at, no other, and lets every decision end as code took it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.acompanhamento import Acontecimento, Escrito
from crivo.autorizacoes.modelo.redator import Redator
from crivo.autorizacoes.modelo.segunda_leitura import AGENTE
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.llm.port import Dado, Falha, Question, Reply, T
from crivo.kernel.tenancy import Scope
from crivo.web.pages.autorizacoes.etapas import etapas_vistas
from modelo_de_autorizacoes import as_the_code, dados
from modelo_falso import ModeloFalso

SCOPE = Scope("local", "teste")
BY_CODE = decide(pedido(procedimento__quantidade=3, procedimento__descricao="Ressonância magnética"), regra(limite_quantidade=2))
CAMPO = "mensagens.para_beneficiario"
BOM = "Boa notícia: das 3 ressonâncias que você pediu, 2 foram aprovadas."


def reader(*answers: dict[str, Any] | Falha) -> ModeloFalso:
    """A model that writes as the code, but for one message, and reads so: one answer after the other, the last one for ever."""
    writes = as_the_code(BY_CODE, {f"sintese.{CAMPO}": BOM})
    left = list(answers)

    def responde(question: Question[Any]) -> Any:
        return writes(question) if question.agente != AGENTE else left.pop(0) if len(left) > 1 else left[0]

    return ModeloFalso(responde)


def alarm(trecho: str, tipo: str = "contradiz", campo: str = CAMPO) -> dict[str, Any]:
    return {"alarmes": [{"campo": campo, "trecho": trecho, "tipo": tipo}]}


def readings(modelo: ModeloFalso) -> list[Question[Any]]:
    return [question for question in modelo.perguntas if question.agente == AGENTE]


async def read(modelo: ModeloFalso, **more: Any) -> Trilha:
    return await Redator(modelo, **more).escrever(SCOPE, BY_CODE)


async def test_a_text_with_a_passage_that_the_data_do_not_bear_out_falls_back_to_the_codes() -> None:
    happened: list[Acontecimento] = []
    modelo = reader(alarm("BOA  notícia"))
    trilha = await Redator(modelo).escrever(SCOPE, BY_CODE, happened.append)
    assert trilha.decisao() == BY_CODE.decisao()
    (escrita,) = trilha.escritas
    assert (escrita.campos[CAMPO].autor, escrita.campos[CAMPO].falhas) == ("codigo", ("segunda_leitura",))
    assert escrita.campos["mensagens.para_solicitante"].autor == "modelo"
    assert msgspec.json.decode(trilha.autoria)["sintese"][CAMPO] == "codigo"
    assert trilha.leitura is not None
    assert [(one.campo, one.tipo) for one in trilha.leitura.alarmes] == [(CAMPO, "contradiz")]
    assert (trilha.leitura.falha, trilha.leitura.tokens_entrada, str(trilha.leitura.custo)) == (None, 100, "0.01")
    assert happened[-1] == Escrito("sintese", CAMPO, escrita.campos[CAMPO].autor, ("segunda_leitura",), None)
    assert len(readings(modelo)) == 1


async def test_an_alarm_whose_passage_is_not_there_is_told_once_and_then_counts_for_nothing() -> None:
    modelo = reader(alarm("cinco foram aprovadas"))
    trilha = await read(modelo)
    assert trilha.etapas.sintese.mensagens.para_beneficiario == BOM
    assert trilha.leitura is not None
    assert trilha.leitura.alarmes == ()
    first, second = readings(modelo)
    assert first is second
    told = first.conferir(msgspec.convert(alarm("cinco foram aprovadas"), first.resposta)) if first.conferir else None
    assert told is not None
    assert "“cinco foram aprovadas” não está neste texto" in told


@pytest.mark.parametrize(
    "wrong",
    [alarm("foram aprovadas", "omite"), alarm("foram aprovadas", campo="resumo_efeito"), alarm("2"), alarm("prazo de 90 dias", "omite")],
)
async def test_an_alarm_that_contradicts_what_it_points_at_is_told_once_and_may_be_mended(wrong: dict[str, Any]) -> None:
    modelo = reader(wrong, {"alarmes": []})
    trilha = await read(modelo)
    assert trilha.etapas.sintese.mensagens.para_beneficiario == BOM
    assert len(readings(modelo)) == 2
    mended = await read(reader(wrong, alarm("2 foram aprovadas")))
    assert mended.etapas.sintese.mensagens.para_beneficiario != BOM


async def test_what_a_text_leaves_out_is_pointed_at_in_the_data() -> None:
    modelo = reader(alarm('"limite_quantidade": 2', "omite"))
    trilha = await read(modelo)
    assert trilha.escritas[0].campos[CAMPO].falhas == ("segunda_leitura",)
    assert len(readings(modelo)) == 1


@pytest.mark.parametrize("falha", ["fora_do_ar", "limite_de_uso", "ilegivel", "fora_do_formato", "recusou", "orcamento"])
async def test_where_nobody_could_read_the_texts_stand_and_the_trail_says_so(falha: Falha) -> None:
    trilha = await read(reader(falha))
    assert trilha.etapas.sintese.mensagens.para_beneficiario == BOM
    assert trilha.leitura is not None
    assert (trilha.leitura.falha, trilha.leitura.alarmes) == (falha, ())
    told = dict(etapas_vistas(trilha)[-1].pergunta)["Segunda leitura"]
    assert told.startswith("não foi feita")


async def test_a_reading_that_is_late_is_not_waited_for() -> None:
    class LeituraLenta(ModeloFalso):
        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            if question.agente == AGENTE:
                await asyncio.Event().wait()
            return await super().ask(scope, question, origem)

    trilha = await read(LeituraLenta(as_the_code(BY_CODE)), prazo_seconds=0.2)
    assert trilha.leitura is not None
    assert trilha.leitura.falha == "demorou"
    assert {campo.autor for campo in trilha.escritas[0].campos.values()} == {"modelo"}


async def test_what_code_dropped_is_not_read_and_where_nothing_is_left_nobody_is_asked() -> None:
    half = ModeloFalso(as_the_code(BY_CODE, {f"sintese.{CAMPO}": "O seu pedido foi negado."}))
    await read(half)
    (question,) = readings(half)
    assert list(json.loads(dados(question)["textos"])) == ["mensagens.para_solicitante"]
    none = ModeloFalso(lambda _: "fora_do_ar")
    assert (await read(none)).leitura is None
    assert readings(none) == []


async def test_a_simulated_model_is_not_asked() -> None:
    modelo = ModeloFalso(as_the_code(BY_CODE), simulado=True)
    assert (await read(modelo)).leitura is None
    assert readings(modelo) == []


async def test_the_reader_sees_what_the_writers_saw_and_nothing_private() -> None:
    sent = pedido(beneficiario__id="CART-998877", beneficiario__preexistencias=["lombalgia"], nomeDaMae="Ana", procedimento__quantidade=3)
    by_code = decide(sent, regra(limite_quantidade=2, documentos_obrigatorios=["LAUDO_MEDICO"]))
    modelo = ModeloFalso(as_the_code(by_code))
    await Redator(modelo).escrever(SCOPE, by_code)
    (question,) = readings(modelo)
    seen = {parte.texto for one in modelo.perguntas if one.agente != AGENTE for parte in one.partes if isinstance(parte, Dado)}
    shown = dados(question)
    assert {"normalizacao", "consulta", "avaliacao", "ajustes", "efeito", "documentos", "rascunho", "textos"} == set(shown)
    assert {texto for rotulo, texto in shown.items() if rotulo != "textos"} <= seen
    assert not any(private in "".join(shown.values()) for private in ("CART-998877", "lombalgia", "Ana"))
    assert question.temperatura == 0.0


async def test_a_trail_of_before_is_read_and_one_that_nobody_read_twice_says_nothing_of_it() -> None:
    assert "leitura" not in json.loads(BY_CODE.encode())
    assert msgspec.json.decode(BY_CODE.encode(), type=Trilha).leitura is None
    trilha = await read(reader({"alarmes": []}))
    again = msgspec.json.decode(trilha.encode(), type=Trilha)
    assert again == trilha
    assert "nada a apontar" in dict(etapas_vistas(again)[-1].pergunta)["Segunda leitura"]
