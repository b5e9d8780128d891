"""The sets of the three applications over a recording: the same answers have the same score, byte for byte, and two stand side by side."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crivo.autorizacoes.modelo.textos import TextosSintese
from crivo.gravadas.autorizacoes import Casos, sample, shadowed, worked
from crivo.gravadas.clinicas import talked
from crivo.gravadas.comparacao import compare
from crivo.gravadas.figura import svg
from crivo.gravadas.medidas import Parte, spread
from crivo.gravadas.modelo import Gravacao
from crivo.gravadas.placar import Placar, measure, score_of, total_cost
from crivo.gravadas.registro import Manifesto, Tamanho, begin, encoded, open_pasta
from crivo.kernel.llm.forma import answer_schema
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Modelo, Question, Reply, T
from crivo.kernel.tenancy import Scope
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.avaliacao.simulado import answer_criterio
from modelo_de_autorizacoes import as_the_code
from modelo_falso import ModeloFalso, Responde
from provedor.esquema import fill

DONO = Scope("local", "teste")
TAMANHO = Tamanho(2, 1, 0, 1)


def filled(question: Question[Any]) -> Any:
    """Grades as the simulated model does, and writes prose that says nothing in every other field."""
    if question.resposta is RespostaCriterio:
        return answer_criterio(render(question.partes, question.nonce))
    resposta: Any = question.resposta
    return fill(answer_schema(resposta))


async def recorded(folder: Path, modelo: Modelo, most: int = 400, tamanho: Tamanho = TAMANHO) -> tuple[Placar, Gravacao]:
    manifesto = Manifesto(modelo.nome, False, most, tamanho, datetime(2026, 11, 28, tzinfo=UTC))
    pasta = begin(folder, manifesto)
    gravacao = Gravacao(pasta, modelo, most)
    placar = await measure(gravacao, pasta, DONO, tamanho)
    pasta.keep_score(placar)
    return placar, gravacao


async def replayed(folder: Path) -> Placar:
    pasta = open_pasta(folder)
    return await measure(Gravacao(pasta), pasta, DONO, pasta.manifesto.tamanho)


def figures(placar: Placar) -> dict[str, Parte]:
    return {f"{medida.area}: {medida.nome}": medida.parte for medida in placar.medidas}


class Morto(Exception):
    """The process ends here."""


class Parado(ModeloFalso):
    """Is killed after so many questions."""

    def __init__(self, responde: Responde, after: int) -> None:
        super().__init__(responde)
        self._after = after

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        if len(self.perguntas) >= self._after:
            raise Morto
        return await super().ask(scope, question, origem)


@dataclass(frozen=True)
class Inteira:
    """A recording that nothing stopped."""

    folder: Path
    placar: Placar
    modelo: ModeloFalso


@pytest.fixture(scope="module")
def inteira(tmp_path_factory: pytest.TempPathFactory) -> Inteira:
    folder, modelo = tmp_path_factory.mktemp("gravadas") / "inteira", ModeloFalso(filled)
    placar, _ = asyncio.run(recorded(folder, modelo))
    return Inteira(folder, placar, modelo)


async def test_what_was_recorded_has_the_same_score_when_it_is_replayed_byte_for_byte(inteira: Inteira) -> None:
    placar = inteira.placar
    assert encoded(await replayed(inteira.folder)) == (inteira.folder / "placar.json").read_bytes()
    assert score_of(open_pasta(inteira.folder)) == placar
    found = figures(placar)
    assert found["triagem: critérios com nota"].certos == found["triagem: leituras que concordam"].certos == 4
    assert found["triagem: notas com citação encontrada"] == Parte(4, 4)
    assert found["redacao: textos que chegam à pessoa"].total > 0
    assert found["sombra: respostas inteiras de parametros"] == Parte(0, 1)
    assert {agente.agente.partition(".")[0] for agente in placar.agentes} == {"autorizacoes", "triagem"}
    assert total_cost(placar)[0] == Decimal("0.01") * sum(agente.perguntas for agente in placar.agentes)


async def test_killed_in_the_middle_it_goes_on_and_ends_as_if_nothing_had_been(inteira: Inteira, tmp_path: Path) -> None:
    with pytest.raises(Morto):
        await recorded(tmp_path / "parada", Parado(filled, 9))
    before = len(open_pasta(tmp_path / "parada").gravadas)
    rest = ModeloFalso(filled)
    again, _ = await recorded(tmp_path / "parada", rest)
    assert figures(again) == figures(inteira.placar)
    assert before > 0
    assert len({question.partes for question in rest.perguntas}) < len({question.partes for question in inteira.modelo.perguntas})
    assert len(open_pasta(tmp_path / "parada").gravadas) == len(open_pasta(inteira.folder).gravadas)


async def test_a_bound_that_was_reached_is_told_and_is_the_same_when_it_is_replayed(tmp_path: Path) -> None:
    modelo = ModeloFalso(filled, custo=None)
    placar, gravacao = await recorded(tmp_path / "g", modelo, most=5, tamanho=Tamanho(3, 1, 0, 0))
    assert len(gravacao.contas.feitas) == 5
    assert sum(placar.nao_sabido.sem_resposta.values()) > 0
    assert total_cost(placar) == (Decimal(0), 5)
    assert encoded(await replayed(tmp_path / "g")) == encoded(placar)


async def test_two_models_stand_side_by_side_with_what_is_better_beyond_the_counts(inteira: Inteira, tmp_path: Path) -> None:
    class Outro(ModeloFalso):
        nome = "falso:dois"

    casos = sample()
    as_code = [as_the_code(casos.fluxo.decide(pedido, datetime(2026, 11, 20, tzinfo=UTC).date())) for pedido in casos.pedidos]
    other, _ = await recorded(tmp_path / "dois", Outro(by_the_code(casos, as_code), custo=Decimal("0.03")))
    found = compare(inteira.placar, other)
    by_name = {f"{par.area}: {par.nome}": par for par in found.medidas}
    assert found.modelos == ("falso:um", "falso:dois")
    assert by_name["sombra: campos iguais aos do código"].melhor == "segunda"
    assert by_name["triagem: critérios com nota"].melhor is None
    assert found.custo[1] > found.custo[0]
    drawn = svg(found)
    assert drawn.startswith("<svg")
    assert "falso:dois" in drawn
    assert "campos iguais aos do código" in drawn


def by_the_code(casos: Casos, as_code: list[Callable[[Question[Any]], Any]]) -> Responde:
    """Answers with the code's own words, of whichever pedido is asked about; grades as the simulated model does."""

    def responde(question: Question[Any]) -> Any:
        if question.resposta is RespostaCriterio:
            return filled(question)
        shown = render(question.partes, "n")
        for pedido, answer in zip(casos.pedidos, as_code, strict=True):
            named = msgspec.json.decode(pedido).get("pedido_id")
            if named and str(named) in shown:
                said = answer(question)
                return {"mensagens": said["mensagens"]} if question.resposta is TextosSintese else said
        return "recusou"

    return responde


