"""The table of requirements and the tests say the same, both ways."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SEED = next(iter((ROOT.parent / "shared/seeds").glob("000_*.txt")), None)
ROW = re.compile(r"^\| (PRD [\d./]+) \| (.+?) \| (.*) \|$", re.MULTILINE)
CLAUSE = re.compile(r"PRD \d(?:\.\d)*(?:/\d+)?")


def in_the_table() -> dict[str, set[str]]:
    text = (ROOT / "docs/requirements.md").read_text(encoding="utf-8")
    return {clause: set(re.findall(r"`([^`]+)`", tests)) for clause, _, tests in ROW.findall(text)}


def in_the_tests() -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for file in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for clause in CLAUSE.findall(ast.get_docstring(node) or ""):
                    named.setdefault(clause, set()).add(f"{file.relative_to(ROOT / 'tests').as_posix()}::{node.name}")
    return named


def test_the_table_names_exactly_the_tests_that_name_each_clause() -> None:
    assert in_the_table() == in_the_tests()


def test_every_clause_of_the_table_is_shown_by_a_test() -> None:
    assert [clause for clause, tests in in_the_table().items() if not tests] == []


@pytest.mark.skipif(SEED is None, reason="the source documents are not beside this checkout")
@pytest.mark.parametrize("agent", range(1, 7))
def test_every_rule_of_every_agent_in_the_source_has_a_clause(agent: int) -> None:
    assert SEED is not None
    text = SEED.read_text(encoding="utf-8")
    rules = text.split(f"\n{agent}.2 Prompt")[1].split("# 3. Regras")[1].split(f"{agent}.3 Configurações")[0]
    # "Se … == CONDICIONAL, verifique …:" only introduces the rules that follow it.
    count = len(re.findall(r"\s- (?!Se regras_recuperadas\.cobertura == CONDICIONAL)", rules))
    clauses = [clause for clause in in_the_table() if clause.startswith(f"PRD {agent}.2/")]
    assert len(clauses) == count
