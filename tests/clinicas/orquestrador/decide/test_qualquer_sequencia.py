"""Whatever people say one after the other gets an answer, and nothing is undone that was not asked about. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.kernel.linguagem.fala import fold

Converse = Callable[..., CasoObtido]
CORPUS = Path(__file__).parents[4] / "evals/conversas_corpus"
ANSWERS = ("sim", "não", "ok", "a primeira", "o mais cedo", "desfaz", "pode ser", "cancela", "e mais tarde?", "não tem mais cedo?")
UNDOES = {"cancel_appointment", "reschedule_appointment"}


def said() -> list[str]:
    """Everything that the hands of our own sets wrote, once each."""
    cases = [case for path in sorted(CORPUS.glob("*.json")) for case in json.loads(path.read_text())]
    return sorted({turn["texto"] for case in cases for turn in case["turnos"]})


@pytest.mark.parametrize("seed", range(4))
def test_no_sequence_of_messages_fails_or_undoes_without_a_question(converse: Converse, seed: int) -> None:
    withheld = 0
    words, dice = said(), random.Random(seed)  # noqa: S311 - the same conversations each time
    assert len(words) > 300
    for _ in range(40):
        talk = [*dice.choices(words, k=dice.randint(2, 5)), dice.choice(ANSWERS), dice.choice(ANSWERS)]
        turns = converse(*talk).turnos
        assert len(turns) == len(talk)
        assert all(turn.texto for turn in turns)
        withheld += sum(not turn.verdict.safe for turn in turns)
        for message, before, turn in zip(talk[1:], turns, turns[1:], strict=False):
            undone = any(step.action in UNDOES for step in turn.steps)
            assert not undone or "?" in before.texto or "desfaz" in fold(message) or "volt" in fold(message), (talk, turn.texto)
    assert withheld <= 2  # of some 200 answers; what was withheld leaves nothing to agree to


def test_an_hour_narrowed_to_nothing_is_asked_for_anew(converse: Converse) -> None:
    case = converse("segunda 8h cardiologista", "não tem mais cedo?", "e mais tarde?", "a primeira", "sim")
    assert len(case.turnos) == 5
