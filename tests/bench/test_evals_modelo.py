"""What a configured model can do is told with what it took; without one nothing is claimed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from evals.__main__ import EXEMPLOS
from evals.modelo import rows_of, with_model

from crivo.gravadas.medidas import Medida, Parte
from crivo.gravadas.placar import NaoSabido, Placar, PorAgente
from crivo.kernel.settings import load_settings

NADA = NaoSabido({}, {}, {}, {}, {}, (), ())
AGENTE = PorAgente("triagem.criterio", ("1",), 5, True, Parte(3, 4), Parte(4, 4), {"demorou": 1}, 400, 80, Decimal("0.02"), 2, 900, 1500)


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


def test_the_figures_of_a_model_have_no_target_and_the_last_row_tells_what_it_took() -> None:
    placar = Placar("falso:um", False, (Medida("triagem", "critérios com nota", Parte(3, 4)),), (AGENTE,), {}, NADA)
    *rows, taken = rows_of(placar)
    assert {linha.linha: (linha.nosso, linha.par) for linha in rows} == {
        "avaliação: critérios com nota": (3, 4),
        "triagem.criterio: respostas aceitas à primeira": (3, 4),
        "triagem.criterio: respostas aceitas no fim": (4, 4),
    }
    assert all(linha.meta is None for linha in (*rows, taken))
    assert (taken.nosso, taken.unidade, taken.execucoes) == (0.02, "US$", 5)
    assert "1 sem resposta, 480 tokens; 2 sem preço conhecido" in taken.nota
