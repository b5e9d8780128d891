"""What a configured model can do is counted, bounded and priced; without one nothing is claimed."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from bench.linhas import Linha
from evals.__main__ import EXEMPLOS
from evals.clinicas import SEM_METAS
from evals.modelo import conversations, measure, scoring, shadow, spread, with_model
from evals.ouro import RECEBIDO_EM

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Question
from crivo.kernel.settings import load_settings
from crivo.kernel.tenancy import Scope
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.avaliacao.simulado import answer_criterio
from modelo_de_autorizacoes import as_the_code
from modelo_falso import ModeloFalso

DONO = Scope("local", "evals")
POLITICA: dict[str, Any] = {
    "administradora_id": "ADM-1",
    "documento": "Manual",
    "versao": "1",
    "vigencia_inicio": "2026-01-01",
    "vigencia_fim": "2026-12-31",
    "regras": [{"regra_id": "R-1", "codigo": "41101014", "cobertura": "COBERTA"}],
}
PEDIDO: dict[str, Any] = {
    "pedido_id": "P-1",
    "administradora_id": "ADM-1",
    "plano_id": "PRATA",
    "data_pedido": "2026-10-05",
    "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "41101014", "quantidade": 1},
}
TRABALHADOS = json.dumps({"politicas": [POLITICA], "casos": [{"caso": "um", "pedido": PEDIDO, "esperado": {}}]}).encode()


def graded(question: Question[Any]) -> Any:
    """Grades as the simulated model does, and does nothing else."""
    return answer_criterio(render(question.partes, question.nonce)) if question.resposta is RespostaCriterio else "fora_do_ar"


def by_name(linhas: list[Linha]) -> dict[str, Linha]:
    return {linha.linha: linha for linha in linhas}


def test_without_a_model_one_row_says_that_nothing_was_measured_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for modelo, why in (("", "nenhum modelo está configurado"), ("simulado", "nenhum modelo está configurado")):
        monkeypatch.setenv("CRIVO_MODELO", modelo)
        (linha,) = with_model(load_settings(None), EXEMPLOS)
        assert (linha.execucoes, linha.alcancada, linha.par) == (0, None, None)
        assert linha.nota.startswith(f"Não foi medido: {why}")


def test_a_model_without_its_key_is_not_measured_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_MODELO", "openai:gpt-5")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (linha,) = with_model(load_settings(None), EXEMPLOS)
    assert "openai:gpt-5 não respondeu (sem_chave)" in linha.nota


async def test_notas_of_a_model_are_counted_with_their_evidence_and_how_near_their_readings_are() -> None:
    modelo = ModeloFalso(graded)
    rows = by_name(await scoring(modelo, DONO, 1))
    criterios = rows["avaliação: critérios com nota"]
    assert criterios.nosso == criterios.par == rows["avaliação: leituras da mesma nota que concordam"].nosso
    assert rows["avaliação: notas com citação encontrada no projeto"].razao == 1
    assert {question.amostra for question in modelo.perguntas} == {0, 1, 2}


async def test_each_agent_is_held_against_the_code_and_one_without_an_answer_is_in_no_rate() -> None:
    fluxo = Fluxo(Catalogo.of([msgspec.convert(POLITICA, Politica)]))
    as_code = as_the_code(fluxo.decide(json.dumps(PEDIDO).encode(), RECEBIDO_EM), {"parametros.consulta_pronta": False})
    modelo = ModeloFalso(lambda question: "recusou" if question.agente == "autorizacoes.consulta" else as_code(question))
    rows = by_name(await shadow(modelo, DONO, TRABALHADOS))
    textos = rows.pop("sombra: textos que passam na conferência")
    counted = {nome: (linha.nosso, linha.execucoes) for nome, linha in rows.items()}
    assert counted == {
        "sombra, normalizacao: respostas inteiras": (1, 1),
        "sombra, parametros: respostas inteiras": (0, 1),
        "sombra, consulta: respostas inteiras": (0, 0),
        "sombra, avaliacao: respostas inteiras": (1, 1),
        "sombra, ajustes: respostas inteiras": (0, 0),
        "sombra, sintese: respostas inteiras": (1, 1),
    }
    assert (textos.nosso, textos.execucoes) == (3, 3)
    assert "1 de 1 sem resposta" in rows["sombra, consulta: respostas inteiras"].nota


async def test_conversations_come_out_right_although_the_model_is_away_and_none_of_it_is_called_its_own() -> None:
    linhas = await conversations(ModeloFalso(lambda _: "fora_do_ar"), DONO, 2)
    rows = by_name(linhas)
    assert rows["clínicas, planejadas pelo modelo: plan_accuracy"].razao == 1
    assert rows["conversas: turnos planejados pelo modelo"].nosso == 0
    assert rows["conversas: textos do modelo que passam"].nosso == 0
    assert all(linha.meta is None for linha in linhas)
    assert set(SEM_METAS.values()) == {None}


async def test_no_more_is_asked_than_the_bound_and_the_last_row_tells_what_it_took() -> None:
    modelo = ModeloFalso(graded, custo=None)
    *_, taken = await measure(modelo, DONO, None, conversas=0, projetos=1, most=5)
    assert taken.execucoes == 5
    assert (taken.nosso, taken.unidade) == (0, "US$")
    assert "5 perguntas de no máximo 5" in taken.nota
    assert "5 sem preço conhecido" in taken.nota


async def test_what_is_counted_is_what_was_paid() -> None:
    *_, taken = await measure(ModeloFalso(graded, custo=Decimal("0.02")), DONO, None, conversas=0, projetos=1)
    assert taken.nosso == pytest.approx(0.02 * taken.execucoes)
    assert f"{120 * taken.execucoes} tokens." in taken.nota


def test_cases_are_taken_at_even_distances() -> None:
    assert spread(list(range(10)), 5) == [0, 2, 4, 6, 8]
    assert spread([1, 2], 3) == [1, 2]
    assert spread([], 3) == []
