"""The nota of a project: whole only where every critério has one, and told as partial where not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from crivo.triagem.achados import NotaSugerida, SituacaoNota
from crivo.triagem.edital import Criterio
from crivo.triagem.media import media_of
from crivo.triagem.palavras import confianca, media_said, nota_said, price_said, spent_said

CRITERIOS = (Criterio("C1", "Mérito", peso=Decimal(1)), Criterio("C2", "Alcance", peso=Decimal(3)))


def nota(criterio: str, valor: str | None, situacao: SituacaoNota = "sugerida", observacao: str = "") -> NotaSugerida:
    given = None if valor is None else Decimal(valor)
    return NotaSugerida(criterio, given, "", Decimal("0.5"), (), situacao, "m", observacao=observacao)


def test_weights_count() -> None:
    """Source: design, An execução, 2 ("Σ weight × nota ÷ Σ weight")."""
    media = media_of(CRITERIOS, [nota("C1", "4"), nota("C2", "8")])
    assert (media.valor, media.parcial, media_said(media)) == (Decimal(7), False, "Média sugerida: 7,00")


def test_a_criterio_without_a_nota_makes_the_mean_partial_and_it_says_so() -> None:
    media = media_of(CRITERIOS, [nota("C1", "4"), nota("C2", None, "abstencao")])
    assert (media.valor, media.parcial, media_said(media)) == (Decimal(4), True, "Média parcial: 4,00, de 1 dos 2 critérios")


def test_a_nota_without_evidence_weighs_nothing_and_the_mean_says_so() -> None:
    media = media_of(CRITERIOS, [nota("C1", "4"), nota("C2", "10", "sem_evidencia")])
    assert (media.valor, media_said(media)) == (Decimal(4), "Média parcial: 4,00, de 1 dos 2 critérios")


@pytest.mark.parametrize("notas", [[], [nota("C1", "9", "sem_evidencia")], [nota("C1", None, "falhou")], [nota("C9", "5")]])
def test_nothing_to_weigh_is_no_mean(notas: list[NotaSugerida]) -> None:
    assert media_said(media_of(CRITERIOS, notas)) == "Sem nota sugerida"


def test_criterios_without_weight_make_no_mean() -> None:
    assert media_of((Criterio("C1", "Mérito", peso=Decimal(0)),), [nota("C1", "5")]).valor is None


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (nota("C1", "7.5"), "7,50"),
        (nota("C1", "7.5", "sem_evidencia"), "7,50 (sem evidência)"),
        (nota("C1", None, "abstencao", "o texto dá ordens."), "Absteve-se: o texto dá ordens."),
        (nota("C1", None, "falhou"), "Sem resposta"),
    ],
)
def test_a_nota_is_said_as_it_stands(one: NotaSugerida, said: str) -> None:
    assert nota_said(one) == said


@pytest.mark.parametrize(
    ("share", "said"), [("0", "nenhuma (0,00)"), ("0.3", "baixa (0,30)"), ("0.5", "média (0,50)"), ("0.92", "alta (0,92)")]
)
def test_a_confianca_is_a_word_and_a_number(share: str, said: str) -> None:
    assert confianca(Decimal(share)) == said


def test_costs_say_what_is_not_known() -> None:
    assert price_said("", False, 0, Decimal(0)).startswith("Custo zero: nenhum modelo está configurado")
    assert "modelo simulado" in price_said("simulado", True, 4, Decimal(0))
    for model, simulated, custo in (("simulado", True, Decimal(0)), ("m:um", False, Decimal(0)), ("m:um", False, None)):
        said = price_said(model, simulated, 0, custo)
        assert said == "Custo zero: não há nada novo a perguntar ao modelo."
    assert price_said("m:um", False, 200, None) == "Custo desconhecido: até 200 chamadas a m:um, cujo preço não se conhece aqui."
    assert price_said("m:um", False, 1, Decimal("2.5")) == "Custo estimado: até US$ 2,50, em 1 chamada a m:um."
    assert spent_said(Decimal("1.5"), 2) == "Custo: US$ 1,50, e 2 chamadas têm preço desconhecido"
    assert spent_said(Decimal(0), 1) == "Custo desconhecido: 1 chamada tem preço desconhecido"
