"""The six contracts, as the PRD states them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from casos import HOJE, pedido, politica, regra
from crivo.autorizacoes import fluxo as fluxo_module
from crivo.autorizacoes.agentes import AGENTES, AJUSTES, AVALIACAO, SINTESE
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.kernel.agents.contract import Author
from crivo.kernel.agents.runner import Stage


def test_there_are_six_agents_in_the_order_of_the_source() -> None:
    """PRD 4: os seis agentes."""
    assert [agent.stage for agent in AGENTES] == ["normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"]


def test_model_and_temperature_are_the_sources() -> None:
    """PRD 1.3.3: GPT-5, 0.6."""
    assert {(agent.model.modelo, agent.model.temperatura) for agent in AGENTES} == {("GPT-5", 0.6)}


def test_budgets_are_the_sources() -> None:
    """PRD 1.3.1: número de caracteres esperado."""
    assert [(agent.budget.entrada_caracteres, agent.budget.saida_caracteres) for agent in AGENTES] == [
        (10_000, 3_000),
        (5_000, 2_000),
        (3_000, 2_500),
        (6_000, 3_000),
        (4_000, 2_500),
        (5_000, 3_000),
    ]


def test_each_agent_sees_the_answer_of_the_one_before_it() -> None:
    """PRD 1.3.5: visibilidade da resposta."""
    before = ["pedido", *(agent.stage for agent in AGENTES)]
    assert [before[position] in agent.sees for position, agent in enumerate(AGENTES)] == [True] * 6


def test_every_agent_has_a_prompt_in_portuguese_with_version_and_digest() -> None:
    """PRD 1.2: prompt ou instruções do agente."""
    prompts = [agent.prompt for agent in AGENTES]
    assert len({prompt.digest for prompt in prompts}) == 6
    assert all(prompt.versao.isdigit() and len(prompt.texto) > 500 for prompt in prompts)


def test_who_writes_only_the_texts_of_a_decision_is_told_nothing_of_how_to_decide() -> None:
    textos = {agent.stage: agent.prompt_textos for agent in AGENTES if agent.prompt_textos}
    assert set(textos) == {"ajustes", "sintese"}
    for agent in AGENTES:
        assert "rascunho" not in agent.prompt.texto, f"{agent.stage}: the whole answer has no draft"
    for prompt in textos.values():
        assert "`rascunho`" in prompt.texto
        assert not any(name in prompt.texto for name in ("acao_tipo", "impacto_conformidade", "decisao_final", "artefato_registro"))


def test_no_prompt_reaches_any_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """PRD 1.3.5: visibilidade das instruções."""
    handed: list[Any] = []

    def spying(contract: Any, run: Any, **options: Any) -> Stage:
        def spy(*answers: Any) -> Any:
            handed.extend(answers)
            return run(*answers)

        return Stage(contract, spy, **options)

    monkeypatch.setattr(fluxo_module, "Stage", spying)
    todo = regra(documentos_obrigatorios=["LAUDO_MEDICO"])
    trilha = Fluxo(Catalogo.of([politica(todo)])).decide(msgspec.json.encode(pedido()), HOJE)
    everything = "\n".join(msgspec.json.encode(answer).decode() for answer in [*handed, trilha])
    assert len(handed) == sum(len(agent.sees) for agent in AGENTES)
    for agent in AGENTES:
        assert not any(line in everything for line in agent.prompt.texto.splitlines() if len(line) > 40)


def test_a_model_may_write_language_and_nothing_that_decides() -> None:
    written = {path for agent in AGENTES for path, authors in agent.authors().items() if Author.MODEL in authors}
    assert written == {
        "ajustes_minimos_requeridos.justificativa",
        "ajustes_sugeridos.justificativa",
        "resumo_efeito",
        "mensagens.para_solicitante",
        "mensagens.para_beneficiario",
    }
    assert Author.MODEL not in AVALIACAO.authors()["conforme"]
    assert AJUSTES.authors()["pedido_id"] == (Author.CODE,)


def test_a_person_may_override_the_outcome() -> None:
    assert SINTESE.authors()["decisao_final"] == (Author.CODE, Author.PERSON)