async def test_an_agent_without_an_answer_is_in_no_rate() -> None:
    """Of worked cases too: what has no answer is told apart, by its reason."""
    caso = {"politicas": [], "casos": [{"caso": "um", "pedido": {"pedido_id": "P-1"}, "esperado": {}}]}
    medidas, campos = await shadowed(ModeloFalso(lambda _: "recusou"), DONO, worked(json.dumps(caso).encode()), 1, lambda: None)
    assert all(medida.parte.total == 0 for medida in medidas)
    assert campos == {}
    assert "1 de 1 sem resposta" in medidas[0].nota


async def test_conversations_come_out_right_although_the_model_is_away_and_none_of_it_is_called_its_own() -> None:
    medidas = await talked(ModeloFalso(lambda _: "fora_do_ar"), DONO, 2, lambda: None)
    found = {medida.nome: medida for medida in medidas}
    assert found["Planos iguais ao esperado"].parte.taxa.valor == 1
    assert found["turnos planejados pelo modelo"].parte.certos == 0
    assert found["textos do modelo que chegam à pessoa"].parte.certos == 0
    assert found["HR, alucinação (R1)"].melhor == "menos"


def test_few_questions_are_for_texts_alone_and_the_simulated_model_only_grades() -> None:
    assert Tamanho.of(400) == Tamanho(30, 16, 25, 5)
    assert Tamanho.of(10) == Tamanho(1, 0, 0, 0)
    assert Tamanho.of(40, simulado=True) == Tamanho(0, 0, 0, 2)


def test_cases_are_taken_at_even_distances() -> None:
    assert spread(list(range(10)), 5) == [0, 2, 4, 6, 8]
    assert spread([1, 2], 3) == [1, 2]
    assert spread([], 3) == []
