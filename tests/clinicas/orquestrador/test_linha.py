"""How long a turn waits for each part of a model."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest

from crivo.clinicas.orquestrador.linha import Prazos, waits, waits_of
from crivo.kernel.settings import Esforco, Settings

BORNE = 120.0  # seconds: planner, an opinion of the clinics' notes, the words and an opinion of them, one after the other


def test_a_model_that_does_not_think_is_waited_for_as_long_as_ever() -> None:
    assert waits(None) == Prazos() == Prazos(8.0, 8.0, 4.0)


def test_the_harder_it_is_told_to_think_the_longer_and_no_turn_takes_for_ever() -> None:
    told = [Prazos(), *(waits(one) for one in get_args(Esforco))]
    assert all(less.planner < more.planner and less.verifier < more.verifier for less, more in pairwise(told))
    assert all(one.planner + one.responder + 2 * one.verifier <= BORNE for one in told)


@pytest.mark.parametrize(
    ("settings", "waited"),
    [
        (Settings(modelo=""), Prazos()),
        (Settings(modelo="openai:gpt-4o"), Prazos()),
        (Settings(modelo="openai:gpt-5"), waits("medio")),
        (Settings(modelo="openai:conversas", modelo_familia="gpt-5"), waits("medio")),
        (Settings(modelo="openai:gpt-5", modelo_esforco="minimo"), waits("minimo")),
        (Settings(modelo="openai:conversas", modelo_esforco="alto"), waits("alto")),
    ],
    ids=lambda one: getattr(one, "modelo", ""),
)
def test_an_installation_waits_by_the_effort_that_it_tells_or_by_its_models_family(settings: Settings, waited: Prazos) -> None:
    assert waits_of(settings) == waited
