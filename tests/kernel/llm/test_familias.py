"""What a model takes is known by its name, or by what is told to be behind it."""

from __future__ import annotations

from typing import get_args

import pytest

from crivo.kernel.llm.familias import familia_of
from crivo.kernel.settings import Esforco

_ANY = 4_096


@pytest.mark.parametrize(
    ("nome", "words"),
    [
        ("gpt-5-mini", ("minimal", "low", "medium", "high")),
        ("o3", ("low", "low", "medium", "high")),
        ("gpt-5.1", ("none", "low", "medium", "high")),
        ("gpt-5.5", ("none", "low", "medium", "high")),
        ("gpt-5-pro", ("high", "high", "high", "high")),
        ("gpt-5.2-chat-latest", ("medium", "medium", "medium", "medium")),
        ("openai/GPT-5", ("minimal", "low", "medium", "high")),
    ],
)
def test_each_family_that_thinks_has_its_own_words_for_every_effort(nome: str, words: tuple[str, ...]) -> None:
    assert tuple(familia_of(nome, _ANY).esforcos[one] for one in get_args(Esforco)) == words


@pytest.mark.parametrize("nome", ["gpt-4o", "gpt-5-chat-latest", "llama3", "qwen3:8b", "triagem-prod", ""])
def test_a_family_that_is_told_nothing_has_no_words(nome: str) -> None:
    assert not familia_of(nome, _ANY).esforcos
    assert not familia_of(nome, _ANY).thinks("alto")


@pytest.mark.parametrize(
    ("nome", "esforco", "thinks"),
    [("gpt-5", None, True), ("gpt-5.1", None, False), ("gpt-5.1", "baixo", True), ("gpt-5.5", None, True), ("gpt-5.5", "minimo", False)],
)
def test_whether_a_model_thinks_is_of_its_family_and_of_what_it_is_told(nome: str, esforco: Esforco | None, *, thinks: bool) -> None:
    assert familia_of(nome, _ANY).thinks(esforco) is thinks


@pytest.mark.parametrize(
    ("nome", "room"),
    [
        ("gpt-5", 32_000),
        ("gpt-4o", _ANY),
        ("gpt-4.1-mini", _ANY),
        ("gpt-4", 4_096),
        ("gpt-4-turbo", 4_096),
        ("gpt-35-turbo", 4_096),
        ("deepseek-r1:14b", 16_000),
        ("qwen/qwen3-32b", 16_000),
        ("anthropic/claude-sonnet-4-5", 8_192),
        ("llama3", _ANY),
    ],
)
def test_each_family_has_room_to_write(nome: str, room: int) -> None:
    assert familia_of(nome, _ANY).most_tokens(None) == room


def test_only_who_can_be_told_to_think_hard_has_more_room_for_it() -> None:
    assert familia_of("o3", _ANY).most_tokens("alto") > familia_of("o3", _ANY).most_tokens("medio")
    assert familia_of("llama3", _ANY).most_tokens("alto") == _ANY
