"""What a call costs is known or said not to be; an estimate does not fall short."""

from __future__ import annotations

from decimal import Decimal

import pytest

from crivo.kernel.llm.precos import cost, estimate_cost, estimate_tokens


@pytest.mark.parametrize("nome", ["openai:gpt-4o", "openai-chat:gpt-4o", "azure:gpt-4o"])
def test_a_public_price_is_found_by_the_configured_name(nome: str) -> None:
    """Triagem 7: what a call costs, by public prices."""
    assert cost(nome, "", 1_000_000, 0) == Decimal("2.5")
    assert cost(nome, "", 0, 1_000_000) == Decimal(10)


def test_the_name_that_the_service_told_counts_first() -> None:
    assert cost("openai:gpt-4o", "gpt-4o-mini-2024-07-18", 1_000_000, 0) == Decimal("0.15")


def test_a_deployment_is_priced_by_the_model_behind_it() -> None:
    assert cost("azure:triagem-prod", "triagem-prod", 1_000_000, 0) is None
    assert cost("azure:triagem-prod", "triagem-prod", 1_000_000, 0, familia="gpt-4o") == Decimal("2.5")


def test_what_the_service_had_kept_costs_less() -> None:
    whole, kept = cost("openai:gpt-4o", "", 1_000_000, 0), cost("openai:gpt-4o", "", 1_000_000, 0, lidos=1_000_000)
    assert whole is not None
    assert kept is not None
    assert Decimal(0) < kept < whole


@pytest.mark.parametrize("nome", ["openai-compatible:gpt-4o", "openai-compatible", "openai:modelo-que-ninguem-conhece", "azure:x"])
def test_a_price_that_nobody_knows_is_none_and_not_nothing(nome: str) -> None:
    """Triagem 7: an unknown price is said to be unknown."""
    assert cost(nome, "", 1000, 1000) is None
    assert estimate_cost(nome, 1000, 1000) is None


def test_code_in_a_models_place_costs_nothing() -> None:
    assert cost("simulado", "simulado", 1000, 1000) == Decimal(0)


def test_an_estimate_is_what_so_many_tokens_cost() -> None:
    assert estimate_cost("openai:gpt-4o", 1_000_000, 100_000) == Decimal("3.5")
    assert estimate_cost("azure:impl", 1_000_000, 0, familia="gpt-4o") == Decimal("2.5")


def test_tokens_are_estimated_by_length_and_not_below_what_tokenizers_count() -> None:
    # 129 characters: 28 tokens with o200k_base and 38 with cl100k_base.
    texto = (
        "A beneficiária aguarda a autorização da ressonância magnética de crânio, solicitada pela neurologista em 3 de fevereiro de 2026."
    )
    assert 38 <= estimate_tokens(texto) <= 60
    assert estimate_tokens("") == 0
