"""A prompt's version is one text, and its change log says which, since when and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from importlib import resources

import pytest

from crivo.kernel.agents.mudancas import ARQUIVO, Mudanca, line_of, problem_of, read_mudancas
from crivo.kernel.agents.prompts import Prompt, load_prompt

HOJE = date(2026, 11, 28)
PROMPT = Prompt("2", "Novo.", "ab" * 32)
ANTES = Mudanca("1", "cd" * 6, date(2026, 11, 21), "Primeira versão.")
AGORA = Mudanca("2", "ab" * 6, HOJE, "Mais curto.")


@pytest.mark.parametrize("package", ["crivo.autorizacoes", "crivo.clinicas", "crivo.triagem"])
def test_every_prompt_is_the_text_that_the_log_has_of_its_version(package: str) -> None:
    names = {entry.name for entry in resources.files(package).joinpath("prompts").iterdir() if entry.name.endswith(".md")} - {ARQUIVO}
    log = read_mudancas(package)
    assert names == log.keys()
    problems = [problem_of(name, load_prompt(package, name), log[name], datetime.now(UTC).date()) for name in sorted(names)]
    assert not any(problems), "\n\n".join(problem for problem in problems if problem)
    for name, mudancas in log.items():
        assert [one.versao for one in mudancas] == [str(number) for number in range(len(mudancas), 0, -1)], name
        assert len({one.digest for one in mudancas}) == len(mudancas), name


def test_a_text_changed_without_a_version_is_told_with_the_line_to_add() -> None:
    told = problem_of("sintese.md", replace(PROMPT, versao="1"), (ANTES,), HOJE)
    assert told is not None
    assert "a versão continua 1" in told
    assert "\n- 2 · abababababab · 2026-11-28 · …\n" in told
    assert told.endswith("troque só o digest da linha dela: abababababab")


def test_a_new_version_without_its_line_is_told() -> None:
    told = problem_of("sintese.md", PROMPT, (ANTES,), HOJE)
    assert told is not None
    assert told.endswith(line_of(PROMPT, HOJE))
    assert "para na 1" in told


def test_the_text_of_an_older_version_is_no_new_one_and_a_prompt_without_a_log_is_told() -> None:
    assert "versão anterior" in (problem_of("a.md", PROMPT, (AGORA, replace(ANTES, digest=AGORA.digest)), HOJE) or "")
    assert "## a.md" in (problem_of("a.md", PROMPT, (), HOJE) or "")
    assert problem_of("a.md", PROMPT, (AGORA, ANTES), HOJE) is None
